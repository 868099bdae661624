/** The guide to a new credential type in CONTRIBUTING.md, followed to the letter in a copy of the tree. */
import { Copy, prepared, removeCopies, stepsOfGuide } from './guide';

const steps = stepsOfGuide('Adding a credential type');
afterEach(removeCopies);

/** What the compiler says, and the tests that take their cases from the table of types. */
const problemsOf = (copy: Copy) =>
	prepared(copy) ?? copy.run('jest', '-i', 'test/credentials/types', 'test/docs/generated', 'test/package/house');

it('leads to a type that sends, redacts, and tests rightly', () => {
	const copy = new Copy();
	for (const step of steps) copy.follow(step);
	expect(problemsOf(copy)).toBeUndefined();
}, 1_800_000);

it.each(steps)(
	'without "$name" the compiler or a test is red',
	(leftOut) => {
		const copy = new Copy();
		for (const step of steps) if (step !== leftOut) copy.follow(step);
		expect(problemsOf(copy)).toMatch(/error TS\d+|●|Error/);
	},
	1_800_000,
);
