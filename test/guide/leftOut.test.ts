/** The guide to a new operation is enough for every fast test, and each of its steps is needed: whoever leaves one out is told. */
import { allProblemsOf, Copy, problemsOf, stepsOfGuide } from './guide';

const steps = stepsOfGuide('Adding an operation');
let copy: Copy;
beforeAll(() => void (copy = new Copy()));
afterAll(() => copy.remove());

it('with every step the compiler and all fast tests are green', () => {
	expect(allProblemsOf(copy.restart(steps))).toBeUndefined();
}, 1_800_000);

it.each(steps)(
	'without "$name" the compiler or a test is red',
	(leftOut) => {
		expect(problemsOf(copy.restart(steps.filter((step) => step !== leftOut)))).toMatch(/error TS\d+|●/);
	},
	1_800_000,
);

it('without "npm run generate" a test is red', () => {
	copy.restart(steps);
	expect(copy.run('jest', '--config', 'jest.fast.config.js', '-i', 'test/docs/generated')).toMatch(/●/);
}, 1_800_000);
