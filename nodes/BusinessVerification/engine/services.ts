import { type IExecuteFunctions, type INodeExecutionData, WAIT_INDEFINITELY } from 'n8n-workflow';
import { exclusive, inTurns, pause, sideBySide } from './turns';
import { senderForAll } from './sender';
import { Watcher } from './waiting';
import { concurrencyBounds, type Operation } from '../kit/operation';
import { Failure, type Json, type Question, type Service, tried } from '../kit/service';
import { Bounded, orBegun, orMade } from '../kit/objects';
import { AgentCall } from './agentCall';
import { orNotConfirmed } from './submissions';
import { calledByAgent, cancelSignal } from './host';
import type { RunResults } from './runResults';
import { listPage, listRows } from './paging';
import { evaluator, optionsOfRun } from './parameters';
import { readAnswer } from './checkedAnswer';

const recent = new Bounded<Json>(10_000);

/** Makes the `Service` with which an operation runs. */
export function servicesOf(context: IExecuteFunctions, operation: Operation, results: RunResults) {
	const options = optionsOfRun(context, calledByAgent(context));
	// Billed requests in flight cannot be undone if another one fails.
	const usual = operation.bills === undefined ? concurrencyBounds.max : concurrencyBounds.default;
	/** Maximum items in progress, and requests in flight. */
	const { concurrency = usual } = options;
	let shared: Promise<Shared> | undefined;
	/** `release` is called when the item starts to wait for minutes. */
	const forItem = async (item: number, release: () => void) => {
		shared ??= begin(context, operation, results, { ...options, concurrency });
		return serviceOf({ ...(await shared), item, release });
	};
	return { concurrency, forAll: () => forItem(0, () => {}), forItem };
}

export type Services = ReturnType<typeof servicesOf>;

/** What the items of a run share. */
type Shared = Awaited<ReturnType<typeof begin>>;

async function begin(
	context: IExecuteFunctions,
	operation: Operation,
	results: RunResults,
	{ submitAgain, spendingLimit, ...sending }: ReturnType<typeof optionsOfRun> & { concurrency: number },
) {
	const stopped = AbortSignal.any([results.failed, cancelSignal(context)].filter((signal) => signal !== undefined));
	const comparesEach = operation.kind === 'perItem' && operation.bills !== undefined;
	const sender = await senderForAll(context, { ...sending, stopped }, comparesEach);
	return {
		context,
		results,
		sender,
		stopped,
		concurrency: sending.concurrency,
		evaluate: evaluator(context),
		/** Undefined if people call. */
		call: calledByAgent(context) ? new AgentCall(context, sender.scoped, !submitAgain, spendingLimit) : undefined,
		/** Records that wait, by their list. */
		watchers: new Map<string, Watcher>(),
		/** Requests of which one answer serves all items. */
		asked: new Map<string, Promise<unknown>>(),
	};
}

type ForItem = Shared & { item: number; release(): void };

const serviceOf = (own: ForItem): Service => {
	const { settings } = own.sender;
	return { settings, ...sends(own), ...waits(own), ...remembers(own), ...says(own) };
};

function sends(own: ForItem) {
	const { results, sender, call, concurrency, evaluate, item } = own;
	return {
		send: (question) =>
			question.kind === 'write'
				? sendWrite(own, question)
				: sender.send(question).then((body) => readAnswer(question, body)),
		download: (request) => sender.download(request),
		list: async (request) => {
			if (call === undefined || request.page === undefined) return await listRows(sender.page, request);
			const { rows, page } = await listPage(sender.page, request, request.page);
			results.callOf(item).page = page;
			return rows;
		},
		forEach: (tasks, run) => sideBySide(tasks.length, concurrency, (index) => run(tasks[index])),
		refuseOverspending: (submissions) => call?.refuseOverspending(submissions),
		evaluate,
	} satisfies Partial<Service>;
}

function waits(own: ForItem) {
	const { context, stopped, call, release } = own;
	return {
		wait: async (watch) => {
			release();
			const left = call?.left(watch.maxWaitMs) ?? watch.maxWaitMs;
			const waited = await tried(watcherOf(own, watch.list.path).wait({ ...watch, maxWaitMs: left }));
			if (waited instanceof Failure) throw new Failure(waited.message, { ...waited.details, id: watch.id });
			return waited;
		},
		pause: (ms) => pause(ms, stopped),
		inTurns,
		uptime: () => performance.now(),
		sleep: {
			isPossible: () => context.getNode().executeOnce !== true,
			resumeUrl: () => String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)),
			until: (limitMs, state) => fallAsleep(context, limitMs, state),
		},
	} satisfies Partial<Service>;
}

/** Each is described in docs/development/architecture.md: what it keeps, for how long, and when it is lost. */
function remembers({ results: { submissions }, sender: { scoped }, call, asked, item }: ForItem) {
	return {
		wasSent: () => submissions.knows(item),
		ofRun: submissions.ofRun,
		found: (record) => submissions.found(item, record),
		intentions: call?.intentions,
		exclusive: (key, task) => exclusive(scoped(key), task),
		shared: <T>(key: string, task: () => Promise<T>) => orBegun(asked, key, task) as Promise<T>,
		recent: {
			get: (key) => recent.get(scoped(key)),
			set: (key, value) => recent.set(scoped(key), value),
		},
	} satisfies Partial<Service>;
}

function says({ context, results, item }: ForItem) {
	return {
		remark: results.remark,
		advise: (...sentences) => void results.callOf(item).steps.push(...sentences),
		stopsOnFailure: !context.continueOnFail(),
	} satisfies Partial<Service>;
}

function watcherOf({ watchers, stopped, sender: { send, page } }: Shared, list: string): Watcher {
	const make = () =>
		new Watcher({
			send,
			page,
			pause: (ms) => pause(ms, stopped),
			isCancelled: () => stopped.aborted,
			uptime: () => performance.now(),
		});
	return orMade(watchers, list, make);
}

/** Sends a write once, whoever tries again, and counts what it bills. */
async function sendWrite<T>({ call, results, sender, item }: ForItem, question: Question<T>): Promise<T> {
	const { submissions } = results;
	const owner = question.rows === undefined ? item : 'rows';
	const order = () => orNotConfirmed(question, async () => readAnswer(question, await sender.send(question)));
	const bill = () => call?.counted(question.rows ?? 1, order) ?? order();
	const write = () => call?.submit(question, bill, results.callOf(item)) ?? bill();
	return (await submissions.once(owner, question, write)) as T;
}

/**
 * Puts the execution to wait. n8n stores the node's input item, passes it to `webhook` with a call, and outputs it
 * unchanged after the limit. So the state replaces that item, unless the execution cannot wait: "Retry On Fail" then
 * needs the item again, by which `Submissions` knows what was already sent.
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
