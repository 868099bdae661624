import type { WorkflowBody } from '../test/e2e/workflow';
import { bars, inN8n, Rounds, type Sample, type Variant } from './reads/rounds';
import { collecting, downloadPdf, helperFiles, httpFiles } from './reads/variants';
import { inFreshWorld, inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const count = 300;
const fileBytes = 200_009;

type Make = (world: ReadsWorld, count: number) => WorkflowBody;

interface Megabytes {
	/** Of the process, garbage too that was not yet collected. */
	highest: number;
	inUse: number;
}

/** 300 reports of 200 KB. An n8n that has run before has room left, so memory is that of an n8n fresh from its start. */
export async function run(): Promise<boolean> {
	const megabytes: Megabytes[] = [];
	for (const make of [downloadPdf, helperFiles, httpFiles]) megabytes.push(await inFreshN8n(make));
	return await inReadsWorld((world) => compare(world, megabytes));
}

const inFreshN8n = (make: Make): Promise<Megabytes> =>
	inFreshWorld(async (world) => {
		await world.run(make(world, 20));
		const { highWaterGrowth } = (await world.run(make(world, count))).figures;
		const { inUseGrowth } = (await world.run(collecting(make(world, count)))).figures;
		return { highest: highWaterGrowth / 1_048_576, inUse: inUseGrowth / 1_048_576 };
	});

async function compare(world: ReadsWorld, megabytes: Megabytes[]): Promise<boolean> {
	const isRight = (sample: Sample, asked: number) => sample.fileBytes === asked * fileBytes;
	const variants: Variant[] = [
		{ name: 'this node', count, run: inN8n(world, (n) => downloadPdf(world, n)), isRight },
		{ name: "n8n's helper with a credential", count, run: inN8n(world, (n) => helperFiles(world, n)), isRight },
		{ name: 'HTTP Request', count, run: inN8n(world, (n) => httpFiles(world, n)), isRight },
	];
	for (const { run } of variants) await run(20);
	const rounds = new Rounds();
	await rounds.run(variants, 3);
	const timesMine = ({ name }: Variant) => rounds.median(name) / rounds.median(variants[0].name);
	table(
		'300 files of 200 KB, 30 ms, medians of 3 interleaved rounds',
		['variant', 'ms', 'MB more at the highest, fresh', 'MB in use at the most', 'times this node'],
		variants.map((variant, place) => [
			variant.name,
			Math.round(rounds.median(variant.name)),
			megabytes[place].highest.toFixed(0),
			megabytes[place].inUse.toFixed(1),
			timesMine(variant).toFixed(2),
		]),
	);
	const [mine, , theirs] = megabytes;
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: 'times HTTP Request', value: 1 / timesMine(variants[2]), atMost: 1.1 },
		{ name: 'times the memory in use of HTTP Request', value: mine.inUse / theirs.inUse, atMost: 0.2 },
	];
	return conclude('pdf', goals, { bars: bars(variants, timesMine) });
}
