/** What the guide says of smaller changes, made in a copy of the tree: which tests name what is left to do. */
import { Copy, problemsIn, removeCopies, stepsOfGuide } from './guide';

afterEach(removeCopies);

it('a default, an event and a filter: a test names what the guide says', () => {
	const steps = stepsOfGuide('Smaller changes');
	expect(steps).toHaveLength(4);
	const copy = new Copy();
	for (const step of steps) copy.follow(step);
	const red = problemsIn(copy, 'test/docs/quoted', 'test/watch/statusTrigger', 'test/contract/panels');
	const titles = [...red!.matchAll(/● (.*)$/gm)].map(([, title]) => title);
	expect(titles).toEqual(
		expect.arrayContaining([
			'every default that README.md names is the one of the panel',
			'every default that docs/stories/verify-business.md names is the one of the panel',
			'names every change it sees, and invents none',
			'every field of an output is on the page of output fields, or in the API documentation',
			'the order of what can be added › the filters of the trigger are those of the list',
		]),
	);
}, 1_800_000);
