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
import { everyLife, type Form, inquiryOf, isGood, isOpen, type State, textOf } from './lives';
import { emptySum, second, start, type Sum } from './watched';

const lives = everyLife(6);
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
				if (look.isFirst && !entry) entry = metEnded(sight, now, cut);
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
