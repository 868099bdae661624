import type { Limits } from './limits';
import type { Memory } from './memory';

/** Forgets ends that can no longer be mistaken for new ones. With too many left the horizon moves up, at the price of re-runs that nobody saw running. */
export function prune(memory: Memory, limits: Limits): void {
	const { ended } = memory;
	// The scan of new inquiries looks back that far and must recognise what it already reported.
	const rescanned = memory.mark - limits.lateness;
	for (const [print, { stamp }] of ended) if (stamp <= Math.min(memory.horizon, rescanned)) ended.delete(print);
	if (ended.size <= limits.ended) return;
	const oldestFirst = [...ended].sort(([, a], [, b]) => a.stamp - b.stamp);
	for (const [print, { stamp }] of oldestFirst) {
		if (ended.size <= limits.ended || stamp > rescanned) break;
		ended.delete(print);
		memory.horizon = Math.max(memory.horizon, stamp);
	}
}

/** Makes the memory that of a time before, for whatever it has followed since. */
export function forgetSince(memory: Memory, since: number, limits: Limits): void {
	for (const [print, { stamp }] of memory.ended) if (stamp > since) memory.ended.delete(print);
	for (const [id, { createdAt }] of memory.tracked) if (createdAt > since) memory.tracked.delete(id);
	memory.mark = Math.min(memory.mark, since + limits.lateness);
	memory.horizon = Math.min(memory.horizon, since);
	memory.resume = 0;
	memory.activeFrom = 0;
	memory.sweepFrom = 0;
}
