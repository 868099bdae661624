import { conclude, table } from './report';
import { inN8n, Rounds, type Variant } from './reads/rounds';
import { get, helperPool, helperWithCredential, httpRequest, usualBatching } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';

const count = 5_000;

/** 5,000 records by their IDs, 4.7 KB each, from a service that takes 30 ms. */
export const run = (): Promise<boolean> => inReadsWorld(compare);

async function compare(world: ReadsWorld): Promise<boolean> {
	const variants: Variant[] = [
		{ name: 'this node', count, run: inN8n(world, (n) => get(world, n)) },
		{
			name: 'this node, Concurrency 8',
			count: 2_000,
			run: inN8n(world, (n) => get(world, n, { advanced: { concurrency: 8 } })),
			rounds: 1,
		},
		{ name: "n8n's bare helper, 32 at once", count, run: inN8n(world, (n) => helperPool(world, n)), rounds: 1 },
		{
			name: "n8n's helper with a credential, 32 at once",
			count,
			run: inN8n(world, (n) => helperWithCredential(world, n)),
		},
		{ name: 'HTTP Request', count: 2_000, run: inN8n(world, (n) => httpRequest(world, n)), rounds: 1 },
		{
			name: 'HTTP Request, its batching as offered',
			count: 500,
			run: inN8n(world, (n) => httpRequest(world, n, usualBatching)),
			rounds: 1,
		},
	];
	for (const { run } of variants) await run(100);
	const rounds = new Rounds();
	await rounds.run(variants, 3);

	const per5000 = ({ name, count: own }: Variant) => (rounds.median(name) * count) / own;
	const timesMine = (variant: Variant) => per5000(variant) / per5000(variants[0]);
	const cpu = ({ name, count: own }: Variant) => (rounds.median(name, ({ cpuMs }) => cpuMs) / own).toFixed(2);
	table(
		'5,000 records of 4.7 KB, 30 ms, medians of 3 interleaved rounds',
		['variant', 'records run', 'ms for 5,000', 'CPU ms a request', 'most at once', 'times this node'],
		variants.map((variant) => [
			variant.name,
			variant.count,
			Math.round(per5000(variant)),
			cpu(variant),
			rounds.median(variant.name, ({ counts }) => counts.mostAtOnce),
			timesMine(variant).toFixed(2),
		]),
	);
	const [mine, , , floor] = variants;
	return conclude('detail-fetch', [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: "times n8n's helper with a credential", value: per5000(mine) / per5000(floor), atMost: 1.1 },
	]);
}
