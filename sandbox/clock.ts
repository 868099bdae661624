/** The sandbox's time: follows real time until a test moves, sets or freezes it. Scheduled work follows along. */

interface Scheduled {
	at: number;
	run: () => void;
}

export class Clock {
	private offset = 0;
	private frozenAt: number | null = null;
	private scheduled: Scheduled[] = [];
	private timer: NodeJS.Timeout | undefined;

	now(): number {
		return this.frozenAt ?? Date.now() + this.offset;
	}

	get frozen(): boolean {
		return this.frozenAt !== null;
	}

	/** Scheduled work that will be done without anyone moving the clock. */
	get waiting(): number {
		return this.scheduled.filter((work) => !this.frozen || work.at <= this.now()).length;
	}

	set(ms: number): void {
		if (this.frozenAt === null) this.offset = ms - Date.now();
		else this.frozenAt = ms;
		this.runDue();
	}

	advance(ms: number): void {
		this.set(this.now() + ms);
	}

	freeze(): void {
		this.frozenAt = this.now();
		this.runDue();
	}

	/** Time flows again, from where it stands. */
	unfreeze(): void {
		const now = this.now();
		this.frozenAt = null;
		this.set(now);
	}

	/** Back to real time; what was scheduled is forgotten. */
	reset(): void {
		this.offset = 0;
		this.frozenAt = null;
		this.stop();
	}

	stop(): void {
		this.scheduled = [];
		clearTimeout(this.timer);
	}

	schedule(delayMs: number, run: () => void): void {
		this.scheduled.push({ at: this.now() + delayMs, run });
		this.arm();
	}

	private runDue(): void {
		const now = this.now();
		const due = this.scheduled.filter((work) => work.at <= now).sort((a, b) => a.at - b.at);
		this.scheduled = this.scheduled.filter((work) => work.at > now);
		for (const work of due) work.run();
		this.arm();
	}

	private arm(): void {
		clearTimeout(this.timer);
		if (this.waiting === 0) return;
		const next = Math.min(...this.scheduled.map((work) => work.at));
		// A longer wait than a timer can hold is simply looked at again.
		this.timer = setTimeout(() => this.runDue(), Math.min(Math.max(next - this.now(), 0), 60_000));
		this.timer.unref();
	}
}
