import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { recall, save, type State as Saved } from '../../nodes/BusinessVerification/watch/packing';
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
	return { ...judged(service.inquiries, told, shown, disturbance), failures };
}

/** What ended after the activation and was shown had to be told once; nothing else may be told but what its answers hid. */
function judged(inquiries: Inquiry[], told: Map<string, Set<string>>, shown: Set<string>, disturbance?: Disturbance) {
	const outcome = { ends: 0, lost: [] as string[], repeated: [] as string[] };
	// Where the first poll does not come through, the activation is with the second.
	const isLate = disturbance?.poll === 0 && disturbance.ageMs === undefined;
	const hidden = disturbance?.poll === 0 ? (disturbance.ageMs ?? 0) : 0;
	for (const { id, states, life } of inquiries) {
		const times = new Map<number, number>();
		for (const { at, status, ends } of states) if (!isOpen(status) && !times.has(ends)) times.set(ends, at);
		for (const [number, at] of times) {
			const end = `${id}:${number}`;
			const count = told.get(end)?.size ?? 0;
			const isOurs = at > start && !isLate && shown.has(end);
			const most = at > start - hidden ? 1 : 0;
			if (isOurs) outcome.ends++;
			if (isOurs && count === 0) outcome.lost.push(`${textOf(life)}, end ${number}`);
			if (count > most) outcome.repeated.push(`${textOf(life)}, end ${number}`);
		}
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

function* together(rows: Form['rows']): Generator<World> {
	for (const form of forms(rows))
		for (const intervalMs of intervals)
			for (const disturbance of disturbances) yield { form, intervalMs, disturbance, lives, flow: 0 };
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

const parts: Record<string, (argument: string) => Iterable<World>> = {
	together: () => together('full'),
	'together-bare': () => together('bare'),
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

/** `trigger [part] [seed] [part of a form's name]`: false where more is told than ended, or a good form loses an end. */
export async function trigger([part = '', seed = '1', form = '']: string[]): Promise<boolean> {
	let isGoodAll = true;
	for (const name of part === '' ? Object.keys(parts) : [part]) {
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
