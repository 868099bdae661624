import { isOfFirstFilter, type Life, type Verdict } from './plan';
import { type Inquiry, Service, type World } from './service';

/** What the service's clocks and copies may differ by, in all. */
export const slackMs = 600_000;

const most = (values?: number[]) => Math.max(0, ...(values ?? [0]));

/** How old, late or wrong all that an answer shows may be together. */
export function disorderOf(world: World): number {
	return (
		most(world.earlyStampMs) +
		(world.nodeSkewMs ?? 0) +
		(world.lagMs ?? 0) +
		(world.statusLagMs ?? 0) +
		(world.commitDelayMs ?? 0) +
		(world.boundsLagMs ?? 0) +
		most(world.replicasMs)
	);
}

/** The border of the activation, where clocks and copies cannot tell what was before. */
function borderOf(world: World): number {
	return (
		1_000 +
		disorderOf(world) +
		(world.dateHeader === 'stale' ? 1_200_000 : 0) +
		most(world.lateStampMs) +
		(world.zoneHours === undefined ? 0 : 900_000) +
		Math.min(900_000, Math.abs(world.dateOffMs ?? 0)) +
		Math.min(900_000, Math.abs(world.hostOffMs ?? 0))
	);
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
	const lookBack = plan.options?.lookBackMs ?? 0;
	for (const inquiry of service.inquiries) {
		const isLater = plan.filterChanges === true && !isOfFirstFilter(inquiry);
		const watchedFrom = isLater ? life.changedFrom : life.begunAt - lookBack;
		const watchedSurely = isLater ? life.changedAt : life.activatedAt - lookBack;
		for (const [number, at] of firstSights(inquiry)) {
			if (number === 0) continue;
			const end = `${inquiry.id}:${number}`;
			const count = counts.get(end) ?? 0;
			if (count > 1) verdict.repeated.push(end);
			// What is created in the future and shows no date of its end cannot be told from a new one.
			const isOpaque = inquiry.createdAt > at + 86_400_000 && !leavesTrace(world);
			if (at < watchedFrom - border && count > 0 && !isOpaque) verdict.early.push(end);
			if (at <= watchedSurely + border) continue;
			const limit = limitOf(life, inquiry, number, at);
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
	for (const { at, ends, status } of states)
		if (!first.has(ends) && !['PLANNING', 'RUNNING', 'ENRICHING'].includes(status)) first.set(ends, at);
	return first;
}

/** Why this end need not be told; undefined where it must be. */
function limitOf(
	{ service, world, plan, changedFrom, changedAt }: Life,
	inquiry: Inquiry,
	number: number,
	at: number,
): string | undefined {
	if (number !== Service.last(inquiry).ends || Service.open(inquiry)) return 'ran again before any look';
	if (inquiry.gone.some(([, to]) => to === Infinity)) return 'vanished';
	if (plan.isJudged && !Service.passesScore(inquiry)) return 'rejected by a filter';
	const before = [...firstSights(inquiry)].find(([end]) => end === number - 1)?.[1] ?? 0;
	if (plan.isJudged && world.scoreLateMs && at - before < 2 * (plan.intervalMs ?? 60_000) + 900_000)
		return 'ran again while its results were waited for';
	const wasShown = service.shownRunning.has(`${inquiry.id}:${number - 1}`);
	const isUnseen =
		at > changedFrom - disorderOf(world) - (world.failShare ? slackMs : 0) && at <= changedAt + disorderOf(world);
	if (plan.filterChanges && isUnseen && !wasShown) return 'ended unseen before a change of filter';
	if (at < inquiry.visibleAt - (world.commitDelayMs ?? 0)) return 'ended outside the filter';
	if (!leavesTrace(world) && number > 1 && !wasShown) return 'no trace';
	if (disorderOf(world) > slackMs && !wasShown) return 'more than ten minutes apart';
	return undefined;
}
