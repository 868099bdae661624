import { createHash } from 'node:crypto';
import { isRefusal, refusal, type Refusal } from './refusedCalls';
import { requestIdIn, sellerIdIn } from './reportIds';
import { type Delivery, readReport, type ReportRules } from './sellerReport';
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
export interface WakeRules extends ReportRules {
	nonceDigest: string;
}

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
): { json: ReturnType<typeof completed> } | Refusal {
	const { nonceDigest, maxBytes, requestIdPath, sellerIdPath } = wokenBy ?? {};
	if (nonce === undefined) return refusal('cutShort');
	if (typeof nonce !== 'string' || typeof nonceDigest !== 'string' || !sameText(digest(nonce), nonceDigest))
		return refusal('foreign');
	const signature = signingSecrets.length > 0 ? verifySignature(delivery, signingSecrets, now) : {};
	if (isRefusal(signature)) return signature;
	const read = readReport(delivery, maxBytes);
	if (isRefusal(read)) return read;
	const reportedFor = requestIdIn(read.report, requestIdPath);
	if (reportedFor !== undefined && requestId !== null && reportedFor !== requestId) return refusal('ofAnother');
	return { json: completed({ requestId: requestId ?? reportedFor ?? null, ref }, read.report, sellerIdPath) };
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
