import type { Owner } from '../engine/account';
import { isCoveredOrDoubted, raise, WatchMemory } from './memory';
import { tolerated } from './rows';

/** Where a poll starts from: its memory, the present, the last poll, or a time before. */
export interface BeginningOptions extends Owner {
	filters: string;
	/** How far before the first poll events are reported. */
	lookBackMs?: number;
	/** When the last poll was, if nothing else of the memory can be read. */
	lastPollAt?: number;
	/** How far back completions are reported again. */
	recheckMs?: number;
}

/** `backMs`: how far back to start over; undefined to go on with `memory`. `levelsBefore`: those before a re-check. */
export type Beginning = { memory: WatchMemory; levelsBefore: WatchMemory['steps']; backMs?: number; notice?: string };

/** `at` is when this poll began, by n8n's clock. */
export function beginningOf(saved: WatchMemory | undefined, options: BeginningOptions, at: number): Beginning {
	const { organization, account, isNamed = true, filters, recheckMs, lastPollAt, lookBackMs = 0 } = options;
	if (saved?.organization === organization) {
		resume(saved, options, at - saved.at);
		const levelsBefore = saved.steps;
		if (recheckMs !== undefined) recheck(saved, recheckMs, at);
		return { memory: Object.assign(saved, { at }), levelsBefore };
	}
	const memory = Object.assign(new WatchMemory(organization, account, filters), { at });
	const beginning = { memory, levelsBefore: memory.steps };
	if (saved && isNamed) return { ...beginning, backMs: 0, notice: startsOver };
	// Without a name, the organization may be the same: what finished since the last poll is reported.
	const last = saved?.at ?? lastPollAt;
	const backMs = last === undefined ? lookBackMs : Math.max(0, at - last);
	return { ...beginning, backMs, notice: lastPollAt === undefined ? undefined : unreadable };
}

const startsOver = 'The credential has another organization or Base URL now, so the trigger starts over';
const unreadable = 'The saved data of this trigger is damaged or from another version. It continues from its last poll';

/** Other filters admit old completions: only those since the last poll are reported, and of the last day at most. */
function resume(memory: WatchMemory, { account, filters }: BeginningOptions, passed: number): void {
	if (filters !== memory.filters) {
		const sinceLastPoll = Math.floor(passed / 1_000);
		const level = memory.lastServiceTime + sinceLastPoll - Math.min(sinceLastPoll, tolerated.day);
		memory.startLevel = Math.max(memory.startLevel, level);
		memory.steps = raise(memory.steps, 0, Infinity, level);
		memory.continueAt = 0;
	}
	Object.assign(memory, { account, filters });
}

/** Forgets the reports of the last `ms`, so that they are repeated. */
function recheck(memory: WatchMemory, ms: number, at: number): void {
	const from = Math.max(memory.startLevel, memory.latestShown - Math.floor(ms / 1_000));
	memory.steps = memory.steps.map((step) => ({ from: step.from, level: Math.min(step.level, from) }));
	memory.newestFrom = Math.min(memory.newestFrom, from);
	// By the service's clock, `ms` end at the latest time shown; by n8n's, at the last poll.
	const [lastPoll, since] = [memory.at, at].map((time) => Math.floor(time / 1_000));
	for (const [id, entry] of memory.known) {
		const wasThere = entry.coveredTo <= memory.startLevel + 1;
		if (!isCoveredOrDoubted(entry) || lastPoll - entry.since > ms / 1_000 || wasThere) continue;
		memory.known.set(id, { ...entry, state: 'postponed', since, coveredTo: 0, status: '' });
	}
}

/** From where the newest rows are read: with a fifth of a page free for new ones, and at least two minutes back. */
export function newestPageFrom({ latestShown }: WatchMemory, created: number[], pageSize: number): number {
	const belowMost = [...created].sort((a, b) => b - a)[Math.floor(pageSize * 0.8) - 1] ?? -1;
	return Math.max(0, Math.min(belowMost + 1, latestShown - tolerated.lateness));
}
