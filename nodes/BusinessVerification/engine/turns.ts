import { orMade } from '../kit/objects';
import { sleep } from 'n8n-workflow';

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

const awaited = new Map<string, Promise<unknown>>();

/**
 * Callers that arrive before a turn begins share its result or error. So many concurrent calls need two turns at most,
 * and no caller gets a result that was read before its call.
 */
export const shared = <T>(key: string, task: () => Promise<T>): Promise<T> =>
	orMade(awaited, key, () =>
		exclusive(key, () => {
			awaited.delete(key);
			return task();
		}),
	) as Promise<T>;

/** Limits what runs side by side: more as long as the service copes, less if it asks for that. */
export class Gate {
	/** Requests that may be in flight now, and items that may be in progress: each has one request at a time. */
	width: number;
	private inFlight = 0;
	private successes = 0;
	private slowdowns = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(
		private readonly atFirst: number,
		private limit = atFirst,
	) {
		this.width = atFirst;
	}

	/** Billed requests in flight cannot be undone if another one fails, so their number stays at the initial limit. */
	freezeWidth(): void {
		this.limit = this.atFirst;
		this.width = Math.min(this.width, this.limit);
	}

	/** `copes` judges the result: true allows more requests, false fewer, and undefined changes nothing. */
	async run<T>(task: () => Promise<T>, copes: (result: T) => boolean | undefined): Promise<T> {
		// Below, the requests that wait come first.
		if (this.inFlight < this.width) this.inFlight++;
		else await new Promise<void>((enter) => void this.waiting.push(enter));
		const slowdownsBefore = this.slowdowns;
		try {
			const result = await task();
			const verdict = copes(result);
			// Requests in flight together report the same overload, so they count once.
			if (verdict === false && slowdownsBefore === this.slowdowns) this.halve();
			if (verdict === true) this.succeeded();
			return result;
		} finally {
			this.inFlight--;
			while (this.inFlight < this.width && this.waiting.length > 0) {
				this.inFlight++;
				this.waiting.shift()!();
			}
		}
	}

	private halve(): void {
		this.width = Math.max(1, Math.floor(this.width / 2));
		this.slowdowns++;
		this.successes = 0;
	}

	/** Each success adds one, which doubles the width per round. After an overload, every twentieth does. */
	private succeeded(): void {
		if (this.width === this.limit || ++this.successes < (this.slowdowns === 0 ? 1 : 20)) return;
		this.successes = 0;
		this.width++;
	}
}

/**
 * Runs `task` for 0…count-1 in order, as many at a time as the gate is wide, so that ten thousand rows are not ten
 * thousand promises. After `release`, a task that waits for minutes no longer counts. If a task throws, no more are
 * started, and the first error is thrown after the others finish.
 */
export async function sideBySide<T>(
	count: number,
	gate: Pick<Gate, 'width'>,
	task: (index: number, release: () => void) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	const errors: unknown[] = [];
	const underWay = new Set<Promise<void>>();
	let running = 0;
	let goOn = (): void => {};

	for (let index = 0; index < count && errors.length === 0; index++) {
		let counts = true;
		const release = (): void => {
			if (counts) running--;
			counts = false;
			goOn();
		};
		running++;
		const one = task(index, release)
			.then((result) => void (results[index] = result))
			.catch((error: unknown) => void errors.push(error))
			.finally(() => {
				underWay.delete(one);
				release();
			});
		underWay.add(one);
		while (running >= gate.width) await new Promise<void>((resolve) => (goOn = resolve));
	}
	await Promise.all(underWay);
	if (errors.length > 0) throw errors[0];
	return results;
}

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

/** The caller says when the first turn ends: at 0, requests started before are sent first. */
export async function inTurns<T>(
	steps: Iterator<unknown, T>,
	firstEnds = performance.now() + longestTurnMs,
): Promise<T> {
	for (let ends = firstEnds; ;) {
		if (performance.now() > ends) {
			await sleep(0);
			ends = performance.now() + longestTurnMs;
		}
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}
