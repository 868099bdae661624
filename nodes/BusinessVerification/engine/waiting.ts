import { largestPage } from '../document/vocabulary';
import { earlyChecks } from '../fields/shared';
import { Failure, isUnknownRecord, type Json, kindOf, type Request, type Watch, type Watched } from '../kit/service';
import { readAnswer } from './checkedAnswer';
import { readPage } from './paging';

/**
 * Waits for many records of one list together. Each record is checked `soon` after its wait started, then once per
 * interval, and at its deadline. Checks that are due at about the same time form a round. A round over more than `fewRecords`
 * records reads pages of the list, and only records that may be done are read one by one. Times are derived from the
 * last check alone, so a record that is checked early is due later.
 */

const soon = earlyChecks.map((seconds) => seconds * 1000);
/** Up to this many, reading each record is as fast as reading a page. */
const fewRecords = 3;
/** Rounds over more than `fewRecords` records per interval, so that early checks of many waits do not add up. */
const roundsAtMost = soon.length;
/** The part of the time between two checks by which a check may be early, so that it joins a round. */
const tolerance = 1 / 4;
/** In a row. A single failed check must not fail a wait of minutes. */
const failuresAllowed = 3;
/** Also the longest delay until a wait that starts meanwhile is noticed. */
const longestGapMs = soon[0];

interface WatcherParts {
	send(request: Request): Promise<unknown>;
	itemsField: string;
	pause(ms: number): Promise<void>;
	isCancelled(): boolean;
	uptime(): number;
}

interface Pending extends Watch {
	readonly since: number;
	readonly deadline: number;
	readonly settle: (result: Watched | Promise<never>) => void;
	checkedAt: number;
	/** Failed checks in a row. */
	failures: number;
	/** Undefined as long as no check has read it. */
	record: Json | undefined;
}

export class Watcher {
	private readonly pending = new Set<Pending>();
	/** Whether the list showed all records of the last round. */
	private listHelps = true;
	private isRunning = false;
	/** Start times of the latest rounds over more than `fewRecords` records. */
	private latest = Array<number>(roundsAtMost).fill(-Infinity);

	constructor(private readonly parts: WatcherParts) {}

	wait(watch: Watch): Promise<Watched> {
		const { isFresh, maxWaitMs, pollIntervalMs } = watch;
		return new Promise((settle) => {
			const since = this.parts.uptime();
			const checkedAt = isFresh ? since : since - pollIntervalMs;
			const deadline = since + maxWaitMs;
			this.pending.add({ ...watch, since, deadline, settle, checkedAt, failures: 0, record: undefined });
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			// Waits that start together share the first round.
			await this.parts.pause(1);
			while (this.pending.size > 0) {
				if (this.parts.isCancelled()) throw new Failure('The execution was canceled');
				const now = this.parts.uptime();
				const next = [...this.pending].reduce((least, one) => Math.min(least, this.dueAt(one)), now + longestGapMs);
				if (next > now) await this.parts.pause(Math.max(1, next - now));
				else await this.round(now);
			}
		} catch (error) {
			for (const one of this.pending) this.end(one, Promise.reject(error));
		}
		this.isRunning = false;
	}

	/** When the next check of a record is due. One that is `early` by part of its gap joins a round. */
	private dueAt({ pollIntervalMs, since, checkedAt, deadline }: Pending, early = 0): number {
		const isMany = this.pending.size > fewRecords;
		const age = checkedAt - since;
		// A check shortly before an early one replaces it. Without help of the list, each early check is one request.
		const nextEarly = isMany && !this.listHelps ? Infinity : (soon.find((ms) => ms > age * 1.25) ?? Infinity);
		const gap = Math.min(nextEarly - age, pollIntervalMs);
		const nextFreeRound = isMany ? this.latest[0] + pollIntervalMs : 0;
		return Math.min(Math.max(checkedAt + gap * (1 - early), nextFreeRound), deadline);
	}

	private async round(now: number): Promise<void> {
		const due = [...this.pending].filter((one) => this.dueAt(one, tolerance) <= now);
		if (this.pending.size > fewRecords) this.latest = [...this.latest.slice(1), now];
		const rows =
			due.length > fewRecords ? await listedRows(this.parts, due).catch(() => new Map<string, Json>()) : undefined;
		if (rows !== undefined) this.listHelps = due.every(({ id }) => rows.has(id));
		await Promise.all(due.map((one) => this.check(one, rows?.get(one.id), now)));
	}

	private async check(one: Pending, row: Json | undefined, now: number): Promise<void> {
		one.checkedAt = now;
		try {
			const isFarFromDone = row !== undefined && !one.mayBeDone(row);
			const record = isFarFromDone ? row : readAnswer(one.read, await this.parts.send(one.read));
			Object.assign(one, { record, failures: 0 });
			if (one.isDone(record)) return this.end(one, { record, timedOut: false });
		} catch (error) {
			// An unknown record will not finish. A known one may not be visible yet, and a service that is away comes back.
			const isUnknown = isUnknownRecord(error);
			const isAway = error instanceof Failure && kindOf(error.details) === 'service';
			const isUnread = one.record === undefined && this.parts.uptime() >= one.deadline;
			if ((isUnknown ? !one.isKnown : isUnread) || (!isAway && ++one.failures === failuresAllowed))
				return this.end(one, Promise.reject(error));
		}
		if (this.parts.uptime() >= one.deadline) this.end(one, { record: one.record ?? { id: one.id }, timedOut: true });
	}

	private end(one: Pending, result: Watched | Promise<never>): void {
		this.pending.delete(one);
		one.settle(result);
	}
}

/** The rows of the waiting records which their list shows: a page shows many. What is missing is read one by one. */
async function listedRows({ send, itemsField, uptime }: WatcherParts, waiting: Pending[]): Promise<Map<string, Json>> {
	const [{ list }] = waiting;
	const deadline = Math.min(...waiting.map((watch) => watch.deadline));
	const wanted = new Set(waiting.map(({ id }) => id));
	const found = new Map<string, Json>();
	// Beyond as many pages as records, reading the records one by one takes fewer requests.
	for (let page = 1, offset = 0; found.size < wanted.size && page <= waiting.length; page++) {
		const query = { ...list.query, limit: largestPage, offset };
		const { rows, total = 0 } = await readPage(send, itemsField, list.path, query);
		for (const row of rows) {
			const id = list.idOf(row) ?? '';
			if (wanted.has(id)) found.set(id, row);
		}
		if (rows.length < largestPage || total / largestPage > waiting.length || uptime() >= deadline) break;
		offset += rows.length;
	}
	return found;
}
