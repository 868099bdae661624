import { forms, isGood, nameOf } from '../lives/lives';
import { add, emptySum, pairs, randomFrom, ruleLives, watched } from '../lives/trigger';

/** `npm run lives -- trigger` takes all; this is the part that a test has time for. */
const seed = Number(process.env.LIVES_SEED ?? 1);
const secondsAtMost = 25;

it('loses and repeats nothing of any life by the rule alone, where times tell runs apart', () => {
	const good = forms('full').filter(isGood);
	const form = good[seed % good.length];
	const { lost, repeated, ends, example } = ruleLives(form);
	expect({ form: nameOf(form), lost, repeated, example }).toEqual({
		form: nameOf(form),
		lost: 0,
		repeated: 0,
		example: '',
	});
	expect(ends).toBeGreaterThan(50_000);
});

it(`loses and repeats nothing with the whole tracker, two lives at a time, seed ${seed}`, async () => {
	const sum = emptySum();
	const began = process.cpuUsage().user;
	for (const world of pairs(3_000, randomFrom(seed))) {
		// A re-check tells again what was told; its keys have tests of their own.
		if (!isGood(world.form) || world.form.rows === 'bare' || world.disturbance?.stops === 'before starting') continue;
		add(sum, world, await watched(world));
		if (process.cpuUsage().user - began > secondsAtMost * 1_000_000) break;
	}
	expect({ seed, ...sum, ends: 0, worlds: 0 }).toEqual({ seed, worlds: 0, ends: 0, lost: 0, repeated: 0, example: '' });
	expect(sum.worlds).toBeGreaterThan(50);
});
