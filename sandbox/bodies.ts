import type { FastifyRequest } from 'fastify';
import { Refusal } from './refusal';

declare module 'fastify' {
	interface FastifyRequest {
		bodyText: string;
	}
}

/** Fastify does not read the body of a GET; this service must, to refuse it or (by switch) to take it. */
export async function readBody(request: FastifyRequest): Promise<void> {
	if (Buffer.isBuffer(request.body)) request.bodyText = request.body.toString();
	if (request.method !== 'GET') return;
	const chunks: Buffer[] = [];
	for await (const chunk of request.raw) chunks.push(chunk as Buffer);
	request.bodyText = Buffer.concat(chunks).toString();
}

/** The body in the form that the endpoint takes; refused where the document shows none, and where it is not JSON. */
export function bodyOf({ bodyText, headers, method }: FastifyRequest, expected: 'json' | 'text' | undefined): unknown {
	const type = String(headers['content-type'] ?? '').split(';')[0];
	if (expected === undefined) {
		if (bodyText === '') return undefined;
		throw new Refusal(422, `A body was sent; for this ${method} the document shows "no body"`);
	}
	if (expected === 'text') return bodyText;
	if (type !== 'application/json') throw new Refusal(415, 'The body must be application/json');
	try {
		return JSON.parse(bodyText);
	} catch {
		throw new Refusal(422, 'The body is not valid JSON');
	}
}

/** For the log, which refuses nothing. */
export function parsedOrText(text: string): unknown {
	try {
		return text === '' ? undefined : JSON.parse(text);
	} catch {
		return text;
	}
}
