import { sleep } from 'n8n-workflow';
import { Failure } from '../kit/service';

const lastHolders = new Map<string, Promise<unknown>>();

/** Runs one task at a time for each key, in order. Processes in queue mode do not share keys; see docs/limits.md. */
export async function exclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
	const mine = (lastHolders.get(key) ?? Promise.resolve()).then(task);
	const settled = mine.catch(() => undefined);
	lastHolders.set(key, settled);
	try {
		return await mine;
	} finally {
		if (lastHolders.get(key) === settled) lastHolders.delete(key);
	}
}

/** Limits the requests in flight: to fewer after the service has asked for that, and slowly to more again. */
export class Gate {
	/** Grows by fractions; only whole requests pass. */
	private width: number;
	private inFlight = 0;
	private slowdowns = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly limit: number) {
		this.width = limit;
	}

	/** `copes` judges the result: true allows more requests, false fewer, and undefined changes nothing. */
	async run<T>(task: () => Promise<T>, copes: (result: T) => boolean | undefined): Promise<T> {
		// Below, the requests that wait come first.
		if (this.hasRoom()) this.inFlight++;
		else await new Promise<void>((enter) => void this.waiting.push(enter));
		const slowdownsBefore = this.slowdowns;
		try {
			const result = await task();
			const verdict = copes(result);
			// Requests in flight together report the same overload, so they count once.
			if (verdict === false && slowdownsBefore === this.slowdowns) {
				this.width = Math.max(1, Math.floor(this.width / 2));
				this.slowdowns++;
			}
			// One more after sixteen: faster, and the service would be overloaded again.
			if (verdict === true) this.width = Math.min(this.limit, this.width + 1 / 16);
			return result;
		} finally {
			this.inFlight--;
			while (this.hasRoom() && this.waiting.length > 0) {
				this.inFlight++;
				this.waiting.shift()!();
			}
		}
	}

	private readonly hasRoom = () => this.inFlight + 1 <= this.width;
}

/**
 * Runs `task` for 0…count-1 in order, at most `limit` at a time, so that ten thousand rows are not ten thousand
 * promises. After `release`, a task that waits for minutes no longer counts. If a task throws, no more are started, and
 * the first error is thrown after the others finish, because "Retry On Fail" must not begin before their writes have an
 * answer.
 */
export async function sideBySide<T>(
	count: number,
	limit: number,
	task: (index: number, release: () => void) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	const errors: unknown[] = [];
	let next = 0;
	const work = async (): Promise<void> => {
		let successor: Promise<void> | undefined;
		while (next < count && errors.length === 0 && successor === undefined) {
			const index = next++;
			await task(index, () => void (successor ??= work())).then(
				(result) => void (results[index] = result),
				(error: unknown) => void errors.push(error),
			);
		}
		await successor;
	};
	await Promise.all(Array.from({ length: Math.min(count, limit) }, work));
	if (errors.length > 0) throw errors[0];
	return results;
}

/** It is about no item, and may be run again. */
export const canceled = () => new Failure('The execution was canceled', { cause: 'temporarily-unavailable' });

const slice = 250;

/** n8n's `sleep` cannot be interrupted, so it is called in slices: a canceled execution waits one slice at most. */
export async function pause(ms: number, cancelled: AbortSignal | undefined): Promise<void> {
	const until = performance.now() + ms;
	for (let left = ms; left > 0 && !cancelled?.aborted; left = until - performance.now()) {
		await sleep(Math.min(left, slice));
	}
}

/** Longer work would block the rest of n8n. */
const longestTurnMs = 10;

/** The first turn is others', so that requests started before are sent first. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
	for (let ends = 0; ;) {
		if (performance.now() > ends) {
			await sleep(0);
			ends = performance.now() + longestTurnMs;
		}
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}
