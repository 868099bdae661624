import { UserError } from 'n8n-workflow';
import { isUntrusted, layersOf, reasonOf, TOO_LARGE } from '../../../credentials/responses';
import type { FailureDetails } from '../kit/service';

/** The response to a request, or the reason why there is none. */
export interface Answer {
	/** 0 if there is no response. */
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
	lost?: Lost;
	url?: string;
	/** The token of the request, if it can be renewed. */
	token?: string;
	/** A 401, although nothing else shows that the credential is refused. */
	isContradicted?: boolean;
}

/** Why there is no response. */
interface Lost {
	code: string;
	reason: string;
	/** False only if nothing can have reached the service. */
	sent: boolean;
	/** If the credential does not allow the request, or there is no token for it. */
	withheld: LostDetails | undefined;
}

export type LostDetails = FailureDetails & { message: string };

export function unanswered(error: unknown): Answer {
	return { status: 0, headers: {}, body: undefined, lost: lostBecause(error) };
}

/** The credential does not allow the request, so repeating it would not help. */
export const isForbidden = ({ lost }: Answer): boolean => lost?.withheld?.cause === 'configuration-invalid';

/** With these errors, there was no connection with an accepted certificate, so nothing was sent. */
const neverConnected = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_GET_ISSUER_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
];
/** Open connections can fail with these codes too. Only "connect" before the code proves that nothing was sent. */
const whileConnecting = /\bconnect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** n8n wraps network errors in several layers. Only the code shows whether the request may have been sent. */
export function lostBecause(error: unknown): Lost {
	const layers = layersOf(error);
	const messages = layers.flatMap((layer) => [layer.message, ...(Array.isArray(layer.messages) ? layer.messages : [])]);
	// Older hosts put the code of a broken connection into `httpCode`.
	const codes = layers.map((layer) => layer.code ?? layer.httpCode);
	const code = codes.find((value) => typeof value === 'string') ?? '';
	const said = messages.join('\n');
	const known = neverConnected.find((name) => code === name || said.includes(name)) ?? whileConnecting.exec(said)?.[1];
	const withheld = withheldBy(layers.find((layer) => layer instanceof UserError) ?? layers[0], code);
	return {
		code: known ?? code,
		// The innermost message: n8n's own advise to send again, which would be wrong for a write.
		reason: messages.filter((message) => typeof message === 'string' && message !== '').at(-1) ?? 'no answer',
		sent: known === undefined && withheld === undefined,
		withheld,
	};
}

/** The identity provider returned no token now, but may later. */
export class Unreached extends UserError {
	constructor(
		message: string,
		/** Of the failed connection. */
		readonly code: string,
	) {
		super(message, {
			description: "Check that the identity provider is up, and 'Access Token URL' in the credential.",
		});
	}
}

/**
 * Why the credential does not allow the request, or why there is no token for it. Older hosts drop the cause: an error
 * without a code but with a description is one of the credential.
 */
function withheldBy(error: Record<string, unknown> | undefined, code: string): LostDetails | undefined {
	const description =
		typeof error?.description === 'string' && error.description !== '' ? error.description : undefined;
	if (!(error instanceof UserError) && (code !== '' || description === undefined)) return undefined;
	const cause = error instanceof Unreached ? 'temporarily-unavailable' : 'configuration-invalid';
	return { message: String(error!.message), description, cause };
}

export function lostFailure({ code, reason, sent, withheld }: Lost, clean: (said: string) => string): LostDetails {
	if (withheld !== undefined) return withheld;
	const cause = 'temporarily-unavailable';
	if (!sent) {
		const message = `The service could not be reached: ${reasonOf(code)}`;
		const ownAuthority = 'If the service uses a CA of your own, set NODE_EXTRA_CA_CERTS for n8n.';
		if (isUntrusted(code)) return { message, description: ownAuthority, cause: 'configuration-invalid' };
		return {
			message,
			description: "Check 'Base URL' in the credential, that the service is up, and that n8n can connect to it.",
			cause,
		};
	}
	if (code === TOO_LARGE) {
		const description = "Check 'Base URL' in the credential: it may point at another service.";
		return { message: "The service's response is larger than 64 MB", description, cause: 'configuration-invalid' };
	}
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') {
		const description = "If the service needs longer, raise 'Timeout' where the node has it.";
		return { message: 'The service did not respond in time', description, cause };
	}
	return { message: `The connection was lost before the service responded: ${clean(reason)}`, cause };
}

/** After how long the service wants the next request. */
export function retryAfterMs({ status, headers }: Pick<Answer, 'status' | 'headers'>): number | undefined {
	const asked = delayIn(headers, 'retry-after');
	// When the quota is renewed. Services say so in every response, so it means a delay only if the quota is used up.
	return status === 429
		? [asked, ...resets.map((name) => delayIn(headers, name))].find((delay) => delay !== undefined)
		: asked;
}

const resets = ['ratelimit-reset', 'x-ratelimit-retry-after', 'x-ratelimit-reset', 'x-rate-limit-reset'];

const seconds = /^\d{1,10}(\.\d{1,9})?$/;
/** Some services write the time in seconds since 1970 instead of a delay. */
const sinceEpoch = 1_000_000_000;

function delayIn(headers: Answer['headers'], name: string): number | undefined {
	const text = String(headers[name] ?? '').trim();
	const isSeconds = seconds.test(text);
	if (isSeconds && Number(text) < sinceEpoch) return Number(text) * 1000;
	const moment = isSeconds ? Number(text) * 1000 : Date.parse(text);
	if (Number.isNaN(moment)) return undefined;
	// Compared with the Date header, because the clock of the service may differ from ours.
	return Math.max(0, moment - (Date.parse(String(headers.date)) || Date.now()));
}
