import { bareClient, ours } from './import/variants';
import { type ImportWorld, openImportWorld } from './import/world';
import { conclude, type Goal, quantile, table } from './report';

const rows = 100_000;
const rounds = 3;

/** 100,000 rows in the newest n8n: time against a bare client, memory, and what checking a row costs. */
export async function run(): Promise<boolean> {
	const world = await openImportWorld();
	try {
		return await measure(world);
	} finally {
		await world.close();
	}
}

async function measure(world: ImportWorld): Promise<boolean> {
	const bare: number[] = [];
	const promising: number[] = [];
	const mine: number[] = [];
	const perRow: number[] = [];
	const check: number[] = [];
	const heap: number[] = [];
	const highWater: number[] = [];
	const wrong: string[] = [];
	await world.run(ours(world, 10_000));
	for (let round = 0; round < rounds; round++) {
		bare.push(await bareClient(world, rows));
		promising.push(await bareClient(world, rows, true));
		await world.counts();
		for (const [output, times] of [
			['batch', mine],
			['row', perRow],
		] as const) {
			const { figures, counts } = await world.run(ours(world, rows, { outputPer: output }));
			times.push(figures.ms);
			if (counts.submissions !== 400 || counts.rows !== rows || counts.most !== 1) wrong.push(JSON.stringify(counts));
			if (output === 'row') continue;
			heap.push(figures.heapGrowth / rows);
			highWater.push(figures.highWaterGrowth / rows);
		}
		// A dry run reads, checks and cuts all rows, and sends none.
		check.push(((await world.run(ours(world, rows, { dryRun: true }))).figures.ms * 1000) / rows);
	}
	const median = (all: number[]) => quantile(all, 0.5);
	table(
		`${rows.toLocaleString('en')} rows, medians of ${rounds} interleaved runs`,
		['figure', 'median', 'highest'],
		[
			['a bare client, ms', Math.round(median(bare)), Math.round(Math.max(...bare))],
			[
				'one that announces and looks as this node does, ms',
				Math.round(median(promising)),
				Math.round(Math.max(...promising)),
			],
			['this node, an item per batch, ms', Math.round(median(mine)), Math.round(Math.max(...mine))],
			['this node, an item per row, ms', Math.round(median(perRow)), Math.round(Math.max(...perRow))],
			['heap kept per row, bytes', Math.round(median(heap)), Math.round(Math.max(...heap))],
			[
				'memory of the process at its highest, bytes per row',
				Math.round(median(highWater)),
				Math.round(Math.max(...highWater)),
			],
			['reading and checking a row, µs', median(check).toFixed(1), Math.max(...check).toFixed(1)],
		],
	);
	const price = median(promising) / median(bare);
	const goals: Goal[] = [
		{ name: `wrong submissions ${wrong.join('; ')}`.trim(), value: wrong.length, atMost: 0 },
		{
			name: `times a bare client that keeps the same promises, which cost it ${price.toFixed(2)} times`,
			value: median(mine) / median(promising),
			atMost: 1.25,
		},
		{ name: 'heap kept per row, bytes', value: median(heap), atMost: 1024 },
		{ name: 'memory at its highest, bytes per row', value: median(highWater), atMost: 1024 },
		{ name: 'reading and checking a row, µs', value: median(check), atMost: 15 },
	];
	return conclude('import-100k', goals, {
		bars: { 'this node': 1, 'bare client': Number((median(bare) / median(mine)).toFixed(2)) },
	});
}
