import { orMade } from '../definition';
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

	shared<T>(key: string, task: () => Promise<T>): Promise<T> {
		return orMade(this.results, key, task) as Promise<T>;
	}

	watcher(list: string): Watcher {
		const { sender, stopped } = this;
		const make = () =>
			new Watcher({
				send: sender.send,
				itemsField: sender.settings.listItemsField,
				pause: (ms) => pause(ms, stopped),
				isCancelled: () => stopped.aborted,
				now: () => Date.now(),
			});
		return orMade(this.watchers, list, make);
	}
}
