import type { Owner } from '../engine/account';
import { Ledger, type StatusEvent } from './ledger';
import { emptyMemory, type Memory, raise } from './memory';
import {
	Budget,
	defaultLimits,
	isZoneless,
	type Limits,
	type ListedRow,
	secondsOf,
	type StatusSource,
} from './sources';

/** What every poll begins and ends with: where it starts from, its clock and its time, and what it may report. */

export type Verdicts = Map<StatusEvent, ListedRow | null>;

/** Memory of another organization is not used. */
export interface PollOptions extends Owner {
	/** What is watched, and with which filters, as text. */
	filters: string;
	/** In the first poll, report events of this many milliseconds before it. */
	lookBackMs?: number;
	/** The time of the last poll in milliseconds, if nothing else of the memory can be read. */
	lastPollAt?: number;
	/** After a pause, report only events of this many milliseconds. */
	catchUpMs?: number;
	/** Report events of this many milliseconds again, with the same keys. */
	recheckMs?: number;
	/** Whether the caller uses an event. Other events change memory only. */
	wanted?(event: StatusEvent): boolean;
	/**
	 * Decides on each event: a row reports the event with that row, null rejects it, and a completion left out is found
	 * again by the next poll. Requests go through `source`, after `mayGoOn` has allowed each.
	 */
	judge?(events: StatusEvent[], source: StatusSource, mayGoOn: () => boolean): Promise<Verdicts>;
	limits?: Partial<Limits>;
}

export interface PollResult {
	events: StatusEvent[];
	next: Memory;
	/** A failure that only delays events: a later poll finds them. */
	trouble?: unknown;
	/** A message to the user, such as that the trigger started over. */
	notice?: string;
}

const hour = 3_600_000;
const day = 86_400;
/** Two clocks agree if they differ by at most this many seconds. */
const agreement = 900;
/** Seconds that an inquiry may become visible after others that were created later. */
const lateness = 120;
/** Part of a page that the newest rows fill when they are read again. */
const fresh = 0.8;

export class Poll {
	readonly limits: Limits;
	readonly budget: Budget;
	readonly memory: Memory;
	readonly ledger: Ledger;
	readonly notice?: string;
	/** Minutes since the last poll. */
	readonly minutes: number;
	/** How to start over; undefined if the poll continues from memory. */
	readonly start?: { lookBackMs?: number };
	/** The first failure that only delays events. */
	trouble?: unknown;
	/** Whether something was left to the next poll. */
	isCut = false;

	constructor(
		source: StatusSource,
		saved: Memory | undefined,
		private readonly options: PollOptions,
		hasAll = false,
	) {
		const { organization, account, isNamed = true, filters, recheckMs, wanted = () => true } = options;
		this.limits = { ...defaultLimits, ...options.limits };
		this.budget = new Budget(source, this.limits);
		const host = this.budget.hostTime();
		const isMine = saved?.organization === organization;
		const memory = isMine ? saved : emptyMemory(organization, account, filters);
		this.memory = memory;
		const passed = memory.host === 0 ? host : host > memory.host ? host - memory.host : 60_000;
		this.minutes = memory.host === 0 ? 0 : Math.max(1, Math.round(passed / 60_000));
		if (isMine) resume(memory, options, passed);
		else {
			this.start = { lookBackMs: lookBackOf(saved, options, host) };
			if (saved && isNamed)
				this.notice = 'The credential now belongs to another organization, so the trigger starts over';
		}
		memory.at += passed;
		memory.host = host;
		if (isMine && recheckMs !== undefined) recheck(memory, recheckMs);
		const { limits, now, latest, present } = this;
		this.ledger = new Ledger(memory, { limits, now, latest, present, wanted, hasAll });
	}

	/** Our clock in seconds. */
	get now(): number {
		return Math.floor(this.memory.at / 1_000);
	}

	/** No row can be ahead of the service's Date header and of our clock; local times without a zone can. */
	latest = (): number =>
		Math.max(this.budget.date, Math.floor(this.memory.host / 1_000)) + (this.memory.zoneless ? day : 0);

	/** Clocks of two servers may be a second apart, and so may two ways of rounding. */
	present = (): number => Math.max(this.budget.date || Math.floor(this.memory.host / 1_000), this.memory.newest) + 2;

	/** What time it is at the service, at least: the newest time shown, or later if the Date header and our clock agree. */
	private get serviceTime(): number {
		const { newest, zoneless } = this.memory;
		const host = Math.floor(this.memory.host / 1_000);
		const { date } = this.budget;
		const isSure = !zoneless && Math.abs(date - host) <= agreement;
		return isSure ? Math.max(newest, Math.min(date, host)) : newest;
	}

	failed = (error: unknown): void => void (this.trouble ??= error);

	/** Whether one more request fits. One is reserved for the judge, which runs last. */
	allows(share = 1): boolean {
		const { judge } = this.options;
		return this.ledger.events.length < this.limits.events && this.budget.allows(share, judge ? 1 : 0);
	}

	/** Starts over: everything up to the present, or up to `lookBackMs` before it, counts as reported. */
	startFrom(rows: ListedRow[]): void {
		const { memory, ledger } = this;
		const back = Math.floor((this.start?.lookBackMs ?? 0) / 1_000);
		memory.zoneless = rows.some(isZoneless);
		const latest = this.latest();
		for (const { createdAt, startedAt, completedAt } of rows)
			for (const time of [createdAt, startedAt, completedAt].map(secondsOf))
				if (time > memory.newest && time <= latest) memory.newest = time;
		// What happens within this second is still to be reported.
		memory.floor = Math.max(0, this.serviceTime - back - 1);
		memory.steps = [{ from: 0, level: memory.floor }];
		const created = rows.map((row) => secondsOf(row.createdAt));
		memory.top = Math.min(memory.floor, this.topOf(created, rows.length));
		// What finished in the hours to report may have been created long before, so the sweep does a whole round.
		if (back > 0) memory.debt = Number.MAX_SAFE_INTEGER;
		for (const row of rows) {
			if (back > 0) ledger.see(row);
			else ledger.skip(row);
		}
	}

	/** A creation time above which most of a page of rows lies, and those that may become visible late. */
	topOf(times: number[], pageSize: number): number {
		const latest = this.latest();
		const created = times.filter((time) => time <= latest).sort((a, b) => b - a);
		return Math.max(0, Math.min((created[0] ?? 0) - lateness, created[Math.floor(fresh * pageSize) - 1] ?? 0));
	}

	/** The events to report. What the judge could not decide for lack of time is left to the next poll, and counts as cut. */
	async judgedEvents(): Promise<StatusEvent[]> {
		const { ledger, budget } = this;
		const { judge } = this.options;
		const { events } = ledger;
		if (!judge || events.length === 0) return events;
		const verdicts = await judge(events, budget, () => budget.allows() || !(this.isCut = true));
		const judged: StatusEvent[] = [];
		for (const event of events) {
			const row = verdicts.get(event);
			if (row) judged.push({ ...event, row });
			else if (row === undefined && event.kind === 'ended') ledger.postpone(event);
			else if (row === undefined) judged.push(event);
		}
		return judged;
	}

	end(events: StatusEvent[]): PollResult {
		const { memory, ledger, trouble, notice } = this;
		const isBehind = trouble !== undefined || this.isCut || ledger.refused < Infinity;
		memory.strained = isBehind ? memory.strained + 1 : 0;
		memory.last = this.serviceTime;
		return { events, next: memory, trouble, notice };
	}
}

/** Without memory that fits, only the time of the last poll, if it is known, says what is still to be reported. */
function lookBackOf(saved: Memory | undefined, options: PollOptions, host: number): number | undefined {
	const { isNamed = true, lastPollAt, catchUpMs = Infinity, lookBackMs } = options;
	const since = saved ? (isNamed ? undefined : saved.host) : lastPollAt;
	if (since !== undefined) return Math.min(host - since, catchUpMs);
	return saved ? undefined : lookBackMs;
}

/** Other filters admit old completions, and after a pause the user may want the last hours only: both raise the level. */
function resume(memory: Memory, { filters, catchUpMs = Infinity }: PollOptions, passed: number): void {
	const isPause = passed > 2 * hour;
	const present = memory.last + (isPause ? Math.floor(passed / 1_000) : 0);
	const isCaughtUp = isPause && passed > catchUpMs;
	const level = filters !== memory.filters ? present : isCaughtUp ? present - Math.floor(catchUpMs / 1_000) : 0;
	memory.filters = filters;
	memory.floor = Math.max(memory.floor, level);
	memory.steps = raise(memory.steps, 0, Infinity, level);
	if (!isCaughtUp) return;
	for (const [id, { created, stamp }] of memory.known) if (Math.max(created, stamp) <= level) memory.known.delete(id);
}

/** Forgets the reports of the last `ms`, so that they are repeated, but none from before the activation. */
function recheck(memory: Memory, ms: number): void {
	const now = Math.floor(memory.at / 1_000);
	const since = Math.max(memory.floor, memory.newest - Math.floor(ms / 1_000));
	memory.steps = memory.steps.map(({ from, level }) => ({ from, level: Math.min(level, since) }));
	memory.top = Math.min(memory.top, since);
	for (const [id, entry] of memory.known) {
		const { reportedAt, created } = entry;
		if (reportedAt === 0 || now - reportedAt > ms / 1_000 || entry.stamp <= memory.floor + 1) continue;
		const stamp = Math.min(created > since ? 0 : Math.max(since, 1), entry.stamp - 1);
		memory.known.set(id, { ...entry, stamp, reportedAt: 0, unfinishedSince: now, status: '' });
	}
}
