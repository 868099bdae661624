import { createHash, timingSafeEqual } from 'node:crypto';
import { type Delivery, findIdentifier, readReport } from './report';
import { newNonce } from './signing';

/**
 * A sleeping execution is woken by its own resume URL. Older hosts make that URL guessable, and n8n's token is the same
 * for the whole execution, so each search adds a nonce of its own; the execution keeps only its digest.
 */
export interface Sleeper {
	/** Null when the service gave none. */
	requestId: string | null;
	ref: string | null;
	nonceDigest: string;
}

export type Waking =
	| {
			isAwake: true;
			json: {
				status: 'complete';
				isFinal: true;
				ref: string | null;
				requestId: string | null;
				sellerId: string | null;
				report: unknown;
			};
	  }
	| { isAwake: false; status: 401 | 413 | 422; message: string };

/** Name of the query parameter that carries the nonce. */
export const nonceName = 'nonce';
const largest = 8 * 1024 * 1024;

export function newWakeUrl(resumeUrl: string): { url: string; nonceDigest: string } {
	const nonce = newNonce();
	const url = new URL(resumeUrl);
	url.searchParams.set(nonceName, nonce);
	return { url: url.toString(), nonceDigest: digest(nonce).toString('base64url') };
}

/** Whether a call belongs to the search that sleeps. Whatever does not leaves it asleep. */
export function wakingBy(sleeper: Sleeper, nonce: unknown, delivery: Delivery): Waking {
	const expected = Buffer.from(String(sleeper.nonceDigest), 'base64url');
	if (typeof nonce !== 'string' || expected.length !== 32 || !timingSafeEqual(digest(nonce), expected)) {
		return { isAwake: false, status: 401, message: 'The callback does not belong to a search of this execution' };
	}
	const read = readReport(delivery, largest);
	if (!read.ok) return { isAwake: false, status: read.status, message: read.message };
	const requestId = findIdentifier(read.report, ['request_id', 'requestId']);
	if (requestId !== undefined && sleeper.requestId !== null && requestId !== sleeper.requestId) {
		return { isAwake: false, status: 401, message: 'The report is of another search' };
	}
	return {
		isAwake: true,
		json: completed({ ...sleeper, requestId: sleeper.requestId ?? requestId ?? null }, read.report),
	};
}

export const completed = ({ requestId, ref }: Pick<Sleeper, 'requestId' | 'ref'>, report: unknown) => ({
	status: 'complete' as const,
	isFinal: true as const,
	ref,
	requestId,
	sellerId: findIdentifier(report, ['seller_id', 'sellerId']) ?? null,
	report,
});

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
