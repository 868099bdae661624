/** A refused call starts no execution, so n8n shows nothing of it. Only the log does, and an attacker must not fill it. */
export class RefusalLog {
	private count = 0;
	private loggedAt = Number.NEGATIVE_INFINITY;

	/** How many calls were refused since it returned a number before; undefined if that was a moment ago. */
	note(now: number): number | undefined {
		this.count++;
		if (now - this.loggedAt < quietMs) return undefined;
		const { count } = this;
		this.count = 0;
		this.loggedAt = now;
		return count;
	}
}

const quietMs = 10_000;

/** Every reason for refusing a call, with the status and the message for its sender. */
const refusalsByReason = {
	noSecret: [401, 'This trigger has no valid secret, so it accepts no calls'],
	missing: [401, 'The callback URL is not signed'],
	ambiguous: [401, 'The callback URL is signed more than once'],
	malformed: [401, 'The signature of the callback URL is damaged'],
	forged: [401, 'The signature of the callback URL is wrong'],
	expired: [401, 'The callback URL has expired'],
	replayed: [401, 'This callback URL was already used for another request'],
	forgotten: [401, 'This callback URL is too old to tell whether it was already used'],
	cutShort: [401, 'The query of the callback URL is missing'],
	foreign: [401, 'The callback does not belong to a search of this execution'],
	ofAnother: [401, 'The report belongs to another search'],
	empty: [422, 'The body is empty, but a Seller Report was expected'],
	unreadable: [422, 'The body cannot be read'],
	noRequestId: [422, "The report has no request ID, so it cannot be fetched. Check 'Request ID Path'."],
	serviceUnavailable: [503, 'The report could not be fetched from the service. Send it again later.'],
} as const;

export class Refusal {
	readonly kind = 'refused';
	readonly status: number;
	readonly message: string;

	constructor(
		readonly reason: keyof typeof refusalsByReason,
		message?: string,
		/** For the log, instead of the message for the sender. */
		readonly cause?: string,
	) {
		const [status, usual] = refusalsByReason[reason];
		this.status = status;
		this.message = message ?? usual;
	}
}
