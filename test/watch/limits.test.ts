import { readFileSync } from 'node:fs';
import { live } from './life';
import type { Plan } from './plan';
import type { World } from './service';

const minute = 60_000;
const year = 365 * 1_440 * minute;
const small = { seed: 1, hours: 1, history: 60, perMinute: 3 };
const hourly = { ...small, hours: 12, intervalMs: 60 * minute };
const unseen = { rerunsPerMinute: 3, rerunMs: () => 10_000 };
const seen = { rerunsPerMinute: 3, rerunMs: () => 5 * minute };
const seenLong = { rerunsPerMinute: 3, rerunMs: () => 10 * minute };
const soon = { rerunsPerMinute: 3, rerunMs: () => 2 * minute, restMs: minute };
const lookBack = { options: { lookBackMs: 1_440 * minute } };
const catchUp = { options: { catchUpMs: 60 * minute } };
const hidden: World = { statusParam: 'firstOnly', pageCap: 25, failShare: 0.05, futureShare: 0.01 };
const moved = (world: World) => ({ afterMs: 60 * minute, world });

/** What the page of limits says, where it happens, and the same without one of its ingredients, where it does not. */
const cases: Array<[limit: string, world: World, plan: Plan, without: [World, Plan]]> = [
	[
		'trigger-unseen-rerun: no trace',
		{ atSecondEnd: 'kept', whileRunning: 'kept' },
		{ ...small, ...unseen },
		[{}, { ...small, ...unseen }],
	],
	['trigger-unseen-rerun: no trace', { rowDates: 'absent' }, { ...small, ...unseen }, [{}, { ...small, ...unseen }]],
	[
		'trigger-unseen-rerun: no trace',
		{ futureEndShare: 0.2 },
		{ ...small, ...unseen, seed: 3 },
		[{}, { ...small, ...unseen }],
	],
	// What was created before the hours to look back at is in no list of new ones.
	[
		'trigger-late-date: older than the activation or the hours to look back at',
		{ rowDates: 'absent' },
		{ ...small, options: { lookBackMs: 10 * minute } },
		[{}, { ...small, options: { lookBackMs: 10 * minute } }],
	],
	[
		'trigger-late-date: older than the activation or the hours to look back at',
		{ rowDates: 'absent' },
		{ ...small, offMs: 180 * minute, ...catchUp },
		[{}, { ...small, offMs: 180 * minute, ...catchUp }],
	],
	// What runs at the activation is on neither of its lists.
	[
		'trigger-late-date: older than the activation or the hours to look back at',
		{ ...hidden, rowDates: 'null' },
		{ ...small, seed: 505_648 },
		[hidden, { ...small, seed: 505_648 }],
	],
	['trigger-last-completion: ran again before any look', {}, { ...hourly, ...unseen }, [{}, small]],
	[
		'trigger-load: ran again before its record was read',
		{ answerMs: 10_000, rowDates: 'half' },
		{ ...hourly, ...seenLong, budgetMs: 36_000, seed: 6 },
		[{ rowDates: 'half' }, { ...hourly, ...seenLong, budgetMs: 36_000, seed: 6 }],
	],
	[
		'trigger-unseen-rerun: ran again within minutes of a report or a check',
		{ atSecondEnd: 'kept' },
		{ ...small, ...soon },
		[{}, { ...small, ...soon }],
	],
	[
		'trigger-late-date: found under the date of the end before',
		{ lateStampMs: [10 * minute], lateStampShows: 'old' },
		{ ...small, ...seen, ...lookBack },
		[
			{ lateStampMs: [10 * minute], lateStampShows: 'null' },
			{ ...small, ...seen, ...lookBack },
		],
	],
	[
		'trigger-late-date: found under the date of the end before',
		{ lateStampMs: [10 * minute], lateStampShows: 'old' },
		{ ...small, ...seen, seed: 2, offMs: 180 * minute },
		[
			{ lateStampMs: [10 * minute], lateStampShows: 'null' },
			{ ...small, ...seen, seed: 2, offMs: 180 * minute },
		],
	],
	[
		'trigger-filter: ended unseen before a change of filter',
		{},
		{ ...small, filterChanges: true, offMs: 180 * minute },
		[{}, { ...small, offMs: 180 * minute }],
	],
	[
		'trigger-filter: ended unseen before a change of filter',
		{ lateStampMs: [10 * minute] },
		{ ...small, ...unseen, filterChanges: true },
		[{ lateStampMs: [10 * minute] }, { ...small, ...unseen }],
	],
	// Pages of ten: the sweep needs most of an hour for a round, and the change comes before it is over.
	[
		'trigger-filter: ended unseen before a change of filter',
		{},
		{ ...small, ...unseen, history: 400, page: 10, filterChanges: true },
		[{}, { ...small, ...unseen, history: 400, page: 10 }],
	],
	[
		'trigger-filter: ended unseen before a change of filter',
		{ rowDates: 'absent', replicasMs: [0, 200_000] },
		{ ...small, intervalMs: 60 * minute, hours: 12, seed: 508_656, offMs: 180 * minute, filterChanges: true },
		[{ rowDates: 'absent' }, { ...small, intervalMs: 60 * minute, hours: 12, seed: 508_656, offMs: 180 * minute }],
	],
	[
		'trigger-filter: ended outside the filter',
		{},
		{ ...small, ...unseen, history: 20, tagged: 20 },
		[{}, { ...small, ...unseen }],
	],
	[
		'trigger-future-date: dates as far ahead as a clock',
		{ dateHeader: 'absent', hostOffMs: year, futureEndShare: 0.02 },
		{ ...small, ...unseen, history: 0, perMinute: 1, seed: 4 },
		[
			{ dateOffMs: year, futureEndShare: 0.02 },
			{ ...small, ...unseen, history: 0, perMinute: 1, seed: 4 },
		],
	],
	[
		'trigger-new-dates: the service moved its dates',
		{ zoneHours: -5, deployed: moved({ zoneHours: 0 }) },
		small,
		[{ zoneHours: -5 }, small],
	],
	[
		'trigger-new-dates: the service moved its dates',
		{ zoneHours: 0, deployed: moved({ zoneHours: -5 }) },
		small,
		[{ zoneHours: 0, deployed: moved({}) }, small],
	],
	[
		'trigger-new-dates: the service moved its dates',
		{ deployed: moved({ backfilled: true }) },
		{ ...small, ...seen },
		[{ deployed: moved({}) }, { ...small, ...seen }],
	],
	[
		'trigger-new-dates: the service moved its dates',
		{ deployed: moved({ backfilled: true }) },
		small,
		[{ deployed: moved({}) }, small],
	],
	['no-cancel: vanished', {}, { ...small, vanish: { count: 20, forMs: Infinity } }, [{}, small]],
	[
		'trigger-old-answers: more than ten minutes apart',
		{ earlyStampMs: [0, 0, 40 * minute] },
		{ ...small, ...unseen },
		[{ earlyStampMs: [0, 0, 5 * minute] }, { ...small, ...unseen }],
	],
];

/** These happen wherever something runs again, where a filter looks at results, or where clocks and copies differ. */
const common = [
	'trigger-last-completion: ran again before any look',
	'trigger-unseen-rerun: no trace',
	'trigger-old-answers: at the activation',
];

const page = readFileSync('docs/limits.md', 'utf8');

it.each([...new Set(cases.map(([limit]) => limit))])('the page of limits says %s', (limit) => {
	expect(page).toContain(`<a id="${limit.split(':')[0]}"></a>`);
});

it.each(cases)('%s', async (limit, world, plan, [otherWorld, otherPlan]) => {
	const { limits, lost, repeated } = await live(world, plan);
	expect(limits[limit]).toBeGreaterThan(0);
	expect({ lost, repeated }).toEqual({ lost: [], repeated: [] });
	expect(Object.keys(limits).filter((name) => name !== limit && !common.includes(name))).toEqual([]);
	const without = await live(otherWorld, otherPlan);
	expect({ limit: without.limits[limit] ?? 0, lost: without.lost, repeated: without.repeated }).toEqual({
		limit: 0,
		lost: [],
		repeated: [],
	});
});
