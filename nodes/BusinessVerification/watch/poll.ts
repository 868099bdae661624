import { Budget, defaultLimits, type Limits } from './budget';
import { Ledger, type StatusEvent } from './ledger';
import { levelAt, type WatchMemory } from './memory';
import type { JudgeSource, Verdicts } from './results';
import { type ListedRow, secondsOf, type StatusSource, tolerated } from './rows';
import { type Beginning, beginningOf, type BeginningOptions, newestPageFrom } from './beginning';

export interface PollOptions extends BeginningOptions {
	/** Whether an event is used. Others change memory only. */
	wanted?(event: StatusEvent): boolean;
	/** Decides on each event. Completions on which it does not are left to the next poll. */
	judge?(events: StatusEvent[], source: JudgeSource): Promise<Verdicts>;
	limits?: Partial<Limits>;
}

export interface PollResult {
	events: StatusEvent[];
	next: WatchMemory;
	/** The first one that only delays events. */
	failure?: unknown;
	notice?: string;
	/** Undocumented, and the user was not told. */
	unknownStatus?: string;
}

/** What every poll has: its clock and its budget, its memory and its ledger. */
export class Poll {
	readonly limits: Limits;
	readonly budget: Budget;
	readonly memory: WatchMemory;
	readonly ledger: Ledger;
	/** When this poll began, by n8n's clock, in seconds: later than the last poll, even if that clock was put back. */
	readonly now: number;
	/** Since the last poll, at least 1; 0 in the first. */
	readonly minutes: number;
	readonly beginning: Beginning;
	failure?: unknown;
	/** Whether something is left to the next poll. */
	isCut = false;

	constructor(
		private readonly source: StatusSource,
		saved: WatchMemory | undefined,
		private readonly options: PollOptions,
		readonly isCertain = false,
	) {
		this.limits = { ...defaultLimits, ...options.limits };
		this.budget = new Budget(source, this.limits);
		const at = Math.max(source.hostTime(), (saved?.at ?? 0) + 1_000);
		this.now = Math.floor(at / 1_000);
		this.minutes = saved ? Math.max(1, Math.round((at - saved.at) / 60_000)) : 0;
		this.beginning = beginningOf(saved, options, at);
		this.memory = this.beginning.memory;
		this.ledger = new Ledger(this);
	}

	/** What is there now, or was there at the time to look back to, counts as covered. `rows` are the newest. */
	beginWith(rows: ListedRow[]): void {
		const { memory, ledger } = this;
		const { backMs = 0 } = this.beginning;
		const timed = rows.map((row) => ledger.readTimes(row));
		// Completions within this second are still to be reported.
		memory.startLevel = Math.max(0, this.serviceTime - Math.floor(backMs / 1_000) - 1);
		const created = timed.map((row) => row.created);
		// Activated at 12:00, with rows created from 11:55 on: if a later poll shows another of 11:57, it became visible late, or
		// its clock is behind: it is `new`. One of 11:54 may be on the next page, so it is `old`, as all before 11:50 (`slack`).
		const oldest = created.reduce((least, time) => Math.min(least, time), memory.startLevel);
		const lateFrom = 1 + (backMs > 0 ? memory.startLevel : Math.max(oldest, memory.startLevel - tolerated.slack));
		memory.steps = [
			{ from: 0, level: memory.startLevel },
			{ from: lateFrom, level: lateFrom - 1 },
		];
		memory.newestFrom = Math.min(memory.startLevel, newestPageFrom(memory, created, rows.length));
		if (backMs > 0) for (const row of rows) ledger.see(row);
		else for (const row of timed) ledger.adopt(row);
	}

	/**
	 * The time at the service, or earlier: the latest shown or, if later, the Date header, but not beyond n8n's clock. Times
	 * without a zone may be local if they are `shift` behind that header: then only the latest shown counts.
	 */
	get serviceTime(): number {
		const { latestShown, zoneless } = this.memory;
		const { dateHeader } = this.budget;
		return zoneless && latestShown <= dateHeader - tolerated.shift
			? latestShown
			: Math.max(latestShown, Math.min(dateHeader, this.hostSeconds()));
	}

	private hostSeconds = (): number => Math.floor(this.source.hostTime() / 1_000);

	/** A cache may repeat an old Date header, and n8n's clock may be behind, but no row can be ahead of both. */
	latestPossible = (): number => Math.max(this.budget.dateHeader, this.hostSeconds());

	/** By the service's clock, or n8n's without Date headers. */
	lastAnswerAt = (): number => Math.max(this.memory.latestShown, this.budget.dateHeader || this.hostSeconds());

	wanted = (event: StatusEvent): boolean => {
		const created = secondsOf(event.row.createdAt);
		// After a re-check, what was `old` is `new`, but not submitted again.
		const isRepeated = event.kind === 'created' && created <= levelAt(this.beginning.levelsBefore, created);
		return !isRepeated && (this.options.wanted?.(event) ?? true);
	};

	failed = (error: unknown): void => void (this.failure ??= error);

	/** Whether the poll may read on. A request is reserved for the judge, which runs last. */
	allows(share = 1): boolean {
		const reserved = this.options.judge ? 1 : 0;
		return this.ledger.events.length < this.limits.events && this.budget.allows(share, reserved);
	}

	/** Undefined if there is no time or it fails. A later poll asks again. */
	async ifTime<T>(isAllowed: boolean, request: () => Promise<T>): Promise<T | undefined> {
		this.isCut ||= !isAllowed;
		return isAllowed ? ((await request().catch(this.failed)) ?? undefined) : undefined;
	}

	async judgedEvents(): Promise<StatusEvent[]> {
		const { ledger, budget, options } = this;
		const { events } = ledger;
		if (!options.judge || events.length === 0) return events;
		const verdicts = await options.judge(events, {
			page: (query) => this.ifTime(budget.allows(), () => budget.page(query)),
			read: (id) => this.ifTime(budget.allows(), () => budget.read(id)),
		});
		const judged: StatusEvent[] = [];
		for (const event of events) {
			const verdict = verdicts.get(event);
			if (verdict) judged.push({ ...event, row: verdict });
			else if (verdict === undefined && event.kind === 'ended') ledger.postpone(event);
			else if (verdict === undefined) judged.push(event);
		}
		return judged;
	}

	end(events: StatusEvent[]): PollResult {
		const { memory, failure, ledger } = this;
		const isIncomplete = failure !== undefined || this.isCut || ledger.refusedFrom < Infinity;
		memory.incompletePolls = isIncomplete ? memory.incompletePolls + 1 : 0;
		memory.lastServiceTime = this.serviceTime;
		return { events, next: memory, failure, notice: this.beginning.notice, unknownStatus: ledger.unknownStatus };
	}
}
