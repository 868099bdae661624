/** The product pauses in slices of this length. A longer timer is somebody else's and takes its time. */
const slice = 250;
/**
 * For suites in which the product pauses: a slice of a pause ends so many times earlier, and puts the clocks on by what is
 * left of it. Everything else takes its time, so that a slow machine is no slow service.
 */
export function hurry(times = 100): void {
	const { performance: steady } = globalThis;
	// The product pauses with n8n's `sleep`, which runs outside of the suite.
	const { outside } = globalThis as unknown as { outside: typeof globalThis };
	const { setTimeout: start } = outside;
	const { now: date } = Date;
	let ahead = 0;
	const now = () => steady.now() + ahead;
	// Objects of this suite alone: the suites of one process share node's own.
	globalThis.performance = Object.create(steady, { now: { value: now, writable: true } }) as Performance;
	Date.now = () => Math.floor(date() + ahead);
	outside.setTimeout = Object.assign((run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
		if (ms > slice) return start(run, ms, ...given);
		const due = now() + ms;
		const ended = () => {
			ahead = Math.max(ahead, due - steady.now());
			run(...given);
		};
		return start(ended, ms / times);
	}, start) as typeof setTimeout;
}
