import axios from 'axios';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parsedOrText } from './bodies';
import { sellerLookup } from './endpoints';
import { Refusal } from './refusal';
import type { LoggedRequest } from './requests';
import type { Service } from './service';
import { sleep, spoilBefore } from './spoiling';

/** Everything that happens to a request before its endpoint sees it: logging, limits, faults, the passing of time. */
export async function receive(service: Service, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { requests, switches, faults, clock } = service;
	const path = request.url.split('?')[0];
	// A copy that a proxy made is no request of the client.
	if (request.headers[COPY] !== undefined) return service.lifecycle.catchUp();
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
	if (fault?.performedAfterMs !== undefined) {
		clock.schedule(fault.performedAfterMs, () => void requests.late.push(copy(request)));
		await spoilBefore({ drop: true }, request, reply, switches);
		return;
	}
	if (fault?.together !== undefined) await requests.reached(fault.together);
	if (fault?.twice) await copy(request);
	if (fault?.after) request.spoiledAfter = fault;
	else if (fault) await spoilBefore(fault, request, reply, switches);
	service.lifecycle.catchUp();
}

const COPY = 'x-performed-again';

const copy = ({ method, url, headers, bodyText }: FastifyRequest) =>
	axios.request({
		method,
		url: `http://${headers.host}${url}`,
		headers: { authorization: headers.authorization, 'content-type': headers['content-type'], [COPY]: 'yes' },
		data: bodyText,
		proxy: false,
		validateStatus: () => true,
		transformRequest: (text: string) => text,
	});

/** Method and path as printed in the document, or as the switches have it. */
function endpointOf({ switches }: Service, { is404, method, url, routeOptions }: FastifyRequest): string | null {
	const path = is404
		? sellerLookup(switches, method, url)?.endpoint.path
		: routeOptions.url?.replace(/:(\w+)/g, '{$1}');
	return path === undefined ? null : `${method} ${path}`;
}
