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
