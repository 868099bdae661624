/** Refused calls start nothing, so n8n shows nothing. Counting them here, and logging now and then, is their only trace. */

interface RefusalRecord {
	total: number;
	reasons: Record<string, number>;
	last: { at: string; reason: string };
}

/** Whoever attacks must not be able to fill the log, nor make n8n save a workflow with every call. */
const quietMs = 10_000;

export class RefusalTally {
	private readonly reasons = new Map<string, number>();
	private last?: RefusalRecord['last'];
	private toldAt = Number.NEGATIVE_INFINITY;

	/** Goes on from what was stored before this process started. */
	constructor(stored: unknown) {
		const reasons = (stored as Partial<RefusalRecord> | undefined)?.reasons ?? {};
		for (const [reason, count] of Object.entries(reasons)) this.reasons.set(reason, Number(count) || 0);
	}

	/** Returns the record when it is time to store and log it. */
	note(reason: string, now: number): RefusalRecord | undefined {
		const isFirst = !this.reasons.has(reason);
		this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
		this.last = { at: new Date(now).toISOString(), reason };
		if (!isFirst && now - this.toldAt < quietMs) return undefined;
		this.toldAt = now;
		return this.record();
	}

	/** What to store along with other changes. */
	record(): RefusalRecord | undefined {
		if (this.last === undefined) return undefined;
		const total = [...this.reasons.values()].reduce((sum, count) => sum + count, 0);
		return { total, reasons: Object.fromEntries(this.reasons), last: this.last };
	}
}
