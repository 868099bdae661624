import { bars, inN8n, Rounds, type Variant } from './reads/rounds';
import { get, helperPool, helperWithCredential, httpRequest } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { besideFloor, conclude, table } from './report';

const count = 2_000;

/** Processor time of n8n for one request, over http and https, and for how long n8n did nothing else. */
export const run = (): Promise<boolean> => inReadsWorld(compare, { delayMs: 0 });

async function compare(world: ReadsWorld): Promise<boolean> {
	const path = "/v1/inquiries/{{ $json['External ID'] }}";
	const over = (protocol: string, url: string): Variant[] => [
		{ name: `this node, ${protocol}`, count, run: inN8n(world, (n) => get(world, n, {}, url)) },
		{
			name: `n8n's bare helper, ${protocol}`,
			count,
			run: inN8n(world, (n) => helperPool(world, n, url)),
			rounds: 1,
		},
		{
			name: `n8n's helper with a credential, ${protocol}`,
			count,
			run: inN8n(world, (n) => helperWithCredential(world, n, url)),
		},
		{
			name: `HTTP Request, ${protocol}`,
			count: count / 2,
			run: inN8n(world, (n) => httpRequest(world, n, tls, url + path)),
			rounds: 1,
		},
	];
	const variants = [...over('http', world.serviceUrl), ...over('https', world.tlsUrl)];
	for (const { run } of variants) await run(200);
	const rounds = new Rounds();
	await rounds.run(variants, 3);

	const cpu = ({ name, count: own }: Variant) => rounds.median(name, ({ cpuMs = NaN }) => cpuMs) / own;
	const stall = ({ name }: Variant) => rounds.median(name, ({ stallMs = NaN }) => stallMs);
	table(
		'2,000 records, no delay, medians of 3 interleaved rounds',
		['variant', 'CPU ms a request', 'longest stall ms', 'connections'],
		variants.map((variant) => [
			variant.name,
			cpu(variant).toFixed(2),
			stall(variant).toFixed(0),
			rounds.median(variant.name, ({ counts }) => counts.connections),
		]),
	);
	const [mine, , floor, request, mineTls, , floorTls, requestTls] = variants;
	const timesMine = (variant: Variant) => cpu(variant) / cpu(variant.name.endsWith('https') ? mineTls : mine);
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: "times n8n's helper with a credential, http", value: cpu(mine) / cpu(floor), atMost: 1.1 },
		{ name: "times n8n's helper with a credential, https", value: cpu(mineTls) / cpu(floorTls), atMost: 1.1 },
		{ name: 'times less than HTTP Request, http', value: cpu(request) / cpu(mine), atLeast: 4.5 },
		{ name: 'times less than HTTP Request, https', value: cpu(requestTls) / cpu(mineTls), atLeast: 2 },
		besideFloor({ name: 'longest stall, ms', value: stall(mine), atMost: 25 }, stall(floor)),
	];
	return conclude('loop-cost', goals, { bars: bars(variants, timesMine) });
}

const tls = { allowUnauthorizedCerts: true };
