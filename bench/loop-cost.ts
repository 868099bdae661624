import { bars, inN8n, Rounds, type Variant } from './reads/rounds';
import { get, helperPool, httpRequest } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const count = 2_000;

/** Processor time of n8n for one request, over http and https, and for how long n8n did nothing else. */
export const run = (): Promise<boolean> => inReadsWorld(compare, { delayMs: 0 });

async function compare(world: ReadsWorld): Promise<boolean> {
	const path = "/v1/inquiries/{{ $json['External ID'] }}";
	const over = (protocol: string, url: string): Variant[] => [
		{ name: `this node, ${protocol}`, count, run: inN8n(world, (n) => get(world, n, {}, url)) },
		{ name: `n8n's bare helper, ${protocol}`, count, run: inN8n(world, (n) => helperPool(world, n, url)) },
		{ name: `HTTP Request, ${protocol}`, count, run: inN8n(world, (n) => httpRequest(world, n, tls, url + path)) },
	];
	const variants = [...over('http', world.serviceUrl), ...over('https', world.tlsUrl)];
	for (const { run } of variants) await run(200);
	const rounds = new Rounds();
	await rounds.run(variants, 3);

	const cpu = ({ name }: Variant) => rounds.median(name, ({ cpuMs = NaN }) => cpuMs) / count;
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
	const [mine, helper, request, mineTls, helperTls, requestTls] = variants;
	const timesMine = (variant: Variant) => cpu(variant) / cpu(variant.name.endsWith('https') ? mineTls : mine);
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: "times n8n's bare helper, http", value: cpu(mine) / cpu(helper), atMost: 1.1 },
		{ name: "times n8n's bare helper, https", value: cpu(mineTls) / cpu(helperTls), atMost: 1.1 },
		{ name: 'times less than HTTP Request, http', value: cpu(request) / cpu(mine), atLeast: 4.5 },
		{ name: 'times less than HTTP Request, https', value: cpu(requestTls) / cpu(mineTls), atLeast: 2 },
		{ name: 'longest stall, ms', value: stall(mine), atMost: 25 },
		{ name: "longest stall, times n8n's bare helper", value: stall(mine) / stall(helper), atMost: 1.25 },
	];
	return conclude('loop-cost', goals, { bars: bars(variants, timesMine) });
}

const tls = { allowUnauthorizedCerts: true };
