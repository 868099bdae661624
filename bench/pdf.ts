import { bars, inN8n, Rounds, type Sample, type Variant } from './reads/rounds';
import { downloadPdf, httpFiles } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const count = 300;
const fileBytes = 200_009;

/** 300 reports of 200 KB. */
export const run = (): Promise<boolean> => inReadsWorld(compare);

async function compare(world: ReadsWorld): Promise<boolean> {
	const isRight = (sample: Sample, asked: number) => sample.fileBytes === asked * fileBytes;
	const variants: Variant[] = [
		{ name: 'this node', count, run: inN8n(world, (n) => downloadPdf(world, n)), isRight },
		{ name: 'HTTP Request', count, run: inN8n(world, (n) => httpFiles(world, n)), isRight },
	];
	for (const { run } of variants) await run(20);
	const rounds = new Rounds();
	await rounds.run(variants, 3);
	const timesMine = ({ name }: Variant) => rounds.median(name) / rounds.median(variants[0].name);
	const memory = ({ name }: Variant) => rounds.median(name, ({ highWaterGrowth = NaN }) => highWaterGrowth) / 1_048_576;
	table(
		'300 files of 200 KB, 30 ms, medians of 3 interleaved rounds',
		['variant', 'ms', 'MB at the highest', 'times this node'],
		variants.map((variant) => [
			variant.name,
			Math.round(rounds.median(variant.name)),
			memory(variant).toFixed(0),
			timesMine(variant).toFixed(2),
		]),
	);
	// The memory is shown and has no goal: an n8n that has run before has room left, and takes none for either.
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: 'times HTTP Request', value: 1 / timesMine(variants[1]), atMost: 1.1 },
	];
	return conclude('pdf', goals, { bars: bars(variants, timesMine) });
}
