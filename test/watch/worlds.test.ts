import { simulate } from './simulator';
import { realWorld, strangeWorlds } from './worlds';

it('a real world: each completion is reported once and in time', async () => {
	const { world, plan } = realWorld(3001);
	const { lost, repeated, early, late, completions } = await simulate(world, plan);
	expect({ lost, repeated, early, late }).toEqual({ lost: [], repeated: [], early: [], late: [] });
	expect(completions).toBeGreaterThan(300);
});

it.each(strangeWorlds)('strange world: %s', async (_, world, plan = {}) => {
	const { lost, repeated, early, late } = await simulate(world, { seed: 1, hours: 1, perMinute: 3, ...plan });
	expect({ lost, repeated, early, late }).toEqual({ lost: [], repeated: [], early: [], late: [] });
});
