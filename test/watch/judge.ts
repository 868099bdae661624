import type { StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
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
		// One clock may be as far behind as another is ahead, and by a minute more than rows have shown.
		(world.nodeSkewMs === undefined ? 0 : world.nodeSkewMs + 60_000) +
		(world.dateHeader === 'stale' ? 600_000 : 0) +
		most(world.lateStampMs) +
		(world.startAheadMs ?? 0) +
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
export const leavesTrace = ({ rowDates = 'shown', atSecondEnd, neverDated, deployed, ...world }: World): boolean =>
	showsStart(world) || (rowDates === 'shown' && atSecondEnd !== 'kept' && !neverDated && !deployed?.world.rowDates);

/** Whether rows show of each run when it began. */
const showsStart = ({ startAheadMs, startStands }: World) => startAheadMs !== undefined && !startStands;

/** What the answers to polls whose memory was saved have shown of one completion. */
interface Showings {
	/** Whether any showed it before what came after it; a filter on results has to let it through too. */
	isShown: boolean;
	/** The first poll that was shown it as it came to stay and, with a filter on results, let through; never if none was. */
	firstAt: number;
	/** Whether a row showed a time of its own. */
	isDated: boolean;
	/** Whether rows or records showed dates that tell it from the completion before it. */
	isToldApart: boolean;
	/** Whether no row showed its date before a record showed the next one, with the same status and by the same poll. */
	isOvertaken: boolean;
	/** The first and the last time that its run was shown unfinished; never and 0 if nothing showed it. */
	firstRunAt: number;
	runAt: number;
	/** When the completion before it was reported, or shown where it counted as reported; never if nothing showed it. */
	beforeAt: number;
}

function showingsOf({ service, world, plan, toldAt }: Life, { id, states }: Inquiry, number: number): Showings {
	const { shown, passed } = service;
	const own = endsOf(states, number);
	const last = own[own.length - 1];
	const later = states.slice(states.indexOf(last) + 1);
	const laterAt = Math.min(...later.map((state) => shown.get(state)?.first ?? Infinity));
	const isFirst = (state: State) => (plan.isJudged ? passed : shown).get(state)!.first <= laterAt;
	const old = new Set(states.filter(({ ends }) => ends < number).map(({ completedAt }) => completedAt));
	// A date a day ahead counts as none.
	const isOwn = ({ at, completedAt }: State) => !old.has(completedAt) && (completedAt ?? 0) <= at + dayMs;
	const isStarted = (state: State) => showsStart(world) && shown.has(state);
	const isSeen = (state: State) => shown.get(state)?.isDated === true || shown.get(state)?.isRead === true;
	const runs = states.filter(({ ends, status }) => ends === number - 1 && isOpen(status));
	return {
		isShown: own.some((state) => shown.has(state) && (!plan.isJudged || passed.has(state)) && isFirst(state)),
		firstAt: Math.max(
			...(plan.isJudged ? [shown, passed] : [shown]).map((one) => one.get(last)?.firstPoll ?? Infinity),
		),
		isDated: own.some((state) => isStarted(state) || (shown.get(state)?.isDated === true && isOwn(state))),
		isToldApart:
			own.some(isStarted) ||
			(own.some((state) => isSeen(state) && isOwn(state)) && endsOf(states, number - 1).some(isSeen)),
		isOvertaken: endsOf(states, number + 1).some(
			(state) =>
				shown.get(state)?.isRead === true &&
				state.status === own[0].status &&
				own.some((one) => shown.get(one)?.firstPoll === shown.get(state)?.firstPoll),
		),
		firstRunAt: Math.min(...runs.map((state) => shown.get(state)?.firstPoll ?? Infinity)),
		runAt: Math.max(0, ...runs.map((state) => shown.get(state)?.lastPoll ?? 0)),
		beforeAt:
			toldAt.get(`${id}:${number - 1}`) ??
			Math.min(...endsOf(states, number - 1).map((state) => shown.get(state)?.firstPoll ?? Infinity)),
	};
}

/** Every end was told once, or a limit says why not. */
export function judged(life: Life): Verdict {
	const { service, world, plan } = life;
	const verdict: Verdict = { ends: 0, lost: [], repeated: [], early: [], late: [], keys: [], limits: {} };
	const ended = life.events.filter(({ kind }) => kind === 'ended');
	const counts = new Map<string, number>();
	const byKey = new Map<string, string>();
	for (const { kind, row } of life.events)
		if (kind === 'created') counts.set(`${row.id}:created`, (counts.get(`${row.id}:created`) ?? 0) + 1);
	for (const { key, row } of ended) {
		const end = endOf(row);
		counts.set(end, (counts.get(end) ?? 0) + 1);
		if ((byKey.get(key) ?? end) !== end) verdict.keys.push(key);
		byKey.set(key, end);
	}
	const border = borderOf(world);
	// So many dates that a wrong clock bears out are believed, and with them the clock.
	const misledFrom =
		service.inquiries.flatMap((inquiry) => borneOut(world, inquiry)).sort((a, b) => a - b)[19] ?? Infinity;
	const lookBack = plan.options?.lookBackMs ?? 0;
	// Of a longer pause only the end is caught up with.
	const { catchUpMs = Infinity } = plan.options ?? {};
	const around = border + hoursOff(life);
	// The time of the last poll is the one at its start, so what happened during that poll may be reported besides.
	const slowMs = Math.min(plan.budgetMs ?? 60_000, 6 * (world.answerMs ?? 0));
	const caughtUp = [life.pause[0] - (plan.intervalMs ?? 60_000), life.pause[1] - catchUpMs];
	for (const inquiry of service.inquiries) {
		const isLater = plan.filterChanges === true && !isOfFirstFilter(inquiry);
		// Where the first list was empty by mistake, everything is new.
		const watchedFrom = isLater ? life.keptFrom : life.beganEmpty ? -Infinity : life.begunAt - lookBack;
		const watchedSurely = isLater ? life.changedAt : life.activatedAt - lookBack;
		judgeCreation(life, inquiry, verdict, counts.get(`${inquiry.id}:created`) ?? 0, {
			from: watchedFrom - border,
			to: watchedSurely + border,
			misledFrom,
		});
		for (const [number, at] of firstSights(inquiry)) {
			if (number === 0) continue;
			const end = `${inquiry.id}:${number}`;
			const count = counts.get(end) ?? 0;
			const again = count > 1 ? limitOfRepeat(life, inquiry, number) : undefined;
			if (again) verdict.limits[again] = (verdict.limits[again] ?? 0) + 1;
			else if (count > 1) verdict.repeated.push(end);
			// What a filter rejects is as good as early.
			if (count > 0 && plan.isJudged && !Service.passesScore(inquiry)) verdict.early.push(end);
			// What is created in the future cannot be told from a new one if it comes later or shows no date of its end.
			const comesLater = isLater || inquiry.visibleAt > life.begunAt;
			const isOpaque = inquiry.createdAt > at + dayMs && (comesLater || lookBack > 0 || !leavesTrace(world));
			// Nor can what is dated as far ahead as a clock.
			const isAhead = borneOut(world, inquiry).includes(at);
			if (at < watchedFrom - border && count > 0 && !isOpaque && !isAhead && !isMoved(life, inquiry, number, at))
				verdict.early.push(end);
			const { firstAt, isDated } = showingsOf(life, inquiry, number);
			// What shows no date, or is awaited by a filter, may have been shown and not yet reported.
			const doubt = isDated && !plan.isJudged ? 0 : oldestCopyMs + (plan.intervalMs ?? 60_000);
			const isWithin = at > caughtUp[0] + around && at <= caughtUp[1] - around - slowMs - unsureMs(life);
			// Nor can what shows no date be told from one of those hours, nor what is created in the future.
			const isToldAfter = (life.toldAt.get(end) ?? 0) >= life.pause[1];
			if (isWithin && isToldAfter && isDated && inquiry.createdAt <= at + dayMs) verdict.early.push(end);
			if (at <= watchedSurely + 1_000 || isSkipped(life, at - around, firstAt + doubt)) continue;
			if (plan.isJudged && !Service.passesScore(inquiry)) continue;
			const isAtBorder = at <= watchedSurely + border;
			const limit = limitOf(life, inquiry, number, at, isAtBorder, misledFrom);
			if (limit === undefined) verdict.ends++;
			if (count > 0) {
				if (limit === undefined && isLate(life, inquiry, number, at)) verdict.late.push(end);
				continue;
			}
			if (limit === undefined) verdict.lost.push(end);
			else verdict.limits[limit] = (verdict.limits[limit] ?? 0) + 1;
		}
	}
	return verdict;
}

export const endOf = ({ id, record }: StatusEvent['row']) => `${id}:${(record as { ends: number }).ends}`;

/** A creation is told once, where the inquiry was created while the trigger watched. */
function judgeCreation(
	life: Life,
	inquiry: Inquiry,
	verdict: Verdict,
	count: number,
	watched: { from: number; to: number; misledFrom: number },
): void {
	const { world, plan, service, changedAt, shownBefore } = life;
	const { states, visibleAt, gone, id, createdAt } = inquiry;
	const { at } = states[0];
	const { misledFrom } = watched;
	const what = `${id}:created`;
	const isMoved = world.deployed?.world.zoneHours !== undefined || at > misledFrom;
	if (count > 1 && !isMoved) verdict.repeated.push(what);
	const isAhead = createdAt > at + dayMs;
	if (at < watched.from - unsureMs(life) && count > 0 && !isAhead && !isMoved) verdict.early.push(what);
	// A label that comes later makes nothing new of what was created before.
	const isOutside = visibleAt > at + (world.commitDelayMs ?? 0);
	const isUnseen = gone.length > 0 && !states.some((state) => service.shown.has(state));
	const firstAt = Math.min(...states.map((state) => service.shown.get(state)?.firstPoll ?? Infinity));
	const isCaughtUp = isSkipped(life, at - borderOf(world) - hoursOff(life), firstAt);
	const isBefore =
		plan.filterChanges === true && at <= changedAt + borderOf(world) && !states.some((state) => shownBefore.has(state));
	if (count > 0 || at <= watched.to || isOutside || isUnseen || isCaughtUp || isBefore || isMoved) return;
	verdict.lost.push(what);
}

/** How late a completion may be told: as soon as a poll shows it, or as soon as no old copy can explain what it shows. */
function isLate(life: Life, inquiry: Inquiry, number: number, at: number): boolean {
	const { world, plan } = life;
	const { intervalMs = 60_000, budgetMs = 60_000 } = plan;
	const toldAt = life.toldAt.get(`${inquiry.id}:${number}`)!;
	// A service that cannot show within a poll what changed is followed late.
	if (isTooMuch(life, intervalMs / 60_000)) return false;
	const { firstRunAt, isDated } = showingsOf(life, inquiry, number);
	const showsDates = !world.rowDates && !world.deployed?.world.rowDates;
	const isTimed = isDated && showsDates && !world.lateStampMs && Math.abs(world.dateOffMs ?? 0) <= slackMs;
	const watchedFrom = Math.max(life.activatedAt, plan.filterChanges ? life.changedAt : 0);
	// The start of a run that began before the border shows no more than none.
	const began = inquiry.states.find(({ ends, status }) => ends === number - 1 && isOpen(status))?.at ?? at;
	const isSure = isTimed && (showsStart(world) ? began : at) > watchedFrom + borderOf(world);
	const doubt = isSure ? 0 : oldestCopyMs + 2 * intervalMs;
	const back = Math.max(0, ...inquiry.gone.filter(([gone]) => gone < toldAt).map(([, to]) => to));
	const from = Math.max(at, inquiry.visibleAt, back, watchedFrom);
	// What was in no list for a time is found as late as what no poll saw running.
	const standing = back > 0 ? life.settlingMs : foundMs(life, inquiry, number, at, firstRunAt);
	// With few requests, the four kinds of pages take turns.
	const turns = 8 * (world.answerMs ?? 0) > budgetMs ? 2 * intervalMs : 0;
	return watched(life, from, toldAt) > standing + turns + doubt;
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
function limitOf(
	life: Life,
	inquiry: Inquiry,
	number: number,
	at: number,
	isAtBorder: boolean,
	misledFrom: number,
): string | undefined {
	const { world, plan, settlingMs, changedFrom, changedAt, shownBefore } = life;
	const { states, gone } = inquiry;
	const { isShown, isDated, isToldApart, isOvertaken, firstRunAt, runAt, beforeAt } = showingsOf(life, inquiry, number);
	const next = states.find((state) => state.at > at && state.ends === number && isOpen(state.status))?.at ?? Infinity;
	if (!isShown && watched(life, at, next) < standingMs(life, inquiry, number, at, firstRunAt))
		return 'trigger-last-completion: ran again before any look';
	if (!isShown && gone.some(([from, to]) => to === Infinity && watched(life, at, from) < settlingMs))
		return 'no-cancel: vanished';
	const runs = states.filter(({ ends, status }) => ends === number - 1 && isOpen(status));
	if (isAtBorder && runAt <= life.activatedAt + oldestCopyMs && !(firstRunAt <= life.activatedAt))
		return 'trigger-old-answers: at the activation';
	const traced = endsOf(states, number).find(({ completedAt }) => completedAt !== null)?.at ?? at;
	// What ran again may be found at the end of a whole round only; where lists fail or are cut, nobody knows when.
	const round = number > 1 ? settlingMs : 0;
	const isCut = world.failShare !== undefined || hasFewRequests(world, plan);
	const from = isCut ? 0 : changedFrom - round - disorderOf(world);
	const to = changedAt + borderOf(world);
	// As it came to stay, for a date may come late.
	const wasSeen = [...runs, ...endsOf(states, number).slice(-1)].some((state) => shownBefore.has(state));
	if (plan.filterChanges && traced > from && at <= to && !wasSeen)
		return 'trigger-filter: ended unseen before a change of filter';
	if (at < inquiry.visibleAt - (world.commitDelayMs ?? 0)) return 'trigger-filter: ended outside the filter';
	const hoursFrom = hoursFromFor(life, at);
	const wasThere =
		number > 1 ||
		inquiry.createdAt < hoursFrom ||
		(plan.filterChanges === true && !wasSeen && inquiry.createdAt < changedAt);
	if (!isDated && wasThere && runAt === 0 && number === 1 && at > hoursFrom)
		return 'trigger-late-date: older than the activation or the hours to look back at';
	if (!isDated && ((wasThere && runAt === 0) || isOvertaken)) return 'trigger-unseen-rerun: no trace';
	const isAlike = endsOf(states, number).pop()!.status === endsOf(states, number - 1).pop()?.status;
	// Another status tells two runs apart unless their start or date is older than what counts as reported.
	const isOld = endsOf(states, number).some(({ completedAt }) => completedAt !== null && completedAt < life.begunAt);
	const isSoon = (isAlike || isOld || world.startStands === true) && runAt <= beforeAt + oldestCopyMs;
	const isShort = number > 1 && !(watched(life, firstRunAt, next) > oldestCopyMs + (plan.intervalMs ?? 60_000));
	if ((isSoon || isShort) && !isToldApart)
		return 'trigger-unseen-rerun: ran again within minutes of a report or a check';
	if (disorderOf(world) > slackMs && runAt === 0) return 'trigger-old-answers: more than ten minutes apart';
	if (at > misledFrom || borneOut(world, inquiry).some((other) => other < at))
		return 'trigger-future-date: dates as far ahead as a clock';
	if (isMoved(life, inquiry, number, at)) return 'trigger-new-dates: the service moved its dates';
	if (!isDated && next < Infinity && isTooMuch(life, (plan.intervalMs ?? 60_000) / 60_000))
		return 'trigger-load: ran again before its record was read';
	return undefined;
}

/** After a pause, what no poll had reported before it is older than the hours to catch up with. */
const isSkipped = ({ outages, plan: { options } }: Life, at: number, firstAt: number): boolean =>
	outages.some(([from, to]) => at <= to - (options?.catchUpMs ?? Infinity) && firstAt > from);

/** Where the hours begin that the last start before this completion was seen looks back to. */
function hoursFromFor(life: Life, at: number): number {
	const { lookBackMs = 0, catchUpMs } = life.plan.options ?? {};
	const caughtUpFrom = life.pause[1] - (catchUpMs ?? -Infinity) + hoursOff(life);
	return at > caughtUpFrom ? caughtUpFrom : life.activatedAt - lookBackMs;
}

/** Without a Date header only the newest row says what time it is at the service. */
const unsureMs = ({ world, plan }: Life): number =>
	world.dateHeader === 'absent' ? 2 * (plan.intervalMs ?? 60_000) : 0;

/** The hours to catch up with end by the clock of the service that is ahead, in the first poll that gets through. */
const hoursOff = ({ world, plan: { intervalMs = 60_000 } }: Life): number =>
	(world.failShare === undefined ? 0 : 3 * intervalMs) + (world.nodeSkewMs ?? 0);

/** Within this time a poll finds a completion; without a list of unfinished inquiries, only a whole round finds it. */
const foundMs = (life: Life, ...which: [Inquiry, number, number, number]) =>
	life.world.statusParam === 'refused' ? life.settlingMs : standingMs(life, ...which);

/** So long a completion must stand to be shown by a poll, if it is the last one by then. */
function standingMs(life: Life, { createdAt }: Inquiry, number: number, at: number, runAt: number) {
	const { world, plan, settlingMs, activatedAt } = life;
	const { intervalMs = 60_000, isJudged, emptyPolls } = plan;
	const isFollowed = runAt < Infinity || (number === 1 && createdAt > activatedAt);
	const isSteady = world.failShare === undefined && !hasFewRequests(world, plan) && emptyPolls === undefined;
	// A run that no poll saw is found at the end of a whole round only; where lists fail or are cut, nobody knows when.
	if (!isFollowed || !isSteady || isPiledUp(life, at)) return settlingMs;
	return 2 * intervalMs + disorderOf(world) + (isJudged ? (world.scoreLateMs ?? 0) : 0);
}

/** Whether more has happened by then than a poll has time to read. */
function isPiledUp(life: Life, at: number): boolean {
	const { plan, pause, settlingMs, activatedAt } = life;
	const { offMs = 0, intervalMs = 60_000, options } = plan;
	const behindMs = at < pause[1] + settlingMs ? offMs : 0;
	const backMs = at < activatedAt + settlingMs ? (options?.lookBackMs ?? 0) : 0;
	return isTooMuch(life, Math.max(intervalMs, behindMs, backMs) / 60_000);
}

/** Whether a poll has no time to read what happens in so many minutes. */
function isTooMuch({ world, plan, service }: Life, minutes: number): boolean {
	const { budgetMs = 60_000, perMinute = 5, rerunsPerMinute = 0, page = 500 } = plan;
	const { answerMs = 200, pageCap = Infinity, deployed, statusParam } = world;
	const rows = Math.min(page, pageCap, deployed?.world.pageCap ?? Infinity);
	// Old ones that ran again are a page each; a filter on results reads a record each.
	const pages = Math.ceil(minutes * (perMinute / rows + rerunsPerMinute));
	const records = plan.isJudged ? minutes * perMinute : 0;
	const whole = statusParam === 'ignored' ? service.inquiries.length / rows : 0;
	return (4 * pages + whole + records) * answerMs > budgetMs;
}

const endsOf = (states: State[], number: number): State[] =>
	states.filter(({ ends, status }) => ends === number && !isOpen(status));

/** When it ended with a date ahead, by no more than a clock is. */
function borneOut({ futureEndShare, dateHeader, dateOffMs = 0, hostOffMs = 0 }: World, { states }: Inquiry): number[] {
	const ahead = dateHeader === 'absent' ? hostOffMs : Math.min(hostOffMs, dateOffMs);
	if (!futureEndShare || ahead <= 0) return [];
	return states
		.filter(({ at, status, completedAt }) => !isOpen(status) && (completedAt ?? 0) > at + dayMs)
		.filter(({ at, completedAt }) => (completedAt ?? 0) <= at + ahead + dayMs)
		.map(({ at }) => at);
}

/** What an outdated copy may show after a completion was reported. */
const oldestCopyMs = 300_000;

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
