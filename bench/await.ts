import { inN8n, Rounds, type Variant } from './reads/rounds';
import { awaitBatches, httpRequest } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const batches = 40;
const inquiries = batches * 250;
const rounds = 5;

/** 40 batches of 250 inquiries until they are done, and then every inquiry of each. */
export const run = (): Promise<boolean> => inReadsWorld(compare, { batches, rounds });

async function compare(world: ReadsWorld): Promise<boolean> {
	const measured = new Rounds();
	const variants: Variant[] = [
		{
			name: 'this node',
			count: inquiries,
			run: inN8n(world, () => awaitBatches(world, batches)),
			isRight: ({ items, ids }) => items === inquiries && ids === inquiries,
		},
		// Each look at an inquiry is a request, and there are as many looks.
		{ name: 'HTTP Request for each inquiry', count: 1_000, run: inN8n(world, (n) => httpRequest(world, n)) },
	];
	await measured.run(variants, 1);
	const [mine, request] = variants.map(({ name }) => measured.median(name, ({ counts }) => counts.requests));
	const theirs = (request / 1_000) * inquiries * (rounds + 1);
	table(
		`10,000 inquiries in 40 batches, done after ${rounds} looks`,
		['variant', 'requests'],
		[
			['this node', mine],
			['HTTP Request for each inquiry, counted for 1,000 and one look', theirs],
		],
	);
	const goals = [
		{ name: `wrong answers ${measured.wrong.join('; ')}`.trim(), value: measured.wrong.length, atMost: 0 },
		{ name: 'requests', value: mine, atMost: 40 * (rounds + 1) + 40 },
		{ name: 'times fewer than one for each inquiry and look', value: theirs / mine, atLeast: 100 },
	];
	return conclude('await', goals, {
		bars: { 'this node': 1, 'HTTP Request for each inquiry': Math.round(theirs / mine) },
	});
}
