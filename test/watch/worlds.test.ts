import { simulate } from './simulator';
import { realWorld, strangeWorlds } from './worlds';

it('a real world: each completion is reported once and in time', async () => {
	const { world, plan } = realWorld(3001);
	const { lost, repeated, early, late, completions } = await simulate(world, plan);
	expect({ lost, repeated, early, late }).toEqual({ lost: [], repeated: [], early: [], late: [] });
	expect(completions).toBeGreaterThan(300);
});

/** These hold too, so a change that breaks one of them is noticed. The others are counted, and excused by the limits page. */
const harmless = [
	'local time, east',
	'pages of 25',
	'pages of 50, no totals',
	'records four minutes behind every clock',
	'only the first status counts',
	'30 % of requests fail',
	'n8n a day ahead',
	'Date header a day behind',
	'all dates moved by 0.4 s',
];

it.each(strangeWorlds.filter(([name]) => harmless.includes(name)))('strange world: %s', async (_, world, plan = {}) => {
	const { lost, repeated, early, late } = await simulate(world, { seed: 1, hours: 1, perMinute: 3, ...plan });
	expect({ lost, repeated, early, late }).toEqual({ lost: [], repeated: [], early: [], late: [] });
});
