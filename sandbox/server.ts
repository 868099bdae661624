import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import { authenticate, authenticateExternal } from './authentication';
import { controlRoutes } from './control';
import { Raw, type Endpoint } from './endpoint';
import { endpoints, misfit, sellerLookup } from './endpoints';
import type { Fault } from './faults';
import { Refusal, htmlPage, renderRefusal } from './refusal';
import type { LoggedRequest } from './requests';
import type { Service } from './service';
import { demand, objectOf } from './validation';

declare module 'fastify' {
	interface FastifyRequest {
		bodyText: string;
		spoiledAfter?: Fault;
		/** The connection was cut on purpose. */
		dropped?: boolean;
	}
}

/** Real time, which does not keep a closing program alive. */
const sleep = (ms: number) => setTimeout(ms, undefined, { ref: false });

export function createServer(service: Service): FastifyInstance {
	const app = fastify({ bodyLimit: 64 * 1024 * 1024, exposeHeadRoutes: false, forceCloseConnections: true });
	app.decorateRequest('bodyText', '');

	// Bodies are read as they are: judging them is the endpoints' business.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	app.addHook('onRequest', async (_request, reply) => {
		const { clock, switches } = service;
		reply.header('date', new Date(clock.now() + switches.dateHeaderSkewMs).toUTCString());
	});
	app.addHook('preHandler', async (request, reply) => {
		if (request.url.startsWith('/_sandbox')) return;
		await readBody(request);
		await receive(service, request, reply);
	});
	app.addHook('onSend', async (request, reply, payload) => {
		const fault = request.spoiledAfter;
		if (!fault) return payload;
		request.spoiledAfter = undefined;
		if (fault.delayMs) await sleep(fault.delayMs);
		if (fault.drop) {
			drop(request);
			return payload;
		}
		return spoil(service, fault, reply) ?? payload;
	});
	app.setErrorHandler((error, _request, reply) => refuse(service, error, reply));

	for (const endpoint of endpoints) {
		const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
		app.route({
			method: endpoint.method,
			url,
			handler: (request, reply) =>
				serve(service, endpoint, request.params as Record<string, string>, request, reply),
		});
	}
	app.setNotFoundHandler((request, reply) => {
		const lookup = sellerLookup(service.switches, request.method, request.url);
		if (!lookup) throw misfit(request.method, request.url);
		return serve(service, lookup.endpoint, lookup.params, request, reply);
	});
	controlRoutes(app, service);
	return app;
}

/** Everything that happens to a request before its endpoint sees it: logging, limits, faults, the passing of time. */
async function receive(service: Service, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { requests, switches, faults } = service;
	const path = request.url.split('?')[0];
	const entry: LoggedRequest = {
		method: request.method,
		path,
		endpoint: endpointOf(service, request),
		query: request.query as Record<string, unknown>,
		headers: request.headers,
		body: parsedOrText(request.bodyText),
		status: null,
		at: service.clock.now(),
	};
	requests.enter(entry);
	reply.raw.once('close', () => {
		const answered = reply.raw.writableFinished && !request.dropped;
		requests.leave(entry, answered ? reply.raw.statusCode : 0);
	});

	if (switches.latencyMs > 0) await sleep(switches.latencyMs);
	if (switches.maxInFlight > 0 && requests.inFlight > switches.maxInFlight) {
		throw new Refusal(429, `More than ${switches.maxInFlight} requests at once`, { 'retry-after': '1' });
	}
	const fault = faults.take(request.method, path, request.bodyText);
	if (fault?.after) request.spoiledAfter = fault;
	else if (fault) await apply(service, fault, request, reply);
	service.lifecycle.catchUp();
}

async function apply(service: Service, fault: Fault, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	if (fault.delayMs) await sleep(fault.delayMs);
	if (fault.drop) {
		reply.hijack();
		drop(request);
		return;
	}
	const payload = spoil(service, fault, reply);
	if (payload !== undefined) reply.send(payload);
}

function drop(request: FastifyRequest): void {
	request.dropped = true;
	request.raw.socket.destroy();
}

/** The answer a fault asks for; nothing when it only delays. */
function spoil({ switches }: Service, fault: Fault, reply: FastifyReply): string | undefined {
	const { status, headers, body, form, redirect, html } = fault;
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
	const { contentType, payload } = renderRefusal(refusal, form ?? switches.errorForm);
	reply.type(contentType);
	return payload;
}

async function serve(
	service: Service,
	endpoint: Endpoint,
	params: Record<string, string>,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<unknown> {
	const { authentication, query = {}, body } = endpoint;
	const { switches, organisations } = service;
	const { headers } = request;
	const organisation =
		authentication === 'inquiry'
			? authenticate(service, headers)
			: authentication === 'external'
				? authenticateExternal(service, headers)
				: organisations.default;
	const call = {
		organisation,
		params,
		query: request.query as Record<string, string>,
		body: bodyOf(request, typeof body === 'function' ? body(switches) : body),
		url: request.url,
		headers,
		origin: `http://${headers.host}`,
	};
	if (!request.is404) demand(call.query, objectOf(typeof query === 'function' ? query(switches) : query), 'query');
	const answer = await endpoint.serve(service, call);
	// Stringified here, so that a bare JSON string is sent as JSON and not as text.
	if (!(answer instanceof Raw)) return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
	return reply.headers(answer.headers).type(answer.contentType).send(answer.payload);
}

function bodyOf({ bodyText, headers, method }: FastifyRequest, expected: 'json' | 'text' | undefined): unknown {
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

/** Fastify does not read the body of a GET; this service must, to refuse it or (by switch) to take it. */
async function readBody(request: FastifyRequest): Promise<void> {
	if (Buffer.isBuffer(request.body)) request.bodyText = request.body.toString();
	if (request.method !== 'GET') return;
	const chunks: Buffer[] = [];
	for await (const chunk of request.raw) chunks.push(chunk as Buffer);
	request.bodyText = Buffer.concat(chunks).toString();
}

function refuse(service: Service, error: unknown, reply: FastifyReply): FastifyReply {
	const known = error instanceof Refusal ? error : unexpected(error);
	const { contentType, payload } = renderRefusal(known, service.switches.errorForm);
	return reply.code(known.status).headers(known.headers).type(contentType).send(payload);
}

function unexpected(error: unknown): Refusal {
	const { statusCode = 500, stack, message } = error as Error & { statusCode?: number };
	if (statusCode >= 500) process.stderr.write(`${stack}\n`);
	return new Refusal(statusCode, message);
}

/** Method and path as printed in the document, or as the switches have it. */
function endpointOf({ switches }: Service, { is404, method, url, routeOptions }: FastifyRequest): string | null {
	const path = is404
		? sellerLookup(switches, method, url)?.endpoint.path
		: routeOptions.url?.replace(/:(\w+)/g, '{$1}');
	return path === undefined ? null : `${method} ${path}`;
}

function parsedOrText(text: string): unknown {
	try {
		return text === '' ? undefined : JSON.parse(text);
	} catch {
		return text;
	}
}
