import {
	bareClient,
	codeThenHttp,
	fieldByField,
	loopOverItems,
	onePerRow,
	ours,
	promisingClient,
} from './import/variants';
import { type ImportWorld, openImportWorld } from './import/world';
import { conclude, type Goal, quantile, table } from './report';

const rows = 10_000;
const rounds = 3;

/** 10,000 rows in the newest n8n, service with a delay of 30 ms, four requests in flight, against what users build. */
export async function run(): Promise<boolean> {
	const world = await openImportWorld();
	try {
		return await compare(world);
	} finally {
		await world.close();
	}
}

async function compare(world: ImportWorld): Promise<boolean> {
	// The slow ones get fewer rows; their time grows in step with them.
	const mine = [
		{
			name: 'this node, an item per row',
			rows,
			requests: 40,
			make: (w: ImportWorld, n: number) => ours(w, n, { outputPer: 'row' }),
		},
		{ name: 'this node, an item per batch', rows, requests: 40, make: ours },
	];
	const peers = [
		{ name: 'Code + HTTP Request, 4 in flight', rows, requests: 40, make: codeThenHttp },
		{
			name: 'Code + HTTP Request, 40 in flight',
			rows,
			requests: 40,
			make: (w: ImportWorld, n: number) => codeThenHttp(w, n, {}),
		},
		{ name: 'Loop Over Items + Code + HTTP Request', rows, requests: 40, make: loopOverItems },
		{ name: 'HTTP Request, one request per row', rows: 500, requests: 500, make: onePerRow },
		{ name: 'a node with one expression per field', rows: 250, requests: 1, make: fieldByField },
	];
	const bare = [
		{ name: 'bare client', run: bareClient },
		{ name: 'bare client that keeps the same promises', run: promisingClient },
	];
	const variants = [...mine, ...peers];
	const times = new Map([...bare, ...variants].map(({ name }): [string, number[]] => [name, []]));
	const wrong: string[] = [];
	const measure = async ({ name, rows: count, requests, make }: (typeof variants)[number]) => {
		const { figures, counts } = await world.run(make(world, count));
		times.get(name)!.push((figures.ms * rows) / count);
		const isRight = counts.submissions === requests && counts.rows === count && counts.most === 1;
		if (!isRight) wrong.push(`${name}: ${JSON.stringify(counts)}`);
	};

	for (const { make, rows: own } of variants) await world.run(make(world, Math.min(1_000, own / 5)));
	for (let round = 0; round < rounds; round++) {
		// What takes many times as long needs no second look.
		for (const peer of peers) if (round === 0 || peer.rows === rows) await measure(peer);
		// Those that the goals compare are told apart by a tenth of a second: they get more runs, side by side.
		for (let again = 0; again < 3; again++) {
			for (const { name, run } of bare)
				if (run === promisingClient || again === 0) times.get(name)!.push(await run(world, rows));
			await world.counts();
			for (const variant of mine) if (variant === mine[0] || again === 0) await measure(variant);
		}
	}

	const medianOf = (name: string) => quantile(times.get(name)!, 0.5);
	const timesMine = (name: string) => medianOf(name) / medianOf(mine[0].name);
	table(
		`${rows.toLocaleString('en')} rows, medians of ${rounds} interleaved rounds, from the first row handed over to the next node's start`,
		['variant', 'rows run', 'ms for 10,000', 'slowest', 'times this node'],
		[...times].map(([name, all]) => [
			name,
			variants.find((variant) => variant.name === name)?.rows ?? rows,
			Math.round(medianOf(name)),
			Math.round(Math.max(...all)),
			timesMine(name).toFixed(2),
		]),
	);
	const price = medianOf(bare[1].name) / medianOf(bare[0].name);
	const goals: Goal[] = [
		{ name: `wrong submissions ${wrong.join('; ')}`.trim(), value: wrong.length, atMost: 0 },
		{
			name: `times a bare client that keeps the same promises, which cost it ${price.toFixed(2)} times`,
			value: 1 / timesMine(bare[1].name),
			atMost: 1.3,
		},
	];
	return conclude('import-10k', goals);
}
