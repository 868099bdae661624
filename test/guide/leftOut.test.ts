/** The guide to a new operation is enough for every fast test, and each of its steps is needed: whoever leaves one out is told. */
import { allProblemsOf, Copy, problemsOf, removeCopies, stepsOfGuide } from './guide';

const steps = stepsOfGuide();
afterEach(removeCopies);

it('with every step the compiler and all fast tests are green', () => {
	const copy = new Copy();
	for (const step of steps) copy.follow(step);
	expect(allProblemsOf(copy)).toBeUndefined();
}, 1_800_000);

it.each(steps)(
	'without "$name" the compiler or a test is red',
	(leftOut) => {
		const copy = new Copy();
		for (const step of steps) if (step !== leftOut) copy.follow(step);
		expect(problemsOf(copy)).toMatch(/error TS\d+|●/);
	},
	1_800_000,
);

it('without "npm run generate" a test is red', () => {
	const copy = new Copy();
	for (const step of steps) copy.follow(step);
	expect(copy.run('jest', '--config', 'jest.fast.config.js', '-i', 'test/docs/generated')).toMatch(/●/);
}, 1_800_000);
