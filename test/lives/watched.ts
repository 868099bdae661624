import { pollInquiries } from '../../nodes/BusinessVerification/watch/inquiryPoll';
import { recall, save } from '../../nodes/BusinessVerification/watch/memory';
import { type Inquiry, isFinal, Service } from '../watch/service';
import { type Form, isGood, type Life, serviceOf, textOf } from './lives';

export const second = 1_000;

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
	const service = new Service(serviceOf(form), 1);
	const start = service.now + 10_800 * second;
	const polls = [0, 1, 2, 3].map((number) => start + number * intervalMs);
	for (const gap of settling) polls.push(polls.at(-1)! + gap * second);
	const stepTimes = [0, 1, 2].flatMap((number) => [1, 2].map((third) => polls[number] + (third * intervalMs) / 3));
	const names: Names = new Map();
	for (let at = start - 7_200 * second; at < start - 5_700 * second; at += 60 * second)
		plan(service, names, once, start, [at, at + 30.5 * second]);
	for (const [number, life] of lives.entries()) {
		// A crowd does not move at the same moment.
		const times = stepTimes.map((time) => time + (number % 16) * second);
		plan(service, names, life, start, times);
	}
	let state: unknown;
	const reported = new Map<string, number>();
	for (const at of polls) {
		service.passTo(at);
		service.deadline = at + 36 * second;
		const { events, next } = await pollInquiries(service, recall(state), {
			...{ organization: 'o', account: 'a', filters: 'f' },
			// Seven hundred inquiries whose records are read one by one stand for as many services.
			limits: { requests: 10_000 },
		});
		state = save(next);
		for (const { kind, row } of events) {
			if (kind !== 'ended') continue;
			const end = `${row.id}:${(row.json as { ends: number }).ends}`;
			reported.set(end, (reported.get(end) ?? 0) + 1);
		}
	}
	return judged(service, names, reported, form, start);
}

/** Each inquiry, and its life as text. */
type Names = Map<Inquiry, string>;

/** What was there at the activation began an hour before; what had finished did so just before. */
function plan(service: Service, names: Names, life: Life, start: number, times: number[]) {
	const { from, steps } = life;
	let inquiry: Inquiry | undefined;
	const before = [from === 'absent' ? '' : 'RUNNING', isFinal(from) ? from : ''];
	const moments = [start - 3_600 * second, start - 40 * second, ...times];
	for (const [place, status] of [...before, ...steps].entries()) {
		if (status === '') continue;
		service.plan(moments[place] - service.now, () => {
			if (inquiry && isFinal(status)) service.end(inquiry, status);
			else if (inquiry) service.run(inquiry);
			else names.set((inquiry = service.create()), textOf(life));
		});
	}
}

/**
 * What finished after the activation and was shown has to be reported once, and nothing else. Where times do not tell runs
 * apart, a completion may be reported under the date of the one before: there only counts are compared.
 */
function judged({ shown }: Service, names: Names, reported: Map<string, number>, form: Form, start: number) {
	const outcome: Outcome = { ends: 0, lost: [], repeated: [] };
	for (const [{ id, states }, name] of names) {
		const lost: string[] = [];
		const surplus: string[] = [];
		let missing = 0;
		for (const [place, { at, status, ends }] of states.entries()) {
			if (!isFinal(status) || states[place - 1].ends === ends) continue;
			const end = `${name}, end ${ends}`;
			const count = reported.get(`${id}:${ends}`) ?? 0;
			const most = at > start ? 1 : 0;
			for (let more = count; more > most; more--) surplus.push(end);
			if (most > count) missing++;
			const before = states.filter((state, index) => index < place && shown.has(state)).pop();
			// A row that shows what it showed before shows nothing.
			const isShown =
				states.some((state) => state.ends === ends && isFinal(state.status) && shown.has(state)) &&
				!(form.rows === 'bare' && before?.status === status);
			if (at <= start || !isShown) continue;
			outcome.ends++;
			if (count === 0) lost.push(end);
		}
		if (!isGood(form)) lost.splice(0, surplus.length);
		if (!isGood(form)) surplus.splice(0, missing);
		outcome.lost.push(...lost);
		outcome.repeated.push(...surplus);
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
