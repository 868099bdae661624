import { randomWorld } from './ingredients';
import { live, summary } from './life';
import { worlds } from './worlds';

it.each(worlds)('%s: each end once', async (_, world, plan = {}) => {
	// `run.ts` takes the whole time.
	const life = await live(world, { seed: 1, hours: 1, history: 150, ...plan });
	expect(summary(life)).toEqual({ lost: [], repeated: [], early: [], keys: [] });
	expect(life.ends).toBeGreaterThan(20);
	expect(life.slowestMs).toBeLessThanOrEqual(plan.budgetMs ?? 60_000);
});

/** As `run.ts random` does with many more. */
it.each(Array.from({ length: 40 }, (_, seed) => randomWorld(seed + 1)))(
	'$name: each end once',
	async ({ world, plan }) => {
		expect(summary(await live(world, plan))).toEqual({ lost: [], repeated: [], early: [], keys: [] });
	},
);
