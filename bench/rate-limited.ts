import { bars, inN8n, Rounds, type Sample, type Variant } from './reads/rounds';
import { get, httpRequest } from './reads/variants';
import { inReadsWorld, type ReadsWorld } from './reads/world';
import { conclude, table } from './report';

const count = 5_000;
const perSecond = 200;
/** The service lets the requests of one second through at once. */
const idealMs = ((count - perSecond) / perSecond) * 1_000;

/** 5,000 reads of a service that takes 200 a second and refuses the rest with 429. */
export const run = (): Promise<boolean> => inReadsWorld(compare, { perSecond });

async function compare(world: ReadsWorld): Promise<boolean> {
	const isRight = () => true;
	const variants: Variant[] = [
		{ name: 'this node', count, run: inN8n(world, (n) => get(world, n)) },
		{ name: 'HTTP Request, On Error: Continue', count, run: inN8n(world, continuing(world)), isRight },
	];
	const rounds = new Rounds();
	await rounds.run(variants, 1);
	const ofName = (name: string, figure: (sample: Sample) => number) => rounds.median(name, figure);
	const failed = (name: string) => count - ofName(name, ({ ids = 0 }) => ids);
	table(
		`5,000 reads at 200 a second; ideal ${idealMs / 1_000} s`,
		['variant', 'ms', 'times the ideal', 'failed items', 'refused requests'],
		variants.map(({ name }) => [
			name,
			Math.round(rounds.median(name)),
			(rounds.median(name) / idealMs).toFixed(2),
			failed(name),
			ofName(name, ({ counts }) => counts.refused),
		]),
	);
	const goals = [
		{ name: `wrong answers ${rounds.wrong.join('; ')}`.trim(), value: rounds.wrong.length, atMost: 0 },
		{ name: 'failed items', value: failed('this node'), atMost: 0 },
		{ name: 'times the ideal', value: rounds.median('this node') / idealMs, atMost: 1.1 },
	];
	const timesMine = (ms: number) => Number((ms / rounds.median('this node')).toFixed(2));
	return conclude('rate-limited', goals, {
		bars: { ...bars(variants, ({ name }) => timesMine(rounds.median(name))), 'the ideal': timesMine(idealMs) },
	});
}

function continuing(world: ReadsWorld) {
	return (n: number) => {
		const workflow = httpRequest(world, n);
		for (const node of workflow.nodes) if (node.name === 'HTTP Request') node.onError = 'continueRegularOutput';
		return workflow;
	};
}
