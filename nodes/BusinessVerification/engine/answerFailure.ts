import { Failure, type FailureDetails, type Request, unknownOutcome } from '../definition';
import { type Answer, isUnknown, retryAfterMs } from './answer';
import { type Lost, lostFailure, type Told } from './lost';
import { reasonOf } from './reason';

/** `clean` takes out of the words of others what must not be repeated; our own words hold nothing of the kind. */
export function failureOf(request: Request, result: Answer | Lost, clean: (said: string) => string): Failure {
	const { message, ...details } = 'sent' in result ? lostFailure(result, clean) : answerFailure(result, clean);
	const setting = 'status' in result ? request.ifRefused?.[result.status] : undefined;
	if (!isUnknown(request, result)) {
		return new Failure(message, { ...details, description: sentences(details.description, setting) });
	}
	const wrongSetting = details.cause === 'configuration-invalid' ? details.description : undefined;
	const lookUp = request.ifUnknown ?? 'Look it up in the service before you send it again.';
	return unknownOutcome(message, details, sentences(lookUp, wrongSetting));
}

const sentences = (...parts: Array<string | undefined>) => parts.filter(Boolean).join(' ') || undefined;

/** What is told of an answer: how it failed, what to do, and what n8n's scheduler should think of it. */
type Words = [message: string, advice: string, cause?: FailureDetails['cause']];

const website: Words = [
	'The answer is a web page instead of JSON',
	"Check 'Base URL' in the credential: it may point at a website or a log-in page.",
	'configuration-invalid',
];

const busy: Words = ['The service cannot take this now', 'Nothing was processed. Try again later.'];

/** The service's own reason follows the message. */
const refusals: Partial<Record<number, Words>> = {
	401: [
		'The service does not accept the credential',
		"Check the key or token in the credential. A token may have expired; a key may need another 'Header Name' or 'Header Value'.",
		'credential-invalid',
	],
	403: ['The service does not allow this', 'The credential is valid but lacks this right.', 'credential-invalid'],
	404: ['The service knows no such record', "Check the ID, and 'Base URL' in the credential."],
	409: [
		'The service reports a conflict',
		'It may know this record already, or be busy with it. Look it up before you send it again.',
	],
	413: ['The service finds the request too large', 'Send fewer rows at once.'],
	423: busy,
	425: busy,
	429: [
		'The service asks for fewer requests',
		"Lower 'Concurrency' in the options or try again {later}.",
		'rate-limited',
	],
};

const acceptTerms =
	"If the inquiry terms were not accepted yet, a person does that with the operation 'Accept Terms' of the resource User.";

function answerFailure({ status, headers, body }: Answer, clean: (said: string) => string): Told {
	const [message, advice, cause] = wordsFor(status, headers);
	const reason = status < 400 ? undefined : reasonOf(body);
	const retryAfter = retryAfterMs(headers);
	const isAboutTerms = status < 500 && /\bterms\b/i.test(reason ?? '');
	return {
		message: reason === undefined ? message : `${message}: ${clean(reason)}`,
		description: sentences(advice.replace('{later}', later(retryAfter)), isAboutTerms ? acceptTerms : undefined),
		cause,
		httpCode: status,
		retryAfterMs: retryAfter,
	};
}

function wordsFor(status: number, headers: Answer['headers']): Words {
	if (status >= 200 && status < 300) return website;
	if (status >= 300 && status < 400) {
		return [
			`The service redirects to ${originOf(String(headers.location))}`,
			"Put the final address into 'Base URL' in the credential. Redirects are not followed, so that no credential leaves the service.",
			'configuration-invalid',
		];
	}
	if (status >= 500 || [408, 499].includes(status) || status < 400) {
		return [
			`The service answered with status ${status}`,
			'This is on the side of the service. Try again {later}.',
			'temporarily-unavailable',
		];
	}
	const named = 'Correct the named fields and run the item again.';
	return refusals[status] ?? [`The service rejected the request with status ${status}`, named];
}

const later = (ms: number | undefined) =>
	ms === undefined || ms === 0 ? 'later' : `in ${Math.ceil(ms / 1000)} seconds`;

const originOf = (location: string) => (URL.canParse(location) ? new URL(location).origin : 'another path');
