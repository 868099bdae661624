import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiries';
import { recall, save } from '../../nodes/BusinessVerification/watch/memory';
import { type Form, inquiryOf, isGood, isOpen, type Life, Service, textOf } from './lives';

export const second = 1_000;
const start = Date.UTC(2026, 4, 4, 9);

export interface World {
	form: Form;
	intervalMs: number;
	/** These inquiries stand in one list. */
	lives: Life[];
}

export interface Outcome {
	ends: number;
	lost: string[];
	repeated: string[];
}

/** So long after the last step polls go on. */
const settling = [60, 60, 60, 60, 120, 120, 300, 300, 300];
const once: Life = { from: 'absent', steps: ['RUNNING', 'COMPLETED'] };

/** Three intervals of two steps, seen by a trigger, and what it reported of them. */
export async function watched({ form, intervalMs, lives }: World): Promise<Outcome> {
	const polls = [0, 1, 2, 3].map((number) => start + number * intervalMs);
	for (const gap of settling) polls.push(polls.at(-1)! + gap * second);
	const stepTimes = [0, 1, 2].flatMap((number) => [1, 2].map((third) => polls[number] + (third * intervalMs) / 3));
	// A crowd does not move at the same moment.
	const timesOf = (number: number) => stepTimes.map((time) => time + (number % 16) * second);
	const inquiries = lives
		.map((life, number) => inquiryOf(number + 1, life, form, start, timesOf(number)))
		.filter(({ states }) => states.length > 0);
	const others = Array.from({ length: 25 }, (_, index) => {
		const at = start - 7_200_000 + index * 60_000;
		return inquiryOf(100_000 + index, once, form, start, [at, at + 30_500]);
	});
	const service = new Service([...inquiries, ...others], form);
	let state: unknown;
	const reported = new Map<string, number>();
	for (const at of polls) {
		service.now = at;
		const { events, next } = await pollInquiries(service, recall(state), {
			...{ organization: 'o', account: 'a', filters: 'f' },
			// Seven hundred inquiries whose records are read one by one stand for as many services.
			limits: { requests: 10_000 },
		});
		state = save(next);
		for (const { kind, row } of events) {
			if (kind !== 'ended') continue;
			const end = `${row.id}:${(row.record as { ends: number }).ends}`;
			reported.set(end, (reported.get(end) ?? 0) + 1);
		}
	}
	return judged(service, reported, isGood(form));
}

/**
 * What finished after the activation and was shown has to be reported once, and nothing else. Where times do not tell runs
 * apart, a completion may be reported under the date of the one before: there only counts are compared.
 */
function judged({ inquiries, shown }: Service, reported: Map<string, number>, isStrict: boolean): Outcome {
	const outcome = { ends: 0, lost: [] as string[], repeated: [] as string[] };
	for (const { id, states, life } of inquiries) {
		const times = new Map<number, number>();
		for (const { at, status, ends } of states) if (!isOpen(status) && !times.has(ends)) times.set(ends, at);
		const lost: number[] = [];
		const surplus: number[] = [];
		let missing = 0;
		for (const [number, at] of times) {
			const count = reported.get(`${id}:${number}`) ?? 0;
			const most = at > start ? 1 : 0;
			for (let more = count; more > most; more--) surplus.push(number);
			if (most > count) missing++;
			if (at <= start || !shown.has(`${id}:${number}`)) continue;
			outcome.ends++;
			if (count === 0) lost.push(number);
		}
		if (!isStrict) lost.splice(0, surplus.length);
		if (!isStrict) surplus.splice(0, missing);
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

export function add(sum: Sum, { intervalMs }: World, { ends, lost, repeated }: Outcome): void {
	sum.worlds++;
	sum.ends += ends;
	sum.lost += lost.length;
	sum.repeated += repeated.length;
	const [found] = [...repeated.map((end) => `repeated ${end}`), ...lost.map((end) => `lost ${end}`)];
	if (found) sum.example ||= `${found}; polls of ${intervalMs / second} s`;
}
