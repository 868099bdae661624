import { type IN8nHttpFullResponse, jsonParse } from 'n8n-workflow';

/** Every request has an end: a response that drips, one that never ends, and one that nobody waits for any more. */

/** Fails after the timeout, because n8n's own limit starts again with each byte of a response that drips. */
export async function inTime<T>(promise: Promise<T>, timeout: number): Promise<T> {
	// Node keeps a signal with a listener until its time has come, and lets go of one without.
	const limit = AbortSignal.timeout(timeout);
	let end!: () => void;
	const late = new Promise<never>((_, reject) => {
		end = () => reject(Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' }));
		limit.addEventListener('abort', end);
	});
	return await Promise.race([promise, late]).finally(() => limit.removeEventListener('abort', end));
}

/** For a new token and for the credential test, in milliseconds. */
export const LONGEST_ANSWER = 30_000;

/** In bytes, decompressed: many times a list of 500 inquiries. Much more would end n8n itself. */
const largestAnswer = 64 * 1024 * 1024;

/** The code of the error for a response that is larger. */
export const TOO_LARGE = 'EMSGSIZE';

/**
 * The response with its whole body, as bytes. `ask` has to request a stream, because n8n's helper would collect a body
 * of any size, and has to send `ending` along, which closes the connection when nobody waits for the response any more.
 */
export async function wholeResponse(
	ask: (ending: AbortSignal) => Promise<IN8nHttpFullResponse>,
	timeout: number,
	canceled?: AbortSignal,
): Promise<Omit<IN8nHttpFullResponse, 'body'> & { body: unknown }> {
	const ending = new AbortController();
	const end = () => ending.abort();
	const whole = async () => {
		const response = await ask(ending.signal);
		return { ...response, body: await collected(response.body) };
	};
	canceled?.addEventListener('abort', end);
	return await inTime(whole(), timeout)
		.catch((error: unknown) => {
			end();
			throw error;
		})
		.finally(() => canceled?.removeEventListener('abort', end));
}

/** What does not come from the network, as in n8n's evaluations of workflows, is no stream. */
async function collected(body: unknown): Promise<unknown> {
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > largestAnswer) throw Object.assign(new Error('too large'), { code: TOO_LARGE });
		chunks.push(chunk);
	}
	return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/** Of JSON: 500 for each row of a page. n8n would stand still while many more are read, however few bytes they take. */
const mostValues = 250_000;

/** One for all, because making one takes longer than decoding an inquiry. It drops a byte-order mark. */
const utf8 = new TextDecoder();

/** A body as JSON, or as text if it is none, or none that n8n has the time for. */
export function parsedBody(body: unknown): unknown {
	if (!Buffer.isBuffer(body)) return body;
	const text = utf8.decode(body);
	const hasMore = text.split(',', mostValues + 1).length > mostValues;
	return hasMore ? text : jsonParse<unknown>(text, { fallbackValue: text });
}

const reasons: Record<string, string> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'host not found',
	EAI_AGAIN: 'host name lookup failed',
	ECONNABORTED: 'no response in time',
	ETIMEDOUT: 'no response in time',
	EHOSTUNREACH: 'network unreachable',
	ENETUNREACH: 'network unreachable',
};

/** Codes of certificates have no common form. */
export const isUntrusted = (code: string): boolean => /CERT|SIGNED|SIGNATURE|TLS|SSL/.test(code);

export const reasonOf = (code: string): string =>
	reasons[code] ?? (isUntrusted(code) ? 'certificate not trusted' : 'connection lost');

/** An error and its causes, because n8n wraps the errors of its HTTP client. */
export function layersOf(error: unknown, atMost = 5): Layer[] {
	if (typeof error !== 'object' || error === null || atMost === 0) return [];
	const layer = error as Layer;
	return [layer, ...layersOf(layer.cause ?? layer.errorResponse, atMost - 1)];
}

type Layer = Record<string, unknown>;
