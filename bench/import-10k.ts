import { bareClient, codeThenHttp, ours, promisingClient } from './import/variants';
import { type ImportWorld, inImportWorld } from './import/world';
import { conclude, type Goal, quantile, table } from './report';

const rows = 10_000;
const rounds = 3;

/** 10,000 rows in the newest n8n, service with a delay of 30 ms, four requests in flight, against what users build. */
export const run = (): Promise<boolean> => inImportWorld(compare);

async function compare(world: ImportWorld): Promise<boolean> {
	const mine = { name: 'this node', make: () => ours(world, rows) };
	const peers = [{ name: 'Code + HTTP Request, 4 in flight', make: () => codeThenHttp(world, rows) }];
	const bare = [
		{ name: 'bare client', run: bareClient },
		{ name: 'bare client that keeps the same promises', run: promisingClient },
	];
	const variants = [mine, ...peers];
	const times = new Map([...bare, ...variants].map(({ name }): [string, number[]] => [name, []]));
	const wrong: string[] = [];
	const measure = async ({ name, make }: (typeof variants)[number]) => {
		const { figures, counts } = await world.run(make());
		times.get(name)!.push(figures.ms);
		const isRight = counts.submissions === rows / 250 && counts.rows === rows && counts.most === 1;
		if (!isRight) wrong.push(`${name}: ${JSON.stringify(counts)}`);
	};

	for (const { make } of variants) await world.run(make());
	for (let round = 0; round < rounds; round++) {
		for (const peer of peers) await measure(peer);
		// Those that the goals compare are told apart by a tenth of a second: they get more runs, side by side.
		for (let again = 0; again < 3; again++) {
			for (const { name, run } of bare)
				if (run === promisingClient || again === 0) times.get(name)!.push(await run(world, rows));
			await world.counts();
			await measure(mine);
		}
	}

	const medianOf = (name: string) => quantile(times.get(name)!, 0.5);
	const timesMine = (name: string) => medianOf(name) / medianOf(mine.name);
	table(
		`${rows.toLocaleString('en')} rows, medians of ${rounds} interleaved rounds, from the first row handed over to the next node's start`,
		['variant', 'ms', 'slowest', 'times this node'],
		[...times].map(([name, all]) => [
			name,
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
