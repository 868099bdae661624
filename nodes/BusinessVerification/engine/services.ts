import { orMade } from '../kit/objects';
import { exclusive, type Gate, inTurns, pause, type Release, sideBySide } from './turns';
import { identityOf, organizationOf } from './account';
import { Watcher } from './waiting';
import type { ICredentialDataDecryptedObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { credentialType, type InputItem } from '../kit/operation';
import { Failure, type Json, type Request, type Service } from '../kit/service';
import { Bounded } from '../../../credentials/tokens';
import { AgentCall, RunMemory, type Submissions } from './writes';
import { calledByAgent, cancelSignal, remark, tellProgress } from './host';
import { asFailure, itemsOf } from './results';
import { type CallResults } from '../agents/answers';
import { listPage, listRows } from './paging';
import { type Evaluate, evaluator, optionsOfRun } from './parameters';
import { readAnswer } from './answers';
import { createSender, gateOf, type Sender, type SenderOptions } from './sender';
import { fallAsleep, wakeUrl } from './sleeping';
import { Spending } from './spending';

/** One account of the service, and what the items of an execution that belong to it do together. */
export class Tenant {
	private readonly watchers = new Map<string, Watcher>();
	private organization: string | undefined;
	private readonly results = new Map<string, Promise<unknown>>();

	constructor(
		readonly sender: Sender,
		private readonly stopped: AbortSignal,
	) {}

	/** Accounts do not know of each other, even where a key is the same. */
	scoped = (key: string): string => `${this.sender.identity} ${key}`;

	exclusive = <T>(key: string, task: () => Promise<T>): Promise<T> => exclusive(this.scoped(key), task);

	/**
	 * Of all credentials of one organization. Whose they are is asked before: what a task reads while it waits for the lock
	 * would be out of date.
	 */
	async exclusiveToOrganization<T>(key: string, task: () => Promise<T>): Promise<T> {
		this.organization = await organizationOf(this.sender);
		return await exclusive(this.ofOrganization(key), task);
	}

	/** Known from the first task on that was exclusive to the organization. */
	ofOrganization = (key: string): string => `${this.organization} ${key}`;

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
				now: () => performance.now(),
			});
		return orMade(this.watchers, list, make);
	}
}

type Credential = ICredentialDataDecryptedObject;

/** Reading a credential costs n8n a database query, so not every item's is read where nothing says that they differ. */
const probes = 22;

/** Whose account an item belongs to: a credential may hold expressions, and then every item has its own. */
export class Tenants {
	private readonly known = new Map<string, Promise<Tenant>>();
	private common: Promise<Tenant | undefined> | undefined;

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly options: SenderOptions & { stopped: AbortSignal },
		private readonly first: Credential,
	) {}

	static async open(context: IExecuteFunctions, options: SenderOptions & { stopped: AbortSignal }): Promise<Tenants> {
		return new Tenants(context, options, await credentialOf(context, 0));
	}

	/** What goes to the wrong account cannot be called back, so for a write the credential of each item is read. */
	async of(item: number, writes: boolean): Promise<Tenant> {
		if (item === 0) return this.tenantOf(this.first);
		const common = writes ? undefined : await this.ofOne();
		return common ?? this.tenantOf(await this.read(item));
	}

	/** Of an operation that sends all items together, which can only be to one account. */
	async ofAll(): Promise<Tenant> {
		const common = await this.ofOne();
		if (common !== undefined) return common;
		for (let item = 1; item < this.count; item++) {
			if (identityOf(await this.read(item)) !== identityOf(this.first)) throw apart(item);
		}
		return this.tenantOf(this.first);
	}

	/** The account of all items, where nothing says that they differ: found out once. */
	private ofOne(): Promise<Tenant | undefined> {
		this.common ??= this.areAlike().then((alike) => (alike ? this.tenantOf(this.first) : undefined));
		return this.common;
	}

	/** Beyond the last item an expression that looks at its item finds nothing, and so differs or fails. */
	private async areAlike(): Promise<boolean> {
		const { count } = this;
		if (count < 2) return true;
		const spread = Array.from({ length: Math.min(count, probes) - 1 }, (_, place) =>
			Math.ceil(((place + 1) * (count - 1)) / (Math.min(count, probes) - 1)),
		);
		return Promise.all([...spread, count].map((item) => this.read(item))).then(
			(others) => others.every((other) => identityOf(other) === identityOf(this.first)),
			() => false,
		);
	}

	private tenantOf(credential: Credential): Promise<Tenant> {
		const { context, options } = this;
		return orMade(this.known, identityOf(credential), async () => {
			return new Tenant(await createSender(context, { ...options, credential }), options.stopped);
		});
	}

	private get count(): number {
		return this.context.getInputData().length;
	}

	private read(item: number): Promise<Credential> {
		return credentialOf(this.context, item);
	}
}

const credentialOf = (context: IExecuteFunctions, item: number): Promise<Credential> =>
	context.getCredentials(credentialType(context), item).catch((error: unknown) => {
		throw asFailure(error, 'credential-invalid');
	});

const apart = (item: number) =>
	new Failure(`The credential is not the same for all items: item ${item} has another than item 0`, {
		description:
			'This operation sends all items together, to one account, so nothing was sent. Split the items by account first, or use a credential without expressions.',
		cause: 'configuration-invalid',
	});

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
	private readonly memory: RunMemory;
	private readonly evaluate: Evaluate;
	/** Present where an agent calls. */
	private readonly call: AgentCall | undefined;
	private readonly spendingLimit: number;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly submissions: Submissions,
		private readonly callOf: (item: number) => CallResults,
	) {
		const isAgent = calledByAgent(context);
		const { concurrency, timeout, submitAgain, spendingLimit } = optionsOfRun(context, isAgent);
		this.spendingLimit = spendingLimit;
		this.stopped = AbortSignal.any(
			[this.ending.signal, cancelSignal(context)].filter((signal) => signal !== undefined),
		);
		this.gate = gateOf(concurrency);
		let tenants: Promise<Tenants> | undefined;
		const { gate, stopped } = this;
		this.tenants = () => (tenants ??= Tenants.open(context, { gate, timeout, stopped }));
		this.memory = new RunMemory(context, isAgent);
		this.evaluate = evaluator(context);
		this.call = isAgent ? new AgentCall(context, !submitAgain) : undefined;
	}

	/** How many items are worked on at a time: one for each request that may be in flight. */
	readonly places = (): number => this.gate.places;

	/** The run has failed: nothing more is sent, and what waits for minutes waits no longer. */
	end(): void {
		this.ending.abort();
	}

	/** Nothing leaves the node while a write has no answer. */
	close = (): Promise<void> => this.memory.settled();

	async forAll(): Promise<Service> {
		const only = this.context.getInputData().length === 1 ? 0 : many;
		return this.serviceOf(await (await this.tenants()).ofAll(), only, () => {});
	}

	async forItem(item: number, writes: boolean, release: Release): Promise<Service> {
		return this.serviceOf(await (await this.tenants()).of(item, writes), item, release);
	}

	private serviceOf(tenant: Tenant, item: number, release: Release): Service {
		const { context, submissions, stopped } = this;
		const { sender, scoped, exclusive, ofOrganization } = tenant;
		const called = this.callOf(item);
		const repeated = () => void (called.isRepeated = true);
		const spending = this.call && new Spending(context, scoped(''), this.spendingLimit);
		const read = (request: Request) => sender.send(request);
		const bill = (request: Request) =>
			spending?.count(request.submissions ?? 1, () => sender.send(request)) ?? sender.send(request);
		const write = (request: Request) =>
			request.ofRows ? this.memory.awaited(bill(request)) : this.memory.once(item, () => bill(request));
		return {
			settings: sender.settings,
			stopsOnFailure: !context.continueOnFail(),
			intentions: this.call?.intentions(scoped),
			send: async (question) => {
				if (question.kind === 'read') return readAnswer(question, await read(question));
				const submitted = this.call?.submit(question, { read, write, scoped, exclusive, repeated });
				const answer = await (submitted ?? write(question).then((body) => readAnswer(question, body)));
				submissions.accept(question.ofRows ? many : item, answer);
				return answer;
			},
			wasSent: () => this.memory.knows(item),
			ofRun: this.memory.ofRun,
			accepted: (record) => submissions.describe(item, record),
			download: (request) => sender.download(request),
			list: async (request) => {
				const { listItemsField } = sender.settings;
				if (this.call === undefined || request.page === undefined) return await listRows(read, listItemsField, request);
				const { rows, page } = await listPage(read, listItemsField, { ...request, page: request.page });
				called.page = page;
				return rows;
			},
			wait: async (watch) => {
				release();
				const left = this.call?.left(watch.maxWaitMs) ?? watch.maxWaitMs;
				return await tenant.watcher(watch.list.path).wait({ ...watch, maxWaitMs: left });
			},
			exclusive: (key, task) => tenant.exclusiveToOrganization(key, task),
			shared: (key, task) => tenant.shared(key, task),
			recent: {
				get: (key) => recent.get(ofOrganization(key)),
				set: (key, value) => recent.set(ofOrganization(key), value),
			},
			remark: (text) => this.remark(text),
			advise: (...sentences) => void called.steps.push(...sentences),
			refuseOverspending: (submissions) => spending?.refuseBeyond(submissions),
			progress: (text) => tellProgress(context, text),
			pause: (ms) => pause(ms, stopped),
			inTurns: (steps) => inTurns(steps, 0),
			now: () => performance.now(),
			sleep: {
				wakeUrl: (make) => wakeUrl(context, make),
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
		const call = this.callOf(index);
		call.isList = Array.isArray(result);
		call.part = typeof input.part === 'number' ? input.part : 1;
		return await itemsOf(this.context, result, index);
	}

	private remark(text: string): void {
		if (this.remarks.has(text)) return;
		this.remarks.add(text);
		remark(this.context, text);
	}
}
