import type { Json, Watch, Watched } from '../definition';

/** Something that is waited for: when it is looked at, and what was seen of it last. */
export class Pending {
	readonly deadline: number;
	nextLook: number;
	isLastLook = false;
	/** Looks in a row that brought no answer. */
	failures = 0;
	last: Json | undefined;
	private looks = 0;

	constructor(
		readonly watch: Watch,
		now: number,
		readonly settle: (result: Watched) => void,
		readonly fail: (error: unknown) => void,
	) {
		this.deadline = now + watch.maxWaitMs;
		this.nextLook = now;
	}

	/** The last look is at the deadline: what ended since the one before is not given up. */
	isLookedAt(now: number): void {
		const { pollIntervalMs, earlyLookMs = 0 } = this.watch;
		const isEarly = this.looks++ === 0 && earlyLookMs > 0;
		this.isLastLook = now >= this.deadline;
		this.nextLook = Math.min(now + (isEarly ? Math.min(earlyLookMs, pollIntervalMs) : pollIntervalMs), this.deadline);
	}
}
