import { emptyMemory, type Memory, raise } from './memory';
import {
	atLatest,
	believedTime,
	type Budget,
	clocksOf,
	doubted,
	type Limits,
	newestOf,
	serviceTime,
	slack,
} from './clock';
import type { Ledger, StatusEvent } from './ledger';
import { largestPage } from '../document/vocabulary';
import { type ListedRow, type StatusSource, secondsOf, isZoneless } from './source';

/** Forgets what was told of a time, so that it is told again, under the same keys. Nothing from before the activation. */
export function recheck(memory: Memory, ms: number): void {
	const since = Math.max(memory.floor, Math.floor((memory.at - ms) / 1_000) + memory.shift);
	memory.steps = memory.steps.map(({ from, level }) => ({ from, level: Math.min(level, since) }));
	memory.top = Math.min(memory.top, since);
	for (const [id, entry] of memory.known) {
		if (entry.told === 0 || entry.silent || entry.date < since) continue;
		// Just before what was told, so that the same end is dated after it again.
		const date = entry.loose ? since : entry.date - 1;
		memory.known.set(id, {
			...entry,
			date,
			told: 0,
			status: '',
			running: true,
			sure: true,
			loose: false,
		});
	}
}

export type Verdicts = ReadonlyMap<StatusEvent, ListedRow | null>;

export interface PollOptions {
	/** Whose inquiries are read; memory of another organisation is not used. */
	organisation: string;
	/** What the caller wants to find again in the memory, to know the organisation without asking. */
	account: string;
	/** What is watched and with which filters, as a short text. */
	filters: string;
	/** At the first activation, report what happened in this many milliseconds before it. */
	lookBackMs?: number;
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
const quarter = 900;
const widest = 14 * 3_600;
/** More pages than any round has. */
const wholeRound = 1e9;
const day = 86_400;
const hour = 3_600_000;

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
	/** Other filters: what is tracked is carried over. */
	kept?: Memory;
}

/** Undefined where the poll goes on from what was saved. */
export function breakOf(saved: Memory | undefined, options: PollOptions, now: number): Break | undefined {
	const { organisation, filters, lookBackMs, catchUpMs } = options;
	if (!saved) return { lookBackMs };
	if (saved.organisation !== organisation)
		return { notice: 'Another organisation is watched, so the trigger starts anew' };
	if (latestOf(saved) > now + day * 1_000)
		return { notice: 'What was saved is dated in the future, so the trigger starts anew' };
	if (now - saved.at > Math.max(catchUpMs ?? Infinity, hour)) return { lookBackMs: catchUpMs || undefined };
	return saved.filters === filters ? undefined : { kept: saved };
}

/** The last time that memory knows, in milliseconds. */
const latestOf = ({ at, steps, shift }: Memory) => Math.max(at, ...steps.map(({ level }) => (level - shift) * 1_000));

/** The host's time; where memory is ahead of it, the service is asked for its own. */
export async function timeFor(budget: Budget, saved: Memory | undefined): Promise<number> {
	const host = budget.hostTime();
	if (!saved || latestOf(saved) <= host + day * 1_000) return host;
	const { date = host } = await budget.page({ limit: 1, offset: 0 });
	return Math.max(host, date);
}

/** Where the poll begins: where the last one ended, or anew. */
export async function startFrom(budget: Budget, saved: Memory | undefined, options: PollOptions): Promise<Started> {
	const reason = breakOf(saved, options, await timeFor(budget, saved));
	if (saved && !reason) return { memory: saved, silent: false, rows: [] };
	return { ...(await anew(budget, options, reason ?? {})), ...(reason?.notice ? { notice: reason.notice } : {}) };
}

/** Everything there is counts as told, up to now or to the hours asked for; what is tracked stays so. */
async function anew(
	budget: Budget,
	{ organisation, account, filters }: PollOptions,
	{ kept, lookBackMs }: Break,
): Promise<Started> {
	const { rows } = await budget.page({
		sort_by: 'created_at',
		sort_order: 'desc',
		limit: largestPage,
		offset: 0,
	});
	const memory = { ...emptyMemory(organisation, account, filters), known: kept?.known ?? new Map() };
	const created = newestOf(rows.map((row) => secondsOf(row.createdAt)));
	const ended = newestOf(rows.map((row) => secondsOf(row.completedAt)));
	const stamps = rows.flatMap((row) => [secondsOf(row.createdAt), secondsOf(row.completedAt)]);
	const stamp = newestOf([...stamps], Math.min(doubted, Math.ceil(rows.length / 2)));
	const clocks = clocksOf(budget);
	const { host } = clocks;
	const clock = serviceTime(clocks, stamp, kept && believedTime(kept, host));
	memory.zoneless = rows.some(isZoneless);
	const latest = atLatest(clock, host);
	memory.shift = memory.zoneless ? shiftOf(stamps, latest) : 0;
	const now = latest + memory.shift;
	// Waiting is measured by it, so it never goes back.
	memory.at = Math.max(clock * 1_000, kept?.at ?? 0);
	memory.host = host;
	// Where the newest rows show hardly an end, the clock bounds what may have ended unseen.
	const settled = Math.min(now, Math.max(0, (ended || now) - slack));
	const newest = created === 0 ? 0 : Math.max(0, Math.min(created - lateness, settled));
	if (lookBackMs !== undefined) {
		const since = now - Math.floor(lookBackMs / 1_000);
		memory.floor = since;
		memory.top = Math.min(newest, since);
		memory.steps = [{ from: 0, level: since }];
		memory.cursors.sweep.at = memory.top;
		memory.debt = wholeRound;
		return { memory, silent: false, rows };
	}
	memory.floor = now;
	memory.top = newest;
	memory.steps = raise(raise(memory.steps, 0, newest, now), newest, Infinity, settled);
	return { memory, silent: true, rows };
}

/** Local times without a zone are whole quarters of an hour off, and by fourteen hours at most; the newest is just now. */
function shiftOf(stamps: number[], clock: number): number {
	const ahead = Math.max(...stamps.map((stamp) => stamp - clock).filter((distance) => distance <= widest));
	return ahead < -widest ? 0 : Math.round(ahead / quarter) * quarter;
}
