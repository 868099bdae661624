import { largestPage } from '../document/vocabulary';
import { earlyChecks } from '../fields/shared';
import { Failure, isUnknownRecord, type Json, kindOf, type Request, type Watch, type Watched } from '../kit/service';
import { readAnswer } from './checkedAnswer';
import type { ReadListPage } from './paging';
import { canceled } from './turns';

/**
 * Waits for many records of one list together, in rounds over all of them: `soon` after the waiting began, then once per
 * interval. A round over more than `fewRecords` records reads pages of the list, and only records that may be done are
 * read one by one. At its deadline, each record is checked once more.
 */

const soon = earlyChecks.map((seconds) => seconds * 1000);
const latestEarly = Math.max(...soon);
/** Up to this many, reading each record is as fast as reading a page. */
const fewRecords = 3;
/** In a row. A single failed check must not fail a wait of minutes. */
const failuresAllowed = 3;
/** A round that begins with the next wait leaves out what was read for the one before. */
const justReadMs = 1_000;
/** How late a round may be, and a wait that starts meanwhile be noticed. */
const tickMs = 250;

interface WatcherParts {
	send(request: Request): Promise<unknown>;
	page: ReadListPage;
	pause(ms: number): Promise<void>;
	isCancelled(): boolean;
	uptime(): number;
}

interface Pending extends Watch {
	readonly deadline: number;
	readonly settle: (result: Watched | Promise<never>) => void;
	/** When it was last read by itself. */
	readAt: number;
	/** Failed checks in a row. */
	failures: number;
	/** Undefined as long as no check has read it. */
	record: Json | undefined;
}

export class Watcher {
	private readonly pending = new Set<Pending>();
	private isRunning = false;
	private beganAt = 0;
	private lastRoundAt = 0;
	private intervalMs = 0;

	constructor(private readonly parts: WatcherParts) {}

	wait(watch: Watch): Promise<Watched> {
		const { isFresh, maxWaitMs, pollIntervalMs } = watch;
		return new Promise((settle) => {
			const now = this.parts.uptime();
			const readAt = isFresh ? now : now - pollIntervalMs;
			// One of many joins their rounds, because early checks for each would add up.
			if (this.pending.size < fewRecords) Object.assign(this, { beganAt: now, lastRoundAt: readAt });
			this.intervalMs = pollIntervalMs;
			this.pending.add({ ...watch, deadline: now + maxWaitMs, settle, readAt, failures: 0, record: undefined });
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			// Waits that start together share the first round.
			await this.parts.pause(1);
			while (this.pending.size > 0) {
				if (this.parts.isCancelled()) throw canceled();
				const now = this.parts.uptime();
				const isRound = this.nextRoundAt() <= now;
				if (isRound) this.lastRoundAt = now;
				const isDue = ({ deadline, readAt }: Pending) => deadline <= now || (isRound && now - readAt >= justReadMs);
				const due = [...this.pending].filter(isDue);
				await (due.length > 0 ? this.checkAll(due, now) : this.parts.pause(tickMs));
			}
		} catch (error) {
			for (const one of this.pending) this.end(one, Promise.reject(error));
		}
		this.isRunning = false;
	}

	private nextRoundAt(): number {
		const age = this.lastRoundAt - this.beganAt;
		// A round shortly before an early one replaces it.
		const nextEarly = soon.find((ms) => ms > age * 1.25) ?? Infinity;
		return this.lastRoundAt + Math.min(nextEarly - age, this.intervalMs);
	}

	private async checkAll(due: Pending[], now: number): Promise<void> {
		const rows =
			due.length > fewRecords ? await listedRows(this.parts, due).catch(() => new Map<string, Json>()) : undefined;
		// What the list does not show takes a request each, so the rounds that follow each other soon leave it out.
		const canWait = ({ id, deadline, readAt, pollIntervalMs }: Pending) =>
			rows?.has(id) === false && now < Math.min(deadline, readAt + Math.min(pollIntervalMs, latestEarly));
		await Promise.all(due.filter((one) => !canWait(one)).map((one) => this.check(one, rows?.get(one.id), now)));
	}

	private async check(one: Pending, row: Json | undefined, now: number): Promise<void> {
		try {
			const isFarFromDone = row !== undefined && !one.mayBeDone(row);
			if (!isFarFromDone) one.readAt = now;
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
async function listedRows({ page: readPage, uptime }: WatcherParts, waiting: Pending[]): Promise<Map<string, Json>> {
	const [{ list }] = waiting;
	const deadline = Math.min(...waiting.map((watch) => watch.deadline));
	const wanted = new Set(waiting.map(({ id }) => id));
	const found = new Map<string, Json>();
	// Beyond as many pages as records, reading the records one by one takes fewer requests.
	for (let page = 1, offset = 0; found.size < wanted.size && page <= waiting.length; page++) {
		const query = { ...list.query, limit: largestPage, offset };
		const { rows, total = 0 } = await readPage(list.path, query);
		for (const row of rows) {
			const id = list.idOf(row) ?? '';
			if (wanted.has(id)) found.set(id, row);
		}
		if (rows.length < largestPage || total / largestPage > waiting.length || uptime() >= deadline) break;
		offset += rows.length;
	}
	return found;
}
