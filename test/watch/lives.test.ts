import { forms, isGood } from '../lives/lives';
import { ruleLives } from '../lives/rule';

/** `npm run lives -- trigger` plays the whole tracker too; this is what the rule by itself makes of one form. */
it('loses and repeats nothing of any life by the rule alone, where every run shows when it began', () => {
	const [form] = forms('full').filter(isGood);
	const { lost, repeated, ends, example } = ruleLives(form);
	expect({ lost, repeated, example }).toEqual({ lost: 0, repeated: 0, example: '' });
	expect(ends).toBeGreaterThan(50_000);
});
