import { shapes } from './attacks';

/**
 * The longest time in milliseconds for which `run` stopped the event loop. Other processes add to it, so the processor
 * time counts where it is shorter, and as on a quiet machine where others slow the processor down. It is the shortest of
 * a few tries; one that is short enough is the last.
 */
export async function longestStop(run: () => Promise<unknown>, enough: number, tries = 10): Promise<number> {
	let shortest = Infinity;
	for (let n = 0; n < tries && shortest >= enough; n++) {
		const stop = await stopOf(run);
		shortest = Math.min(shortest, stop < enough ? stop : stop / slowness());
	}
	return shortest;
}

/** How many times longer than on a quiet machine the processor takes now to read what no code of ours can speed up. */
function slowness(): number {
	const reads = Array.from({ length: 3 }, () => {
		const before = clocks();
		JSON.parse(shapes['a map of texts']);
		return passed(before, clocks());
	});
	return Math.max(1, Math.min(...reads) / 50);
}

async function stopOf(run: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isRunning = true;
	let last = clocks();
	const tick = () => {
		const now = clocks();
		longest = Math.max(longest, passed(last, now));
		last = now;
		if (isRunning) setImmediate(tick);
	};
	setImmediate(tick);
	await run().finally(() => (isRunning = false));
	tick();
	return longest;
}

/** By the clock that went on less. */
const passed = (before: number[], now: number[]) => Math.min(...now.map((time, clock) => time - before[clock]));

/** The time of day, which suites cannot put on, and the processor time of this process, both in milliseconds. */
function clocks(): number[] {
	const { user, system } = process.cpuUsage();
	return [Number(process.hrtime.bigint()) / 1e6, (user + system) / 1e3];
}
