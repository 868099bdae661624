import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { recall, save } from '../../nodes/BusinessVerification/watch/memory';
import { type Form, type Inquiry, inquiryOf, isGood, isOpen, type Life, Service, textOf } from './lives';

export const second = 1_000;
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
	let state: unknown;
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
				...{ organization: 'o', account: 'a', filters: 'f' },
				// Seven hundred inquiries whose records are read one by one stand for as many services.
				limits: { requests: 10_000 },
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
				// A re-check repeats ends under their keys, and under another one where they show no times of their own.
				const isSteady = isGood(form) && form.lateMs === 0;
				const name = disturbance?.stops !== 'before starting' ? `${number} ${place}` : isSteady ? key : 'unsteady';
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
