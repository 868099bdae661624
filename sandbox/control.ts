import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from './service';

/** The sandbox's own endpoints under /_sandbox, for people who look at what one that runs was sent. */
export function controlRoutes(app: FastifyInstance, { ledger, requests }: Service): void {
	const query = (request: FastifyRequest) => request.query as Record<string, string>;

	app.get('/_sandbox/ledger', (request) => {
		const { kind, key } = query(request);
		return {
			count: ledger.count(kind),
			times: key === undefined ? undefined : ledger.times(key),
			entries: ledger.filter((entry) => kind === undefined || entry.kind === kind),
		};
	});
	app.get('/_sandbox/requests', (request) => {
		const { method, path = '' } = query(request);
		return {
			total: requests.total,
			peakInFlight: requests.peakInFlight,
			requests: requests.filter((entry) => entry.path.startsWith(path) && (!method || entry.method === method)),
		};
	});
}
