/** The guide to a new operation in CONTRIBUTING.md, followed to the letter in a copy of the tree. */
import { Copy, problemsOf, removeCopies, stepsOfGuide } from './guide';

const steps = stepsOfGuide();
afterEach(removeCopies);

it('asks for six files by hand', () => {
	expect(new Set(steps.map(({ path }) => path)).size).toBe(6);
});

it('leads to an operation that compiles, is documented, and passes the tests of every operation', () => {
	const copy = new Copy();
	for (const step of steps) copy.follow(step);
	expect(problemsOf(copy)).toBeUndefined();
}, 1_800_000);
