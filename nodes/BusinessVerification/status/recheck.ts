import type { Memory } from './memory';

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
