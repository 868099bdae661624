/** The clock of a world in which several processes wait: it moves when all of them do. */
export class SharedClock {
	private readonly sleeping: Array<{ until: number; wake: () => void }> = [];

	constructor(private readonly world: { now: number }) {}

	passes(ms: number): Promise<void> {
		return new Promise((wake) => this.sleeping.push({ until: this.world.now + ms, wake }));
	}

	/** Each process begins after so many milliseconds. */
	async together<T>(starts: readonly number[], run: () => Promise<T>): Promise<T[]> {
		let running = starts.length;
		const results = Promise.all(
			starts.map(async (start) => {
				await this.passes(start);
				return await run().finally(() => running--);
			}),
		);
		while (running > 0) {
			await new Promise(setImmediate);
			this.sleeping.sort((one, other) => one.until - other.until);
			const next = this.sleeping.shift();
			if (next === undefined) continue;
			this.world.now = next.until;
			next.wake();
		}
		return await results;
	}
}
