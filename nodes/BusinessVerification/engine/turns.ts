import { orMade } from '../kit/objects';
import { sleep } from 'n8n-workflow';

const holders = new Map<string, Promise<unknown>>();

/**
 * Inside this process only one task at a time holds a key; the others come after it, in order. Keys of several
 * processes (queue mode) do not know each other: the limits page says what that means.
 */
export async function exclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
	const before = holders.get(key) ?? Promise.resolve();
	const mine = before.then(task, task);
	const settled = mine.catch(() => undefined);
	holders.set(key, settled);
	try {
		return await mine;
	} finally {
		if (holders.get(key) === settled) holders.delete(key);
	}
}

const awaited = new Map<string, Promise<unknown>>();

/**
 * Whoever asks before a turn begins shares its outcome, good or bad: many at once cost two turns, and what each of them
 * gets was looked up after it asked.
 */
export const shared = <T>(key: string, task: () => Promise<T>): Promise<T> =>
	orMade(awaited, key, () =>
		exclusive(key, () => {
			awaited.delete(key);
			return task();
		}),
	) as Promise<T>;

/**
 * Two limits on work side by side. The gate counts requests in flight: more of them as long as the service copes, fewer
 * when it asks for less. The queue keeps only a few items alive at a time, so that ten thousand rows do not become ten
 * thousand promises.
 */
export class Gate {
	private cap: number;
	private inFlight = 0;
	private successes = 0;
	private slowdowns = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(
		private readonly atFirst: number,
		private limit = atFirst,
	) {
		this.cap = atFirst;
	}

	/** Requests that may be in flight now. */
	get places(): number {
		return this.cap;
	}

	/** What costs money and is under way when another one fails cannot be called back: from now on no more than at first. */
	growNoMore(): void {
		this.limit = this.atFirst;
		this.cap = Math.min(this.cap, this.limit);
	}

	/** `copes` judges by the result: true, the service copes; false, it asks for less; undefined says nothing. */
	async run<T>(task: () => Promise<T>, copes: (result: T) => boolean | undefined): Promise<T> {
		// Whoever finds a place free finds nobody waiting.
		if (this.inFlight < this.cap) this.inFlight++;
		else await new Promise<void>((enter) => void this.waiting.push(enter));
		const slowdownsBefore = this.slowdowns;
		try {
			const result = await task();
			const verdict = copes(result);
			// Those that were under way together complain about one and the same crowd.
			if (verdict === false && slowdownsBefore === this.slowdowns) this.halve();
			if (verdict === true) this.succeeded();
			return result;
		} finally {
			this.inFlight--;
			this.admit();
		}
	}

	private halve(): void {
		this.cap = Math.max(1, Math.floor(this.cap / 2));
		this.slowdowns++;
		this.successes = 0;
	}

	/** Each good answer allows one more, which doubles the crowd every round; once the service has complained, every twentieth. */
	private succeeded(): void {
		if (this.cap === this.limit || ++this.successes < (this.slowdowns === 0 ? 1 : 20)) return;
		this.successes = 0;
		this.cap++;
	}

	private admit(): void {
		while (this.inFlight < this.cap && this.waiting.length > 0) {
			this.inFlight++;
			this.waiting.shift()!();
		}
	}
}

/** Gives up the item's place while it waits for something that takes minutes. */
export type Release = () => void;

/**
 * Runs `task` for 0…count-1, as many at a time as there are places, in order of start. Returns when all have ended. A task
 * that throws stops further starts; those under way end first, then the first error is thrown.
 */
export async function sideBySide(
	count: number,
	places: () => number,
	task: (index: number, release: Release) => Promise<void>,
): Promise<void> {
	const errors: unknown[] = [];
	let next = 0;
	let underWay = 0;
	let taken = 0;

	await new Promise<void>((end) => {
		const fill = (): void => {
			while (taken < places() && next < count && errors.length === 0) start(next++);
			if (underWay === 0) end();
		};
		const start = (index: number): void => {
			underWay++;
			taken++;
			let isHeld = true;
			const release = (): void => {
				if (isHeld) taken--;
				isHeld = false;
				// Later, or tasks that give up their places at once would be started from within each other.
				void Promise.resolve().then(fill);
			};
			void task(index, release)
				.catch((error: unknown) => void errors.push(error))
				.then(() => {
					underWay--;
					release();
				});
		};
		fill();
	});
	if (errors.length > 0) throw errors[0];
}

const slice = 250;

/** n8n's own `sleep` cannot be interrupted, so it is taken in slices: a cancelled execution goes on within one. */
export async function pause(ms: number, cancelled: AbortSignal | undefined): Promise<void> {
	const until = performance.now() + ms;
	for (let left = ms; left > 0 && !cancelled?.aborted; left = until - performance.now()) {
		await sleep(Math.min(left, slice));
	}
}

/** Long work takes no longer at a time; then all else that n8n does has its turn. */
const longestTurnMs = 10;

/** The first turn ends when it is said, so that what was sent before can leave. */
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
