import { bars, inN8n, Rounds, type Sample, type Variant } from './reads/rounds';
import { barePages, httpPages, returnAll } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const count = 100_000;

/** A list of 100,000 rows, 500 a page, to its end. */
export const run = (): Promise<boolean> => inReadsWorld(compare, { inquiries: count });

async function compare(world: ReadsWorld): Promise<boolean> {
	const isRight = ({ items, ids }: Sample) => items === count && ids === count;
	const variants: Variant[] = [
		{ name: 'this node', count, run: inN8n(world, () => returnAll(world)), isRight },
		{ name: 'bare client, 8 pages at once', count, run: barePages(world), isRight },
		{ name: 'HTTP Request with pagination', count, run: inN8n(world, () => httpPages(world)), isRight, rounds: 1 },
	];
	await variants[0].run(count);
	const rounds = new Rounds();
	await rounds.run(variants, 3);
	const timesMine = ({ name }: Variant) => rounds.median(name) / rounds.median(variants[0].name);
	table(
		'100,000 rows, 30 ms a page, medians of 3 interleaved rounds',
		['variant', 'ms', 'requests', 'times this node'],
		variants.map((variant) => [
			variant.name,
			Math.round(rounds.median(variant.name)),
			rounds.median(variant.name, ({ counts }) => counts.requests),
			timesMine(variant).toFixed(2),
		]),
	);
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: 'times a bare client', value: 1 / timesMine(variants[1]), atMost: 1.1 },
	];
	return conclude('return-all', goals, { bars: bars(variants, timesMine) });
}
