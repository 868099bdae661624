import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { FileOutput, type InputItem, type Operation } from '../definition/operation';
import type { Json, Request, Service } from '../definition/service';
import { Bounded, exclusive } from './holder';
import { cancelSignal, remark, tellProgress } from './host';
import { WriteMemory } from './memory';
import { listRows } from './paging';
import { pause } from './pause';
import { type Release, sideBySide } from './pool';
import { readAnswer } from './reading';
import { createSender, type Sender } from './request';
import { fallAsleep, wakeUrl } from './sleeping';
import { Watcher } from './waiting';

const recent = new Bounded<Json>(10_000);

/** The item number of a service that speaks for all items. */
const all = -1;

/** What the operations of one execution share: one credential, one sender, one watcher per list. */
export class Services {
	private readonly watchers = new Map<string, Watcher>();
	private readonly sharedResults = new Map<string, Promise<unknown>>();
	private readonly remarks = new Set<string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly sender: Sender,
		private readonly memory: WriteMemory,
		private readonly stopsOnFailure: boolean,
		private readonly ending: AbortController,
		private readonly stopped: AbortSignal,
		readonly concurrency: number,
	) {}

	static async open(context: IExecuteFunctions, stopsOnFailure: boolean): Promise<Services> {
		const { concurrency, timeout } = sendingOptions(context);
		const ending = new AbortController();
		const cancelled = cancelSignal(context);
		const stopped = cancelled === undefined ? ending.signal : AbortSignal.any([cancelled, ending.signal]);
		const sender = await createSender(context, { concurrency, timeout, stopped });
		return new Services(context, sender, new WriteMemory(context), stopsOnFailure, ending, stopped, concurrency);
	}

	/** The run has failed: nothing more is sent, and what waits for minutes waits no longer. */
	end(): void {
		this.ending.abort();
	}

	forAll = (): Service => this.forItem(all, () => {});

	forItem(item: number, release: Release): Service {
		const { sender, context, concurrency, stopsOnFailure, stopped } = this;
		const scoped = (key: string) => `${sender.scope} ${key}`;
		const remembered = (request: Request) => this.memory.once(item, request, () => sender.send(request));
		return {
			settings: sender.settings,
			concurrency,
			stopsOnFailure,
			send: async (question) => readAnswer(question, await remembered(question)),
			download: (request) => sender.download(request),
			list: (request) => listRows(remembered, sender.settings.listItemsField, request),
			wait: async (watch) => {
				release();
				return this.watcher(watch.list.path).wait(watch);
			},
			exclusive: (key, task) => exclusive(scoped(key), task),
			shared: (key, task) => this.share(key, task),
			recent: { get: (key) => recent.get(scoped(key)), set: (key, value) => recent.set(scoped(key), value) },
			remark: (text) => this.remark(text),
			progress: (text) => tellProgress(context, text),
			pause: (ms) => pause(ms, stopped),
			now: () => Date.now(),
			startedAt: performance.timeOrigin,
			sleep: {
				wakeUrl: () => wakeUrl(context),
				until: (limitMs, state) => fallAsleep(context, limitMs, state),
			},
			forEach: async <T, R>(tasks: readonly T[], run: (task: T, release: () => void) => Promise<R>) => {
				const results = new Array<R>(tasks.length);
				await sideBySide(tasks.length, concurrency, async (index, free) => {
					results[index] = await run(tasks[index], free);
				});
				return results;
			},
			evaluate: (parameter, index) => context.getNodeParameter(parameter, index, ''),
		};
	}

	/** What an operation returned, as n8n's items, paired to the item they came from. */
	async outputItems(result: unknown, item: number): Promise<INodeExecutionData[]> {
		if (Array.isArray(result)) return (await Promise.all(result.map((one) => this.outputItems(one, item)))).flat();
		if (!(result instanceof FileOutput)) return [outputItem(asObject(result), [item])];
		const { bytes, fileName, mimeType, field } = result.file;
		const binary = await this.context.helpers.prepareBinaryData(bytes, fileName, mimeType);
		return [{ ...outputItem(result.json, [item]), binary: { [field]: binary } }];
	}

	/** Nothing failed, so n8n will not run the node again. */
	forget(): void {
		this.memory.forget();
	}

	private watcher(path: string): Watcher {
		let watcher = this.watchers.get(path);
		if (watcher === undefined) {
			watcher = new Watcher({
				send: (request) => this.sender.send(request),
				itemsField: this.sender.settings.listItemsField,
				pause: (ms) => pause(ms, this.stopped),
				isCancelled: () => this.stopped.aborted,
				now: () => Date.now(),
			});
			this.watchers.set(path, watcher);
		}
		return watcher;
	}

	private async share<T>(key: string, task: () => Promise<T>): Promise<T> {
		const result = this.sharedResults.get(key) ?? task();
		this.sharedResults.set(key, result);
		return (await result) as T;
	}

	private remark(text: string): void {
		if (this.remarks.has(text)) return;
		this.remarks.add(text);
		remark(this.context, text);
	}
}

/** An operation that is one request per item. */
export async function ask(
	operation: Extract<Operation, { request: unknown }>,
	{ input }: InputItem<Json>,
	service: Service,
): Promise<unknown> {
	const answer = await service.send(operation.request(input, operation.own, service.settings));
	return operation.result === undefined ? answer : operation.result(answer, input);
}

export const outputItem = (json: Json, items: number[]): INodeExecutionData => ({
	json: json as INodeExecutionData['json'],
	pairedItem: items.length === 1 ? { item: items[0] } : items.map((item) => ({ item })),
});

/** An answer that is no object still becomes an item. */
function asObject(answer: unknown): Json {
	if (answer === undefined || answer === null || answer === '') return {};
	return typeof answer === 'object' && !Array.isArray(answer) ? (answer as Json) : { result: answer };
}

function sendingOptions(context: IExecuteFunctions): { concurrency: number; timeout: number } {
	const saved = context.getNode().parameters.options ?? {};
	const options = (JSON.stringify(saved).includes('"=') ? context.getNodeParameter('options', 0) : saved) as Json;
	return {
		concurrency: Math.min(32, Math.max(1, Number(options.concurrency) || 8)),
		timeout: (Number(options.timeout) || 60) * 1000,
	};
}
