import { sleep } from 'n8n-workflow';

const slice = 250;

/** n8n's own `sleep` cannot be interrupted, so it is taken in slices: a cancelled execution goes on within one. */
export async function pause(ms: number, cancelled: AbortSignal | undefined): Promise<void> {
	const until = Date.now() + ms;
	for (let left = ms; left > 0 && !cancelled?.aborted; left = until - Date.now()) {
		await sleep(Math.min(left, slice));
	}
}

/** Long work takes no longer at a time; then all else that n8n does has its turn. */
const longestTurnMs = 10;

/** The first turn ends when it is said, so that what was sent before can leave. */
export async function inTurns<T>(steps: Iterator<unknown, T>, firstEnds = Date.now() + longestTurnMs): Promise<T> {
	for (let ends = firstEnds; ;) {
		if (Date.now() > ends) {
			await sleep(0);
			ends = Date.now() + longestTurnMs;
		}
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}
