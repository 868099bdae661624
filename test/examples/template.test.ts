import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { example, exampleFiles } from '../e2e/examples';
import { exampleFacts, groups } from '../../scripts/stories';
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

test('the page lists its nodes, and whether it runs with one click', () => {
	const page = readFileSync(join(__dirname, '../../docs/stories/README.md'), 'utf8');
	for (const { slug, nodes, words, isOneClick } of exampleFacts()) {
		expect([slug, nodes <= 6, words <= 120]).toEqual([slug, true, true]);
		expect(page).toMatch(new RegExp(`\\(${slug}\\.md\\) \\| ${nodes} \\| [^|]+ \\| ${isOneClick ? 'yes' : 'no'} \\|`));
	}
});
