import type { Owner } from '../engine/account';
import { day, type Ledger, slack } from './ledger';
import { isTold, raise, WatchMemory } from './memory';
import { type ListedRow, secondsOf } from './rows';

/** Where a poll starts from: its memory, with other filters or to be re-checked, or the present if it has none. */

/** Memory of another organization is not used. */
export interface BeginningOptions extends Owner {
	/** What is watched, and with which filters, as text. */
	filters: string;
	/** In the first poll, report events of this many milliseconds before it. */
	lookBackMs?: number;
	/** The time of the last poll in milliseconds, if nothing else of the memory can be read. */
	lastPollAt?: number;
	/** Report events of this many milliseconds again, with the same keys. */
	recheckMs?: number;
}

/** `backMs`: how far back to start over, undefined with a memory to go on with. */
export type Beginning = { memory: WatchMemory; backMs?: number; notice?: string };

/** `at` is the time of this poll by our clock, in milliseconds. */
export function beginningOf(saved: WatchMemory | undefined, options: BeginningOptions, at: number): Beginning {
	const { organization, account, isNamed = true, filters, recheckMs } = options;
	if (saved?.organization === organization) {
		resume(saved, options, at - saved.at);
		if (recheckMs !== undefined) recheck(saved, recheckMs, at);
		return { memory: Object.assign(saved, { at }) };
	}
	const memory = Object.assign(new WatchMemory(organization, account, filters), { at });
	const notice = 'The credential has another organization or Base URL now, so the trigger starts over';
	if (saved && isNamed) return { memory, backMs: 0, notice };
	// Only the time of the last poll, if it is known, says what is still to be reported.
	const last = saved?.at ?? options.lastPollAt;
	return { memory, backMs: last === undefined ? (options.lookBackMs ?? 0) : Math.max(0, at - last) };
}

/** Other filters admit old completions, so only those since the last poll are reported, and of the last day at most. */
function resume(memory: WatchMemory, { account, filters }: BeginningOptions, passed: number): void {
	if (filters !== memory.filters) {
		const level = memory.lastServiceTime + Math.max(0, Math.floor(passed / 1_000) - day);
		memory.floor = Math.max(memory.floor, level);
		memory.steps = raise(memory.steps, 0, Infinity, level);
		memory.continueAt = 0;
	}
	Object.assign(memory, { account, filters });
}

/** Forgets the reports of the `ms` before the last poll, so that they are repeated, but none from before the activation. */
function recheck(memory: WatchMemory, ms: number, at: number): void {
	const from = Math.max(memory.floor, memory.newest - Math.floor(ms / 1_000));
	memory.steps = memory.steps.map((step) => ({ from: step.from, level: Math.min(step.level, from) }));
	memory.newestFrom = Math.min(memory.newestFrom, from);
	const [last, since] = [memory.at, at].map((time) => Math.floor(time / 1_000));
	for (const [id, entry] of memory.known) {
		if (!isTold(entry) || last - entry.since > ms / 1_000 || entry.coveredTo <= memory.floor + 1) continue;
		memory.known.set(id, { ...entry, state: 'postponed', since, coveredTo: 0, status: '' });
	}
}

/** Seconds that an inquiry may become visible after others that were created later. */
const lateness = 120;

/** Everything up to the time counts as reported. `rows` are the newest; those after it are reported if `looksBack`. */
export function coverPast(memory: WatchMemory, ledger: Ledger, rows: ListedRow[], upTo: number, looksBack: boolean) {
	memory.floor = Math.max(0, upTo);
	const created = rows.map((row) => secondsOf(row.createdAt));
	// What was created just before and is not among the rows becomes visible later: all of it is still to be reported.
	const oldest = created.reduce((least, time) => Math.min(least, time), memory.floor);
	const late = looksBack ? memory.floor : Math.max(oldest, memory.floor - slack);
	memory.steps = [0, late + 1].map((from) => ({ from, level: from === 0 ? memory.floor : late }));
	memory.newestFrom = Math.min(memory.floor, newestPageFrom(memory, created, rows.length));
	for (const row of rows) {
		if (looksBack) ledger.see(row);
		else ledger.skip(row);
	}
}

/** A creation time above which four fifths of a page of rows lie, and those that may become visible late. */
export function newestPageFrom({ newest }: WatchMemory, created: number[], pageSize: number): number {
	const belowMost = created.sort((a, b) => b - a)[Math.floor(pageSize * 0.8) - 1] ?? -1;
	return Math.max(0, Math.min(belowMost + 1, newest - lateness));
}
