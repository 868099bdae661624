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

/** Every way in which a call starts nothing: the status that its sender gets, and why. */
const refusals = {
	noSecret: [401, 'This trigger has no callback secret that is long enough, and accepts nothing'],
	missing: [401, 'The callback URL is not signed'],
	ambiguous: [401, 'The callback URL is signed more than once'],
	malformed: [401, 'The signature of the callback URL is damaged'],
	forged: [401, 'The signature of the callback URL does not fit'],
	expired: [401, 'The callback URL has expired'],
	unsigned: [401, 'The call does not carry the signature of the service'],
	wronglySigned: [401, 'The signature of the service does not fit'],
	outOfTime: [401, 'The signature of the service is of another time'],
	replayed: [401, 'This callback URL has served another request already'],
	forgotten: [401, 'This callback URL is so old that nobody knows any more whether it has served'],
	unconfirmed: [401, 'The service does not know this request'],
	cutShort: [401, 'The callback URL has lost its query, which a service has to keep to wake an execution'],
	foreign: [401, 'The callback does not belong to a search of this execution'],
	ofAnother: [401, 'The report is of another search'],
	tooLarge: [413, 'The report is larger than this trigger takes'],
	empty: [422, 'The body is empty; a Seller Report was expected'],
	unreadable: [422, 'The body cannot be read'],
	noRequestId: [422, 'The report names no request ID at its top, so it cannot be read back'],
	serviceUnavailable: [503, 'The report could not be read back from the service; send it again later'],
} as const;

export interface Refusal {
	status: (typeof refusals)[keyof typeof refusals][0];
	/** One word of ours for the log, which counts refusals by it. */
	reason: keyof typeof refusals;
	message: string;
}

export function refusal(reason: Refusal['reason'], message?: string): Refusal {
	const [status, usual] = refusals[reason];
	return { status, reason, message: message ?? usual };
}

export const isRefusal = (outcome: object): outcome is Refusal => 'reason' in outcome;
