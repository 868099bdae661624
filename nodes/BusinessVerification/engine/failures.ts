import { baseUrlAdvice } from '../../../credentials/address';
import { refusalWords } from '../../../credentials/authenticate';
import { sentences } from '../kit/objects';
import { Failure, type FailureDetails, type Request, unknownOutcome } from '../kit/service';
import { type Answer, type LostDetails, lostFailure, retryAfterMs } from './attempt';
import { entriesIn, isObject, partsRead } from '../document/vocabulary';

export const isGood = ({ status, body }: Answer) => status >= 200 && status < 300 && !isWebPage(body);

/** Downloads are bytes. Their beginning is enough to detect HTML, and avoids a copy as large as the file. */
export function isWebPage(body: unknown): boolean {
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

/**
 * Whether a write may have been processed although its response is missing or an error. A web page of a proxy says
 * nothing about a request whose credential the service accepts.
 */
export const mayBeProcessed = ({ kind }: Request, { status, lost, body, isContradicted = false }: Answer) =>
	kind === 'write' && (lost?.sent ?? (!notCarriedOut.includes(status) || (isContradicted && isWebPage(body))));

/**
 * `clean` redacts the text of the service and of n8n. Our own messages hold no secrets. `pasted` is the token of a
 * credential without a login.
 */
export function failureOf(request: Request, answer: Answer, clean: (said: string) => string, pasted = ''): Failure {
	const { status, lost } = answer;
	const { message, ...details } = lost ? lostFailure(lost, clean) : answerFailure(request, answer, clean, pasted);
	if (!mayBeProcessed(request, answer)) {
		const description = sentences(details.description, request.ifRefused?.[status]);
		return new Failure(message, { ...details, description });
	}
	const wrongSetting = details.cause === 'configuration-invalid' ? details.description : undefined;
	return unknownOutcome(message, details, request.ifUnknown, wrongSetting);
}

/** Message, advice, and the cause for n8n's scheduler. */
type Words = [message: string, advice: string, cause?: FailureDetails['cause']];

/** The service's reason is appended to the message. */
const wordsByStatus: Partial<Record<number, Words>> = {
	402: [
		'The service asks for payment',
		'Check the plan and the balance of your account at the service.',
		'configuration-invalid',
	],
	404: ['Not found', `Check the ID: 'By ID' takes the service's own, 'External ID' yours. ${baseUrlAdvice}`],
	409: [
		'The service reports a conflict',
		'The record may exist already, be in use, or have nothing to retry. Check it before you send this again.',
	],
	413: ['The request is too large for the service', 'Send less at once.', 'configuration-invalid'],
	429: ['The service asks for fewer requests', '', 'rate-limited'],
};

const howToAcceptTerms = "If the inquiry terms are not accepted yet, run 'Accept Terms' of the resource 'User'.";

function answerFailure(request: Request, answer: Answer, clean: (said: string) => string, pasted: string): LostDetails {
	const { status, body, url = request.path } = answer;
	const [message, advice, cause] = wordsFor(request, answer, pasted);
	const reason = status < 400 ? '' : reasonIn(body);
	const isAboutTerms = status < 500 && /\bterms\b/i.test(reason);
	return {
		message: reason === '' ? message : `${message}: ${clean(reason).replace(/\.$/, '')}`,
		facts: advice.includes(baseUrlAdvice) ? `${request.method} ${clean(url)} returned status ${status}.` : undefined,
		description: sentences(advice, isAboutTerms && howToAcceptTerms),
		cause,
		httpCode: status,
		retryAfterMs: retryAfterMs(answer),
	};
}

function wordsFor({ namesRecord }: Request, { status, headers, token }: Answer, pasted: string): Words {
	if (status >= 200 && status < 300) {
		return [
			'The response is a web page instead of JSON',
			`${baseUrlAdvice} It may point at a website or a login page.`,
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
	if ([401, 403].includes(status))
		return [...refusalWords(status, token ?? pasted, token !== undefined), 'credential-invalid'];
	if (status >= 500 || [408, 499].includes(status)) {
		return [`The service returned status ${status}`, '', 'temporarily-unavailable'];
	}
	if (status === 404 && namesRecord !== true) {
		return ['The service has no such address', baseUrlAdvice, 'configuration-invalid'];
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

/**
 * The API documentation does not define errors, so all usual forms are read: `detail` as text or as a list of fields
 * and messages, `message`, `error`, `errors`, `title`, plain text. HTML is ignored, and so is what lies deeper inside.
 * Parts that say nothing are visited more than once, so they count each time.
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
	return entriesIn(value)
		.map(([key, entry]) => [key, typeof entry === 'string' || Array.isArray(entry) ? inside(entry) : ''])
		.filter(([, said]) => said !== '')
		.map(([key, said]) => `${key}: ${said}`)
		.join('; ');
}

const fieldPath = (path: unknown) =>
	Array.isArray(path) ? path.filter((part) => part !== 'body' && part !== 'query').join('.') : String(path);

const looksLikeHtml = (text: string) => /^\s*<(!doctype|!--|html|head|body)/i.test(text);
