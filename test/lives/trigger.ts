import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { recall, save, type State as Saved } from '../../nodes/BusinessVerification/watch/packing';
import {
	afterTelling,
	afterUnfinished,
	dated,
	entered,
	isToTell,
	type Known,
	metEnded,
	metUnfinished,
	type Sight,
} from '../../nodes/BusinessVerification/watch/occurrence';
import {
	everyLife,
	type Form,
	forms,
	type Inquiry,
	inquiryOf,
	isGood,
	isOpen,
	type Life,
	nameOf,
	Service,
	type State,
	textOf,
} from './lives';

const second = 1_000;
const start = Date.UTC(2026, 4, 4, 9);

/** One thing that goes wrong, in one poll. */
export interface Disturbance {
	poll: number;
	/** It shows everything so old. */
	ageMs?: number;
	/** This request of it fails. */
	failAt?: number;
	/** n8n stops after it, before it saved anything, or between saving and starting the workflow. */
	stops?: 'before saving' | 'before starting';
}

export const disturbances: Array<Disturbance | undefined> = [
	undefined,
	...[0, 1, 2, 3, 4].flatMap((poll): Disturbance[] => [
		...[45, 110, 250].map((age) => ({ poll, ageMs: age * second })),
		...[1, 2, 3, 4, 5].map((failAt) => ({ poll, failAt })),
		{ poll, stops: 'before saving' },
		...(poll > 0 ? [{ poll, stops: 'before starting' } as const] : []),
	]),
];

export interface World {
	form: Form;
	intervalMs: number;
	disturbance?: Disturbance;
	/** These inquiries stand in one list. */
	lives: Life[];
	/** One ends in each of so many seconds, beside them; none where it is 0. */
	flow: number;
}

export interface Outcome {
	ends: number;
	lost: string[];
	repeated: string[];
	failures: number;
}

/** So long after the last step polls go on. */
const settling = [60, 60, 60, 60, 120, 120, 300, 300, 300];
const once: Life = { from: 'absent', steps: ['RUNNING', 'COMPLETED'] };

/** Three intervals of two steps, seen by a trigger, and what it told of them. */
export async function watched({ form, intervalMs, disturbance, lives, flow }: World): Promise<Outcome> {
	const polls = [0, 1, 2, 3].map((number) => start + number * intervalMs);
	for (const gap of settling) polls.push(polls.at(-1)! + gap * second);
	const stepTimes = [0, 1, 2].flatMap((number) => [1, 2].map((third) => polls[number] + (third * intervalMs) / 3));
	// A crowd does not move at the same moment.
	const inquiries = lives
		.map((life, number) =>
			inquiryOf(
				number + 1,
				life,
				form,
				start,
				stepTimes.map((time) => time + (number % 16) * second),
			),
		)
		.filter(({ states }) => states.length > 0);
	const past = Array.from({ length: 25 }, (_, index) => start - 7_200_000 + index * 60_000);
	const stream =
		flow === 0
			? []
			: Array.from(
					{ length: (polls.at(-1)! - start) / (flow * second) },
					(_, index) => start - 60_000 + index * flow * second,
				);
	const others = [...past, ...stream].map((at, index) =>
		inquiryOf(100_000 + index, once, form, start, [at, at + 30_500]),
	);
	const service = new Service([...inquiries, ...others], form);
	let state: Saved | undefined;
	let shown = new Set<string>();
	let recheckMs: number | undefined;
	let failures = 0;
	const told = new Map<string, Set<string>>();
	for (const [number, at] of polls.entries()) {
		const trouble = disturbance?.poll === number ? disturbance : undefined;
		Object.assign(service, { now: at, requests: 0, ageMs: trouble?.ageMs ?? 0, failAt: trouble?.failAt ?? 0 });
		service.shown = new Set(shown);
		try {
			const { events, next } = await pollInquiries(service, recall(state), {
				...{ organisation: 'o', account: 'a', filters: 'f' },
				...(recheckMs === undefined ? {} : { recheckMs }),
			});
			if (trouble?.stops === 'before saving') continue;
			state = save(next);
			shown = service.shown;
			const isLost = trouble?.stops === 'before starting';
			recheckMs = isLost ? 3_600_000 : undefined;
			for (const [place, { kind, row, key }] of events.entries()) {
				if (kind !== 'ended') continue;
				const end = `${row.id}:${(row.record as { ends: number }).ends}`;
				// The re-check has to bring it back if it is shown once more.
				if (isLost && shown.delete(end)) continue;
				// A re-check repeats ends under their keys; nothing else repeats any.
				const name = disturbance?.stops === 'before starting' ? key : `${number} ${place}`;
				told.set(end, (told.get(end) ?? new Set()).add(name));
			}
		} catch {
			failures++;
		}
	}
	return { ...judged(service.inquiries, told, shown, isGood(form), disturbance), failures };
}

/**
 * What ended after the activation and was shown had to be told once; nothing else may be told but what its answers hid.
 * Where times do not tell runs apart an end may be told under the date of the one before: there only counts are compared.
 */
function judged(
	inquiries: Inquiry[],
	told: Map<string, Set<string>>,
	shown: Set<string>,
	isStrict: boolean,
	disturbance?: Disturbance,
) {
	const outcome = { ends: 0, lost: [] as string[], repeated: [] as string[] };
	// Where the first poll does not come through, the activation is with the second.
	const isLate = disturbance?.poll === 0 && disturbance.ageMs === undefined;
	const hidden = disturbance?.poll === 0 ? (disturbance.ageMs ?? 0) : 0;
	for (const { id, states, life } of inquiries) {
		const times = new Map<number, number>();
		for (const { at, status, ends } of states) if (!isOpen(status) && !times.has(ends)) times.set(ends, at);
		const lost: number[] = [];
		const surplus: number[] = [];
		let untold = 0;
		for (const [number, at] of times) {
			const count = told.get(`${id}:${number}`)?.size ?? 0;
			const most = at > start - hidden ? 1 : 0;
			for (let more = count; more > most; more--) surplus.push(number);
			if (most > count) untold++;
			if (at <= start || isLate || !shown.has(`${id}:${number}`)) continue;
			outcome.ends++;
			if (count === 0) lost.push(number);
		}
		if (!isStrict) lost.splice(0, surplus.length);
		if (!isStrict) surplus.splice(0, untold);
		outcome.lost.push(...lost.map((number) => `${textOf(life)}, end ${number}`));
		outcome.repeated.push(...surplus.map((number) => `${textOf(life)}, end ${number}`));
	}
	return outcome;
}

export interface Sum {
	worlds: number;
	ends: number;
	lost: number;
	repeated: number;
	example: string;
}

export const emptySum = (): Sum => ({ worlds: 0, ends: 0, lost: 0, repeated: 0, example: '' });

export function add(sum: Sum, { disturbance, intervalMs }: World, { ends, lost, repeated }: Outcome): void {
	sum.worlds++;
	sum.ends += ends;
	sum.lost += lost.length;
	sum.repeated += repeated.length;
	const [found] = [...repeated.map((end) => `repeated ${end}`), ...lost.map((end) => `lost ${end}`)];
	if (found && (sum.example === '' || disturbance === undefined))
		sum.example ||= `${found}; polls of ${intervalMs / second} s; ${JSON.stringify(disturbance ?? 'undisturbed')}`;
}

export const lives = everyLife(6);
export const intervals = [60, 181, 900].map((seconds) => seconds * second);

/** So many at a time: a poll has time for 200 requests, and rows without times take one for each end. */
const groupSize = { full: Infinity, bare: 50 };

function* together(rows: Form['rows'], among: Array<Disturbance | undefined>): Generator<World> {
	for (const form of forms(rows))
		for (const intervalMs of intervals)
			for (const disturbance of among)
				for (let from = 0; from < lives.length; from += groupSize[rows])
					yield { form, intervalMs, disturbance, lives: lives.slice(from, from + groupSize[rows]), flow: 0 };
}

function* alone(rows: Form['rows'], disturbed: boolean): Generator<World> {
	for (const form of forms(rows))
		for (const intervalMs of disturbed ? intervals.slice(0, 1) : intervals)
			for (const disturbance of disturbed ? disturbances.slice(1) : [undefined])
				for (const life of lives) yield { form, intervalMs, disturbance, lives: [life], flow: 0 };
}

/** Two inquiries at a time beside a stream of others, drawn by a seed. */
export function* pairs(count: number, random: () => number): Generator<World> {
	const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
	const every = [...forms('full'), ...forms('bare')];
	for (let number = 0; number < count; number++) {
		const world = { form: pick(every), intervalMs: pick(intervals), disturbance: pick(disturbances) };
		yield { ...world, lives: [pick(lives), pick(lives)], flow: pick([0, 7, 60]) };
	}
}

const ages = [0, 45, 110];
const looks = [0, 60, 120, 180, 300, 500, 700, 900, 1_200];

/** The rule by itself: every life in every form, seen at four polls by copies of every pattern of ages, and then as it is. */
export function ruleLives(form: Form): Sum {
	const sum = emptySum();
	const cut = Math.floor(start / second);
	const stepTimes = [20, 40, 80, 100, 140, 160].map((time) => start + time * second);
	for (const [number, life] of lives.entries()) {
		const { states, createdAt } = inquiryOf(number, life, form, start, stepTimes);
		if (states.length === 0) continue;
		const created = Math.floor(createdAt / second);
		for (let pattern = 0; pattern < ages.length ** 4; pattern++) {
			let entry: Known | undefined;
			const told = new Map<number, number>();
			const shown = new Set<number>();
			for (const [place, at] of looks.entries()) {
				const age = place < 4 ? ages[Math.floor(pattern / ages.length ** place) % ages.length] : 0;
				const state = states.filter((one) => one.at <= start + (at - age) * second).at(-1);
				if (!state) continue;
				const sight = sightOf(form, created, state);
				const now = cut + at;
				const look = { now, cut, isFirst: place === 0, latestAt: (time: number) => time + 180 };
				if (isOpen(state.status)) {
					entry = entry ? afterUnfinished(entry, sight, now) : metUnfinished(sight, cut, look);
					continue;
				}
				// An end that is shown after a later one was superseded.
				if (place > 0 && state.ends >= Math.max(0, ...shown)) shown.add(state.ends);
				const known = entry ?? entered(created, cut);
				if (look.isFirst && !entry) entry = metEnded(sight, now);
				else if (isToTell(known, sight, look)) {
					entry = afterTelling(known, sight, look);
					told.set(state.ends, (told.get(state.ends) ?? 0) + 1);
				} else if (entry) entry = dated(entry, sight);
			}
			const times = new Map<number, number>();
			for (const { status, ends, at } of states) if (!isOpen(status) && !times.has(ends)) times.set(ends, at);
			const due = new Set([...shown].filter((end) => times.get(end)! > start));
			// What ended just before the activation may have been hidden from it.
			const most = [...times.values()].filter((at) => at > start - 120_000).length;
			const count = [...told.values()].reduce((total, times) => total + times, 0);
			sum.worlds++;
			sum.ends += due.size;
			const lost = [...due].filter((one) => !told.has(one)).length;
			sum.lost += isGood(form) ? lost : Math.max(0, due.size - count);
			sum.repeated += Math.max(0, count - most);
			if (!sum.example && ((lost > 0 && isGood(form)) || count > most))
				sum.example = `${textOf(life)}, copies ${pattern}`;
		}
	}
	return sum;
}

function sightOf(form: Form, created: number, { status, startedAt, completedAt }: State): Sight {
	const isStarted = form.start !== 'missing';
	const startedSecond = Math.floor((startedAt ?? 0) / second);
	const date = Math.floor((completedAt ?? 0) / second);
	return { created, start: isStarted ? startedSecond : created, date, isWrong: false, isStarted, status };
}

const parts: Record<string, (argument: string) => Iterable<World>> = {
	together: () => together('full', [undefined]),
	'together-bare': () => together('bare', [undefined]),
	'together-disturbed': () => together('full', disturbances.slice(1)),
	'together-bare-disturbed': () => together('bare', disturbances.slice(1)),
	alone: () => alone('full', false),
	'alone-bare': () => alone('bare', false),
	'alone-disturbed': () => alone('full', true),
	pairs: (seed) => pairs(20_000, randomFrom(Number(seed))),
};

export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

function rule(part: string): boolean {
	let isGoodAll = true;
	for (const form of forms('full').filter((one) => nameOf(one).includes(part))) {
		const { worlds, ends, lost, repeated, example } = ruleLives(form);
		if (repeated > 0 || (lost > 0 && isGood(form))) isGoodAll = false;
		console.log(`  rule, ${nameOf(form)}: ${worlds} of ${ends} ends, ${lost} lost, ${repeated} too many ${example}`);
	}
	return isGoodAll;
}

/** `trigger [part] [seed] [part of a form's name]`: false where more is told than ended, or a good form loses an end. */
export async function trigger([part = '', seed = '1', form = '']: string[]): Promise<boolean> {
	let isGoodAll = true;
	if (part === '' || part === 'rule') isGoodAll = rule(form);
	for (const name of part === '' ? Object.keys(parts) : part === 'rule' ? [] : [part]) {
		const sums = new Map<string, Sum>();
		const began = process.cpuUsage().user;
		for (const world of parts[name](seed)) {
			const title = nameOf(world.form);
			if (!title.includes(form)) continue;
			const sum = sums.get(title) ?? emptySum();
			sums.set(title, sum);
			add(sum, world, await watched(world));
			if (isGood(world.form) && sum.lost > 0) isGoodAll = false;
			if (sum.repeated > 0) isGoodAll = false;
		}
		console.log(`${name}, seed ${seed}, ${((process.cpuUsage().user - began) / 1_000_000).toFixed(0)} s`);
		for (const [title, { ends, lost, repeated, example }] of sums)
			console.log(`  ${title}: of ${ends} ${lost} lost, ${repeated} repeated${example && ` (${example})`}`);
		const all = [...sums.values()];
		const of = (key: 'worlds' | 'ends' | 'lost' | 'repeated') => all.reduce((total, sum) => total + sum[key], 0);
		console.log(`${name}: ${of('worlds')} worlds, ${of('ends')} ends, ${of('lost')} lost, ${of('repeated')} repeated`);
	}
	return isGoodAll;
}
