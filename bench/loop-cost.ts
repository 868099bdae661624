import { inN8n, Rounds, type Variant } from './reads/rounds';
import { get, helperWithCredential, httpRequest } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const count = 1_000;
const manyRounds = { http: 20, https: 12 };

/** Processor time of n8n for one request, over http and https, and for how long n8n did nothing else. */
export const run = (): Promise<boolean> => inReadsWorld(compare);

async function compare(world: ReadsWorld): Promise<boolean> {
	const over = (protocol: keyof typeof manyRounds, url: string): Variant[] => [
		{ name: `this node, ${protocol}`, count, run: inN8n(world, (n) => get(world, n, url)) },
		{
			name: `n8n's helper with a credential, ${protocol}`,
			count,
			run: inN8n(world, (n) => helperWithCredential(world, n, url)),
		},
		{
			name: `HTTP Request, ${protocol}`,
			count: count / 2,
			run: inN8n(world, (n) => httpRequest(world, n, url)),
			rounds: 6,
		},
	];
	const byProtocol = { http: over('http', world.serviceUrl), https: over('https', world.tlsUrl) };
	const variants = [...byProtocol.http, ...byProtocol.https];
	for (const { run } of variants) await run(200);
	const rounds = new Rounds();
	for (const protocol of ['http', 'https'] as const) await rounds.run(byProtocol[protocol], manyRounds[protocol]);

	const cpu = ({ name, count: own }: Variant) => rounds.median(name, ({ cpuMs }) => cpuMs) / own;
	const stall = ({ name }: Variant) => rounds.median(name, ({ stallMs }) => stallMs);
	table(
		'1,000 records, no delay, 20 interleaved rounds over http and 12 over https',
		['variant', 'CPU ms a request, median', 'longest stall ms, median', 'connections'],
		variants.map((variant) => [
			variant.name,
			cpu(variant).toFixed(2),
			stall(variant).toFixed(0),
			rounds.median(variant.name, ({ counts }) => counts.connections),
		]),
	);
	const [mine, floor, request, mineTls, floorTls, requestTls] = variants;
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: "times n8n's helper with a credential, http", value: rounds.timesCpu(mine.name, floor.name), atMost: 1.1 },
		{
			name: "times n8n's helper with a credential, https",
			value: rounds.timesCpu(mineTls.name, floorTls.name),
			atMost: 1.1,
		},
		{ name: 'times less than HTTP Request, http', value: cpu(request) / cpu(mine), atLeast: 4.5 },
		{ name: 'times less than HTTP Request, https', value: cpu(requestTls) / cpu(mineTls), atLeast: 2 },
	];
	return conclude('loop-cost', goals);
}
