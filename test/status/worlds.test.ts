import { live, summary } from './life';
import { worlds } from './worlds';

it.each(worlds)('%s: each end once', async (_, world, plan = {}) => {
	const life = await live(world, { seed: 1, ...plan });
	expect(summary(life)).toEqual({ lost: [], repeated: [], early: [], keys: [] });
	expect(life.ends).toBeGreaterThan(20);
	expect(life.slowestMs).toBeLessThanOrEqual(plan.budgetMs ?? 60_000);
});
