import type { FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from './faults';
import { htmlPage, Refusal, renderRefusal } from './refusal';
import type { Switches } from './switches';

declare module 'fastify' {
	interface FastifyRequest {
		/** The fault that waits until the request has been processed. */
		spoiledAfter?: Fault;
		/** The connection was cut on purpose. */
		dropped?: boolean;
	}
}

/** Real time, which does not keep a closing program alive. */
export const sleep = (ms: number) => setTimeout(ms, undefined, { ref: false });

/** A fault strikes before the request is processed. */
export async function spoilBefore(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	switches: Switches,
): Promise<void> {
	if (fault.delayMs) await sleep(fault.delayMs);
	if (fault.drop) {
		reply.hijack();
		drop(request);
		return;
	}
	const payload = spoil(fault, reply, switches);
	if (payload !== undefined) reply.send(payload);
}

/** The request has been processed; a fault that waited for that replaces the answer. */
export async function spoilAfter(
	payload: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	switches: Switches,
): Promise<unknown> {
	const fault = request.spoiledAfter;
	if (!fault) return payload;
	if (fault.delayMs) await sleep(fault.delayMs);
	if (!fault.drop) return spoil(fault, reply, switches) ?? payload;
	drop(request);
	return payload;
}

function drop(request: FastifyRequest): void {
	request.dropped = true;
	request.raw.socket.destroy();
}

/** The answer a fault asks for; nothing when it only delays. */
function spoil(fault: Fault, reply: FastifyReply, switches: Switches): string | undefined {
	const { status, headers, body, redirect, html } = fault;
	reply.removeHeader('content-length');
	if (headers) reply.headers(headers);
	if (redirect) {
		reply.code(status ?? 302).header('location', redirect);
		return '';
	}
	if (html) {
		const page = htmlPage('Please sign in', 'This is a page for people.');
		reply.code(status ?? 200).type(page.contentType);
		return page.payload;
	}
	if (status === undefined && body === undefined) return undefined;
	reply.code(status ?? 200);
	if (body !== undefined) {
		reply.type(typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
		return typeof body === 'string' ? body : JSON.stringify(body);
	}
	const refusal = new Refusal(status ?? 200, `The service answers ${status}`);
	const { contentType, payload } = renderRefusal(refusal, switches.errorForm);
	reply.type(contentType);
	return payload;
}
