import { everyLife, type Form, forms, isGood, nameOf } from './lives';
import { add, emptySum, second, type Sum, watched, type World } from './watched';

const lives = everyLife(6);
const intervals = [60, 181, 900].map((seconds) => seconds * second);
const every = [...forms('full'), ...forms('bare')];

/** The worlds of one form, for each interval between polls. */
const parts: Record<string, (form: Form) => World[]> = {
	/** All lives stand in one list. */
	together: (form) => intervals.map((intervalMs) => ({ form, intervalMs, lives })),
	/** No times of other inquiries show how late it is. */
	alone: (form) => intervals.flatMap((intervalMs) => lives.map((life): World => ({ form, intervalMs, lives: [life] }))),
};

const spent = () => process.cpuUsage().user / 1_000_000;

/** Nothing may be repeated, or lost where rows show every run. What else is lost is printed, and the page of limits says why. */
const isRight = (form: Form, { lost, repeated }: Sum) =>
	repeated === 0 && (lost === 0 || !isGood(form) || form.rows === 'bare');

/**
 * `npm run lives` plays all lives in one list, and each alone. Outdated answers and failures are for the simulator.
 * `-- --part <name>` one of them, `--form <part of a name>`.
 */
async function main(words: string[]): Promise<void> {
	const said = (name: string) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : undefined);
	const part = said('part');
	const count = { passed: 0, failed: 0 };
	const played = every.filter((form) => nameOf(form).includes(said('form') ?? ''));
	for (const name of part === undefined ? Object.keys(parts) : [part]) {
		const began = spent();
		for (const form of played) {
			const sum = emptySum();
			for (const world of parts[name](form)) add(sum, world, await watched(world));
			const { worlds, ends, lost, repeated, example } = sum;
			count[isRight(form, sum) ? 'passed' : 'failed']++;
			console.log(
				`${isRight(form, sum) ? ' ' : '✗'} ${name}, ${nameOf(form)}: ${worlds} worlds, of ${ends} completions ${lost} lost, ${repeated} repeated ${example}`,
			);
		}
		console.log(`${name}: ${(spent() - began).toFixed(0)} s`);
	}
	console.log(`${count.passed} passed, ${count.failed} failed`);
	if (count.failed > 0) process.exitCode = 1;
}

void main(process.argv.slice(2));
