import { everyLife, type Form, forms, isGood, nameOf } from './lives';
import { randomFrom } from '../watch/random';
import { add, emptySum, second, type Sum, watched, type World } from './watched';

const lives = everyLife(6);
const intervals = [60, 181, 900].map((seconds) => seconds * second);
const every = [...forms('full'), ...forms('bare')];

/** All lives stand in one list. */
function* together(): Generator<World> {
	for (const form of every) for (const intervalMs of intervals) yield { form, intervalMs, lives };
}

/** No times of other inquiries show how late it is. */
function* alone(): Generator<World> {
	for (const form of every)
		for (const intervalMs of intervals) for (const life of lives) yield { form, intervalMs, lives: [life] };
}

const parts: Record<string, () => Iterable<World>> = { together, alone };

interface Options {
	seed: number;
	/** So much processor time at most for each part; then every world has the same chance to be played. */
	seconds: number;
	/** Part of a form's name. */
	form: string;
}

const spent = () => process.cpuUsage().user / 1_000_000;

/** In the order of the seed where there is no time for all. */
function drawn<T>(all: T[], { seed, seconds }: Options): T[] {
	if (!Number.isFinite(seconds)) return all;
	const random = randomFrom(seed);
	const placed = all.map((one) => ({ one, at: random() }));
	return placed.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

async function played(name: string, options: Options): Promise<{ sums: Map<string, Sum>; isWhole: boolean }> {
	const { seconds, form } = options;
	const sums = new Map<string, Sum>();
	const began = spent();
	const all = [...parts[name]()].filter((world) => nameOf(world.form).includes(form));
	for (const world of drawn(all, options)) {
		if (spent() - began > seconds) return { sums, isWhole: false };
		const title = nameOf(world.form);
		const sum = sums.get(title) ?? emptySum();
		sums.set(title, sum);
		add(sum, world, await watched(world));
	}
	return { sums, isWhole: true };
}

/** Where rows show every run, nothing may be lost or repeated. What else is lost is printed, and the page of limits says why. */
const isRight = (form: Form, { lost, repeated }: Sum) => !isGood(form) || form.rows === 'bare' || lost + repeated === 0;

/**
 * `npm run lives -- trigger` plays all lives in one list, and each alone. Outdated answers and failures are for the simulator.
 * `--part <name>` one of them, `--seconds <n>` so much processor time for each, `--seed <n>`, `--form <part of a name>`.
 */
export async function trigger(words: string[]): Promise<boolean> {
	const said = (name: string) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : undefined);
	const options: Options = {
		seed: Number(said('seed') ?? 1),
		seconds: Number(said('seconds') ?? Infinity),
		form: said('form') ?? '',
	};
	const part = said('part');
	const count = { passed: 0, failed: 0 };
	console.log(`Lives of an inquiry, seed ${options.seed}`);
	for (const name of part === undefined ? Object.keys(parts) : [part]) {
		const began = spent();
		const { sums, isWhole } = await played(name, options);
		for (const form of every) {
			const sum = sums.get(nameOf(form));
			if (!sum) continue;
			const { worlds, ends, lost, repeated, example } = sum;
			count[isRight(form, sum) ? 'passed' : 'failed']++;
			console.log(
				`${isRight(form, sum) ? ' ' : '✗'} ${name}, ${nameOf(form)}: ${worlds} worlds, of ${ends} completions ${lost} lost, ${repeated} repeated ${example}`,
			);
		}
		console.log(`${name}, ${isWhole ? 'whole' : 'as many as there was time for'}: ${(spent() - began).toFixed(0)} s`);
	}
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0;
}
