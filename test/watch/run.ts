import { type Outcome, simulate } from './simulator';
import { realWorld } from './worlds';

/**
 * `npx tsx test/watch/run.ts real <completions> [first seed]`: real worlds until so many completions had to be reported.
 * Fails if one was lost, repeated, early or late.
 */
const main = ([, count, first]: string[]) => real(Number(count ?? 20_000), seedsFrom(first ?? process.env.SEED));

/** Unless told where to begin, with worlds in which a completion was once lost. */
function* seedsFrom(first: string | undefined): Generator<number> {
	if (first === undefined) yield* [11, 13, 2007];
	for (let seed = Number(first ?? 1); ; seed++) yield seed;
}

const sizes = ({ lost, repeated, early, late }: Outcome) => [lost, repeated, early, late].map(({ length }) => length);

async function real(wanted: number, seeds: Generator<number>): Promise<void> {
	let last: number | undefined;
	const sums = { worlds: 0, bad: 0, completions: 0, superseded: 0, requests: 0, polls: 0 };
	const faults = [0, 0, 0, 0];
	const say = () =>
		console.log(
			`${sums.worlds} real worlds, the last with seed ${last}: ${sums.completions} completions, ${faults[0]} lost, ${faults[1]} repeated, ${faults[2]} early, ${faults[3]} late; ${sums.superseded} ran again before they could be found; ${(sums.requests / sums.polls).toFixed(1)} requests a poll`,
		);
	for (const seed of seeds) {
		if (sums.completions >= wanted) break;
		last = seed;
		const { world, plan } = realWorld(seed);
		const outcome = await simulate(world, plan);
		sums.worlds++;
		for (const name of ['completions', 'superseded', 'requests', 'polls'] as const) sums[name] += outcome[name];
		sizes(outcome).forEach((size, place) => (faults[place] += size));
		if (sizes(outcome).some((size) => size > 0)) {
			sums.bad++;
			const { lost, repeated, early, late } = outcome;
			const examples = Object.entries({ lost, repeated, early, late }).filter(([, names]) => names.length > 0);
			const said = examples.map(([what, names]) => `${names.length} ${what} (${names.slice(0, 3).join(', ')})`);
			console.log(`seed ${seed}: ${said.join('; ')} ${JSON.stringify({ ...world, ...plan })}`);
		}
		if (sums.worlds % 10 === 0) say();
	}
	say();
	console.log(`${sums.worlds - sums.bad} passed, ${sums.bad} failed`);
	if (sums.bad > 0) process.exitCode = 1;
}

void main(process.argv.slice(2));
