import { createHash } from 'node:crypto';
import { type Input, number, optionalText } from '../kit/field';
import { refusal, type Refusal } from './refusals';

/** What a callback brings, whatever its type, becomes one report or is refused with a status the caller understands. */

export interface CallbackContent {
	/** As n8n parsed it: an object, an array, text, or nothing where n8n does not know the content type. */
	body: unknown;
	rawBody?: Buffer;
	headers: Record<string, unknown>;
}

/** How large a report may be, and where it holds what; an empty path is the usual one. */
export interface ReportRules {
	maxBytes: number;
	requestIdPath: string;
	sellerIdPath: string;
}

type ReadReport = { report: unknown } | Refusal;

const deepest = 100;

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text);

export function readReport({ body, rawBody, headers }: CallbackContent, maxBytes: number): ReadReport {
	if (sizeOf({ body, rawBody, headers }) > maxBytes) return refusal('tooLarge');
	const contentType = String(headers['content-type'] ?? '').toLowerCase();
	if (contentType.startsWith('multipart/')) return fromFields((body as { data?: unknown })?.data);
	if (contentType.startsWith('application/x-www-form-urlencoded') && !isEmpty(body)) {
		// Some senders put JSON under the type that their HTTP library has by default.
		return rawBody !== undefined && looksLikeJson(rawBody.toString('utf8')) ? fromBytes(rawBody) : fromFields(body);
	}
	if (Buffer.isBuffer(body)) return fromBytes(body);
	if (typeof body === 'string') return fromText(body);
	// n8n leaves an empty object where it did not parse; the bytes tell whether something came.
	if (isEmpty(body) && rawBody !== undefined && rawBody.length > 0) return fromBytes(rawBody);
	return fromValue(body);
}

/** A form that came in chunks says no length and leaves no bytes: what was read of it counts. */
function sizeOf({ body, rawBody, headers }: CallbackContent): number {
	const said = rawBody?.length ?? headers['content-length'];
	return said === undefined ? Buffer.byteLength(JSON.stringify(body) ?? '') : Number(said);
}

function fromBytes(bytes: Buffer): ReadReport {
	try {
		return fromText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		return unreadable('The body is neither JSON nor text');
	}
}

function fromText(marked: string): ReadReport {
	const text = marked.replace(/^\uFEFF/, '');
	if (text.includes('\0')) return unreadable('The body is neither JSON nor text');
	if (!looksLikeJson(text)) return ['', 'null'].includes(text.trim()) ? refusal('empty') : { report: text };
	try {
		return fromValue(JSON.parse(text));
	} catch {
		return unreadable('The body looks like JSON but is not');
	}
}

/** All that a form can carry is text, so JSON in it is read; a form that is nothing but one such field is its report. */
function fromFields(fields: unknown): ReadReport {
	if (isEmpty(fields)) return unreadable('A form with a report in its fields was expected; files are not read');
	const values = Object.entries(fields as object).map(([name, value]) => [name, fromJson(value)] as const);
	return fromValue(values.length === 1 && holdsValues(values[0][1]) ? values[0][1] : Object.fromEntries(values));
}

function fromValue(value: unknown): ReadReport {
	if (typeof value !== 'object' && value !== undefined) return unreadable('A JSON object or list was expected');
	if (isEmpty(value)) return refusal('empty');
	// What nests without end would break n8n where it stores the execution.
	return isDeeperThan(deepest, value) ? unreadable('The body is nested too deeply') : { report: value };
}

const unreadable = (message: string) => refusal('unreadable', message);

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

function isDeeperThan(limit: number, value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > limit) return true;
		level = level.flatMap(children);
	}
	return false;
}

export const holdsValues = (value: unknown) => typeof value === 'object' && value !== null;

const children = (value: unknown): unknown[] => (holdsValues(value) ? Object.values(value as object) : []);

/** Text that holds an object or a list becomes it; everything else stays what it is. */
export function fromJson(value: unknown): unknown {
	if (typeof value !== 'string' || !looksLikeJson(value)) return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/** Tells two reports without a request id apart. */
export function bodyDigest({ rawBody }: CallbackContent, report: unknown): string {
	return createHash('sha256')
		.update(rawBody ?? JSON.stringify(report))
		.digest('base64url');
}

/**
 * The identifier under one of the names at the top of a report, or at a path such as `data.0.seller_id`. Deeper down the
 * same names belong to other things: to a source, to a related seller.
 */
export function identifierIn(report: unknown, names: string[], path = ''): string | undefined {
	if (path !== '') return identifier(path.split('.').reduce((value, key) => ownValue(fromJson(value), key), report));
	return names.map((name) => identifier(ownValue(report, name))).find((found) => found !== undefined);
}

export const requestIdIn = (report: unknown, path?: string) => identifierIn(report, ['request_id', 'requestId'], path);

const sellerIdNames = ['seller_id', 'sellerId'];

/**
 * One path serves what is called back and what is fetched, and a service may nest only one of them. So where the report
 * lacks the path that was set, its top counts, and then the only ID of a seller in it.
 */
export function sellerIdIn(report: unknown, path = ''): string | undefined {
	const found = identifierIn(report, sellerIdNames, path) ?? identifierIn(report, sellerIdNames);
	if (found !== undefined || path === '') return found;
	const all = new Set(sellerIdsIn(report));
	return all.size === 1 ? [...all][0] : undefined;
}

const sellerIdsIn = (value: unknown): string[] =>
	children(value).flatMap((inner) => [...sellerIdsIn(inner), identifierIn(inner, sellerIdNames) ?? []].flat());

function ownValue(value: unknown, key: string): unknown {
	if (!holdsValues(value) || !Object.hasOwn(value as object, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}

function identifier(value: unknown): string | undefined {
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** Headers as they may stand in an execution, which everybody with access to the workflow can read and n8n keeps. */

const secretName = /auth|cookie|key|token|secret|passw|signature|credential|session|jwt|csrf|assertion/i;
const secretValue =
	/\b(bearer|basic|digest|negotiate)\s+\S|\beyJ[\w-]+\.[\w-]+|\b1\.[\w-]{22}\.\d+\.|[?&](key|token|secret|signature|proof)=|[A-Za-z0-9+/_-]{40,}/i;

export function redactHeaders(headers: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => {
				const text = Array.isArray(value) ? value.join(', ') : String(value);
				return [name, secretName.test(name) || secretValue.test(text) ? '[redacted]' : text];
			}),
	);
}

/** Where a Seller Report holds what, and how large it may be. */
export const reportOptions = {
	maxReportSize: number('Max Report Size (MB)', {
		default: 8,
		min: 0.1,
		description: "Larger reports are refused with status 413. n8n's own limit is 16 MB unless it was changed.",
	}),
	requestIdPath: optionalText('Request ID Path', {
		placeholder: 'e.g. data.request_id',
		description: "Path of the request ID in the report. If empty, 'request_id'.",
	}),
	sellerIdPath: optionalText('Seller ID Path', {
		placeholder: 'e.g. data.sellers.0.seller_id',
		description: "Path of the seller ID in the report. If empty, 'seller_id'.",
	}),
};

export const reportRules = ({
	maxReportSize,
	requestIdPath = '',
	sellerIdPath = '',
}: Input<typeof reportOptions>): ReportRules => ({
	maxBytes: maxReportSize * 1024 * 1024,
	requestIdPath,
	sellerIdPath,
});
