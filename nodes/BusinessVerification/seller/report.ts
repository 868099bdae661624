import { jsonParse } from 'n8n-workflow';
import { type Input, optionalText } from '../kit/field';
import { isTooDeep, partAt } from '../kit/objects';
import { digestOf, Refusal } from './signing';

/** Turns the body of a callback into one report, or refuses it with a status that tells the sender why. */

export interface CallbackContent {
	headers: Record<string, unknown>;
	/** Missing if n8n has not kept the raw body. */
	rawBody?: Buffer;
	/** As parsed by n8n: an object, an array, text, or nothing if n8n does not know the content type. */
	body: unknown;
}

export const ofAnotherSearch = 'The report belongs to another search';

const isForm = /^application\/x-www-form-urlencoded/i;
const isMultipart = /^multipart\/form-data/i;

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text);

export function readReport({ body, rawBody, headers }: CallbackContent): unknown {
	if (typeof body === 'string') return fromText(body);
	// n8n passes the fields of such a form below `data`, beside its files, which it deletes.
	if (isMultipart.test(String(headers['content-type']))) return fromValue(partAt(body, 'data'));
	// Some senders send JSON with the default content type of their HTTP library, which n8n reads as a form.
	const isMisread = isForm.test(String(headers['content-type'])) && looksLikeJson(String(rawBody));
	// n8n passes an empty object if it did not parse the body. Only the raw bytes show whether there was one.
	if (rawBody?.length && (isMisread || isEmpty(body))) return fromText(rawBody.toString());
	return fromValue(body);
}

function fromText(marked: string): unknown {
	const text = marked.replace(/^\uFEFF/, '');
	// Files and UTF-16 have zero bytes. Letters in another encoding are damaged, but the report is not lost.
	if (text.includes('\0')) throw new Refusal(422, 'The body is neither JSON nor text');
	if (!looksLikeJson(text)) return ['', 'null'].includes(text.trim()) ? fromValue(undefined) : text;
	const value = jsonParse<unknown>(text, { fallbackValue: text });
	if (value === text) throw new Refusal(422, 'The body is not valid JSON');
	return fromValue(value);
}

function fromValue(value: unknown): unknown {
	if (isEmpty(value)) throw new Refusal(422, 'The body is empty, but a Seller Report was expected');
	if (typeof value !== 'object') throw new Refusal(422, 'A JSON object or list was expected');
	if (isTooDeep(value)) throw new Refusal(422, 'The body is nested too deeply');
	return value;
}

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'object' && sizeOf(value) === 0);

/** The keys of a list would be half a million texts. */
const sizeOf = (value: object) => (Array.isArray(value) ? value : Object.keys(value)).length;

/** Identifies a report without a request ID. */
export const bodyDigest = ({ rawBody }: CallbackContent, report: unknown): string =>
	digestOf(rawBody ?? JSON.stringify(report));

export const requestIdIn = (report: unknown, path = 'request_id') => identifierAt(report, path);

export const sellerIdIn = (report: unknown, path = 'seller_id') => identifierAt(report, path);

/** Deeper levels than the path are not searched, because the same names belong to sources or related sellers there. */
function identifierAt(report: unknown, path: string): string | undefined {
	const value = partAt(report, path);
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

export const reportOptions = {
	requestIdPath: optionalText('Request ID Path', {
		placeholder: 'e.g. data.request_id',
		description: "Path of the request ID in the report. If empty, 'request_id' is used.",
	}),
	sellerIdPath: optionalText('Seller ID Path', {
		placeholder: 'e.g. data.sellers.0.seller_id',
		description: "Path of the seller ID in the report. If empty, 'seller_id' is used.",
	}),
};

/** The paths of the IDs. Without a path, the usual name at the top level counts. */
export type ReportRules = Partial<Input<typeof reportOptions>>;
