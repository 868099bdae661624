import { example, exampleFiles } from '../e2e/examples';
import { groups } from '../../scripts/stories';
import { RULES } from './template';

describe.each(exampleFiles())('%s is ready for the template library', (file) => {
	test.each(Object.entries(RULES))('%s', (_name, rule) => {
		expect(rule(example(file))).toEqual([]);
	});
});

test('every example has its place in the list, and there are at most 14', () => {
	const files = exampleFiles()
		.map((file) => file.replace('.json', ''))
		.sort();
	expect(Object.values(groups).flat().sort()).toEqual(files);
	expect(files.length).toBeLessThanOrEqual(14);
});
