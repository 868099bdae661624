import { emptyMemory, type Memory, raise } from './memory';
import { type Budget, doubted, isWrong, type Limits, newestOf, slack, stampOf } from './clock';
import type { Ledger, StatusEvent } from './ledger';
import { largestPage } from '../document/vocabulary';
import { type ListedRow, type StatusSource, secondsOf, isZoneless } from './source';

/** Forgets what was told of a time, so that it is told again, under the same keys. Nothing from before the activation. */
export function recheck(memory: Memory, ms: number): void {
	const since = Math.max(memory.floor, Math.floor((memory.at - ms) / 1_000) + memory.ahead);
	memory.steps = memory.steps.map(({ from, level }) => ({ from, level: Math.min(level, since) }));
	memory.top = Math.min(memory.top, since);
	for (const [id, entry] of memory.known) {
		if (entry.open > 0 || entry.silent || entry.status === '' || stampOf(entry) < since) continue;
		// Just before what was told, so that the same end comes after it again.
		const [began, date] = [entry.began - 1, entry.date - 1].map((time) => Math.max(0, time));
		memory.known.set(id, { ...entry, began, date, own: true, told: 0, open: 1, status: '' });
	}
}

export type Verdicts = ReadonlyMap<StatusEvent, ListedRow | null>;

export interface PollOptions {
	/** Whose inquiries are read; memory of another organisation is not used. */
	organisation: string;
	/** The service says whose they are; otherwise an organisation is known by its secret alone. */
	isNamed?: boolean;
	/** What the caller wants to find again in the memory, to know the organisation without asking. */
	account: string;
	/** What is watched and with which filters, as a short text. */
	filters: string;
	/** At the first activation, report what happened in this many milliseconds before it. */
	lookBackMs?: number;
	/** The time of the last poll where nothing else of it can be read, in milliseconds. */
	lastPollAt?: number;
	/** After a pause, report at most what happened in this many milliseconds. */
	catchUpMs?: number;
	/** Report again, under the same keys, what happened in this many milliseconds. */
	recheckMs?: number;
	/** Which events the caller will use; the others are followed but not judged. */
	wanted?(event: StatusEvent): boolean;
	/**
	 * Replaces an event's row, rejects it with null, or leaves it out: then it is found again by the next poll.
	 * Its requests go through `source`, and before each of them it asks `mayGoOn`.
	 */
	judge?(events: StatusEvent[], source: StatusSource, mayGoOn: () => boolean): Promise<Verdicts>;
	limits?: Partial<Limits>;
}

export interface PollResult {
	events: StatusEvent[];
	next: Memory;
	/** A failure that cost nothing but time: what it kept from being seen is found by a later poll. */
	trouble?: unknown;
	/** Nothing that was known was shown again: the lists may be another organisation's. */
	isStrange?: boolean;
	/** What the user must know: reading started anew, or has not kept up for a while. */
	notice?: string;
}

/** What a poll tells of what it found. */
export async function judgedEvents(ledger: Ledger, { judge }: PollOptions, budget: Budget): Promise<StatusEvent[]> {
	if (!judge || ledger.events.length === 0) return ledger.events;
	return settle(ledger, await judge(ledger.events, budget, () => budget.allows()));
}

/** Replaces, rejects and puts off events as the judge said. Later events of an inquiry wait with its earlier ones. */
function settle(ledger: Ledger, verdicts: Verdicts): StatusEvent[] {
	const undecided = new Set<string>();
	const put: StatusEvent[] = [];
	const back: StatusEvent[] = [];
	for (const event of ledger.events) {
		const verdict = verdicts.get(event);
		if (verdict === undefined || undecided.has(event.row.id)) {
			undecided.add(event.row.id);
			back.push(event);
		} else if (verdict) {
			put.push({ ...event, row: verdict });
		}
	}
	for (const event of back.reverse()) ledger.postpone(event);
	return put;
}

/** New ones may become visible a little after others that were created later. */
export const lateness = 120;
/** More pages than any round has. */
const wholeRound = 1e9;
const hour = 3_600_000;
const day = 24 * hour;
/** Two clocks that are no further apart agree, in seconds. */
const agreement = 900;

interface Started {
	memory: Memory;
	/** Whether what is seen for the first time is entered without being told. */
	silent: boolean;
	/** The newest ones, where they had to be looked at. */
	rows: ListedRow[];
	/** Why what was saved could not be gone on with. */
	notice?: string;
}

/** Why memory cannot be gone on with, and how far back it is to be read then. */
export interface Break {
	lookBackMs?: number;
	notice?: string;
}

/** Undefined where the poll goes on from what was saved. */
export function breakOf(saved: Memory | undefined, options: PollOptions, now: number): Break | undefined {
	const { organisation, isNamed = true, lookBackMs, catchUpMs, lastPollAt } = options;
	const sinceMs = (at: number) => Math.min(Math.max(0, now - at), catchUpMs ?? Infinity) || undefined;
	if (!saved) return { lookBackMs: lastPollAt === undefined ? lookBackMs : sinceMs(lastPollAt) };
	if (saved.organisation !== organisation) {
		const notice = 'Another organisation is watched, so the trigger starts anew';
		return isNamed ? { notice } : { notice, lookBackMs: sinceMs(saved.host) };
	}
	if (levelOf(saved) > now + day)
		return { notice: 'What was saved is dated in the future, so the trigger starts anew' };
	return isPause(saved, now, catchUpMs ?? Infinity) ? { lookBackMs: catchUpMs || undefined } : undefined;
}

/** The newest time of the service that memory knows, in milliseconds. */
const levelOf = ({ last, steps }: Memory) => 1_000 * Math.max(last, ...steps.map(({ level }) => level));

/** The host's time; where memory is ahead of it, the service is asked for its own. */
export async function timeFor(budget: Budget, saved: Memory | undefined): Promise<number> {
	const host = budget.hostTime();
	if (!saved || levelOf(saved) <= host + day) return host;
	const { date = host } = await budget.page({ limit: 1, offset: 0 });
	return Math.max(host, date);
}

/** Where the poll begins: where the last one ended, or anew. */
export async function startFrom(budget: Budget, saved: Memory | undefined, options: PollOptions): Promise<Started> {
	const now = await timeFor(budget, saved);
	const reason = breakOf(saved, options, now);
	if (saved && !reason) return { memory: underFilters(saved, options, now), silent: false, rows: [] };
	const started = await anew(budget, options, reason ?? {});
	if (saved) started.memory.distance = Math.max(0, now - saved.host);
	return { ...started, ...(reason?.notice ? { notice: reason.notice } : {}) };
}

/** What other filters show counts as told up to the last poll, or up to now after a pause; what is tracked stays so. */
function underFilters(memory: Memory, { filters }: PollOptions, now: number): Memory {
	if (memory.filters === filters) return memory;
	const last = memory.last + (isPause(memory, now) ? Math.floor((now - memory.host) / 1_000) : 0);
	return { ...memory, filters, floor: Math.max(memory.floor, last), steps: raise(memory.steps, 0, Infinity, last) };
}

/** Longer than the usual distance between polls. */
const isPause = ({ host, distance }: Memory, now: number, leastMs = 0) =>
	now - host > Math.max(leastMs, 2 * Math.max(distance, hour));

/** Everything there is counts as told, up to now or to the hours asked for. */
async function anew(
	budget: Budget,
	{ organisation, account, filters }: PollOptions,
	{ lookBackMs }: Break,
): Promise<Started> {
	const { rows } = await budget.page({
		sort_by: 'created_at',
		sort_order: 'desc',
		limit: largestPage,
		offset: 0,
	});
	const memory = emptyMemory(organisation, account, filters);
	memory.zoneless = rows.some(isZoneless);
	const stamps = rows.flatMap((row) => [row.createdAt, row.startedAt, row.completedAt].map(secondsOf));
	memory.floor = beginningOf(budget, stamps, { lookBackMs, zoneless: memory.zoneless });
	// Of what was listed the rows alone say how far: the list may be older than the clocks.
	memory.cut = lookBackMs === undefined ? beginningOf(budget, stamps, { zoneless: true }) : memory.floor;
	const created = newestOf(rows.map((row) => secondsOf(row.createdAt)));
	memory.top = Math.max(0, Math.min(created - lateness, memory.floor));
	memory.steps = raise([{ from: 0, level: memory.cut }], 0, memory.top, memory.floor);
	if (lookBackMs === undefined) return { memory, silent: true, rows };
	memory.cursors.sweep.at = memory.top;
	memory.debt = wholeRound;
	return { memory, silent: false, rows };
}

interface Beginning {
	lookBackMs?: number;
	zoneless?: boolean;
}

/**
 * Up to where everything counts as told: the newest time that rows show, because it is of the clock that writes them, or
 * a later one that the service's Date header and our clock both have passed. Single wrong rows are ahead of both.
 */
export function beginningOf(budget: Budget, shown: number[], { lookBackMs, zoneless }: Beginning): number {
	const host = Math.floor(budget.hostTime() / 1_000);
	const date = budget.date === undefined ? host : Math.floor(budget.date / 1_000);
	const stamps = shown.filter((time) => !isWrong(time, budget));
	const usual = newestOf([...stamps], Math.min(doubted, Math.ceil(stamps.length / 2)));
	// Where the two disagree, the earlier one that the rows bear out.
	const clock = Math.min(...[date, host].filter((time) => time >= usual - slack), Math.max(date, host));
	const newest = Math.max(newestOf(stamps), ...stamps.filter((stamp) => stamp <= clock), 0);
	if (lookBackMs !== undefined) return (zoneless ? newest : Math.max(clock, newest)) - Math.floor(lookBackMs / 1_000);
	const isSure = budget.date !== undefined && !zoneless && Math.abs(date - host) <= agreement;
	// What ends in this very second is still to be reported.
	return isSure ? Math.max(newest, Math.min(date, host) - 1) : newest;
}
