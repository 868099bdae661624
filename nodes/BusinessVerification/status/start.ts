import { largestPage } from '../document/figures';
import type { Budget } from './budget';
import { atLatest, believedTime, clocksOf, newestOf, serviceTime } from './clock';
import { doubted, slack } from './limits';
import { emptyMemory, type Memory, raise } from './memory';
import type { PollOptions } from './poll';
import { isZoneless, type Row, seconds } from './source';

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
	rows: Row[];
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
	const created = newestOf(rows.map((row) => seconds(row.createdAt)));
	const ended = newestOf(rows.map((row) => seconds(row.completedAt)));
	const stamps = rows.flatMap((row) => [seconds(row.createdAt), seconds(row.completedAt)]);
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
