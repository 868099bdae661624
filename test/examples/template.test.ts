import { example, exampleFiles } from '../e2e/examples';
import type { WorkflowBody } from '../e2e/workflow';
import { RULES } from './template';

describe.each(exampleFiles())('%s is ready for the template library', (file) => {
	test.each(Object.entries(RULES))('%s', (_name, rule) => {
		expect(rule(example(file))).toEqual([]);
	});
});

/** One example, spoiled in one respect for each rule. */
const spoiled: Record<string, (workflow: WorkflowBody) => void> = {
	'the title is in sentence case, begins with a verb and says where from or to, in 80 characters': (workflow) => {
		workflow.name = 'Business Triage Machine';
	},
	'there is one main note, with the whole description in 100 to 300 words': ({ nodes }) => {
		nodes[0].parameters.content = '## Short';
	},
	'the main note names each field that a caller sends': ({ nodes }) => {
		const main = nodes[0].parameters;
		main.content = String(main.content).replace('*city*', 'a city');
	},
	'white notes of at most 50 words explain the steps': ({ nodes }) => {
		nodes[1].parameters.color = 3;
	},
	'nothing lies on a note': ({ nodes }) => {
		nodes[0].position = nodes[1].position;
	},
	'every node has a name of its own': ({ nodes }) => {
		nodes.at(-1)!.name = 'Edit Fields';
	},
	"one Set node holds the user's values": ({ nodes }) => {
		nodes.find(({ name }) => name === 'Your values')!.name = 'Values';
	},
	'no identifier of an account, no key and no real address is in it': ({ nodes }) => {
		nodes.at(-1)!.parameters.to = 'somebody@company.com';
	},
	'it runs by one click: what waits for others has pinned sample data': (workflow) => {
		delete workflow.pinData;
	},
	'no status is called a verdict: ticks, verified and approved follow from a threshold of the user': ({ nodes }) => {
		nodes.find(({ name }) => name === 'Your values')!.parameters.assignments = { assignments: [] };
		nodes.at(-1)!.parameters.text = 'Your business is verified';
	},
	'a note says that a community node needs a self-hosted n8n': ({ nodes }) => {
		nodes[0].parameters.content = '## Short';
	},
};

test.each(Object.entries(RULES))('the rule is noticed when it is broken: %s', (name, rule) => {
	const workflow = structuredClone(example('triage.json'));
	expect(rule(workflow)).toEqual([]);
	spoiled[name](workflow);
	expect(rule(workflow)).not.toEqual([]);
});
