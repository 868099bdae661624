/**
 * Two limits on work side by side. The gate counts requests in flight and adapts to a service that asks for less; the
 * queue keeps only a few items alive at a time, so that ten thousand rows do not become ten thousand promises.
 */
export class Gate {
	private free: number;
	private cap: number;
	private successes = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly limit: number) {
		this.cap = limit;
		this.free = limit;
	}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((enter) => this.waiting.push(enter));
		try {
			return await task();
		} finally {
			this.leave();
		}
	}

	/** The service is overloaded: go on with half as many. */
	halve(): void {
		const halved = Math.max(1, Math.floor(this.cap / 2));
		this.free -= this.cap - halved;
		this.cap = halved;
		this.successes = 0;
	}

	/** Every twenty good answers allow one more again. */
	succeeded(): void {
		if (this.cap === this.limit || ++this.successes < 20) return;
		this.successes = 0;
		this.cap++;
		this.leave();
	}

	private leave(): void {
		// After halving, places are owed before anybody else may enter.
		if (this.free < 0) this.free++;
		else if (this.waiting.length > 0) this.waiting.shift()!();
		else this.free++;
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
