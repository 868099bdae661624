/** Why n8n's scheduler should think a request failed; hosts that do not know these ignore them. */
type HostCause = 'rate-limited' | 'temporarily-unavailable' | 'credential-invalid' | 'configuration-invalid';

export interface FailureDetails {
	description?: string;
	/** The parameter that has to change, by its name in the node. */
	parameter?: string;
	httpCode?: number;
	/** Present when a write may have been processed although no proper answer came back, or was accepted before this. */
	submission?: 'unknown' | 'accepted';
	/** The user has chosen that this counts as a failure, although nothing went wrong. */
	wasAskedFor?: true;
	cause?: HostCause;
	retryAfterMs?: number;
}

/** Everything that stops one item. `engine/run.ts` turns it into n8n's errors or into an error item. */
export class Failure extends Error {
	constructor(
		message: string,
		readonly details: FailureDetails = {},
	) {
		super(message);
		this.name = 'Failure';
	}
}

/** What was asked for, or the failure that is told instead; any other error is a fault of ours. */
export const tried = <T>(asked: Promise<T>): Promise<T | Failure> =>
	asked.catch((error: unknown) => (error instanceof Failure ? error : Promise.reject(error)));

/** A write may have been processed although no proper answer came back. `ifUnknown` says how to find out. */
export const unknownOutcome = (message: string, details: FailureDetails, ifUnknown?: string): Failure =>
	new Failure(`${message}. Whether the service processed the submission is unknown`, {
		...details,
		submission: 'unknown',
		description: `It was not sent again, so that nothing is billed twice. ${ifUnknown ?? 'Look it up in the service before you send it again.'}`,
	});
