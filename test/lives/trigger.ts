import { everyLife, type Form, forms, isGood, nameOf } from './lives';
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

const spent = () => process.cpuUsage().user / 1_000_000;

/** `form` is a part of the names of the forms to play. */
async function played(name: string, form: string): Promise<Map<string, Sum>> {
	const sums = new Map<string, Sum>();
	for (const world of parts[name]()) {
		const title = nameOf(world.form);
		if (!title.includes(form)) continue;
		const sum = sums.get(title) ?? emptySum();
		sums.set(title, sum);
		add(sum, world, await watched(world));
	}
	return sums;
}

/** Where rows show every run, nothing may be lost or repeated. What else is lost is printed, and the page of limits says why. */
const isRight = (form: Form, { lost, repeated }: Sum) => !isGood(form) || form.rows === 'bare' || lost + repeated === 0;

/**
 * `npm run lives -- trigger` plays all lives in one list, and each alone. Outdated answers and failures are for the simulator.
 * `--part <name>` one of them, `--form <part of a name>`.
 */
export async function trigger(words: string[]): Promise<boolean> {
	const said = (name: string) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : undefined);
	const part = said('part');
	const count = { passed: 0, failed: 0 };
	for (const name of part === undefined ? Object.keys(parts) : [part]) {
		const began = spent();
		const sums = await played(name, said('form') ?? '');
		for (const form of every) {
			const sum = sums.get(nameOf(form));
			if (!sum) continue;
			const { worlds, ends, lost, repeated, example } = sum;
			count[isRight(form, sum) ? 'passed' : 'failed']++;
			console.log(
				`${isRight(form, sum) ? ' ' : '✗'} ${name}, ${nameOf(form)}: ${worlds} worlds, of ${ends} completions ${lost} lost, ${repeated} repeated ${example}`,
			);
		}
		console.log(`${name}: ${(spent() - began).toFixed(0)} s`);
	}
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0;
}
