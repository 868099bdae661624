import { sleep } from 'n8n-workflow';

const slice = 250;

/** n8n's own `sleep` cannot be interrupted, so it is taken in slices: a cancelled execution goes on within one. */
export async function pause(ms: number, cancelled: AbortSignal | undefined): Promise<void> {
	const until = Date.now() + ms;
	for (let left = ms; left > 0 && !cancelled?.aborted; left = until - Date.now()) {
		await sleep(Math.min(left, slice));
	}
}
