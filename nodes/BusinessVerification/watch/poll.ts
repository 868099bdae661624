import type { Owner } from '../engine/account';
import { day, Ledger, type StatusEvent } from './ledger';
import { raise, WatchMemory } from './memory';
import type { JudgeSource, Verdicts } from './results';
import { Budget, defaultLimits, type Limits, type ListedRow, secondsOf, type StatusSource } from './sources';

/** What every poll begins and ends with: where it starts from, its clock and its time, and what it may report. */

/** Memory of another organization is not used. */
export interface PollOptions extends Owner {
	/** What is watched, and with which filters, as text. */
	filters: string;
	/** In the first poll, report events of this many milliseconds before it. */
	lookBackMs?: number;
	/** The time of the last poll in milliseconds, if nothing else of the memory can be read. */
	lastPollAt?: number;
	/** Report events of this many milliseconds again, with the same keys. */
	recheckMs?: number;
	/** Whether the caller uses an event. Other events change memory only. */
	wanted?(event: StatusEvent): boolean;
	/** Decides on each event. A completion on which it does not decide is found again by the next poll. */
	judge?(events: StatusEvent[], source: JudgeSource): Promise<Verdicts>;
	limits?: Partial<Limits>;
}

export interface PollResult {
	events: StatusEvent[];
	next: WatchMemory;
	/** A failure that only delays events: a later poll finds them. */
	trouble?: unknown;
	/** A message to the user, such as that the trigger started over. */
	notice?: string;
}

/** Two clocks agree if they differ by at most this many seconds. */
const agreement = 900;
/** Seconds by which local times that are behind UTC differ from it, at least. */
const shortestShift = 3_000;
/** Seconds that an inquiry may become visible after others that were created later. */
const lateness = 120;
/** Part of a page that the newest rows fill when they are read again. */
const fresh = 0.8;

export class Poll {
	readonly limits: Limits;
	readonly budget: Budget;
	readonly memory: WatchMemory;
	readonly ledger: Ledger;
	readonly notice?: string;
	/** The host's clock in seconds. */
	private readonly host: number;
	/** Minutes since the last poll. */
	readonly minutes: number;
	/** How many milliseconds back to start over; undefined if the poll continues from memory. */
	readonly startBackMs?: number;
	/** The first failure that only delays events. */
	trouble?: unknown;
	/** Whether something was left to the next poll. */
	isCut = false;

	constructor(
		source: StatusSource,
		saved: WatchMemory | undefined,
		private readonly options: PollOptions,
		hasAll = false,
	) {
		const { organization, account, isNamed = true, filters, recheckMs, wanted = () => true } = options;
		this.limits = { ...defaultLimits, ...options.limits };
		this.budget = new Budget(source, this.limits);
		const host = this.budget.hostTime();
		const at = Math.max(host, (saved?.at ?? 0) + 1_000);
		const passed = saved ? at - saved.at : 0;
		this.minutes = saved ? Math.max(1, Math.round(passed / 60_000)) : 0;
		this.host = Math.floor(host / 1_000);
		const isMine = saved?.organization === organization;
		this.memory = isMine ? saved : new WatchMemory(organization, account, filters);
		if (isMine) resume(saved, options, passed);
		else {
			this.startBackMs = lookBackOf(saved, options, at);
			if (saved && isNamed)
				this.notice = 'The credential has another organization or Base URL now, so the trigger starts over';
		}
		if (isMine && recheckMs !== undefined) recheck(saved, recheckMs);
		this.memory.at = at;
		const { limits, now, newestPossible } = this;
		this.ledger = new Ledger(this.memory, { limits, now, newestPossible, wanted, hasAll });
	}

	/** Our clock in seconds. */
	get now(): number {
		return Math.floor(this.memory.at / 1_000);
	}

	/** No row can be ahead of the service's Date header, which a cache may repeat, and of the host's clock. */
	newestPossible = (): number => Math.max(this.budget.date, Math.floor(this.budget.hostTime() / 1_000));

	/**
	 * What time it is at the service, at least: the newest time shown, or later if the Date header and our clock agree. Times
	 * without a zone may be local, unless the newest is of this hour.
	 */
	private get serviceTime(): number {
		const { host } = this;
		const { newest, zoneless } = this.memory;
		const { date } = this.budget;
		const isSure = Math.abs(date - host) <= agreement && (!zoneless || newest > date - shortestShift);
		return isSure ? Math.max(newest, Math.min(date, host)) : newest;
	}

	failed = (error: unknown): void => void (this.trouble ??= error);

	/** Whether one more request fits. One is reserved for the judge, which runs last. */
	allows(share = 1): boolean {
		const { judge } = this.options;
		return this.ledger.events.length < this.limits.events && this.budget.allows(share, judge ? 1 : 0);
	}

	/** Undefined if there is no time for it or it fails: a later poll asks again. */
	async ifTime<T>(isAllowed: boolean, ask: () => Promise<T>): Promise<T | undefined> {
		this.isCut ||= !isAllowed;
		return isAllowed ? ((await ask().catch(this.failed)) ?? undefined) : undefined;
	}

	/** Starts over: everything up to the present, or up to `lookBackMs` before it, counts as reported. */
	startFrom(rows: ListedRow[]): void {
		const { memory, ledger } = this;
		const back = Math.floor((this.startBackMs ?? 0) / 1_000);
		for (const row of rows) ledger.readTimes(row);
		// What happens within this second is still to be reported.
		memory.floor = Math.max(0, this.serviceTime - back - 1);
		const created = rows.map((row) => secondsOf(row.createdAt));
		// What was created just before and is not among the rows becomes visible later: all of it is still to be reported.
		const oldest = created.reduce((least, time) => Math.min(least, time), memory.floor);
		const late = back > 0 ? memory.floor : Math.max(oldest, memory.floor - lateness);
		memory.steps = [0, late + 1].map((from) => ({ from, level: from === 0 ? memory.floor : late }));
		memory.newestFrom = Math.min(memory.floor, this.startOfNewest(created, rows.length));
		for (const row of rows) {
			if (back > 0) ledger.see(row);
			else ledger.skip(row);
		}
	}

	/** A creation time above which most of a page of rows lies, and those that may become visible late. */
	startOfNewest(created: number[], pageSize: number): number {
		const belowMost = created.sort((a, b) => b - a)[Math.floor(fresh * pageSize) - 1] ?? -1;
		return Math.max(0, Math.min(belowMost + 1, this.memory.newest - lateness));
	}

	/** The events to report. What the judge could not decide for lack of time is left to the next poll, and counts as cut. */
	async judgedEvents(): Promise<StatusEvent[]> {
		const { ledger, budget } = this;
		const { judge } = this.options;
		const { events } = ledger;
		if (!judge || events.length === 0) return events;
		const verdicts = await judge(events, {
			page: (query) => this.ifTime(budget.allows(), () => budget.page(query)),
			read: (id) => this.ifTime(budget.allows(), () => budget.read(id)),
		});
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
		memory.serviceTime = this.serviceTime;
		return { events, next: memory, trouble, notice };
	}
}

/** Without memory that fits, only the time of the last poll, if it is known, says what is still to be reported. */
function lookBackOf(saved: WatchMemory | undefined, options: PollOptions, at: number): number {
	const { isNamed = true, lastPollAt, lookBackMs = 0 } = options;
	if (saved && isNamed) return 0;
	const since = saved?.at ?? lastPollAt;
	return since === undefined ? lookBackMs : Math.max(0, at - since);
}

/** Other filters admit old completions, so only those since the last poll are reported, and of the last day at most. */
function resume(memory: WatchMemory, { account, filters }: PollOptions, passed: number): void {
	const isOther = filters !== memory.filters;
	const level = isOther ? memory.serviceTime + Math.max(0, Math.floor(passed / 1_000) - day) : 0;
	if (isOther) memory.continueAt = 0;
	Object.assign(memory, { account, filters });
	memory.floor = Math.max(memory.floor, level);
	memory.steps = raise(memory.steps, 0, Infinity, level);
}

/** Forgets the reports of the `ms` before the last poll, so that they are repeated, but none from before the activation. */
function recheck(memory: WatchMemory, ms: number): void {
	const now = Math.floor(memory.at / 1_000);
	const since = Math.max(memory.floor, memory.newest - Math.floor(ms / 1_000));
	memory.steps = memory.steps.map(({ from, level }) => ({ from, level: Math.min(level, since) }));
	memory.newestFrom = Math.min(memory.newestFrom, since);
	for (const [id, entry] of memory.known) {
		const { reportedAt, coveredTo } = entry;
		if (reportedAt === 0 || now - reportedAt > ms / 1_000 || coveredTo <= memory.floor + 1) continue;
		memory.known.set(id, { ...entry, coveredTo: 0, reportedAt: 0, unfinishedSince: now, status: '' });
	}
}
