import { randomWorld } from './ingredients';
import { live, summary } from './life';

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
	80_000_084,
	80_000_565,
	80_002_687,
	80_101_517,
	80_102_886,
	80_103_249,
	80_103_609,
	80_104_112,
	90_101_732,
];

it.each(mixtures.map(randomWorld))('$name: each completion once', async ({ world, plan }) => {
	expect(summary(await live(world, plan))).toEqual({ lost: [], repeated: [], early: [], late: [], keys: [] });
});
