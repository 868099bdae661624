import { conclude, type Goal, table } from './report';
import { inN8n, Rounds, type Variant } from './reads/rounds';
import { bareClient, get, httpRequest, oneByOne, usualBatching } from './reads/variants';
import { openReadsWorld, type ReadsWorld } from './reads/world';

const count = 5_000;

/** 5,000 records by their IDs, 4.7 KB each, from a service that takes 30 ms. */
export async function run(): Promise<boolean> {
	const world = await openReadsWorld();
	try {
		return await compare(world);
	} finally {
		await world.close();
	}
}

async function compare(world: ReadsWorld): Promise<boolean> {
	const bare = async (n: number) => {
		const ids: string[] = [];
		const paths = Array.from({ length: n }, (_, at) => `/v1/inquiries/inquiry-${at}`);
		const take = (bytes: Buffer) => void ids.push((JSON.parse(bytes.toString()) as { id: string }).id);
		const ms = await bareClient(world.serviceUrl, paths, 32, take);
		return { ms, counts: await world.counts(), items: ids.length, ids: new Set(ids).size, inOrder: true };
	};
	const variants: Variant[] = [
		{ name: 'this node', count, run: inN8n(world, (n) => get(world, n)) },
		{ name: 'this node, Concurrency 8', count, run: inN8n(world, (n) => get(world, n, { concurrency: 8 })), rounds: 1 },
		{ name: 'bare client, 32 at once', count, run: bare },
		{ name: 'HTTP Request', count, run: inN8n(world, (n) => httpRequest(world, n)) },
		{
			name: 'HTTP Request, its batching as offered',
			count: 500,
			run: inN8n(world, (n) => httpRequest(world, n, usualBatching)),
			rounds: 1,
		},
		{ name: 'a node that sends one by one', count: 500, run: inN8n(world, (n) => oneByOne(world, n)), rounds: 1 },
	];
	for (const { run } of variants) await run(100);
	const rounds = new Rounds();
	await rounds.run(variants, 3);

	const per5000 = ({ name, count: own }: Variant) => (rounds.median(name) * count) / own;
	const timesMine = (variant: Variant) => per5000(variant) / per5000(variants[0]);
	table(
		'5,000 records of 4.7 KB, 30 ms, medians of 3 interleaved rounds',
		['variant', 'records run', 'ms for 5,000', 'CPU ms a request', 'most at once', 'times this node'],
		variants.map((variant) => [
			variant.name,
			variant.count,
			Math.round(per5000(variant)),
			(rounds.median(variant.name, ({ cpuMs = NaN }) => cpuMs) / variant.count).toFixed(2),
			rounds.median(variant.name, ({ counts }) => counts.mostAtOnce),
			timesMine(variant).toFixed(2),
		]),
	);
	const goals: Goal[] = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: 'times a bare client', value: 1 / timesMine(variants[2]), atMost: 1.6 },
		{ name: 'times quicker than HTTP Request', value: timesMine(variants[3]), atLeast: 2.5 },
		{ name: 'times quicker than its batching', value: timesMine(variants[4]), atLeast: 15 },
		{ name: 'times quicker than one by one', value: timesMine(variants[5]), atLeast: 25 },
	];
	return conclude('detail-fetch', goals, { records: count, bars: barsOf(variants, timesMine) });
}

const barsOf = (variants: Variant[], timesMine: (variant: Variant) => number) =>
	Object.fromEntries(variants.map((variant) => [variant.name, Number(timesMine(variant).toFixed(2))]));
