import { type IExecuteFunctions, type INodeExecutionData, WAIT_INDEFINITELY } from 'n8n-workflow';
import { exclusive, inTurns, pause, sideBySide } from './turns';
import { senderForAll } from './oneAccount';
import type { Sender } from './sender';
import { Watcher } from './waiting';
import { concurrencyBounds, costsMoney, type Operation } from '../kit/operation';
import { Failure, type Json, type Question, type Service, tried } from '../kit/service';
import { Bounded, orBegun, orMade } from '../kit/objects';
import { AgentCall } from './agentCall';
import { orNotConfirmed, RunMemory } from './writes';
import { calledByAgent, cancelSignal, remark } from './host';
import type { Results } from './collected';
import { listPage, listRows } from './paging';
import { type Evaluate, evaluator, optionsOfRun } from './parameters';
import { readAnswer } from './answers';

const recent = new Bounded<Json>(10_000);

/** The services of one run. */
export interface Services {
	/** Maximum items in progress, and requests in flight. */
	readonly concurrency: number;
	forAll(): Promise<Service>;
	/** `release` is called when the item starts to wait for minutes. */
	forItem(item: number, release: () => void): Promise<Service>;
	/** Called at the end, when it is known how many items share a remark. */
	showRemarks(): void;
}

/** What the items of a run share. */
interface Shared {
	context: IExecuteFunctions;
	results: Results;
	concurrency: number;
	stopped: AbortSignal;
	memory: RunMemory;
	/** Undefined if people call. */
	call: AgentCall | undefined;
	evaluate: Evaluate;
	/** Records that wait, by their list. */
	watchers: Map<string, Watcher>;
	/** Requests of which one answer serves all items. */
	asked: Map<string, Promise<unknown>>;
	remark: Service['remark'];
}

/** Makes the `Service` with which an operation runs. */
export function servicesOf(context: IExecuteFunctions, operation: Operation, results: Results): Services {
	const isAgent = calledByAgent(context);
	const { timeout, patienceMs, submitAgain, spendingLimit, ...options } = optionsOfRun(context, isAgent);
	const stopped = AbortSignal.any([results.failed, cancelSignal(context)].filter((signal) => signal !== undefined));
	// Billed requests in flight cannot be undone if another one fails.
	const usual = operation.bills === undefined ? concurrencyBounds.max : concurrencyBounds.default;
	const concurrency = options.concurrency ?? usual;
	const comparesEach = operation.kind === 'perItem' && operation.bills !== undefined;
	let made: Promise<Sender> | undefined;
	const sender = () => (made ??= senderForAll(context, { concurrency, timeout, stopped, patienceMs }, comparesEach));
	const memory = new RunMemory(context, isAgent);
	const limit = costsMoney(operation) ? spendingLimit : undefined;
	const call = isAgent ? new AgentCall(context, !submitAgain, limit) : undefined;
	const remarks = new Map<string, { text: string; more: number }>();
	const shared: Shared = {
		...{ context, results, concurrency, stopped, memory, call },
		evaluate: evaluator(context),
		watchers: new Map(),
		asked: new Map(),
		remark: (text, kind) => {
			const known = remarks.get(kind ?? text);
			if (known === undefined) remarks.set(kind ?? text, { text, more: 0 });
			else if (kind !== undefined) known.more++;
		},
	};
	return {
		concurrency,
		forAll: async () => serviceOf(shared, await sender(), 0, () => {}),
		forItem: async (item, release) => serviceOf(shared, await sender(), item, release),
		showRemarks: () => {
			for (const { text, more } of remarks.values())
				remark(context, more === 0 ? text : `${text} The same for ${more} more ${more === 1 ? 'item' : 'items'}.`);
		},
	};
}

function serviceOf(shared: Shared, sender: Sender, item: number, release: () => void): Service {
	const { context, results, stopped, memory, call } = shared;
	const { scoped } = sender;
	const { listItemsField } = sender.settings;
	const called = results.callOf(item);
	return {
		settings: sender.settings,
		stopsOnFailure: !context.continueOnFail(),
		intentions: call?.intentions(scoped),
		send: (question) =>
			question.kind === 'write'
				? sendWrite(shared, sender, item, question)
				: sender.send(question).then((body) => readAnswer(question, body)),
		wasSent: () => memory.knows(item),
		ofRun: memory.ofRun,
		found: (record) => {
			memory.settle(item, record);
			results.submissions.accept(item, record);
		},
		accepted: (record) => void results.submissions.records.set(item, record),
		download: (request) => sender.download(request),
		list: async (request) => {
			if (call === undefined || request.page === undefined) return await listRows(sender.send, listItemsField, request);
			const { rows, page } = await listPage(sender.send, listItemsField, request, request.page);
			called.page = page;
			return rows;
		},
		wait: async (watch) => {
			release();
			const left = call?.left(watch.maxWaitMs) ?? watch.maxWaitMs;
			const waited = await tried(watcherOf(shared, sender, watch.list.path).wait({ ...watch, maxWaitMs: left }));
			if (waited instanceof Failure) throw new Failure(waited.message, { ...waited.details, id: watch.id });
			return waited;
		},
		exclusive: (key, task) => exclusive(scoped(key), task),
		shared: <T>(key: string, task: () => Promise<T>) => orBegun(shared.asked, key, task) as Promise<T>,
		recent: {
			get: (key) => recent.get(scoped(key)),
			set: (key, value) => recent.set(scoped(key), value),
		},
		remark: shared.remark,
		advise: (...sentences) => void called.steps.push(...sentences),
		refuseOverspending: (submissions) => call?.refuseOverspending(scoped(''), submissions),
		pause: (ms) => pause(ms, stopped),
		inTurns,
		uptime: () => performance.now(),
		sleep: {
			isPossible: () => context.getNode().executeOnce !== true,
			resumeUrl: () => String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)),
			until: (limitMs, state) => fallAsleep(context, limitMs, state),
		},
		forEach: (tasks, run) => sideBySide(tasks.length, shared.concurrency, (index) => run(tasks[index])),
		evaluate: shared.evaluate,
	};
}

function watcherOf({ watchers, stopped }: Shared, { send, settings }: Sender, list: string): Watcher {
	const make = () =>
		new Watcher({
			send,
			itemsField: settings.listItemsField,
			pause: (ms) => pause(ms, stopped),
			isCancelled: () => stopped.aborted,
			uptime: () => performance.now(),
		});
	return orMade(watchers, list, make);
}

/** Sends a write once, whoever tries again, and counts what it bills. */
async function sendWrite<T>(shared: Shared, sender: Sender, item: number, question: Question<T>): Promise<T> {
	const { memory, call, results } = shared;
	const { send, scoped } = sender;
	const order = () => orNotConfirmed(question, async () => readAnswer(question, await send(question)));
	const bill = () => call?.counted(scoped(''), question.submissions ?? 1, order) ?? order();
	const write = () => (question.ofRows ? bill() : memory.once(item, bill));
	if (question.ofRows || question.foundBy !== undefined) results.submissions.foundAgain.add(item);
	const called = results.callOf(item);
	const answer = (await (call?.submit(question, { write, scoped, called }) ?? write())) as T;
	results.submissions.accept(item, answer as Json | Json[], question.ofRows);
	return answer;
}

/**
 * Puts the execution to wait. n8n stores the node's input item, passes it to `webhook` with a call, and outputs it
 * unchanged after the limit. So the state replaces that item, unless the execution cannot wait: "Retry On Fail" then
 * needs the item again, by which `RunMemory` knows what was already sent.
 */
async function fallAsleep(context: IExecuteFunctions, limitMs: number, state: Json): Promise<void> {
	const items = context.getInputData();
	const [input] = items;
	items[0] = { json: state as INodeExecutionData['json'], pairedItem: { item: 0 } };
	try {
		await context.putExecutionToWait(limitMs > 0 ? new Date(Date.now() + limitMs) : WAIT_INDEFINITELY);
	} catch (error) {
		items[0] = input;
		return Promise.reject(error);
	}
}
