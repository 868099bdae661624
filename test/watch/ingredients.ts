import { randomFrom } from './life';
import type { Plan } from './plan';
import type { World } from './service';

const minute = 60_000;

type Ingredient = [name: string, world: World, plan?: Partial<Plan>];

/** What random worlds are mixed from: at most one of each kind, some of them together. */
const kinds: Ingredient[][] = [
	[
		['date before the status', { earlyStampMs: [0, 5_000, 60_000, 150_000] }],
		['date after the status', { lateStampMs: [0, 5_000, 60_000, 600_000] }],
		['date after the status, the old one until then', { lateStampMs: [0, 5_000, 60_000], lateStampShows: 'old' }],
		['failed ones have no date', { neverDated: ['FAILED'] }],
		['some ends dated a year ahead', { futureEndShare: 0.01 }],
	],
	[
		['a re-run keeps its date while it runs', { whileRunning: 'kept' }],
		['a re-run keeps its date', { atSecondEnd: 'kept', whileRunning: 'kept' }],
		['a re-run keeps its date, null while it runs', { atSecondEnd: 'kept' }],
	],
	[
		['rows without dates', { rowDates: 'absent' }],
		['rows with null for dates', { rowDates: 'null' }],
		['half of the rows without dates', { rowDates: 'half' }],
		['rows lose their dates', { deployed: { afterMs: 60 * minute, world: { rowDates: 'absent' } } }],
		['rows gain dates', { rowDates: 'absent', deployed: { afterMs: 60 * minute, world: { rowDates: 'shown' } } }],
	],
	[
		['lists 60 s late', { lagMs: 60_000 }],
		['status filter 120 s late', { statusLagMs: 120_000 }],
		['in neither status filter for 120 s', { statusLagMs: 120_000, statusLag: 'gap' }],
		['in both status filters for 120 s', { statusLagMs: 120_000, statusLag: 'both' }],
		['a copy 200 s old', { replicasMs: [0, 200_000] }],
		['visible three minutes after creation', { commitDelayMs: 180_000 }],
		['bounds of creation lag a minute', { boundsLagMs: 60_000 }],
	],
	[
		['clocks of nodes two minutes off', { nodeSkewMs: 120_000 }],
		['some created in the future', { futureShare: 0.01 }],
	],
	[
		['digits vary', { digits: 'mixed' }],
		['whole seconds', { digits: 's' }],
		['no zone', { zoneHours: -5 }],
	],
	[
		['no Date header', { dateHeader: 'absent' }],
		['stale Date header', { dateHeader: 'stale' }],
		['Date header a day behind', { dateOffMs: -1_440 * minute }],
		['Date header a year ahead', { dateOffMs: 365 * 1_440 * minute }],
		['Date header two minutes ahead', { dateOffMs: 2 * minute }],
		['host clock a day ahead', { hostOffMs: 1_440 * minute }],
		['host clock three hours behind', { hostOffMs: -180 * minute }],
	],
	[
		['pages of 25', { pageCap: 25 }],
		['pages of 100, totals of the page', { pageCap: 100, total: 'page' }],
		['no totals', { total: 'absent' }],
		['totals capped', { total: 'capped' }],
		['small pages', {}, { page: 10 }],
		['page cap falls to 100', { deployed: { afterMs: 60 * minute, world: { pageCap: 100 } } }],
	],
	[
		['ties in random order', { ties: 'random' }],
		['bounds that exclude', { bounds: 'exclusive' }],
	],
	[
		['status filter ignored', { statusParam: 'ignored' }],
		['only the first status counts', { statusParam: 'firstOnly' }],
		['ENRICHING refused', { statusParam: 'refused' }],
	],
	[
		['5 % of requests fail', { failShare: 0.05 }],
		['30 % of requests fail', { failShare: 0.3 }],
	],
	[
		['answers of 3 s', { answerMs: 3_000 }, { budgetMs: 20_000 }],
		['answers of 10 s', { answerMs: 10_000 }, { budgetMs: 36_000 }],
	],
	[
		['polls five minutes apart', {}, { intervalMs: 5 * minute }],
		['hourly polls', {}, { intervalMs: 60 * minute, hours: 12 }],
	],
	[
		['saved with reports only', {}, { saves: 'onReport', perMinute: 1 }],
		['off for three hours', {}, { offMs: 180 * minute }],
		['off for three hours, saved with reports only', {}, { offMs: 180 * minute, saves: 'onReport', perMinute: 1 }],
	],
	[
		['old ones run again, unseen', {}, { rerunsPerMinute: 2, rerunMs: () => 10_000 }],
		['old ones run again', {}, { rerunsPerMinute: 2, rerunMs: () => 5 * minute }],
	],
	[
		['lists empty for some polls', {}, { emptyPolls: 3 }],
		['some vanish', {}, { vanish: { count: 6, forMs: Infinity } }],
		['some vanish and come back', {}, { vanish: { count: 6, forMs: 10 * minute } }],
		['old ones are tagged', {}, { tagged: 20 }],
	],
	[
		['the filter changes', {}, { filterChanges: true }],
		['a filter on the score', { scoreLateMs: 0 }, { isJudged: true }],
		['a filter on the score, which comes late', { scoreLateMs: 4 * minute }, { isJudged: true }],
		['look-back of a day', {}, { options: { lookBackMs: 1_440 * minute } }],
	],
];

/** Added to the worlds whose seed ends in this digit, so that the others stay as they were mixed first. */
const added: Record<number, Ingredient[]> = {
	2: [['off for three hours, an hour to catch up', {}, { offMs: 180 * minute, options: { catchUpMs: 60 * minute } }]],
	6: [
		['rows show when each run began', { startAheadMs: 0 }],
		['rows show when each run began, by a clock two minutes ahead', { startAheadMs: 2 * minute }],
		['rows show when the first run began', { startAheadMs: 0, startStands: true }],
	],
};

export interface Mixed {
	name: string;
	world: World;
	plan: Plan;
}

/** Up to five ingredients, the same for the same seed. */
export function randomWorld(seed: number): Mixed {
	const random = randomFrom(seed);
	const names: string[] = [];
	let world: World = {};
	let plan: Plan = { seed, hours: 1, history: 60, perMinute: 3 };
	const count = 1 + Math.floor(random() * 5);
	const left = [...kinds];
	const mix = ([name, more, steps]: Ingredient) => {
		names.push(name);
		const deployed = world.deployed ?? more.deployed;
		world = { ...world, ...more, ...(deployed ? { deployed } : {}) };
		plan = { ...plan, ...steps, options: { ...plan.options, ...steps?.options } };
	};
	for (let taken = 0; taken < count; taken++) {
		const [kind] = left.splice(Math.floor(random() * left.length), 1);
		mix(kind[Math.floor(random() * kind.length)]);
	}
	const more = added[seed % 10];
	if (more) mix(more[Math.floor(random() * more.length)]);
	return { name: names.join(' + '), world, plan };
}
