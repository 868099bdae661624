import { isOfFirstFilter, type Life, type Plan, type Verdict } from './plan';
import { type Inquiry, isOpen, Service, type State, type World } from './service';

/** What the service's clocks and copies may differ by, in all. */
export const slackMs = 600_000;

const dayMs = 86_400_000;

const most = (values?: number[]) => Math.max(0, ...(values ?? [0]));

/** Whether a poll has time for less than four requests. */
export const hasFewRequests = ({ answerMs = 0 }: World, { budgetMs = 60_000 }: Plan) => 4 * answerMs > budgetMs;

/** How old, late or wrong all that an answer shows may be together. */
export function disorderOf(world: World): number {
	return (
		most(world.earlyStampMs) +
		(world.nodeSkewMs ?? 0) +
		(world.lagMs ?? 0) +
		(world.statusLagMs ?? 0) +
		(world.commitDelayMs ?? 0) +
		(world.boundsLagMs ?? 0) +
		most(world.replicasMs) +
		(world.dateHeader === 'stale' ? 600_000 : 0)
	);
}

/** The border of the activation, where clocks and copies cannot tell what was before. */
function borderOf(world: World): number {
	return (
		1_000 +
		disorderOf(world) +
		(world.dateHeader === 'stale' ? 600_000 : 0) +
		most(world.lateStampMs) +
		(world.zoneHours === undefined ? 0 : 900_000) +
		Math.min(900_000, Math.abs(world.dateOffMs ?? 0)) +
		Math.min(900_000, Math.abs(world.hostOffMs ?? 0))
	);
}

/** Whether a new version of the service writes another date for this end, or one that an end before it could have. */
function isMoved(life: Life, { states }: Inquiry, number: number, at: number): boolean {
	const { world, service } = life;
	const { deployedAt } = service;
	if (!world.deployed) return false;
	const { zoneHours = 0 } = world;
	const { backfilled, zoneHours: then = 0 } = { zoneHours, ...world.deployed.world };
	const hours = (then - zoneHours) * 3_600_000;
	// Later texts make old ends newer, earlier ones make older what was not looked at before.
	const isShifted =
		hours > 0
			? at < deployedAt && at > deployedAt - hours
			: hours < 0 && looked(life, at) >= deployedAt && at < deployedAt - hours;
	const isDated = ({ completedAt }: State) => completedAt !== null && completedAt < deployedAt;
	return isShifted || (backfilled === true && endsOf(states, number).some(isDated));
}

/** Whether a run that no poll saw leaves a trace. */
const leavesTrace = ({ rowDates = 'shown', atSecondEnd, neverDated, deployed }: World): boolean =>
	rowDates === 'shown' && atSecondEnd !== 'kept' && !neverDated && !deployed?.world.rowDates;

/** Every end was told once, or a limit says why not. */
export function judged(life: Life): Verdict {
	const { service, world, plan } = life;
	const verdict: Verdict = { ends: 0, lost: [], repeated: [], early: [], keys: [], limits: {} };
	const ended = life.events.filter(({ kind }) => kind === 'ended');
	const counts = new Map<string, number>();
	const byKey = new Map<string, string>();
	for (const { key, row } of ended) {
		const end = `${row.id}:${(row.record as { ends: number }).ends}`;
		counts.set(end, (counts.get(end) ?? 0) + 1);
		if ((byKey.get(key) ?? end) !== end) verdict.keys.push(key);
		byKey.set(key, end);
	}
	const border = borderOf(world);
	// So many dates that a wrong clock bears out are believed, and with them the clock.
	const misledFrom =
		service.inquiries.flatMap((inquiry) => borneOut(world, inquiry)).sort((a, b) => a - b)[19] ?? Infinity;
	const lookBack = plan.options?.lookBackMs ?? 0;
	for (const inquiry of service.inquiries) {
		const isLater = plan.filterChanges === true && !isOfFirstFilter(inquiry);
		const watchedFrom = isLater ? life.changedFrom : life.begunAt - lookBack;
		const watchedSurely = isLater ? life.changedAt : life.activatedAt - lookBack;
		for (const [number, at] of firstSights(inquiry)) {
			if (number === 0) continue;
			const end = `${inquiry.id}:${number}`;
			const count = counts.get(end) ?? 0;
			const again = count > 1 ? limitOfRepeat(life, inquiry, number) : undefined;
			if (again) verdict.limits[again] = (verdict.limits[again] ?? 0) + 1;
			else if (count > 1) verdict.repeated.push(end);
			// What a filter rejects is as good as early.
			if (count > 0 && plan.isJudged && !Service.passesScore(inquiry)) verdict.early.push(end);
			// What is created in the future and shows no date of its end cannot be told from a new one.
			const isOpaque = inquiry.createdAt > at + dayMs && !leavesTrace(world);
			// Nor can what is dated as far ahead as a clock.
			const isAhead = borneOut(world, inquiry).includes(at);
			if (at < watchedFrom - border && count > 0 && !isOpaque && !isAhead && !isMoved(life, inquiry, number, at))
				verdict.early.push(end);
			if (at <= watchedSurely + border) continue;
			if (plan.isJudged && !Service.passesScore(inquiry)) continue;
			const limit = limitOf(life, inquiry, number, at, misledFrom);
			if (limit === undefined) verdict.ends++;
			if (count > 0) continue;
			if (limit === undefined) verdict.lost.push(end);
			else verdict.limits[limit] = (verdict.limits[limit] ?? 0) + 1;
		}
	}
	return verdict;
}

function firstSights({ states }: Inquiry): Map<number, number> {
	const first = new Map<number, number>();
	for (const { at, ends, status } of states) if (!first.has(ends) && !isOpen(status)) first.set(ends, at);
	return first;
}

/** Why this end may be told twice; undefined where it may not. */
function limitOfRepeat(life: Life, inquiry: Inquiry, number: number) {
	const { service, world, begunAt } = life;
	const { states } = inquiry;
	if (disorderOf(world) > slackMs) return 'trigger-old-answers: more than ten minutes apart';
	const [shown, dated] = endsOf(states, number);
	if (isMoved(life, inquiry, number, shown.at)) return 'trigger-new-dates: the service moved its dates';
	const isOld = (state: State) =>
		state.ends < number && !isOpen(state.status) && state.completedAt === shown.completedAt;
	const old = shown.completedAt === null ? [] : states.filter(isOld);
	const isUnseen = old.length > 0 && !old.some((state) => service.shown.has(state));
	// Its own date comes, or an old copy shows the run again whose end keeps the date.
	const comesAgain = dated ? dated.at >= begunAt : most(world.replicasMs) > 0;
	return isUnseen && comesAgain ? 'trigger-late-date: found under the date of the end before' : undefined;
}

/** Why this end need not be told, by the anchor of its sentence in docs/limits.md; undefined where it must be. */
function limitOf(life: Life, inquiry: Inquiry, number: number, at: number, misledFrom: number): string | undefined {
	const { service, world, plan, settlingMs, changedFrom, changedAt, shownBefore } = life;
	const { states, gone } = inquiry;
	const next = states.find((state) => state.at > at && state.ends === number && isOpen(state.status))?.at ?? Infinity;
	if (watched(life, at, next) < settlingMs) return 'trigger-last-completion: ran again before any look';
	if (gone.some(([from, to]) => to === Infinity && watched(life, at, from) < settlingMs)) return 'no-cancel: vanished';
	const before = firstSights(inquiry).get(number - 1) ?? 0;
	const runs = states.filter(({ ends, status }) => ends === number - 1 && isOpen(status));
	const wasShown = runs.some((state) => service.shown.has(state));
	const traced = endsOf(states, number).find(({ completedAt }) => completedAt !== null)?.at ?? at;
	// What ran again may be found at the end of a whole round only; where lists fail or are cut, nobody knows when.
	const round = number > 1 ? settlingMs : 0;
	const isShort = hasFewRequests(world, plan);
	const isCut = world.failShare !== undefined || isShort;
	const from = isCut ? 0 : changedFrom - round - disorderOf(world);
	const to = changedAt + disorderOf(world) + Math.min(900_000, Math.max(0, world.dateOffMs ?? 0, world.hostOffMs ?? 0));
	// As it came to stay, for a date may come late.
	const wasSeen = [...runs, ...endsOf(states, number).slice(-1)].some((state) => shownBefore.has(state));
	if (plan.filterChanges && traced > from && at <= to && !wasSeen)
		return 'trigger-filter: ended unseen before a change of filter';
	if (at < inquiry.visibleAt - (world.commitDelayMs ?? 0)) return 'trigger-filter: ended outside the filter';
	const own = dateOf(states, number, at);
	const isTraced = leavesTrace(world) && own !== null;
	const wasThere =
		number > 1 ||
		inquiry.createdAt < life.activatedAt ||
		(plan.filterChanges === true && !wasSeen && inquiry.createdAt < changedAt);
	if (!isTraced && wasThere && !wasShown) return 'trigger-unseen-rerun: no trace';
	const began = states.find((state) => state.ends === number - 1 && state.at > before)?.at ?? 0;
	const metBy = looked(life, before) + (isShort ? settlingMs : 0);
	const isSoon = number > 1 && began < looked(life, metBy + patienceMs) + slackMs;
	const old = dateOf(states, number - 1, at);
	const isHidden = (world.rowDates ?? 'shown') !== 'shown';
	if (isSoon && (own === null || old === null || own === old || isHidden))
		return 'trigger-unseen-rerun: ran again soon after it was looked at';
	if (disorderOf(world) > slackMs && !wasShown) return 'trigger-old-answers: more than ten minutes apart';
	if (at > misledFrom || borneOut(world, inquiry).some((other) => other < at))
		return 'trigger-future-date: dates as far ahead as a clock';
	if (isMoved(life, inquiry, number, at)) return 'trigger-new-dates: the service moved its dates';
	return undefined;
}

const endsOf = (states: State[], number: number): State[] =>
	states.filter(({ ends, status }) => ends === number && !isOpen(status));

/** The date that an end comes to show; null for one that is a day ahead, which counts as none. */
function dateOf(states: State[], number: number, at: number): number | null {
	const date = endsOf(states, number).pop()?.completedAt ?? null;
	return date !== null && date > at + dayMs ? null : date;
}

/** When it ended with a date ahead, by no more than a clock is. */
function borneOut({ futureEndShare, dateHeader, dateOffMs = 0, hostOffMs = 0 }: World, { states }: Inquiry): number[] {
	const ahead = Math.max(hostOffMs, dateHeader === 'absent' ? 0 : dateOffMs);
	if (!futureEndShare || ahead <= 0) return [];
	return states
		.filter(({ at, status, completedAt }) => !isOpen(status) && (completedAt ?? 0) > at + dayMs)
		.filter(({ at, completedAt }) => (completedAt ?? 0) <= at + ahead + dayMs)
		.map(({ at }) => at);
}

/** So long a date is waited for; only then an end is told, and a copy may be ten minutes older. */
const patienceMs = 300_000;

/** How much of a time there were polls. */
function watched({ begunAt, pause: [from, to] }: Life, time: number, end: number): number {
	const begin = Math.max(time, begunAt);
	return end - begin - Math.max(0, Math.min(end, to) - Math.max(begin, from));
}

/** The first poll after a time. */
function looked({ begunAt, pause: [from, to], plan }: Life, time: number): number {
	const { intervalMs = 60_000 } = plan;
	const next = Math.max(time, begunAt) + intervalMs;
	return next >= from && next < to ? to + intervalMs : next;
}
