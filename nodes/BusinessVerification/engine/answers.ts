import { Failure, type FailureDetails, type Json, type Question, type Request, unknownOutcome } from '../kit/service';
import type { z } from 'zod';
import { baseUrlAdvice } from '../../../credentials/address';
import { isUntrusted, layersOf, reasonOf, TOO_LARGE } from '../../../credentials/responses';
import { withoutSecrets } from './redaction';
import { few } from '../kit/objects';
import { rowsIn } from '../document/answers';
import { isObject } from '../document/vocabulary';
import { UserError } from 'n8n-workflow';

/**
 * The API documentation does not define errors, so all usual forms are read: `detail` as text or as a list of fields
 * and messages, `message`, `error`, `errors`, `title`, plain text. HTML is ignored, and so is what lies deeper inside.
 */
function reasonIn(value: unknown, levels = 10, left = { parts: partsRead }): string {
	if (typeof value === 'string') return looksLikeHtml(value) ? '' : value.trim();
	if (levels === 0 || left.parts-- <= 0) return '';
	const inside = (entry: unknown) => reasonIn(entry, levels - 1, left);
	if (Array.isArray(value)) return value.slice(0, partsRead).map(inside).filter(Boolean).join('; ');
	if (!isObject(value)) return '';
	const field = fieldPath(value.loc ?? value.field ?? value.path ?? []);
	for (const key of ['detail', 'message', 'msg', 'error', 'errors', 'error_description', 'title', 'reason']) {
		const said = inside(value[key]);
		if (said !== '') return field === '' ? said : `${field}: ${said}`;
	}
	// Finally, a map of field names to messages.
	return Object.entries(value)
		.slice(0, partsRead)
		.map(([key, entry]) => [key, typeof entry === 'string' || Array.isArray(entry) ? inside(entry) : ''])
		.filter(([, said]) => said !== '')
		.map(([key, said]) => `${key}: ${said}`)
		.join('; ');
}

/** Many more than are shown. Parts that say nothing are visited more than once, so they count each time. */
const partsRead = 1_000;

const fieldPath = (path: unknown) =>
	Array.isArray(path) ? path.filter((part) => part !== 'body' && part !== 'query').join('.') : String(path);

const looksLikeHtml = (text: string) => /^\s*<(!doctype|html|head|body)/i.test(text);

/** Checks the response. An incomplete one leaves a write not confirmed, because it may have been processed. */
export function readAnswer<T>({ answer, kind, ifUnknown, secrets }: Question<T>, body: unknown): T {
	const read = answer.safeParse(body);
	if (read.success) return secrets === undefined ? read.data : withoutSecrets(secrets, read.data);
	const message = `The service's response has no ${missing(read.error)}`;
	if (kind === 'write') throw unknownOutcome(message, {}, ifUnknown);
	throw new Failure(message, {
		facts: shapeOf(body),
		description: "Check 'Base URL' in the credential: it may point at another service or another version.",
		cause: 'configuration-invalid',
	});
}

function missing({ issues }: z.ZodError): string {
	const [{ path, message, code }] = issues;
	if (path.length > 0) return [...new Set(issues.map((issue) => `'${issue.path.join('.')}'`))].join(' and ');
	return code === 'custom' ? message : 'JSON object';
}

export interface ListPage {
	rows: Json[];
	/** How many rows match in total, if the response says. */
	total?: number;
}

/** Some services return more than was asked for. Of still more, n8n would stand still. */
const mostRowsOfPage = 10_000;

export function pageIn(body: unknown, itemsField: string): ListPage {
	const rows = rowsIn(body, itemsField);
	const { total } = Object(body) as Json;
	if (rows !== undefined && rows.length > mostRowsOfPage) {
		throw new Failure(`A page of the list has more than ${mostRowsOfPage} records`, {
			description: 'The service was asked for 500 at most. Ask your service provider.',
			cause: 'configuration-invalid',
		});
	}
	if (rows !== undefined) return typeof total === 'number' ? { rows, total } : { rows };
	throw new Failure("No list of records was found in the service's response", {
		facts: shapeOf(body),
		description: "Set 'List Items Field' under 'Deployment Settings' in the credential to the field with the records.",
		cause: 'configuration-invalid',
	});
}

/** Names of fields only, because values may be personal, and only those that are names. */
function shapeOf(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'It is empty.';
	if (Array.isArray(body)) return 'It is a list.';
	if (typeof body !== 'object') return 'It is plain text.';
	const names = Object.keys(body).filter((key) => /^[\w.-]{1,40}$/.test(key));
	return names.length === 0 ? 'It has no fields.' : `It has the fields ${few(names)}.`;
}

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

type LostDetails = FailureDetails & { message: string };

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
			description: "Nothing was sent. Try again when the identity provider responds, and check 'Access Token URL'.",
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

function lostFailure({ code, reason, sent, withheld }: Lost, clean: (said: string) => string): LostDetails {
	if (withheld !== undefined) return withheld;
	const cause = 'temporarily-unavailable';
	if (!sent) {
		const message = `The service could not be reached: ${reasonOf(code)}`;
		const ownAuthority = 'If the service uses a CA of your own, set NODE_EXTRA_CA_CERTS for n8n.';
		if (isUntrusted(code)) return { message, description: ownAuthority, cause: 'configuration-invalid' };
		return { message, description: "Check 'Base URL' in the credential, and that n8n can connect to it.", cause };
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

export const isGood = ({ status, body }: Answer) => status >= 200 && status < 300 && !isWebPage(body);

/** Downloads are bytes. Their beginning is enough to detect HTML, and avoids a copy as large as the file. */
function isWebPage(body: unknown): boolean {
	const text = body instanceof Uint8Array ? Buffer.from(body.subarray(0, 200)).toString('latin1') : body;
	return typeof text === 'string' && looksLikeHtml(text);
}

/** The service is overloaded or limits the rate of requests. */
export const asksForLess = ({ status }: Answer) => [429, 503].includes(status);

/** According to HTTP, these statuses mean that the request was not processed. Others leave that open. */
const notCarriedOut = [
	...[307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417],
	...[421, 422, 423, 424, 425, 426, 428, 429, 431, 451],
];

/** Whether a write may have been processed although its response is missing or an error. */
const mayBeProcessed = ({ kind }: Request, { status, lost }: Answer) =>
	kind === 'write' && (lost?.sent ?? !notCarriedOut.includes(status));

/** After how long the service wants the next request. */
export function retryAfterMs({ status, headers }: Pick<Answer, 'status' | 'headers'>): number | undefined {
	const asked = delayIn(headers, 'retry-after');
	// When the quota is renewed. Services say so in every response, so it means a delay only if the quota is used up.
	return status === 429
		? (asked ?? delayIn(headers, 'ratelimit-reset') ?? delayIn(headers, 'x-ratelimit-reset'))
		: asked;
}

const seconds = /^\d{1,10}(\.\d{1,9})?$/;
/** The form that HTTP prescribes. `Date.parse` alone takes `2026-11-25` for a time that has passed. */
const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
/** Some services write the time in seconds since 1970 instead of a delay. */
const sinceEpoch = 1_000_000_000;

function delayIn(headers: Answer['headers'], name: string): number | undefined {
	const text = String(headers[name] ?? '').trim();
	const isSeconds = seconds.test(text);
	if (!isSeconds && !httpDate.test(text)) return undefined;
	if (isSeconds && Number(text) < sinceEpoch) return Number(text) * 1000;
	const moment = isSeconds ? Number(text) * 1000 : Date.parse(text);
	// Compared with the Date header, because the clock of the service may differ from ours.
	return Math.max(0, moment - (Date.parse(String(headers.date)) || Date.now()));
}

const requestIdHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'cf-ray'];

/** The service's own ID of a request, by which its support finds it. */
const requestIdOf = ({ headers }: Answer): string | undefined =>
	requestIdHeaders.map((name) => String(headers[name] ?? '')).find((id) => /^[\w.:=/+-]{1,100}$/.test(id));

/** `clean` redacts the text of the service and of n8n. Our own messages hold no secrets. */
export function failureOf(request: Request, answer: Answer, clean: (said: string) => string): Failure {
	const { status, lost } = answer;
	const { message, ...found } = lost ? lostFailure(lost, clean) : answerFailure(request, answer, clean);
	const id = requestIdOf(answer);
	const details = { ...found, requestId: id && clean(id) };
	if (!mayBeProcessed(request, answer)) {
		const description = sentences(details.description, request.ifRefused?.[status]);
		return new Failure(message, { ...details, description });
	}
	const wrongSetting = details.cause === 'configuration-invalid' ? details.description : undefined;
	return unknownOutcome(message, details, request.ifUnknown, wrongSetting);
}

export const sentences = (...parts: Array<string | false | undefined>) => parts.filter(Boolean).join(' ') || undefined;

/** Message, advice, and the cause for n8n's scheduler. */
type Words = [message: string, advice: string, cause?: FailureDetails['cause']];

/** The service's reason is appended to the message. */
const wordsByStatus: Partial<Record<number, Words>> = {
	401: [
		'The service does not accept the credential',
		"Check the key or token in the credential. A token may have expired, and a key may need another 'Header Name' or 'Header Value' under 'Deployment Settings'.",
		'credential-invalid',
	],
	402: [
		'The service asks for payment',
		'Check the plan and the balance of your account at the service.',
		'configuration-invalid',
	],
	403: [
		'The service does not allow this',
		'The credential lacks this permission, or is not valid.',
		'credential-invalid',
	],
	404: ['Not found', 'Check the ID. {base}'],
	409: [
		'The service reports a conflict',
		'The record may exist already or be in use. Check it before you send it again.',
	],
	413: ['The request is too large for the service', 'Send less at once.', 'configuration-invalid'],
	429: ['The service asks for fewer requests', '', 'rate-limited'],
};

const howToAcceptTerms = "If the inquiry terms are not accepted yet, run 'Accept Terms' of the resource 'User'.";

function answerFailure(request: Request, answer: Answer, clean: (said: string) => string): LostDetails {
	const { status, headers, body, url = request.path } = answer;
	const [message, advice, cause] = wordsFor(request, status, headers);
	const reason = status < 400 ? '' : reasonIn(body);
	const isAboutTerms = status < 500 && /\bterms\b/i.test(reason);
	return {
		message: reason === '' ? message : `${message}: ${clean(reason).replace(/\.$/, '')}`,
		facts: advice.includes('{base}') ? `${request.method} ${clean(url)} returned status ${status}.` : undefined,
		description: sentences(
			advice.replace('{base}', () => baseUrlAdvice(url, request.path)),
			isAboutTerms && howToAcceptTerms,
		),
		cause,
		httpCode: status,
		retryAfterMs: retryAfterMs(answer),
	};
}

function wordsFor({ namesRecord }: Request, status: number, headers: Answer['headers']): Words {
	if (status >= 200 && status < 300) {
		return [
			'The response is a web page instead of JSON',
			'{base} It may point at a website or a login page.',
			'configuration-invalid',
		];
	}
	if (status >= 300 && status < 400) {
		return [
			`The service redirects to ${originOf(String(headers.location))}`,
			"Enter the final address as 'Base URL' in the credential. Redirects are not followed, so that the credential is not sent elsewhere.",
			'configuration-invalid',
		];
	}
	if (status >= 500 || [408, 499].includes(status)) {
		return [`The service returned status ${status}`, '', 'temporarily-unavailable'];
	}
	if (status === 404 && namesRecord !== true) {
		return ['The service has no such address', '{base}', 'configuration-invalid'];
	}
	const refusal = wordsByStatus[status];
	if (refusal !== undefined) return refusal;
	const rejected = `The service rejected the request with status ${status}`;
	// Other statuses mean a wrong URL, method, or credential.
	return [400, 410, 422].includes(status)
		? [rejected, 'Correct the named fields.']
		: [rejected, "Check 'Base URL' and the settings of the credential.", 'configuration-invalid'];
}

const originOf = (location: string) => (URL.canParse(location) ? new URL(location).origin : 'another path');
