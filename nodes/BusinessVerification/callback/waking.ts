import { createHash } from 'node:crypto';
import { requestIdIn, sellerIdIn } from './reportIds';
import { type Delivery, readReport } from './sellerReport';
import { sameText } from './sameText';
import { newNonce } from './signing';
import { verifySignature } from './standardWebhooks';

/**
 * A sleeping execution is woken by its own resume URL. Older hosts make that URL guessable, and n8n's token is the same
 * for the whole execution, so each search adds a nonce of its own; the execution keeps only its digest.
 */
export interface Sleeper {
	/** Null when the service gave none. */
	requestId: string | null;
	ref: string | null;
	wokenBy: WakeRules;
}

/** Kept by the execution itself: when the call comes, the node's parameters can no longer be evaluated for its item. */
export interface WakeRules {
	nonceDigest: string;
	maxBytes: number;
	requestIdPath: string;
	sellerIdPath: string;
}

type Waking =
	{ isAwake: true; json: ReturnType<typeof completed> } | { isAwake: false; status: 401 | 413 | 422; message: string };

/** Name of the query parameter that carries the nonce. */
export const nonceName = 'nonce';

export interface WakeUrl {
	url: string;
	nonceDigest: string;
}

export function newWakeUrl(resumeUrl: string): WakeUrl {
	const nonce = newNonce();
	const url = new URL(resumeUrl);
	url.searchParams.set(nonceName, nonce);
	return { url: url.toString(), nonceDigest: digest(nonce) };
}

/** Whether a call belongs to the search that sleeps. Whatever does not leaves it asleep. */
export function wakingBy(
	{ requestId, ref, wokenBy }: Sleeper,
	nonce: unknown,
	delivery: Delivery,
	signingSecrets: string[],
	now: number,
): Waking {
	const asleep = (status: 401 | 413 | 422, message: string): Waking => ({ isAwake: false, status, message });
	const { nonceDigest, maxBytes, requestIdPath, sellerIdPath } = wokenBy ?? {};
	if (nonce === undefined)
		return asleep(401, 'The callback URL has lost its query, which a service has to keep to wake an execution');
	if (typeof nonce !== 'string' || typeof nonceDigest !== 'string' || !sameText(digest(nonce), nonceDigest))
		return asleep(401, 'The callback does not belong to a search of this execution');
	if (signingSecrets.length > 0 && !verifySignature(delivery, signingSecrets, now).ok)
		return asleep(401, 'The callback does not carry a signature of the service that fits');
	const read = readReport(delivery, maxBytes);
	if (!read.ok) return asleep(read.status, read.message);
	const reportedFor = requestIdIn(read.report, requestIdPath);
	if (reportedFor !== undefined && requestId !== null && reportedFor !== requestId)
		return asleep(401, 'The report is of another search');
	return {
		isAwake: true,
		json: completed({ requestId: requestId ?? reportedFor ?? null, ref }, read.report, sellerIdPath),
	};
}

export const completed = (
	{ requestId, ref }: Pick<Sleeper, 'requestId' | 'ref'>,
	report: unknown,
	sellerIdPath: string,
) => ({
	status: 'complete',
	isFinal: true,
	ref,
	requestId,
	sellerId: sellerIdIn(report, sellerIdPath) ?? null,
	report,
});

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
