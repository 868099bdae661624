import { randomWorld } from './ingredients';
import { live, summary } from './life';
import { worlds } from './worlds';

it.each(worlds)('%s: each completion once', async (_, world, plan = {}) => {
	// `run.ts` takes the whole time.
	const life = await live(world, { seed: 1, hours: 1, history: 100, perMinute: 3, ...plan });
	expect(summary(life)).toEqual({ lost: [], repeated: [], early: [], late: [], keys: [] });
	expect(life.ends).toBeGreaterThan(20);
	expect(life.slowestMs).toBeLessThanOrEqual(plan.budgetMs ?? 60_000);
});

/** As `run.ts random` does with many more; some of them once lost or repeated ends. */
const mixtures = [
	...Array.from({ length: 12 }, (_, seed) => seed + 1),
	178,
	245,
	5089,
	5107,
	5190,
	20_004,
	30_079,
	40_062,
	40_092,
	40_472,
	41_062,
	42_912,
	200_097,
	20_261_193,
	20_261_364,
	20_261_396,
	20_261_424,
	20_261_511,
	20_261_524,
	20_261_555,
	20_261_681,
	20_261_914,
	20_270_112,
	20_270_207,
	20_270_252,
	20_270_825,
	20_270_882,
	65_003_162,
	65_003_693,
	66_200_188,
	66_200_268,
	70_001_456,
	70_201_813,
	73_001_067,
];

it.each(mixtures.map(randomWorld))('$name: each completion once', async ({ world, plan }) => {
	expect(summary(await live(world, plan))).toEqual({ lost: [], repeated: [], early: [], late: [], keys: [] });
});
