import { orAsked, orMade } from '../kit/objects';
import { exclusive, inTurns, pause, sideBySide } from './turns';
import { identityOf, organizationOf } from './account';
import { Watcher } from './waiting';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { costsMoney, credentialType, type Operation } from '../kit/operation';
import { Failure, type Json, type Request, type Service } from '../kit/service';
import { Bounded } from '../../../credentials/tokens';
import { AgentCall, orNotConfirmed, readable, RunMemory, type Submissions } from './writes';
import { calledByAgent, cancelSignal, remark, tellProgress } from './host';
import { asFailure } from './results';
import { type CallResults } from '../agents/answers';
import { listPage, listRows } from './paging';
import { evaluator, optionsOfRun } from './parameters';
import { readAnswer } from './answers';
import { createSender, gateOf, type Sender, type SenderOptions } from './sender';
import { fallAsleep, wakeUrl } from './sleeping';
import { spendingOf } from './spending';

/** One account of the service, with what the items of an execution share in it. */
export class Tenant {
	private readonly watchers = new Map<string, Watcher>();
	private organization: string | undefined;
	private readonly results = new Map<string, Promise<unknown>>();

	constructor(
		readonly sender: Sender,
		private readonly stopped: AbortSignal,
	) {}

	/** Accounts must not share results, even under the same key. */
	scoped = (key: string): string => `${this.sender.identity} ${key}`;

	/**
	 * Exclusive among all credentials of one organization. `task` must read what it needs itself, because anything read
	 * before it holds the lock may be outdated.
	 */
	async exclusiveToOrganization<T>(key: string, task: () => Promise<T>): Promise<T> {
		this.organization = await organizationOf(this.sender);
		return await exclusive(this.ofOrganization(key), task);
	}

	/** Valid after the first `exclusiveToOrganization`. */
	ofOrganization = (key: string): string => `${this.organization} ${key}`;

	shared = <T>(key: string, task: () => Promise<T>) => orAsked(this.results, key, task) as Promise<T>;

	watcher(list: string): Watcher {
		const { sender, stopped } = this;
		const make = () =>
			new Watcher({
				send: sender.send,
				itemsField: sender.settings.listItemsField,
				pause: (ms) => pause(ms, stopped),
				isCancelled: () => stopped.aborted,
				uptime: () => performance.now(),
			});
		return orMade(this.watchers, list, make);
	}
}

type Credential = ICredentialDataDecryptedObject;

/** n8n reads a credential with a database query, so only this many items are compared. */
const probes = 22;

/** Finds the account of each item. A credential with expressions may have another one for every item. */
function tenantsOf(context: IExecuteFunctions, options: SenderOptions & { stopped: AbortSignal }) {
	const { length: count } = context.getInputData();
	const type = credentialType(context);
	const known = new Map<string, Promise<Tenant>>();

	const read = (item: number): Promise<Credential> =>
		context.getCredentials<Credential>(type, item).catch((error: unknown) => {
			throw asFailure(error, 'credential-invalid');
		});
	let first: Promise<Credential> | undefined;
	const readFirst = () => (first ??= read(0));

	const tenantOf = (credential: Credential): Promise<Tenant> =>
		orMade(known, identityOf(credential), async () => {
			return new Tenant(await createSender(context, { ...options, credential }), options.stopped);
		});

	/** The index after the last item is read too: an expression that uses the item differs or fails there. */
	const areLike = async (credential: Credential): Promise<boolean> => {
		if (count < 2) return true;
		const steps = Math.min(count, probes) - 1;
		const spread = Array.from({ length: steps }, (_, place) => Math.ceil(((place + 1) * (count - 1)) / steps));
		return await Promise.all([...spread, count].map(read)).then(
			(others) => others.every((other) => identityOf(other) === identityOf(credential)),
			() => false,
		);
	};

	/** The account of all items, if the samples show no difference. Found once. */
	let common: Promise<Tenant | undefined> | undefined;
	const ofOne = () =>
		(common ??= readFirst().then(async (credential) =>
			(await areLike(credential)) ? tenantOf(credential) : undefined,
		));

	return {
		/** A write to the wrong account cannot be undone, so for writes the credential of each item is read. */
		async of(item: number, writes: boolean): Promise<Tenant> {
			if (item === 0) return tenantOf(await readFirst());
			const one = writes ? undefined : await ofOne();
			return one ?? tenantOf(await read(item));
		},

		/** The account of an operation that sends all items together. Throws if the items have different ones. */
		async ofAll(): Promise<Tenant> {
			const one = await ofOne();
			if (one !== undefined) return one;
			const credential = await readFirst();
			for (let item = 1; item < count; item++) {
				if (identityOf(await read(item)) !== identityOf(credential)) throw apart(item);
			}
			return tenantOf(credential);
		},
	};
}

const apart = (item: number) =>
	new Failure(`The items use different credentials: item ${item} has another one than item 0`, {
		description:
			'Nothing was sent, because this operation sends all items to one account. Split the items by account, or use a credential without expressions.',
		cause: 'configuration-invalid',
	});

const recent = new Bounded<Json>(10_000);

/** Item number of a service that serves many items. */
const many = -1;

interface Run {
	readonly submissions: Submissions;
	callOf(item: number): CallResults;
	/** After it, no more requests are sent, and waits end. */
	readonly failed: AbortSignal;
}

export type Services = ReturnType<typeof servicesOf>;

/** Makes the `Service` with which an operation runs. */
export function servicesOf(context: IExecuteFunctions, operation: Operation, { submissions, callOf, failed }: Run) {
	const isAgent = calledByAgent(context);
	const { concurrency, timeout, submitAgain, spendingLimit } = optionsOfRun(context, isAgent);
	const stopped = AbortSignal.any([failed, cancelSignal(context)].filter((signal) => signal !== undefined));
	const gate = gateOf(concurrency);
	const tenants = tenantsOf(context, { gate, timeout, stopped });
	const memory = new RunMemory(context, isAgent);
	const call = isAgent ? new AgentCall(context, !submitAgain) : undefined;
	const evaluate = evaluator(context);
	const remarks = new Set<string>();
	/** Items in progress at a time: one for each request that may be in flight. */
	const places = (): number => gate.places;

	const serviceOf = (tenant: Tenant, item: number, release: () => void): Service => {
		const { sender, scoped, ofOrganization } = tenant;
		const called = callOf(item);
		const spending = call && costsMoney(operation) ? spendingOf(context, scoped(''), spendingLimit) : undefined;
		const { send: read } = sender;
		const order = (request: Request) => orNotConfirmed(request, read(request).then(readable));
		const bill = (request: Request) =>
			spending?.count(request.submissions ?? 1, () => order(request)) ?? order(request);
		const write = (request: Request) =>
			request.ofRows ? memory.awaited(bill(request)) : memory.once(item, () => bill(request));
		return {
			settings: sender.settings,
			stopsOnFailure: !context.continueOnFail(),
			intentions: call?.intentions(ofOrganization),
			send: async (question) => {
				if (question.kind !== 'write') return readAnswer(question, await read(question));
				const submitted = call?.submit(question, { read, write, scoped, called });
				const answered = submitted ?? write(question).then((body) => readAnswer(question, body));
				const answer = await orNotConfirmed(question, answered);
				submissions.accept(question.ofRows ? many : item, answer as Json | Json[]);
				return answer;
			},
			wasSent: () => memory.knows(item),
			ofRun: memory.ofRun,
			accepted: (record) => void submissions.records.set(item, record),
			download: (request) => sender.download(request),
			list: async (request) => {
				const { listItemsField } = sender.settings;
				if (call === undefined || request.page === undefined) return await listRows(read, listItemsField, request);
				const { rows, page } = await listPage(read, listItemsField, request, request.page);
				called.page = page;
				return rows;
			},
			wait: async (watch) => {
				release();
				const left = call?.left(watch.maxWaitMs) ?? watch.maxWaitMs;
				return await tenant.watcher(watch.list.path).wait({ ...watch, maxWaitMs: left });
			},
			exclusive: (key, task) => tenant.exclusiveToOrganization(key, task),
			shared: (key, task) => tenant.shared(key, task),
			recent: {
				get: (key) => recent.get(ofOrganization(key)),
				set: (key, value) => recent.set(ofOrganization(key), value),
			},
			remark: (text) => {
				if (!remarks.has(text)) remark(context, text);
				remarks.add(text);
			},
			advise: (...sentences) => void called.steps.push(...sentences),
			refuseOverspending: (submissions) => spending?.refuseBeyond(submissions),
			progress: (text) => tellProgress(context, text),
			pause: (ms) => pause(ms, stopped),
			inTurns: (steps) => inTurns(steps, 0),
			uptime: () => performance.now(),
			sleep: {
				wakeUrl: (make) => wakeUrl(context, make),
				until: (limitMs, state) => fallAsleep(context, limitMs, state),
			},
			forEach: (tasks, run) => sideBySide(tasks.length, places, (index) => run(tasks[index])),
			evaluate: (parameter, index) => evaluate(parameter, index, ''),
		};
	};

	return {
		places,
		forAll: async () => {
			const only = context.getInputData().length === 1 ? 0 : many;
			return serviceOf(await tenants.ofAll(), only, () => {});
		},
		forItem: async (item: number, release: () => void) =>
			serviceOf(await tenants.of(item, operation.bills !== undefined), item, release),
		/** Waits for the responses of all writes, because "Retry On Fail" would otherwise start before them. */
		close: () => memory.settled(),
	};
}
