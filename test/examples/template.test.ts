import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { example, exampleFiles } from '../e2e/examples';
import type { WorkflowBody } from '../e2e/workflow';
import { exampleFacts, groups } from '../../scripts/stories';
import { RULES } from './template';

describe.each(exampleFiles())('%s is ready for the template library', (file) => {
	test.each(Object.entries(RULES))('%s', (_name, rule) => {
		expect(rule(example(file))).toEqual([]);
	});
});

/** One example, spoiled in one respect for each rule. */
const spoiled: Record<string, (workflow: WorkflowBody) => void> = {
	'the title is in sentence case, begins with a verb and says the result, in 80 characters': (workflow) => {
		workflow.name = 'Verify with Business Verification';
	},
	'it has at most six nodes beside its note': ({ nodes }) => {
		nodes.push(...[1, 2, 3].map((number) => ({ ...nodes[1], name: `More ${number}` })));
	},
	'one note of at most 120 words says what it does, what to choose, what it costs, and which node to replace': ({
		nodes,
	}) => {
		nodes[0].parameters.content = `${String(nodes[0].parameters.content)} ${'word '.repeat(20)}`;
	},
	'every node that the note names in bold is there, or is a setting of one': ({ nodes }) => {
		nodes[2].name = 'Another name';
	},
	'the note names each field that a caller sends': ({ nodes }) => {
		nodes[0].parameters.content = String(nodes[0].parameters.content).replace('*city*', 'a city');
	},
	'nothing lies on a note': ({ nodes }) => {
		nodes[0].position = nodes[1].position;
	},
	'every node has a name of its own': ({ nodes }) => {
		nodes.at(-1)!.name = 'Edit Fields';
	},
	'no identifier of an account, no key and no real address is in it': ({ nodes }) => {
		nodes.at(-1)!.parameters.to = 'somebody@company.com';
	},
	'it runs by one click: what waits for others has pinned sample data, but what needs a real record has none': (
		workflow,
	) => {
		delete workflow.pinData;
	},
	'no status is called a verdict: only a person or a threshold of the user decides': ({ nodes }) => {
		nodes.at(-1)!.parameters.text = 'Your business is verified';
	},
};

test.each(Object.entries(RULES))('the rule is noticed when it is broken: %s', (name, rule) => {
	const workflow = structuredClone(example('crm-verification.json'));
	expect(rule(workflow)).toEqual([]);
	spoiled[name](workflow);
	expect(rule(workflow)).not.toEqual([]);
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
