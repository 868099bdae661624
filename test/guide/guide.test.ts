/** The guides of CONTRIBUTING.md, followed to the letter in a copy of the tree. */
import { Copy, prepared, problemsIn, problemsOf, stepsOfGuide } from './guide';

let copy: Copy;
beforeAll(() => void (copy = new Copy()));
afterAll(() => copy.remove());

describe('Adding an operation', () => {
	const steps = stepsOfGuide('Adding an operation');

	it('asks for six files by hand', () => {
		expect(new Set(steps.map(({ path }) => path)).size).toBe(6);
	});

	it('leads to an operation that compiles, is documented, and passes the tests of every operation', () => {
		expect(problemsOf(copy.restart(steps))).toBeUndefined();
	}, 1_800_000);
});

describe('Adding a credential type', () => {
	const steps = stepsOfGuide('Adding a credential type');

	/** What the compiler says, and the tests that take their cases from the table of types. */
	const problemsOfType = () =>
		prepared(copy) ?? copy.run('jest', '-i', 'test/credentials/types', 'test/docs/generated', 'test/package/house');

	it('leads to a type that sends, redacts, and tests rightly', () => {
		copy.restart(steps);
		expect(problemsOfType()).toBeUndefined();
	}, 1_800_000);

	it.each(steps)(
		'without "$name" the compiler or a test is red',
		(leftOut) => {
			copy.restart(steps.filter((step) => step !== leftOut));
			expect(problemsOfType()).toMatch(/error TS\d+|●|Error/);
		},
		1_800_000,
	);
});

test('of the smaller changes, a default, an event and a filter, a test names what the guide says', () => {
	const steps = stepsOfGuide('Smaller changes');
	expect(steps).toHaveLength(4);
	const suites = ['test/docs/quoted', 'test/watch/statusTrigger', 'test/contract/panels'];
	const titles = [...problemsIn(copy.restart(steps), ...suites)!.matchAll(/● (.*)$/gm)].map(([, title]) => title);
	expect(titles).toEqual(
		expect.arrayContaining([
			'every default that README.md names is the one of the panel',
			'every default that docs/stories/verify-business.md names is the one of the panel',
			expect.stringMatching(/^finished completed failed statusChanged reports each event once/),
			'every field of an output is on the page of output fields, or in the API documentation',
			'the filters of the trigger are those of the list',
		]),
	);
}, 1_800_000);
