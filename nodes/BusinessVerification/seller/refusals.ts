/** A refused call starts no execution, so n8n shows nothing of it. Only this count and the log record it. */

interface RefusalRecord {
	total: number;
	reasons: Record<string, number>;
	last: { at: string; reason: string };
}

/** An attacker must not be able to fill the log or make n8n save the workflow with every call. */
const quietMs = 10_000;

export class RefusalTally {
	/** Undefined until this process has refused a call, so the stored record is not overwritten before. */
	record?: RefusalRecord;
	private readonly reasons = new Map<string, number>();
	private toldAt = Number.NEGATIVE_INFINITY;

	/** Continues the counts stored by an earlier process. */
	constructor(stored: unknown) {
		const reasons = (stored as Partial<RefusalRecord> | undefined)?.reasons ?? {};
		for (const [reason, count] of Object.entries(reasons)) this.reasons.set(reason, Number(count) || 0);
	}

	/** Returns the record if it is time to store and log it. */
	note(reason: string, now: number): RefusalRecord | undefined {
		const isFirst = !this.reasons.has(reason);
		this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
		const total = [...this.reasons.values()].reduce((sum, count) => sum + count, 0);
		const last = { at: new Date(now).toISOString(), reason };
		this.record = { total, reasons: Object.fromEntries(this.reasons), last };
		if (!isFirst && now - this.toldAt < quietMs) return undefined;
		this.toldAt = now;
		return this.record;
	}
}

/** Every reason for refusing a call, by which refusals are counted: the status for its sender, and the message. */
const refusals = {
	noSecret: [401, 'This trigger has no valid secret, so it accepts no calls'],
	missing: [401, 'The callback URL is not signed'],
	ambiguous: [401, 'The callback URL is signed more than once'],
	malformed: [401, 'The signature of the callback URL is damaged'],
	forged: [401, 'The signature of the callback URL is wrong'],
	expired: [401, 'The callback URL has expired'],
	unsigned: [401, 'The signature of the service is missing'],
	wronglySigned: [401, 'The signature of the service is wrong'],
	outOfTime: [401, 'The timestamp of the signature is too old or in the future'],
	replayed: [401, 'This callback URL was already used for another request'],
	forgotten: [401, 'This callback URL is too old to tell whether it was already used'],
	unconfirmed: [401, 'The service does not have this request'],
	cutShort: [401, 'The query of the callback URL is missing'],
	foreign: [401, 'The callback does not belong to a search of this execution'],
	ofAnother: [401, 'The report belongs to another search'],
	tooLarge: [413, 'The report is larger than this trigger accepts'],
	empty: [422, 'The body is empty, but a Seller Report was expected'],
	unreadable: [422, 'The body cannot be read'],
	noRequestId: [422, 'The report has no request ID at the top level, so it cannot be fetched'],
	serviceUnavailable: [503, 'The report could not be fetched from the service. Send it again later.'],
} as const;

export type Refusal = ReturnType<typeof refusal>;

export function refusal(reason: keyof typeof refusals, message?: string) {
	const [status, usual] = refusals[reason];
	return { status, reason, message: message ?? usual };
}

export const isRefusal = (outcome: object): outcome is Refusal => 'reason' in outcome;
