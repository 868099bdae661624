import { UserError } from 'n8n-workflow';
import { Failure, type FailureDetails, unknownOutcome } from '../definition/failure';
import type { Request } from '../definition/service';
import { looksLikeHtml, reasonOf } from './reason';

export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** No answer came. `sent` is false only where it is certain that nothing reached the service. */
export interface Lost {
	code: string;
	reason: string;
	sent: boolean;
	/** Our own credential would not let it go; asking again would not help. */
	refusedBy?: { message: string; description?: string | null };
}

/** Nothing leaves before a connection stands and its certificate was accepted. */
const neverConnected = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'ERR_TLS_CERT_ALTNAME_INVALID',
];
/** These also end connections that stood; only the attempt to connect proves that nothing was sent. */
const whileConnecting = /\bconnect (ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/;

/** n8n wraps what its HTTP client says, several layers deep; the code is what tells refused from dropped. */
export function lostBecause(error: unknown): Lost {
	const layers: Array<Record<string, unknown>> = [];
	for (let layer = error; isRecord(layer) && layers.length < 5; layer = layer.cause ?? layer.errorResponse)
		layers.push(layer);
	const messages = layers.flatMap((layer) => [layer.message, ...(Array.isArray(layer.messages) ? layer.messages : [])]);
	// Older hosts keep the code of a broken connection where the status of an answer belongs.
	const code =
		layers.map((layer) => layer.code ?? layer.httpCode).find((value): value is string => typeof value === 'string') ??
		'';
	const said = messages.join('\n');
	const known = neverConnected.find((name) => code === name || said.includes(name)) ?? whileConnecting.exec(said)?.[1];
	const refusedBy =
		(layers.find((layer) => layer instanceof UserError) as UserError | undefined) ?? withoutCause(layers[0], code);
	return {
		code: known ?? code,
		// The innermost: n8n's own words on top of it advise to send again, which a write must not be.
		reason: messages.filter((told): told is string => typeof told === 'string' && told !== '').at(-1) ?? 'no answer',
		sent: known === undefined && refusedBy === undefined,
		refusedBy,
	};
}

/** Older hosts drop the cause; what is left of a refusal of ours is its description, which no network failure has. */
const withoutCause = (layer: Record<string, unknown> | undefined, code: string) =>
	code === '' && typeof layer?.description === 'string' && layer.description !== ''
		? { message: String(layer.message), description: layer.description }
		: undefined;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const isGood = ({ status, body }: Answer) => status >= 200 && status < 300 && !isWebPage(body);

/** A download's web page comes in bytes; its beginning is enough to know it. */
const isWebPage = (body: unknown) =>
	looksLikeHtml(
		body instanceof Uint8Array ? Buffer.from(body).toString('latin1', 0, 200) : typeof body === 'string' ? body : '',
	);

/** The service is overloaded, or we ask too much of it. */
export const asksForLess = (result: Answer | Lost) => 'status' in result && [429, 503].includes(result.status);

/** Whether the request may go out once more. Only an answer that proves it was not processed allows that for a write. */
export function mayRepeat(request: Request, result: Answer | Lost): boolean {
	if ('sent' in result) return result.refusedBy === undefined && (!result.sent || request.kind === 'read');
	if (result.status === 429) return true;
	return request.kind === 'read' && [502, 503, 504].includes(result.status);
}

/** Whether a write may have been processed although it was not answered properly. */
const isUnknown = (request: Request, result: Answer | Lost) =>
	request.kind === 'write' && ('sent' in result ? result.sent : result.status >= 500 || result.status < 300);

/** `clean` takes out of the words of others what must not be repeated; our own words hold nothing of the kind. */
export function failureOf(request: Request, result: Answer | Lost, clean: (said: string) => string): Failure {
	const { message, ...details } = 'sent' in result ? connectionFailure(result, clean) : answerFailure(result, clean);
	if (!isUnknown(request, result)) return new Failure(message, details);
	return unknownOutcome(message, details, request.ifUnknown);
}

type Told = FailureDetails & { message: string };

function connectionFailure({ code, reason, sent, refusedBy }: Lost, clean: (said: string) => string): Told {
	if (refusedBy !== undefined) {
		return {
			message: refusedBy.message,
			description: refusedBy.description ?? undefined,
			cause: 'configuration-invalid',
		};
	}
	if (!sent) {
		return {
			message: `The service could not be reached (${code})`,
			description: "Check 'Base URL' in the credential and that n8n may connect to it.",
			cause: 'temporarily-unavailable',
		};
	}
	const timedOut = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
	return {
		message: timedOut
			? 'The service did not answer in time'
			: `The connection broke before an answer came: ${clean(reason)}`,
		description: timedOut ? "Raise 'Timeout' in the options if the service needs longer." : undefined,
		cause: 'temporarily-unavailable',
	};
}

function answerFailure({ status, headers, body }: Answer, clean: (said: string) => string): Told {
	const reason = reasonOf(body);
	const said = reason === undefined ? '' : `: ${clean(reason)}`;
	const retryAfter = retryAfterMs(headers);
	const told = (message: string, description?: string, cause?: FailureDetails['cause']): Told => ({
		message,
		description,
		cause,
		httpCode: status,
		retryAfterMs: retryAfter,
	});
	if (status < 300) {
		return told(
			'The answer is a web page instead of JSON',
			"Check 'Base URL' in the credential: it may point at a website or a log-in page.",
			'configuration-invalid',
		);
	}
	if (status < 400) {
		return told(
			`The service redirects to ${originOf(headers.location)}`,
			"Put the final address into 'Base URL' in the credential. Redirects are not followed, so that no credential leaves the service.",
			'configuration-invalid',
		);
	}
	switch (status) {
		case 401:
			return told(
				`The service does not accept the credential${said}`,
				'Check the key or token in the credential. A token may have expired.',
				'credential-invalid',
			);
		case 403:
			return told(
				`The service does not allow this${said}`,
				'The credential is valid but lacks this right.',
				'credential-invalid',
			);
		case 404:
			return told(`The service knows no such record${said}`, "Check the ID, and 'Base URL' in the credential.");
		case 413:
			return told(`The service finds the request too large${said}`, 'Send fewer rows at once.');
		case 429:
			return told(
				`The service asks for fewer requests${said}`,
				`Lower 'Concurrency' in the options or try again ${later(retryAfter)}.`,
				'rate-limited',
			);
	}
	if (status >= 500) {
		return told(
			`The service answered with status ${status}${said}`,
			`This is on the side of the service. Try again ${later(retryAfter)}.`,
			'temporarily-unavailable',
		);
	}
	return told(
		`The service rejected the request with status ${status}${said}`,
		'Correct the named fields and run the item again.',
	);
}

const later = (ms: number | undefined) =>
	ms === undefined || ms === 0 ? 'later' : `in ${Math.ceil(ms / 1000)} seconds`;

function originOf(location: unknown): string {
	try {
		return new URL(String(location)).origin;
	} catch {
		return 'another path';
	}
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = Number(value);
	const ms = Number.isNaN(seconds) ? Date.parse(String(value)) - Date.now() : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
