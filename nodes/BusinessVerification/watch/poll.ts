import { emptyMemory, type Memory, raise } from './memory';
import { Budget, Clock, defaultLimits, type Limits, newestOf, newestOfFew, slack, stampOf } from './clock';
import { isEnd } from '../document/inquiries';
import type { Owner } from '../engine/account';
import type { Ledger, Looking, StatusEvent } from './ledger';
import { largestPage } from '../document/vocabulary';
import type { Known } from './occurrence';
import { type ListedRow, type StatusSource, secondsOf, isZoneless } from './source';

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
	 * Decides on each event: a row reports the event with that row, null rejects it, and an event left out is found again
	 * by the next poll. Requests go through `source`, after `mayGoOn` has allowed each.
	 */
	judge?(events: StatusEvent[], source: StatusSource, mayGoOn: () => boolean): Promise<Verdicts>;
	limits?: Partial<Limits>;
}

export interface PollResult {
	events: StatusEvent[];
	next: Memory;
	/** A failure that only delays events: a later poll finds them. */
	trouble?: unknown;
	/** No row matched memory, so the lists may belong to another organization. */
	isStrange?: boolean;
	/** A message to the user, such as that the trigger started over. */
	notice?: string;
}

/** Seconds that an inquiry may become visible after others that were created later. */
export const lateness = 120;
/** More pages than any round of the sweep takes. */
const wholeRound = 1e9;
const hour = 3_600_000;
const day = 24 * hour;
/** Two clocks agree if they differ by at most this many seconds. */
const agreement = 900;

/** What every poll begins with. */
export interface Poll extends Pick<PollOptions, 'judge'>, Looking {
	budget: Budget;
	/** Undefined if the poll continues from the saved memory. */
	reason?: Break;
}

/** Why the saved memory cannot be used, and how far back to report then. */
interface Break {
	lookBackMs?: number;
	notice?: string;
}

/** Continues from the saved memory, or from an empty one. */
export async function beginPoll(source: StatusSource, saved: Memory | undefined, options: PollOptions): Promise<Poll> {
	const { organisation, account, filters, recheckMs, judge, wanted = () => true } = options;
	const limits = { ...defaultLimits, ...options.limits };
	const budget = new Budget(source, limits);
	const now = await timeFor(budget, saved);
	const reason = breakOf(saved, options, now);
	const memory = saved && !reason ? continued(saved, options, now) : emptyMemory(organisation, account, filters);
	if (!reason && recheckMs !== undefined) recheck(memory, recheckMs);
	const silent = reason !== undefined && reason.lookBackMs === undefined;
	let time: Clock | undefined;
	const clock = () => (time ??= new Clock(memory, budget));
	return { budget, limits, memory, reason, silent, clock, wanted, judge };
}

/** Undefined if the poll continues from the saved memory. */
function breakOf(saved: Memory | undefined, options: PollOptions, now: number): Break | undefined {
	const { organisation, isNamed = true, lookBackMs, catchUpMs = Infinity, lastPollAt } = options;
	const sinceMs = (at: number) => Math.min(Math.max(0, now - at), catchUpMs) || undefined;
	if (!saved) return { lookBackMs: lastPollAt === undefined ? lookBackMs : sinceMs(lastPollAt) };
	if (saved.organisation !== organisation) {
		const notice = 'The credential now belongs to another organization, so the trigger starts over';
		return isNamed ? { notice } : { notice, lookBackMs: sinceMs(saved.host) };
	}
	if (levelOf(saved) <= now + day) return undefined;
	return { notice: 'The saved data is dated in the future, so the trigger starts over' };
}

/** The newest time of the service in memory, in milliseconds. */
const levelOf = ({ last, steps }: Memory) => 1_000 * Math.max(last, ...steps.map(({ level }) => level));

/** If memory is ahead of the host's clock, the clock may be wrong, so the service's Date header counts too. */
export async function timeFor(budget: Budget, saved: Memory | undefined): Promise<number> {
	const host = budget.hostTime();
	if (!saved || levelOf(saved) <= host + day) return host;
	const { date = host } = await budget.page({ limit: 1, offset: 0 });
	return Math.max(host, date);
}

/**
 * After a pause, `catchUpMs` raises the level; other filters raise it to the last poll, or to now after a pause. Completions
 * in memory stay, so none is repeated. What was unfinished then is judged by the level, like all that was not seen.
 */
function continued(saved: Memory, { filters, catchUpMs = Infinity }: PollOptions, now: number): Memory {
	const { host, last, distance } = saved;
	const isPause = now - host > 2 * Math.max(distance, hour);
	const present = last + (isPause ? Math.floor((now - host) / 1_000) : 0);
	const isCaughtUp = isPause && now - host > catchUpMs;
	const level = filters !== saved.filters ? present : isCaughtUp ? present - Math.floor(catchUpMs / 1_000) : 0;
	const floor = Math.max(saved.floor, level);
	const steps = raise(saved.steps, 0, Infinity, level);
	if (!isCaughtUp) return { ...saved, filters, floor, steps };
	for (const [id, { open, created }] of saved.known) if (open > 0 && created <= level) saved.known.delete(id);
	return { ...saved, filters, floor, steps, cut: floor };
}

/** Forgets the reports of the last `ms`, so that they are repeated, but none from before the activation. */
export function recheck(memory: Memory, ms: number): void {
	const since = Math.max(memory.floor, Math.floor((memory.at - ms) / 1_000) + memory.ahead);
	memory.steps = memory.steps.map(({ from, level }) => ({ from, level: Math.min(level, since) }));
	memory.top = Math.min(memory.top, since);
	const isBefore = (entry: Known) => stampOf(entry) < since && entry.told < (memory.at - ms) / 1_000;
	for (const [id, entry] of memory.known) {
		if (entry.open > 0 || entry.silent || entry.status === '' || isBefore(entry)) continue;
		// One second before the reported run, so that the same completion counts as later again.
		const [began, date] = [entry.began - 1, entry.date - 1].map((time) => Math.max(0, time));
		memory.known.set(id, { ...entry, began, date, own: true, told: 0, open: 1, status: '' });
	}
}

/** Starts over: everything up to now, or up to `lookBackMs` before, counts as reported. */
export async function startOver({ budget, memory, silent }: Poll, { lookBackMs }: Break) {
	const { rows } = await budget.page({
		sort_by: 'created_at',
		sort_order: 'desc',
		limit: largestPage,
		offset: 0,
	});
	memory.ahead = beginningOf(budget, rows) - Math.floor(budget.hostTime() / 1_000);
	memory.floor = beginningOf(budget, rows, { lookBackMs });
	// The list may be older than the clocks.
	memory.cut = silent ? beginningOf(budget, rows, { byRows: true }) : memory.floor;
	const created = newestOf(rows.map((row) => secondsOf(row.createdAt)));
	memory.top = Math.max(0, Math.min(created - lateness, memory.floor));
	memory.steps = raise([{ from: 0, level: memory.cut }], 0, memory.top, memory.floor);
	if (!silent) {
		memory.cursors.sweep.at = memory.top;
		memory.debt = wholeRound;
	}
	return { rows, notice: await traceless(budget, rows) };
}

/** Noted once, at activation: without start and completion times, two runs cannot be distinguished. */
async function traceless(budget: Budget, rows: ListedRow[]): Promise<string | undefined> {
	const finished = rows.filter(({ status }) => isEnd(status));
	const shows = ({ startedAt, completedAt }: ListedRow) => Boolean(startedAt ?? completedAt);
	if (finished.length === 0 || finished.some(shows)) return undefined;
	const record = await budget.read(finished[0].id).catch(() => 'gone' as const);
	if (record === 'gone' || shows(record)) return undefined;
	return 'The service shows neither start nor completion times. An inquiry that runs again between two polls is not reported.';
}

/**
 * The time up to which everything counts as reported: the newest time in the rows, because their clock writes
 * completion dates, or a later time that both the Date header and our clock have passed. Misdated rows are ahead of
 * both. Local times without a zone cannot be compared with a clock, so there only the rows count.
 */
export function beginningOf(
	budget: Budget,
	rows: ListedRow[],
	{ lookBackMs, byRows = rows.some(isZoneless) }: { lookBackMs?: number; byRows?: boolean } = {},
): number {
	const times = rows.flatMap((row) => [row.createdAt, row.startedAt, row.completedAt].map(secondsOf));
	const host = Math.floor(budget.hostTime() / 1_000);
	const date = Math.floor((budget.date ?? budget.hostTime()) / 1_000);
	const stamps = times.filter((time) => time > 0 && time <= Math.max(date, host) + day / 1_000);
	const usual = newestOfFew(stamps);
	// If the two clocks disagree, the earlier one counts, provided that the rows do not show it to be slow.
	const clock = Math.min(...[date, host].filter((time) => time >= usual - slack), Math.max(date, host));
	const latest = Math.min(clock + slack, Math.max(date, host));
	const newest = Math.max(newestOf(stamps), ...stamps.filter((stamp) => stamp <= latest), 0);
	if (lookBackMs !== undefined) return (byRows ? newest : Math.max(clock, newest)) - Math.floor(lookBackMs / 1_000);
	const isSure = budget.date !== undefined && !byRows && Math.abs(date - host) <= agreement;
	// Completions within the current second are still to be reported.
	return isSure ? Math.max(newest, Math.min(date, host) - 1) : newest;
}

/** The events to report. After an undecided event of an inquiry, its later events wait too, which keeps their order. */
export async function judgedEvents(ledger: Ledger, { judge, budget }: Poll): Promise<StatusEvent[]> {
	if (!judge || ledger.events.length === 0) return ledger.events;
	const verdicts = await judge(ledger.events, budget, () => budget.allows());
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
