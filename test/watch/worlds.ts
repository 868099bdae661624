import { randomFrom } from './random';
import type { World } from './service';
import type { Plan } from './simulator';

const minute = 60_000;
const hour = 60 * minute;

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

/** What no service shows that we know of, and what the trigger takes all the same. For what it does not take the page of limits has a sentence. */
export const strangeWorlds: Strange[] = [
	['local time, east', { zoneHours: 5.5 }],
	['Date header a day behind', { dateOffMs: -24 * hour }],
	['n8n a day ahead', { hostOffMs: 24 * hour }],
	['pages of 25', { pageCap: 25 }],
	['pages of 50, no totals', { pageCap: 50, hidesTotal: true }],
	['records four minutes behind every clock', { dateOffMs: 4 * minute, hostOffMs: 4 * minute }, { lifeMs: minute }],
	['only the first status of a filter counts', { filtersByFirst: true }],
	['30 % of requests fail', { failShare: 0.3 }, { rerunsPerMinute: 1, rerunMs: () => 7 * minute }],
];
