import type { WorkflowBody } from '../test/e2e/workflow';
import { bareClient, batchPool, ours, promisingClient } from './import/variants';
import { type ImportWorld, openImportWorld } from './import/world';
import { besideFloor, conclude, type Goal, quantile, table } from './report';
import type { Figures } from './world';

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
	const mine: Figures[] = [];
	const perRow: Figures[] = [];
	const pool: Figures[] = [];
	const check: Figures[] = [];
	const wrong: string[] = [];
	const runInto = async (all: Figures[], workflow: WorkflowBody, sent = rows) => {
		const { figures, counts } = await world.run(workflow);
		all.push(figures);
		const isRight = counts.submissions === sent / 250 && counts.rows === sent && counts.most === Math.sign(sent);
		if (!isRight) wrong.push(JSON.stringify(counts));
	};
	await world.run(ours(world, 10_000));
	for (let round = 0; round < rounds; round++) {
		promising.push(await promisingClient(world, rows));
		await runInto(mine, ours(world, rows));
		await runInto(pool, batchPool(world, rows));
		// What no goal compares is run once.
		if (round > 0) continue;
		bare.push(await bareClient(world, rows));
		await runInto(perRow, ours(world, rows, { outputPer: 'row' }));
		// A dry run reads, checks and cuts all rows, and sends none.
		await runInto(check, ours(world, rows, { dryRun: true }), 0);
	}
	const median = (all: number[]) => quantile(all, 0.5);
	const ms = (all: Figures[]) => all.map((run) => run.ms);
	const high = (all: Figures[]) => all.map((run) => run.highWaterGrowth / rows);
	const heap = mine.map((run) => run.heapGrowth / rows);
	const checking = check.map((run) => (run.ms * 1000) / rows);
	const line = (name: string, all: number[]) => [name, Math.round(median(all)), Math.round(Math.max(...all))];
	table(
		`${rows.toLocaleString('en')} rows, medians of ${rounds} interleaved runs where the two differ`,
		['figure', 'median', 'highest'],
		[
			line('a bare client, ms', bare),
			line('one that keeps the same promises, ms', promising),
			line('this node, an item per batch, ms', ms(mine)),
			line('this node, an item per row, ms', ms(perRow)),
			line("n8n's helper with a credential, the same batches unchecked, ms", ms(pool)),
			line('heap kept per row, bytes', heap),
			line('memory of the process at its highest, bytes per row', high(mine)),
			line("the same with n8n's helper, bytes per row", high(pool)),
			line(
				'longest stall, ms',
				mine.map((run) => run.stallMs),
			),
			['reading and checking a row, µs', median(checking).toFixed(1), Math.max(...checking).toFixed(1)],
		],
	);
	const price = median(promising) / median(bare);
	const highest: Goal = { name: 'memory at its highest, bytes per row', value: median(high(mine)), atMost: 1024 };
	const goals: Goal[] = [
		{ name: `wrong submissions ${wrong.join('; ')}`.trim(), value: wrong.length, atMost: 0 },
		{
			name: `times a bare client that keeps the same promises, which cost it ${price.toFixed(2)} times`,
			value: median(ms(mine)) / median(promising),
			atMost: 1.25,
		},
		{ name: 'heap kept per row, bytes', value: median(heap), atMost: 1024 },
		besideFloor(highest, median(high(pool))),
		{ name: 'reading and checking a row, µs', value: median(checking), atMost: 15 },
	];
	return conclude('import-100k', goals);
}
