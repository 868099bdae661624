import type { IExecuteFunctions } from 'n8n-workflow';
import { inTurns, pause, sideBySide } from './turns';
import { type Tenant, Tenants } from './tenants';
import { costsMoney, type Operation } from '../kit/operation';
import type { Json, Request, Service } from '../kit/service';
import { Bounded } from '../../../credentials/tokens';
import { AgentCall, orNotConfirmed, readable, RunMemory, type Submissions } from './writes';
import { calledByAgent, cancelSignal, remark, tellProgress } from './host';
import { type CallResults } from '../agents/answers';
import { listPage, listRows } from './paging';
import { evaluator, optionsOfRun } from './parameters';
import { readAnswer } from './answers';
import { gateOf } from './sender';
import { fallAsleep, resumeUrl } from './sleeping';
import { spendingOf } from './spending';

const recent = new Bounded<Json>(10_000);

/** Item number of a service that serves many items. */
const many = -1;

interface Run {
	readonly submissions: Submissions;
	callOf(item: number): CallResults;
	/** After it, no more requests are sent, and waits end. */
	readonly failed: AbortSignal;
}

/** The services of one run. */
export interface Services {
	/** Items in progress at a time: one for each request that may be in flight. */
	places(): number;
	forAll(): Promise<Service>;
	/** `release` is called when the item starts to wait for minutes. */
	forItem(item: number, release: () => void): Promise<Service>;
	/** Waits for the responses of all writes, because "Retry On Fail" would otherwise start before them. */
	close(): Promise<void>;
}

/** Makes the `Service` with which an operation runs. */
export function servicesOf(
	context: IExecuteFunctions,
	operation: Operation,
	{ submissions, callOf, failed }: Run,
): Services {
	const isAgent = calledByAgent(context);
	const { concurrency, timeout, submitAgain, spendingLimit } = optionsOfRun(context, isAgent);
	const stopped = AbortSignal.any([failed, cancelSignal(context)].filter((signal) => signal !== undefined));
	const gate = gateOf(concurrency);
	const tenants = new Tenants(context, { gate, timeout, stopped });
	const memory = new RunMemory(context, isAgent);
	const call = isAgent ? new AgentCall(context, !submitAgain) : undefined;
	const evaluate = evaluator(context);
	const remarks = new Set<string>();
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
				resumeUrl: () => resumeUrl(context),
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
			return serviceOf(await tenants.forAll(), only, () => {});
		},
		forItem: async (item: number, release: () => void) =>
			serviceOf(await tenants.forItem(item, operation.bills !== undefined), item, release),
		close: () => memory.settled(),
	};
}
