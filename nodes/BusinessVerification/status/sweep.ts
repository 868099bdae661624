import type { Clock } from './clock';
import type { Limits } from './limits';
import type { Lists } from './lists';
import { levelAt, type Memory, raise, start } from './memory';
import { isIn, type Range } from './ranges';

/** A page that lets so many known ends go is worth its request. */
const worthwhile = 250;

/** Creation times, in order, of the ends that memory could let go if their range were looked at. */
const forgettable = ({ known }: Memory, settled: number, looked: readonly Range[]): number[] =>
	[...known.values()]
		.filter((entry) => !entry.running && Math.max(entry.created, entry.date) <= settled && !isIn(looked, entry.created))
		.map(({ created }) => created)
		.sort((a, b) => a - b);

/**
 * Reads what lets memory forget most, then goes on with the round over everything, a page for each minute that passed.
 * Adds the creation times it looked at whole.
 */
export async function sweep(
	memory: Memory,
	lists: Lists,
	clock: Clock,
	limits: Limits,
	looked: Range[],
): Promise<void> {
	memory.debt += clock.minutes;
	let load = forgettable(memory, clock.settled, looked);
	let paid = 0;
	for (; lists.mayAsk() && paid < limits.sweepPages / 2; paid++) {
		const { from, count } = densest(load, memory.width);
		if (count < worthwhile) break;
		const { next, covered } = await lists.read({ at: from, offset: 0 }, { pages: 1 });
		if (next) memory.width = Math.max(1, next.at - from);
		if (covered.length === 0) break;
		looked.push(...covered);
		load = load.filter((created) => !isIn(covered, created));
	}
	const pressure = Math.ceil((limits.sweepPages * load.length) / limits.ended);
	const pages = Math.min(limits.sweepPages, Math.max(memory.debt, pressure));
	if (pages < 1 || memory.top === 0 || !lists.mayAsk()) return;
	const { cursors, top } = memory;
	const before = lists.pages;
	const from = cursors.sweep.at < top ? cursors.sweep : start();
	const { next, covered } = await lists.read(from, { pages, to: top });
	looked.push(...covered);
	cursors.sweep = next ?? start();
	memory.debt = next ? Math.max(0, memory.debt - (lists.pages - before)) : 0;
}

/** The stretch of creation time, one page wide, that holds most of them. */
function densest(times: number[], width: number): { from: number; count: number } {
	let best = { from: 0, count: 0 };
	for (let low = 0, high = 0; high < times.length; high++) {
		while (times[high] - times[low] > width) low++;
		if (high - low + 1 > best.count) best = { from: times[low], count: high - low + 1 };
	}
	return best;
}

/** Lifts the level of what was looked at, except for what was put off, and lets go of the ends that it covers. */
export function forget(memory: Memory, looked: readonly Range[], putOff: number, { settled }: Clock): void {
	for (const { from, to } of looked) memory.steps = raise(memory.steps, from, Math.min(to, putOff), settled);
	for (const [id, { running, created, date }] of memory.known) {
		const told = Math.min(settled, levelAt(memory.steps, created));
		if (!running && Math.max(created, date) <= told) memory.known.delete(id);
	}
}
