import { Failure, type Json, type Request, type Watch, type Watched } from '../kit/service';
import { readAnswer } from './answers';
import { largestPage } from '../document/vocabulary';
import { readPage } from './paging';

/** Waits for many records of one list together: early checks, then one per interval, the last at the deadline. */

/** Milliseconds of the early checks, because a verification may take seconds only. */
const soon = [2000, 4000, 8000, 16_000];
/** Up to this many, reading each record is as fast as reading a page. */
const few = 3;
/** Rounds over more than `few` records per interval, so that early checks of many waits do not add up. */
const roundsAtMost = soon.length;
/** A single failed check must not fail a wait of minutes. */
const failuresAllowed = 3;
/** Also the longest delay until a wait that starts meanwhile is noticed. */
const longestPauseMs = soon[0];

interface Tools {
	send(request: Request): Promise<unknown>;
	itemsField: string;
	pause(ms: number): Promise<void>;
	isCancelled(): boolean;
	uptime(): number;
}

interface Pending {
	readonly watch: Watch;
	readonly since: number;
	readonly deadline: number;
	readonly settle: (result: Watched) => void;
	readonly fail: (error: unknown) => void;
	nextCheck: number;
	/** A check due within this time joins an earlier round, so that records that started apart are checked together. */
	tolerance: number;
	/** Failed checks in a row. */
	failures: number;
	last?: Json;
}

export class Watcher {
	private readonly pending = new Set<Pending>();
	private readonly list: WaitingList;
	private isRunning = false;
	/** Start times of the latest rounds over more than `few` records. */
	private latest: number[] = [];

	constructor(private readonly tools: Tools) {
		this.list = new WaitingList(tools);
	}

	wait(watch: Watch): Promise<Watched> {
		return new Promise((settle, fail) => {
			const since = this.tools.uptime();
			const deadline = since + watch.maxWaitMs;
			const first = since + (watch.isFresh ? Math.min(soon[0], watch.pollIntervalMs) : 0);
			const nextCheck = Math.min(first, deadline);
			this.pending.add({ watch, since, deadline, settle, fail, nextCheck, tolerance: 0, failures: 0 });
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			// Waits that start together share the first round.
			await this.tools.pause(1);
			while (this.pending.size > 0) {
				if (this.tools.isCancelled()) throw new Failure('The execution was cancelled');
				const due = this.due(this.tools.uptime());
				if (due.length > 0) await this.round(due);
				else await this.tools.pause(this.untilNextRound());
			}
		} catch (error) {
			for (const one of this.pending) this.end(one, () => one.fail(error));
		}
		this.isRunning = false;
		// A wait that started after the last check of the loop would not be noticed otherwise.
		if (this.pending.size > 0) void this.run();
	}

	private due(now: number): Pending[] {
		const all = [...this.pending];
		if (!all.some((one) => this.dueAt(one) <= now)) return [];
		return all.filter(
			(one) => this.dueAt(one) <= now || (this.freeAt(one) <= now && one.nextCheck - one.tolerance <= now),
		);
	}

	private dueAt = (one: Pending): number => Math.min(Math.max(one.nextCheck, this.freeAt(one)), one.deadline);

	/** When another round is allowed. */
	private freeAt({ watch }: Pending): number {
		const first = this.pending.size > few ? this.latest.at(-roundsAtMost) : undefined;
		return first === undefined ? 0 : first + watch.pollIntervalMs;
	}

	private untilNextRound(): number {
		let next = this.tools.uptime() + longestPauseMs;
		for (const one of this.pending) next = Math.min(next, this.dueAt(one));
		return Math.max(1, next - this.tools.uptime());
	}

	private async round(due: Pending[]): Promise<void> {
		const now = this.tools.uptime();
		if (this.pending.size > few) this.latest = [...this.latest, now].slice(-roundsAtMost);
		const rows = due.length > few ? await this.list.rowsOf(due.map(({ watch }) => watch)) : new Map<string, Json>();
		const isCheap = this.pending.size <= few || this.list.helps;
		for (const one of due) {
			const { since, deadline, watch } = one;
			const early = isCheap ? soon.find((ms) => ms > (now - since) * 1.25) : undefined;
			const gap = Math.min(early === undefined ? Infinity : since + early - now, watch.pollIntervalMs);
			Object.assign(one, { nextCheck: Math.min(now + gap, deadline), tolerance: gap / 4 });
		}
		await Promise.all(due.map((one) => this.check(one, rows.get(one.watch.id), now >= one.deadline)));
	}

	private async check(one: Pending, row: Json | undefined, isLast: boolean): Promise<void> {
		const { watch } = one;
		try {
			const isFarFromDone = row !== undefined && !watch.mayBeDone(row);
			const record = isFarFromDone ? row : readAnswer(watch.read, await this.tools.send(watch.read));
			one.last = record;
			one.failures = 0;
			watch.createdAt ??= watch.list.createdAtOf?.(record);
			watch.note?.(record);
			if (!isFarFromDone && watch.isDone(record)) return this.end(one, () => one.settle({ record, timedOut: false }));
		} catch (error) {
			if (isGone(error, watch) || ++one.failures >= failuresAllowed) return this.end(one, () => one.fail(error));
		}
		if (isLast) this.end(one, () => one.settle({ record: one.last ?? { id: watch.id }, timedOut: true }));
	}

	private end(one: Pending, tell: () => void): void {
		this.pending.delete(one);
		tell();
	}
}

/** An unknown record will not finish. A known one may not be visible yet. */
const isGone = (error: unknown, { isKnown }: Watch) => statusOf(error) === 404 && !isKnown;

const statusOf = (error: unknown) => (error instanceof Failure ? (error.details.httpCode ?? 0) : 0);

/** Server errors and rate limits pass. Other errors stay, so the list is not read again. */
const isRefusal = (status: number) => status < 500 && status !== 429;

/** One page of the list shows many records. Records that it does not show are read one by one. */
class WaitingList {
	/** Whether the list showed all records of the last round. */
	helps = true;
	private isRefused = false;
	private takesBounds = true;

	constructor(private readonly tools: Pick<Tools, 'send' | 'itemsField'>) {}

	/** The rows of the waiting records that the list shows. */
	async rowsOf(waiting: Watch[]): Promise<Map<string, Json>> {
		const bounds = this.takesBounds ? createdBetween(waiting) : undefined;
		const rows = this.isRefused ? new Map<string, Json>() : await this.read(waiting, bounds);
		this.helps = rows.size === waiting.length;
		return rows;
	}

	private async read(waiting: Watch[], bounds: Bounds | undefined): Promise<Map<string, Json>> {
		try {
			return await this.pages(waiting, bounds);
		} catch (error) {
			if (bounds !== undefined && statusOf(error) >= 400 && isRefusal(statusOf(error))) {
				// The service may refuse the format of the times.
				this.takesBounds = false;
				return await this.read(waiting, undefined);
			}
			this.isRefused = isRefusal(statusOf(error));
			return new Map();
		}
	}

	private async pages(waiting: Watch[], bounds: Bounds | undefined): Promise<Map<string, Json>> {
		const [{ list }] = waiting;
		const wanted = new Map(waiting.map((watch) => [watch.id, watch]));
		const query = list.query(bounds);
		const found = new Map<string, Json>();
		const { send, itemsField } = this.tools;
		for (
			let offset = 0, page: Awaited<ReturnType<typeof readPage>>;
			found.size < wanted.size;
			offset += page.rows.length
		) {
			page = await readPage(send, itemsField, list.path, { ...query, limit: largestPage, offset });
			for (const row of page.rows) {
				const watch = wanted.get(list.idOf(row) ?? '');
				if (watch === undefined) continue;
				found.set(watch.id, row);
				watch.createdAt ??= list.createdAtOf?.(row);
			}
			if (page.rows.length < largestPage) break;
			// Reading the records one by one takes fewer requests.
			if (page.total !== undefined && page.total / largestPage > waiting.length) break;
		}
		return found;
	}
}

interface Bounds {
	from: string;
	to: string;
}

const isZoned = (time: string) => /(z|[+-]\d\d:?\d\d)$/i.test(time);

/** The range of creation times, without a zone if the service shows none. */
function createdBetween(waiting: Watch[]): Bounds | undefined {
	const times = waiting.map(({ createdAt = '' }) => createdAt);
	const zoned = times.filter(isZoned).length;
	if (zoned !== 0 && zoned !== times.length) return undefined;
	const moments = times.map((time) => Date.parse(zoned === 0 ? `${time}Z` : time));
	if (moments.some(Number.isNaN)) return undefined;
	// The API documentation does not say whether the bounds are inclusive.
	const at = (ms: number) => new Date(ms).toISOString().slice(0, zoned === 0 ? -1 : undefined);
	return {
		from: at(moments.reduce((a, b) => Math.min(a, b)) - 1000),
		to: at(moments.reduce((a, b) => Math.max(a, b)) + 1000),
	};
}
