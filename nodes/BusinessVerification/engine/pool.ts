/** So few that no service minds. */
const atFirst = 8;

/**
 * Two limits on work side by side. The gate counts requests in flight: as many more as the service copes with, and fewer
 * when it asks for that. The queue keeps only a few items alive at a time, so that ten thousand rows do not become ten
 * thousand promises.
 */
export class Gate {
	private cap: number;
	private inFlight = 0;
	private successes = 0;
	private slowdowns = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly limit: number) {
		this.cap = Math.min(atFirst, limit);
	}

	/** `copes` judges by the result: true, the service copes; false, it asks for less; undefined says nothing. */
	async run<T>(task: () => Promise<T>, copes: (result: T) => boolean | undefined): Promise<T> {
		await new Promise<void>((enter) => {
			this.waiting.push(enter);
			this.admit();
		});
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
 * Runs `task` for 0…count-1, at most `limit` at a time, in order of start. Returns when all have ended. A task that
 * throws stops further starts; those under way end first, then the first error is thrown.
 */
export async function sideBySide(
	count: number,
	limit: number,
	task: (index: number, release: Release) => Promise<void>,
): Promise<void> {
	const errors: unknown[] = [];
	const underWay = new Set<Promise<void>>();
	let next = 0;

	const worker = async (): Promise<void> => {
		while (next < count && errors.length === 0) {
			const index = next++;
			await new Promise<void>((free) => {
				const done = task(index, free)
					.catch((error: unknown) => void errors.push(error))
					.then(() => {
						underWay.delete(done);
						free();
					});
				underWay.add(done);
			});
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, count) }, worker));
	await Promise.all(underWay);
	if (errors.length > 0) throw errors[0];
}
