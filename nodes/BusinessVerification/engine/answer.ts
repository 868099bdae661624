import type { Request } from '../definition';
import type { Lost } from './lost';
import { looksLikeHtml } from './reason';

export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export const isGood = ({ status, body }: Answer) => status >= 200 && status < 300 && !isWebPage(body);

/** A download's web page comes in bytes; its beginning is enough to know it, and a copy of all would be as large as the file. */
const isWebPage = (body: unknown) =>
	looksLikeHtml(
		body instanceof Uint8Array
			? Buffer.from(body.subarray(0, 200)).toString('latin1')
			: typeof body === 'string'
				? body
				: '',
	);

/** The service is overloaded, or we ask too much of it. */
export const asksForLess = (result: Answer | Lost) => 'status' in result && [429, 503].includes(result.status);

/** Whether the request may go out once more. Only an answer that proves it was not processed allows that for a write. */
export function mayRepeat(request: Request, result: Answer | Lost): boolean {
	if ('sent' in result) return result.refusedBy === undefined && (!result.sent || request.kind === 'read');
	if (result.status === 429) return true;
	return request.kind === 'read' && [502, 503, 504].includes(result.status);
}

/** By these HTTP says that a request was not carried out. Every other status leaves that open. */
const notCarriedOut = [
	...[307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417],
	...[421, 422, 423, 424, 425, 426, 428, 429, 431, 451],
];

/** Whether a write may have been processed although it was not answered properly. */
export const isUnknown = (request: Request, result: Answer | Lost) =>
	request.kind === 'write' && ('sent' in result ? result.sent : !notCarriedOut.includes(result.status));

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = Number(value);
	const ms = Number.isNaN(seconds) ? Date.parse(String(value)) - Date.now() : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
