import type { Request } from '../kit/service';
import { TOO_LARGE } from '../../../credentials/responses';
import { type Answer, isForbidden, retryAfterMs } from './attempt';
import { isGood, mayBeProcessed } from './failures';

/** What happens after the answer to a request, or after it got none. */
export type Next =
	| { kind: 'return' }
	| { kind: 'sendAgain'; afterMs: number }
	/**
	 * The profile shows whether the credential is refused. Then the run stops, or the token is renewed and the request
	 * sent again. If the credential is accepted, only the request fails.
	 */
	| { kind: 'askProfile' }
	| { kind: 'fail' };

interface AttemptSoFar {
	/** Counted from 1. */
	number: number;
	/** Attempts after the first. */
	repeats: number;
	/** A longer pause would be too late for whoever asked. */
	leftMs: number;
}

/** Longer ones are left to the user, because n8n would hold the execution all the time. */
const longestPauseMs = 60_000;
const firstBackoffMs = 500;

/** Doubled with each attempt. Random, so that requests that failed together are not repeated together. */
const backoffMs = (attempt: number) => firstBackoffMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);

/** Not implemented and an unsupported version of HTTP: the same request gets the same response. */
const permanent = [501, 505];

export function whatNext(request: Request, answer: Answer, { number, repeats, leftMs }: AttemptSoFar): Next {
	const { status, lost } = answer;
	if (isGood(answer)) return { kind: 'return' };

	// The service would refuse every item, or the token has expired: nothing was processed. A 403 is about this request:
	// the credential lacks a permission, or the record belongs to others.
	if (status === 401) return { kind: 'askProfile' };

	const isFinal = isForbidden(answer) || lost?.code === TOO_LARGE || mayBeProcessed(request, answer);
	if (isFinal || number > repeats) return { kind: 'fail' };

	// The service did not decide about the request: there was no response, a server or proxy had a problem, or it was one
	// too many.
	const isTemporary = [0, 408, 429].includes(status) || (status >= 500 && !permanent.includes(status));
	if (!isTemporary) return { kind: 'fail' };

	// A service that says 0, or names this very second, would refuse all attempts at once.
	const afterMs = Math.max(retryAfterMs(answer) ?? 0, backoffMs(number));
	if (afterMs > Math.min(longestPauseMs, leftMs)) return { kind: 'fail' };
	return { kind: 'sendAgain', afterMs };
}
