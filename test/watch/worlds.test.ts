import { live, summary } from './life';
import { worlds } from './worlds';

it.each(worlds)('%s: each completion once', async (_, world, plan = {}) => {
	// `run.ts` takes the whole time.
	const life = await live(world, { seed: 1, hours: 1, history: 100, perMinute: 3, ...plan });
	expect(summary(life)).toEqual({ lost: [], repeated: [], early: [], late: [], keys: [] });
	expect(life.ends).toBeGreaterThan(20);
	expect(life.slowestMs).toBeLessThanOrEqual(plan.budgetMs ?? 60_000);
});
