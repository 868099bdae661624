import { randomFrom } from './random';
import type { World } from './service';
import type { Plan } from './simulator';

const minute = 60_000;
const hour = 60 * minute;
const year = 365 * 24 * hour;

/**
 * A service as they are: PostgreSQL with copies that lag seconds and now and then two minutes, list caches of up to a minute,
 * servers a second apart, times with a zone or naive UTC, rows in full or as summaries, transactions of one instant, ties in
 * any order, failing requests, a new version, deletions, statuses that nobody knows, retries and re-runs of every kind; and
 * n8n polling each minute to daily, off for a weekend, restarted, with the time that either scheduler allows. Nothing may
 * be lost, repeated, reported from before the activation, or be late.
 */
export function realWorld(seed: number): { world: World; plan: Plan } {
	const random = randomFrom(seed);
	const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
	const intervalMs = pick([1, 1, 1, 5, 15, 60, 24 * 60]) * minute;
	const polls = intervalMs > hour ? 8 : intervalMs === hour ? 48 : 120;
	const hours = (polls * intervalMs) / hour;
	const offMs = pick([0, 0, 0, 60 * hour]);
	const lasts = hours * hour + offMs;
	const perMinute = (1_500 * minute) / lasts;
	const world: World = {
		rows: pick(['full', 'full', 'dated', 'dated', 'bare']),
		replicasMs: pick([[0], [0, 400, 3_000], [0, 0, 15_000]]),
		incidentAfterMs: pick([Infinity, random() * hours * hour]),
		cacheMs: pick([0, 0, 10_000, 60_000]),
		nodeSkewMs: pick([0, 1_000]),
		commitDelayMs: pick([0, 5_000]),
		earlyDateMs: [0, 40, 2_000],
		ties: pick(['stable', 'random']),
		digits: pick(['ms', 's', 'mixed']),
		zoneHours: pick([undefined, undefined, 0]),
		failShare: pick([0, 0.05]),
		answerMs: pick([50, 200, 800]),
		bounds: pick(['inclusive', 'exclusive']),
		...(random() < 0.3 ? { deployed: { afterMs: random() * hours * hour, world: { digits: 'ms' } } } : {}),
	};
	const plan: Plan = {
		...{ seed, hours, intervalMs, perMinute },
		budgetMs: pick([36_000, 240_000]),
		history: pick([20, 300, 2_000]),
		lifeMs: pick([30_000, 4 * minute, 30 * minute]),
		batch: pick([0, 40, 700]),
		batchEveryMs: lasts / 3,
		heldShare: pick([0, 0.03]),
		deletedShare: pick([0, 0.02]),
		retriedShare: pick([0, 0.3]),
		rerunsPerMinute: pick([0, 0.1, 0.3]) * perMinute,
		saves: pick(['always', 'onReport']),
		restartShare: pick([0, 0.03]),
		offMs,
	};
	if (random() < 0.5) plan.rerunMs = () => 10 * minute;
	return { world, plan };
}

type Strange = [name: string, world: World, plan?: Partial<Plan>];

const unseen = { rerunsPerMinute: 2, rerunMs: () => 5_000 };
const seen = { rerunsPerMinute: 1, rerunMs: () => 7 * minute };
const hourly = { intervalMs: hour, hours: 24 };

/**
 * What no service shows that we know of. What the trigger loses here is counted and explained by the page of limits. NO
 * RULE IS ADDED FOR THESE WORLDS: a rule that only they need is a rule that nobody understands.
 */
export const strangeWorlds: Strange[] = [
	['re-runs keep their date, seen', { atSecondEnd: 'kept', whileRunning: 'kept' }, seen],
	['re-runs keep their date, unseen', { atSecondEnd: 'kept', whileRunning: 'kept' }, unseen],
	['failed ones have no date', { neverDated: ['FAILED'] }, seen],
	['dates up to two and a half minutes before the status', { earlyDateMs: [0, 5_000, 60_000, 150_000] }, seen],
	['dates a minute late', { lateDateMs: [0, 5_000, 60_000] }, seen],
	['dates a minute late, the old one until then', { lateDateMs: [0, 5_000, 60_000], lateDateShows: 'old' }, seen],
	['dates ten minutes late', { lateDateMs: [0, 5_000, 600_000] }, seen],
	['null for dates in rows', { rows: 'null' }, seen],
	['half of the rows without times', { rows: 'half' }, seen],
	['records alone show times, re-runs unseen', { rows: 'bare' }, unseen],
	['rows lose their times', { deployed: { afterMs: hour, world: { rows: 'bare' } } }, seen],
	['rows gain times', { rows: 'bare', deployed: { afterMs: hour, world: { rows: 'full' } } }, seen],
	['startedAt stands', { rows: 'full', start: 'stands' }, seen],
	['servers five minutes apart', { nodeSkewMs: 300_000 }, seen],
	['lists a minute old', { lagMs: 60_000 }, seen],
	['lists five minutes old', { lagMs: 300_000 }, seen],
	['status filter five minutes old', { statusLagMs: 300_000 }, seen],
	['bounds of creation two minutes old', { boundsLagMs: 120_000 }],
	['copies 200 s old', { replicasMs: [0, 200_000] }, seen],
	['copies five minutes old', { replicasMs: [0, 300_000] }, seen],
	['visible ten minutes after creation', { commitDelayMs: 600_000 }],
	['some created in the future', { futureShare: 0.01 }],
	['some dated a year ahead', { futureEndShare: 0.01 }],
	['local time, west', { zoneHours: -5 }],
	['local time, east', { zoneHours: 5.5 }],
	['local time, clocks put back', { zoneHours: -4, autumnAfterMs: 90 * minute }, { hours: 4 }],
	[
		'a new version writes UTC instead of local time',
		{ zoneHours: -5, deployed: { afterMs: hour, world: { zoneHours: 0 } } },
	],
	['all dates moved by 0.4 s', { deployed: { afterMs: hour, world: { movedMs: 400 } } }],
	['all dates moved by an hour', { deployed: { afterMs: hour, world: { movedMs: hour } } }],
	['no Date header', { dateHeader: 'absent' }],
	['Date header up to ten minutes old', { dateHeader: 'stale' }],
	['Date header a day behind', { dateOffMs: -24 * hour }],
	['Date header four minutes ahead', { dateOffMs: 4 * minute }],
	['Date header a year ahead', { dateOffMs: year }],
	['n8n a day ahead', { hostOffMs: 24 * hour }],
	['n8n three hours behind', { hostOffMs: -3 * hour }],
	['pages of 25', { pageCap: 25 }],
	['pages of 100, totals of the page', { pageCap: 100, total: 'page' }, { history: 600 }],
	['no totals', { total: 'absent' }],
	['pages of 50, no totals', { pageCap: 50, total: 'absent' }],
	['records four minutes behind every clock', { dateOffMs: 4 * minute, hostOffMs: 4 * minute }, { lifeMs: minute }],
	['totals of at most 50', { total: 'capped' }, { page: 50 }],
	['status filter ignored', { statusParam: 'ignored' }],
	['only the first status counts', { statusParam: 'firstOnly' }],
	['ENRICHING refused as a filter', { statusParam: 'refused' }],
	['30 % of requests fail', { failShare: 0.3 }, seen],
	['70 % of requests fail', { failShare: 0.7 }],
	['answers of 10 s', { answerMs: 10_000 }, { budgetMs: 36_000 }],
	['one request a poll', { answerMs: 6_000 }, { budgetMs: 10_000 }],
	['re-runs unseen, hourly', {}, { ...hourly, ...unseen, perMinute: 1 }],
];
