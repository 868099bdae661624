/**
 * A model of the service's batch endpoints in which an hour takes no time: what can go wrong with any request goes wrong
 * on demand, and what was billed is counted by row. Import runs are played against it by the code that n8n runs.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { identityOf } from '../../nodes/BusinessVerification/engine/account';
import { exclusive } from '../../nodes/BusinessVerification/engine/turns';
import { AgentCall } from '../../nodes/BusinessVerification/engine/agentCall';
import { Submissions } from '../../nodes/BusinessVerification/engine/submissions';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import type { Fields } from '../../nodes/BusinessVerification/kit/field';
import type { Outcome, Together } from '../../nodes/BusinessVerification/kit/operation';
import type { Json, ListRequest, Request, Service } from '../../nodes/BusinessVerification/kit/service';
import { submit } from '../../nodes/BusinessVerification/operations/batch/submit.operation';
import { importSheet } from '../../nodes/BusinessVerification/sheet/import';
import { strictContext } from '../harness/strictContext';
import { finished } from './finished';
import { grouped } from './groups';

export type Row = Record<string, string>;

/** What happens to one request: the service may not have got it, or it has and the answer is lost, or n8n is killed. */
export const fates = [
	'well',
	'refused',
	'lostBefore',
	'lostAfter',
	'busyBefore',
	'busyAfter',
	'killedBefore',
	'killedAfter',
	'inPart',
] as const;
export type Fate = (typeof fates)[number];

export interface Habits {
	/** Seconds until a batch is in the list. */
	lag: number;
	/** Letters kept of a name, in the list and in the batch itself. */
	keepsInList: number;
	keepsItself: number;
	/** What else is made of it. */
	listed?: (name: string) => unknown;
	itself?: (name: string) => unknown;
	/** Seconds until the inquiries of a batch are shown, after the batch itself is listed. */
	inquiryLag?: number;
	/** Where external IDs are shown; in `late`, 20 seconds after the batch was listed. */
	idsIn?: 'rows' | 'list' | 'records' | 'nowhere' | 'late';
	/** What the service makes of an external ID. */
	spelled?: (id: string) => string | number;
	/** The list tells no counts. */
	hidesTotal?: boolean;
	/** Inquiries carry the name that they were submitted with. */
	showsNames?: boolean;
	/** Batches of longer names are refused. */
	longestName?: number;
	/** What the gateway tells its tenants by. */
	tenant?: { header: string; key: string };
}

/** What a run has told beside its output, and how many batches the service took of it. */
export interface Said {
	remarks: string[];
	taken: number;
}

export interface Run {
	chunkSize: number;
	concurrency: number;
	stopsOnFailure: boolean;
	/** By request, in the order in which they leave; well when there is none. */
	fates: readonly Fate[];
	name?: () => string;
	/** Tries of n8n's Retry On Fail. */
	tries?: number;
	options?: Json;
	isAgent?: boolean;
	said?: Said;
}

/** Cells with expressions may have other values when n8n tries the node again. */
export type Sheet = readonly Row[] | ((go: number) => readonly Row[]);

export class Killed extends Error {}

interface Batch {
	batchId: string;
	name: string;
	externalIds: unknown[];
	businessNames: unknown[];
	listedAt: number;
}

/** One n8n. What it remembers ends with it. */
export class Process {
	private static made = 0;
	isAlive = true;
	readonly recent = new Map<string, Json>();
	/** In the address of its service, because the locks of all are in one process here. */
	readonly number = ++Process.made;
	constructor(readonly startedAt: number) {}
}

const { fields } = submit as unknown as Together<Fields, never>;

/** As the node reads what a user has filled in. */
const read = (given: Json) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, { property, read }]) => [
			name,
			read(given[name] ?? property.default, (reason) => {
				throw new Error(name + reason);
			}),
		]),
	);

export class Model {
	now = 1_000_000;
	requests = 0;
	readonly batches: Batch[] = [];
	/** How often each row was billed, by what was sent of it. */
	readonly billed = new Map<string, number>();
	/** The name that each was billed with first. */
	readonly nameOf = new Map<string, unknown>();
	/** Rows that the service dropped of a batch. */
	readonly dropped = new Set<string>();

	constructor(readonly habits: Habits) {}

	/** The name that the service shows under the row's ID, if it is another one. */
	otherNameOf(row: Row): unknown {
		const name = this.nameOf.get(keyOf(row));
		return this.habits.showsNames === true && name !== row.Name ? name : undefined;
	}

	/** What came of the rows, in the order of the sheet; or the failure of the whole run. */
	async run(process: Process, sheet: Sheet, run: Run): Promise<Outcome[] | Failure> {
		const { chunkSize, name = () => 'May', tries = 1 } = run;
		// n8n makes them once for all tries of a run.
		const items = [{}];
		const fates = [...run.fates];
		for (let go = 1; ; go++) {
			run.said?.remarks.splice(0);
			const rows = typeof sheet === 'function' ? sheet(go) : sheet;
			const input = {
				name: name(),
				columnsFrom: 'headers' as const,
				waitForCompletion: false,
				...grouped({ chunkSize, lookUpWait: 30, includeDetails: true, ...run.options }),
			};
			const result = await this.attempt(input, rows, this.service(process, run, fates, items));
			// As often as n8n may, whatever came of it.
			if (go === tries) return result;
		}
	}

	private async attempt(input: Json, rows: readonly Row[], service: Service): Promise<Outcome[] | Failure> {
		try {
			return await importSheet(read(input) as never, [...rows], service);
		} catch (error) {
			if (error instanceof Failure) return error;
			throw error;
		}
	}

	private service(process: Process, run: Run, fates: Fate[], items: object[]): Service {
		const { isAgent = false, said = { remarks: [], taken: 0 } } = run;
		const send = (request: Request) => this.request(process, request, said, fates.shift());
		const context = strictContext<IExecuteFunctions & { parentNode: object }>({
			getNode: () => ({ retryOnFail: true, type: isAgent ? 'aTool' : 'a' }),
			getInputData: () => [...items],
			getExecutionId: () => `model ${process.number}`,
			parentNode: { type: 'agent' },
		});
		const memory = new Submissions(context);
		const scoped = (key: string) => `${this.identityIn(process)} ${key}`;
		return {
			settings: { batchItemsField: 'inquiries' },
			send,
			ofRun: memory.ofRun,
			list: async ({ path }: ListRequest) =>
				((await send({ method: 'GET', path, kind: 'read' })) as { items: Json[] }).items,
			exclusive: <T>(key: string, task: () => Promise<T>) => exclusive(scoped(key), task),
			recent: {
				get: (key: string) => process.recent.get(scoped(key)),
				set: (key: string, value: Json) => process.recent.set(scoped(key), value),
			},
			intentions: isAgent ? new AgentCall(context, scoped, true, Infinity).intentions : undefined,
			remark: (text: string) => said.remarks.push(text),
			advise: () => {},
			refuseOverspending: () => {},
			forEach: (tasks: unknown[], each: (task: unknown) => Promise<unknown>) =>
				sideBySide(tasks, run.concurrency, each),
			stopsOnFailure: run.stopsOnFailure,
			concurrency: run.concurrency,
			pause: (ms: number) => this.passes(ms),
			inTurns: async (steps: Iterator<unknown>) => {
				await this.works();
				return finished(steps);
			},
			uptime: () => this.now - process.startedAt,
			// 'Batch Name', for every row.
			evaluate: () => run.name?.() ?? 'May',
		} as unknown as Service;
	}

	private identityIn({ number }: Process): string {
		const { header = '', key = 'ours' } = this.habits.tenant ?? {};
		return identityOf({
			baseUrl: `https://service-of-${number}.example`,
			apiKey: key,
			extraHeaders: JSON.stringify({ 'X-Tenant': header }),
		});
	}

	private async request(process: Process, request: Request, said: Said, fate: Fate = 'well'): Promise<unknown> {
		// Those under way together reach the service in any order.
		await this.passes(this.transit());
		if (!process.isAlive) throw new Killed();
		this.requests++;
		if (fate === 'killedBefore') this.kill(process);
		if (fate === 'refused') throw new Failure('refused', { httpCode: 422 });
		const isRead = request.kind === 'read';
		const httpCode = fate.startsWith('busy') ? 503 : isRead ? 500 : undefined;
		const lost = () => new Failure('no answer', { httpCode, ...(!isRead && { submission: 'unknown' }) });
		if (fate === 'lostBefore' || fate === 'busyBefore') throw lost();
		const answer = isRead ? this.read(request.path) : this.submit(request, said, fate === 'inPart');
		if (fate === 'killedAfter') this.kill(process);
		await this.passes(this.transit());
		if (fate === 'lostAfter' || fate === 'busyAfter') throw lost();
		return answer;
	}

	/** Milliseconds that a request or an answer is under way. */
	protected transit(): number {
		return 25;
	}

	/** While n8n checks a sheet, or writes batches. */
	protected async works(): Promise<void> {}

	protected async passes(ms: number): Promise<void> {
		this.now += ms;
	}

	private kill(process: Process): never {
		process.isAlive = false;
		throw new Killed();
	}

	private read(path: string): Json {
		const { keepsInList, keepsItself, listed = same, itself = same, hidesTotal = false } = this.habits;
		const { inquiryLag = 0, idsIn = 'rows', spelled = same, showsNames = false } = this.habits;
		const named = ({ businessNames }: Batch, index: number) =>
			showsNames ? { businessName: businessNames[index] } : {};
		if (path === '/v1/inquiries/')
			return {
				items: this.batches.flatMap((batch) =>
					batch.externalIds.map((externalId, index) => ({
						id: `${batch.batchId}-${index}`,
						status: 'RUNNING',
						...named(batch, index),
						...((idsIn === 'rows' || idsIn === 'list' || (idsIn === 'late' && this.now >= batch.listedAt + 20_000)) && {
							externalId: spelled(String(externalId)),
						}),
					})),
				),
			};
		const inquiry = /^\/v1\/inquiries\/(id-\d+)-(\d+)$/.exec(path);
		if (inquiry !== null) {
			const batch = this.batches.find(({ batchId }) => batchId === inquiry[1])!;
			const isShown = idsIn !== 'nowhere' && (idsIn !== 'late' || this.now >= batch.listedAt + 20_000);
			const externalId = batch.externalIds[Number(inquiry[2])];
			return {
				id: `${inquiry[1]}-${inquiry[2]}`,
				status: 'RUNNING',
				...named(batch, Number(inquiry[2])),
				...(isShown && { externalId: spelled(String(externalId)) }),
			};
		}
		const one = /^\/v1\/batch-inquiries\/(id-\d+)(\/inquiries)?$/.exec(path);
		if (one !== null) {
			const batch = this.batches.find(({ batchId }) => batchId === one[1])!;
			const { batchId, name, externalIds, listedAt } = batch;
			if (one[2] === undefined)
				return { batchId, batchName: itself(name.slice(0, keepsItself)), total: externalIds.length };
			// They appear one after another.
			const since = this.now - listedAt;
			const shown =
				inquiryLag === 0
					? externalIds.length
					: Math.floor((externalIds.length * Math.max(0, since)) / (inquiryLag * 1000));
			const isShown = idsIn === 'rows' || (idsIn === 'late' && since >= 20_000);
			return {
				items: externalIds.slice(0, shown).map((externalId, index) => ({
					id: `${batchId}-${index}`,
					status: 'RUNNING',
					...named(batch, index),
					...(isShown && { externalId: spelled(String(externalId)) }),
				})),
			};
		}
		const items = this.batches.filter(({ listedAt }) => listedAt <= this.now);
		return {
			items: items.map(({ batchId, name, externalIds, listedAt }) => ({
				batchId,
				batchName: listed(name.slice(0, keepsInList)),
				createdAt: new Date(listedAt - this.habits.lag * 1000).toISOString(),
				...(!hidesTotal && { total: externalIds.length }),
			})),
		};
	}

	private submit({ body }: Request, said: Said, inPart: boolean): Json {
		const { name, inquiries } = JSON.parse(String(body)) as { name: string; inquiries: Json[] };
		if (name.length > (this.habits.longestName ?? Infinity))
			throw new Failure('the name is too long', { httpCode: 422 });
		said.taken++;
		const taken = inPart && inquiries.length > 1 ? inquiries.slice(1) : inquiries;
		for (const item of taken) {
			this.billed.set(keyOf(item), (this.billed.get(keyOf(item)) ?? 0) + 1);
			this.nameOf.set(keyOf(item), this.nameOf.get(keyOf(item)) ?? item.businessName);
		}
		if (taken.length < inquiries.length) this.dropped.add(keyOf(inquiries[0]));
		const batchId = `id-${this.batches.length + 1}`;
		const externalIds = taken.map(({ externalId }) => externalId);
		const businessNames = taken.map(({ businessName }) => businessName);
		this.batches.push({ batchId, name, externalIds, businessNames, listedAt: this.now + this.habits.lag * 1000 });
		const { keepsItself, itself = same } = this.habits;
		return { batchId, batchName: itself(name.slice(0, keepsItself)), total: taken.length, message: '' };
	}
}

const same = (name: string) => name;

/** A row of the sheets here: its external ID, or what is sent of it. */
export function keyOf(item: Json): string {
	const id = String(item.externalId ?? item['External ID'] ?? 'row-');
	return id.startsWith('row-')
		? `${String(item.businessName ?? item.Name)}|${String(item.businessCity ?? item.City)}`
		: id;
}

async function sideBySide(
	tasks: unknown[],
	limit: number,
	each: (task: unknown) => Promise<unknown>,
): Promise<unknown[]> {
	const results: unknown[] = [];
	let next = 0;
	const worker = async () => {
		while (next < tasks.length) {
			const index = next++;
			results[index] = await each(tasks[index]);
		}
	};
	await Promise.all(Array.from({ length: limit }, worker));
	return results;
}
