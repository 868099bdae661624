import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { formed } from './answerForms';
import { authenticate, authenticateExternal } from './authentication';
import { bodyOf, readBody } from './bodies';
import { controlRoutes } from './control';
import { Raw, type Endpoint } from './endpoint';
import { endpoints, misfit, sellerLookup } from './endpoints';
import { receive } from './receiving';
import { Refusal, renderRefusal } from './refusal';
import type { Service } from './service';
import { spoilAfter } from './spoiling';
import { demand, objectOf } from './validation';

export function createServer(service: Service): FastifyInstance {
	const app = fastify({ bodyLimit: 64 * 1024 * 1024, exposeHeadRoutes: false, forceCloseConnections: true });
	app.decorateRequest('bodyText', '');

	// Bodies are read as they are: judging them is the endpoints' business.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	app.addHook('onRequest', async (_request, reply) => {
		reply.header('date', new Date(service.clock.now()).toUTCString());
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

async function serve(
	service: Service,
	endpoint: Endpoint,
	params: Record<string, string>,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<unknown> {
	const { authentication, query = {}, body } = endpoint;
	const { switches, organizations } = service;
	const { headers } = request;
	const organization =
		authentication === 'inquiry'
			? authenticate(service, headers)
			: authentication === 'external'
				? authenticateExternal(service, headers)
				: organizations.default;
	const call = {
		organization,
		params,
		query: request.query as Record<string, string>,
		body: bodyOf(request, typeof body === 'function' ? body(switches) : body),
		headers,
		origin: `http://${headers.host}`,
	};
	if (!request.is404) demand(call.query, objectOf(typeof query === 'function' ? query(switches) : query), 'query');
	if (endpoint.list && endpoint.list === switches.listRefused) {
		throw new Refusal(403, 'This list is not open to this caller');
	}
	const served = await endpoint.serve(service, call);
	const answer = endpoint.answers ? formed(served, switches[endpoint.answers]) : served;
	// Stringified here, so that a bare JSON string is sent as JSON and not as text.
	if (!(answer instanceof Raw)) return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
	return reply.code(answer.status).headers(answer.headers).type(answer.contentType).send(answer.payload);
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
