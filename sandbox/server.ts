import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { authenticate, authenticateExternal } from './authentication';
import { bodyOf, parsedOrText, readBody } from './bodies';
import { controlRoutes } from './control';
import { Raw, type Endpoint } from './endpoint';
import { endpoints, misfit, sellerLookup } from './endpoints';
import { Refusal, renderRefusal } from './refusal';
import type { LoggedRequest } from './requests';
import type { Service } from './service';
import { sleep, spoilAfter, spoilBefore } from './spoiling';
import { demand, objectOf } from './validation';

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
	app.addHook('onSend', (request, reply, payload) => spoilAfter(payload, request, reply, service.switches));
	app.setErrorHandler((error, _request, reply) => refuse(service, error, reply));

	for (const endpoint of endpoints) {
		const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1');
		app.route({
			method: endpoint.method,
			url,
			handler: (request, reply) => serve(service, endpoint, request.params as Record<string, string>, request, reply),
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
	else if (fault) await spoilBefore(fault, request, reply, switches);
	service.lifecycle.catchUp();
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
