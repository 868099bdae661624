import { exclusive } from './exclusive';
import { pause } from './pause';
import type { Sender } from './request';
import { Watcher } from './waiting';

/** One account of the service, and what the items of an execution that belong to it do together. */
export class Tenant {
	private readonly watchers = new Map<string, Watcher>();
	private readonly results = new Map<string, Promise<unknown>>();

	constructor(
		readonly sender: Sender,
		private readonly stopped: AbortSignal,
	) {}

	/** Accounts do not know of each other, even where a key is the same. */
	scoped = (key: string): string => `${this.sender.scope} ${key}`;

	exclusive = <T>(key: string, task: () => Promise<T>): Promise<T> => exclusive(this.scoped(key), task);

	async shared<T>(key: string, task: () => Promise<T>): Promise<T> {
		const result = this.results.get(key) ?? task();
		this.results.set(key, result);
		return (await result) as T;
	}

	watcher(list: string): Watcher {
		let watcher = this.watchers.get(list);
		if (watcher === undefined) {
			const { sender, stopped } = this;
			watcher = new Watcher({
				send: (request) => sender.send(request),
				itemsField: sender.settings.listItemsField,
				pause: (ms) => pause(ms, stopped),
				isCancelled: () => stopped.aborted,
				now: () => Date.now(),
			});
			this.watchers.set(list, watcher);
		}
		return watcher;
	}
}
