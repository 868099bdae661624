import type { Owner } from '../engine/account';
import { isCoveredOrDoubted, raise, WatchMemory } from './memory';
import { tolerated } from './rows';

/** Where a poll starts from: its memory, the present, the last poll, or as far back as the settings say. */
export interface BeginningOptions extends Owner {
	/** What is watched, and with which filters, as text. */
	filters: string;
	/** In the first poll, report events of this many milliseconds before it. */
	lookBackMs?: number;
	/** The time of the last poll in milliseconds, if nothing else of the memory can be read. */
	lastPollAt?: number;
	/** Report completions of this many milliseconds again, with the same keys, unless only the poll's time told one apart. */
	recheckMs?: number;
}

/** `backMs`: how far back to start over, undefined with a memory to go on with. */
export type Beginning = { memory: WatchMemory; backMs?: number; notice?: string };

/** `at` is the time of this poll by n8n's clock, in milliseconds. */
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
	// Without its name it may be the same organization, so what finished since the last poll is still to be reported.
	const last = saved?.at ?? options.lastPollAt;
	return { memory, backMs: last === undefined ? (options.lookBackMs ?? 0) : Math.max(0, at - last) };
}

/** Other filters admit old completions, so only those since the last poll are reported, and of the last day at most. */
function resume(memory: WatchMemory, { account, filters }: BeginningOptions, passed: number): void {
	if (filters !== memory.filters) {
		const secondsBeforeLastDay = Math.max(0, Math.floor(passed / 1_000) - tolerated.day);
		const level = memory.lastServiceTime + secondsBeforeLastDay;
		memory.startLevel = Math.max(memory.startLevel, level);
		memory.steps = raise(memory.steps, 0, Infinity, level);
		memory.continueAt = 0;
	}
	Object.assign(memory, { account, filters });
}

/** Forgets the reports of the last `ms`, so that they are repeated, but none from before the activation. */
function recheck(memory: WatchMemory, ms: number, at: number): void {
	const from = Math.max(memory.startLevel, memory.latestShown - Math.floor(ms / 1_000));
	memory.steps = memory.steps.map((step) => ({ from: step.from, level: Math.min(step.level, from) }));
	memory.newestFrom = Math.min(memory.newestFrom, from);
	// `from` is of the service's clock, and counts back from the newest time shown; `since` is of n8n's: from the last poll.
	const [last, since] = [memory.at, at].map((time) => Math.floor(time / 1_000));
	for (const [id, entry] of memory.known) {
		const wasThere = entry.coveredTo <= memory.startLevel + 1;
		if (!isCoveredOrDoubted(entry) || last - entry.since > ms / 1_000 || wasThere) continue;
		memory.known.set(id, { ...entry, state: 'postponed', since, coveredTo: 0, status: '' });
	}
}

/** From where the newest rows are read: with a fifth of a page left for new ones, and at least the last two minutes again. */
export function newestPageFrom({ latestShown }: WatchMemory, created: number[], pageSize: number): number {
	const belowMost = [...created].sort((a, b) => b - a)[Math.floor(pageSize * 0.8) - 1] ?? -1;
	return Math.max(0, Math.min(belowMost + 1, latestShown - tolerated.lateness));
}
