import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Bounded } from '../../../credentials/bounded';
import type { InputItem, Json, Request, Service } from '../definition';
import { AgentCall } from './agentCall';
import { cancelSignal, calledByAgent, remark, tellProgress } from './host';
import { WriteMemory } from './writeMemory';
import { itemsOf } from './outputs';
import { listRows } from './paging';
import { type Evaluate, evaluator } from './parameters';
import { inTurns, pause } from './pause';
import { type Gate, type Release, sideBySide } from './pool';
import { readAnswer } from './reading';
import { gateOf } from './request';
import { optionsOfRun } from './optionsOfRun';
import { fallAsleep, wakeUrl } from './sleeping';
import type { Submissions } from './submissions';
import type { Tenant } from './tenant';
import { Tenants } from './tenants';

const recent = new Bounded<Json>(10_000);

/** The item number of a service that speaks for many items. */
const many = -1;

/** What the operations of one execution are handed. */
export class Services {
	private readonly remarks = new Set<string>();
	private readonly ending = new AbortController();
	private readonly stopped: AbortSignal;
	private readonly gate: Gate;
	private readonly tenants: () => Promise<Tenants>;
	private readonly memory: WriteMemory;
	private readonly evaluate: Evaluate;
	/** Present where an agent calls. */
	private readonly call: AgentCall | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly submissions: Submissions,
	) {
		const isAgent = calledByAgent(context);
		const { concurrency, timeout, submitAgain } = optionsOfRun(context, isAgent);
		this.stopped = AbortSignal.any(
			[this.ending.signal, cancelSignal(context)].filter((signal) => signal !== undefined),
		);
		this.gate = gateOf(concurrency);
		let tenants: Promise<Tenants> | undefined;
		const { gate, stopped } = this;
		this.tenants = () => (tenants ??= Tenants.open(context, { gate, timeout, stopped }));
		this.memory = new WriteMemory(context);
		this.evaluate = evaluator(context);
		this.call = isAgent ? new AgentCall(context, !submitAgain) : undefined;
	}

	/** How many items are worked on at a time: one for each request that may be in flight. */
	readonly places = (): number => this.gate.places;

	/** The run has failed: nothing more is sent, and what waits for minutes waits no longer. */
	end(): void {
		this.ending.abort();
	}

	/** Nothing leaves the node while a write has no answer. `mayRunAgain`: n8n may try once more and ask for the answers. */
	async close(mayRunAgain: boolean): Promise<void> {
		await this.memory.settled();
		if (!mayRunAgain) this.memory.forget();
	}

	async forAll(): Promise<Service> {
		const only = this.context.getInputData().length === 1 ? 0 : many;
		return this.serviceOf(await (await this.tenants()).ofAll(), only, () => {});
	}

	async forItem(item: number, release: Release): Promise<Service> {
		return this.serviceOf(await (await this.tenants()).of(item), item, release);
	}

	private serviceOf(tenant: Tenant, item: number, release: Release): Service {
		const { context, submissions, stopped } = this;
		const { sender, scoped, exclusive } = tenant;
		const ownPlace = `item ${item}`;
		const read = (request: Request) => sender.send(request);
		const write = (request: Request) => this.memory.once(request.place ?? ownPlace, () => sender.send(request));
		return {
			settings: sender.settings,
			stopsOnFailure: !context.continueOnFail(),
			callsAlone: this.call?.isAlone ?? false,
			send: async (question) => {
				if (question.kind === 'read') return readAnswer(question, await read(question));
				const called = this.call?.submit(question, { read, write, scoped, exclusive });
				const answer = await (called ?? write(question).then((body) => readAnswer(question, body)));
				submissions.accept(item, answer);
				return answer;
			},
			wasSent: (place = ownPlace) => this.memory.knows(place),
			accepted: (record) => submissions.describe(item, record),
			download: (request) => sender.download(request),
			list: (request) => listRows(read, sender.settings.listItemsField, request),
			wait: async (watch) => {
				release();
				const left = this.call?.left(watch.maxWaitMs) ?? watch.maxWaitMs;
				return await tenant.watcher(watch.list.path).wait({ ...watch, maxWaitMs: left });
			},
			exclusive,
			shared: (key, task) => tenant.shared(key, task),
			recent: { get: (key) => recent.get(scoped(key)), set: (key, value) => recent.set(scoped(key), value) },
			remark: (text) => this.remark(text),
			progress: (text) => tellProgress(context, text),
			pause: (ms) => pause(ms, stopped),
			inTurns: (steps) => inTurns(steps, 0),
			now: () => Date.now(),
			startedAt: performance.timeOrigin,
			sleep: {
				wakeUrl: () => wakeUrl(context),
				until: (limitMs, state) => fallAsleep(context, limitMs, state),
			},
			forEach: async <T, R>(tasks: readonly T[], run: (task: T, release: () => void) => Promise<R>) => {
				const results = new Array<R>(tasks.length);
				await sideBySide(tasks.length, this.places, async (index, free) => {
					results[index] = await run(tasks[index], free);
				});
				return results;
			},
			evaluate: (parameter, index) => this.evaluate(parameter, index, ''),
		};
	}

	/** What an operation returned, as n8n's items, paired to the item they came from. */
	async outputItems(result: unknown, { index, input }: InputItem<Json>): Promise<INodeExecutionData[]> {
		const answered = this.call === undefined ? result : this.call.answered(result, input.limit);
		return await itemsOf(this.context, answered, index);
	}

	private remark(text: string): void {
		if (this.remarks.has(text)) return;
		this.remarks.add(text);
		remark(this.context, text);
	}
}
