import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Fault } from './faults';
import type { Service } from './service';
import { switchProblem, type Switches } from './switches';

type Body = Record<string, unknown>;

/** The sandbox's own endpoints under /_sandbox, for people who try something with one that runs. */
export function controlRoutes(app: FastifyInstance, service: Service): void {
	const { switches, faults, ledger, requests } = service;
	const answers: Record<string, (body: Body, query: Record<string, string>) => unknown> = {
		'GET /switches': () => ({ ...switches }),
		'PUT /switches': (body) => {
			const problems = Object.entries(body).flatMap(([name, value]) => switchProblem(name, value) ?? []);
			if (problems.length > 0) throw new TypeError(problems.join('; '));
			return { ...Object.assign(switches, body as Partial<Switches>) };
		},

		'POST /faults': (body) => {
			for (const fault of Array.isArray(body) ? body : [body]) faults.add(fault as Fault);
			return faults.list();
		},
		'DELETE /faults': () => faults.clear(),

		'GET /ledger': (_body, { kind, key }) => ({
			count: ledger.count(kind),
			times: key === undefined ? undefined : ledger.times(key),
			entries: ledger.filter((entry) => kind === undefined || entry.kind === kind),
		}),
		'GET /requests': (_body, { method, path = '' }) => ({
			total: requests.total,
			peakInFlight: requests.peakInFlight,
			requests: requests.filter((entry) => entry.path.startsWith(path) && (!method || entry.method === method)),
		}),
	};

	for (const [line, answer] of Object.entries(answers)) {
		const [method, path] = line.split(' ');
		app.route({
			method,
			url: `/_sandbox${path}`,
			handler: async (request, reply) => {
				try {
					const result = await answer(bodyOf(request), request.query as Record<string, string>);
					return reply.send(result ?? { ok: true });
				} catch (error) {
					if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
					return reply.code(422).send({ error: error.message });
				}
			},
		});
	}
}

const bodyOf = ({ body }: FastifyRequest): Body =>
	Buffer.isBuffer(body) && body.length > 0 ? (JSON.parse(body.toString()) as Body) : {};
