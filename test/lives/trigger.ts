import { everyLife, type Form, forms, isGood, nameOf } from './lives';
import before from './before.json';
import { randomFrom } from '../watch/life';
import { ruleLives } from './rule';
import { add, disturbances, emptySum, second, type Sum, type Tracker, watched, type World } from './watched';

const lives = everyLife(6);
const intervals = [60, 181, 900].map((seconds) => seconds * second);
const every = [...forms('full'), ...forms('bare')];

/** All lives stand in one list. */
function* together(among: typeof disturbances): Generator<World> {
	for (const form of every)
		for (const intervalMs of intervals)
			for (const disturbance of among) yield { form, intervalMs, disturbance, lives, flow: 0 };
}

/** Nobody else's times say how late it is. */
function* alone(): Generator<World> {
	for (const form of every)
		for (const intervalMs of intervals) for (const life of lives) yield { form, intervalMs, lives: [life], flow: 0 };
}

/** Two inquiries at a time beside a stream of others, drawn by a seed. */
function* pairs(seed: number): Generator<World> {
	const random = randomFrom(seed);
	const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
	for (let number = 0; number < 20_000; number++) {
		const world = { form: pick(every), intervalMs: pick(intervals), disturbance: pick(disturbances) };
		yield { ...world, lives: [pick(lives), pick(lives)], flow: pick([0, 7, 60]) };
	}
}

/** What is played whole is compared with what the tracker of f8d981d lost in it (`before.json`). */
const parts: Record<string, (seed: number) => Iterable<World>> = {
	together: () => together([undefined]),
	alone,
	disturbed: () => together(disturbances.slice(1)),
	pairs,
};

interface Options {
	seed: number;
	/** So much processor time at most for each part; then every world has the same chance to be played. */
	seconds: number;
	/** Part of a form's name. */
	form: string;
	tracker?: Tracker;
}

const spent = () => process.cpuUsage().user / 1_000_000;

/** In the order of the seed where there is no time for all. */
function drawn<T>(all: T[], { seed, seconds }: Options): T[] {
	const random = randomFrom(seed);
	return Number.isFinite(seconds)
		? all
				.map((one) => ({ one, at: random() }))
				.sort((a, b) => a.at - b.at)
				.map(({ one }) => one)
		: all;
}

async function played(name: string, options: Options): Promise<{ sums: Map<string, Sum>; isWhole: boolean }> {
	const { seed, seconds, form, tracker } = options;
	const sums = new Map<string, Sum>();
	const began = spent();
	const all = [...parts[name](seed)].filter((world) => nameOf(world.form).includes(form));
	for (const world of drawn(all, options)) {
		if (spent() - began > seconds) return { sums, isWhole: false };
		const title = nameOf(world.form);
		const sum = sums.get(title) ?? emptySum();
		sums.set(title, sum);
		add(sum, world, await watched(world, tracker));
	}
	return { sums, isWhole: true };
}

/** More events than completions are never right; a good form loses nothing, another one no more than before. */
function verdictOn(name: string, form: Form, { lost, repeated }: Sum, isWhole: boolean): string | undefined {
	const earlier = (before as Record<string, Record<string, number>>)[name]?.[nameOf(form)];
	const most = isGood(form) && form.rows === 'full' ? 0 : isWhole && earlier !== undefined ? earlier : Infinity;
	if (repeated > 0) return `${repeated} repeated`;
	return lost > most ? `${lost} lost, at most ${most} may be` : undefined;
}

/**
 * `npm run lives -- trigger` plays all: the rule by itself, all lives in one list, each alone, all with each disturbance,
 * pairs by seed. `--part <name>` one of them, `--seconds <n>` so much processor time for each, `--seed <n>`,
 * `--form <part of a name>`. `--tracker <folder>` has an earlier commit's tracker play, and prints what it loses.
 */
export async function trigger(words: string[]): Promise<boolean> {
	const said = (name: string) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : undefined);
	const folder = said('tracker');
	const tracker =
		folder && ({ ...(await import(`${folder}/inquiries`)), ...(await import(`${folder}/packing`)) } as Tracker);
	const options: Options = {
		seed: Number(said('seed') ?? 1),
		seconds: Number(said('seconds') ?? Infinity),
		form: said('form') ?? '',
		...(tracker ? { tracker } : {}),
	};
	const part = said('part');
	const count = { passed: 0, failed: 0 };
	const say = (what: string, form: Form, { worlds, ends, lost, repeated, example }: Sum, verdict?: string) => {
		count[verdict === undefined ? 'passed' : 'failed']++;
		const mark = verdict === undefined ? ' ' : `✗ ${verdict}:`;
		console.log(
			`${mark} ${what}, ${nameOf(form)}: ${worlds} worlds, of ${ends} ends ${lost} lost, ${repeated} repeated ${example}`,
		);
	};
	console.log(`Lives of an inquiry, seed ${options.seed}`);
	if (!tracker && (part ?? 'rule') === 'rule') {
		const until = spent() + options.seconds;
		for (const form of drawn(forms('full'), options).filter((one) => nameOf(one).includes(options.form))) {
			if (spent() > until) break;
			const sum = ruleLives(form);
			say('rule', form, sum, verdictOn('rule', form, sum, false));
		}
	}
	const table: Record<string, Record<string, number>> = {};
	for (const name of part === undefined ? Object.keys(parts) : part === 'rule' ? [] : [part]) {
		const began = spent();
		const { sums, isWhole } = await played(name, options);
		for (const form of every) {
			const sum = sums.get(nameOf(form));
			if (sum) say(name, form, sum, verdictOn(name, form, sum, isWhole));
			if (sum) (table[name] ??= {})[nameOf(form)] = sum.lost;
		}
		console.log(`${name}, ${isWhole ? 'whole' : 'as many as there was time for'}: ${(spent() - began).toFixed(0)} s`);
	}
	if (tracker) console.log(JSON.stringify(table, null, '\t'));
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0;
}
