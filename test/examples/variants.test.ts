import { example } from '../e2e/examples';
import type { WorkflowNode } from '../e2e/workflow';

/** The variant with somebody's account, the one that runs without any, and where the first says what its partner writes. */
const variants: Array<[string, string, string[]]> = [
	// It writes into the sheet what stands in the file without an account.
	['sheet-import.json', 'sheet-import-offline.json', []],
	['sheet-import-scheduled.json', 'sheet-import-offline.json', []],
	['completion-to-slack.json', 'completion-alert-offline.json', ['Tell the channel']],
	['crm-verification-hubspot.json', 'crm-verification.json', ['Write the result to the record']],
	['crm-verification-hubspot-schedule.json', 'crm-verification.json', ['Write the result to the record']],
	['crm-verification-http.json', 'crm-verification.json', ['Write the result to the record']],
	['human-approval-slack.json', 'human-approval.json', ['Ask a person']],
];

/** What a variant has for the sake of its partner: how the partner is asked, asked again, and given up. */
const forPartner = [
	...['Every hour', 'Rows without a result'],
	...[
		'Every five minutes',
		'Without a result',
		'Read again?',
		'Wait before reading',
		'Write again?',
		'Wait before writing',
	],
	...['One message at a time', 'One second', 'Make the table', 'Keep what was not delivered'],
	'Say that it could not be verified',
];

/** Nodes that need an account or a service of somebody else. */
const needsAccount = ({ type }: WorkflowNode) =>
	/\.(hubspot|hubspotTrigger|slack|googleSheets|httpRequest)$/.test(type);
const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';

/** What n8n numbers by itself, and where a node lies. */
const essence = ({ type, typeVersion, parameters, onError }: WorkflowNode) =>
	JSON.parse(
		JSON.stringify({ type, typeVersion, parameters, onError }, (key, value) => (key === 'id' ? undefined : value)),
	);

/** The expressions of what is written, without the choice of a file or a channel. */
const written = ({ parameters }: WorkflowNode) =>
	[...JSON.stringify(parameters).matchAll(/"(={{.*?}})"/g)]
		.map(([, expression]) => expression)
		.filter((each) => !/spreadsheet|crmUrl|channel/.test(each));

describe.each(variants)('%s matches %s', (variantFile, offlineFile, writers) => {
	const [variant, offline] = [example(variantFile), example(offlineFile)];
	const steps = variant.nodes.filter((node) => !isNote(node));
	const twinOf = ({ name }: WorkflowNode) => offline.nodes.find((node) => node.name === name);

	test('every node that needs no account is the same in both, but for where the values come from', () => {
		const own = steps.filter(
			(node) =>
				!needsAccount(node) &&
				!['Your values', 'CRM record changed', 'Application received', 'Stop and say why', ...forPartner].includes(
					node.name,
				),
		);
		expect(own.length).toBeGreaterThan(0);
		for (const node of own) expect([node.name, essence(node)]).toEqual([node.name, essence(twinOf(node)!)]);
	});

	test('what the nodes with an account write is what stands at their place without one', () => {
		const writing = steps.filter(
			(node) => needsAccount(node) && twinOf(node) !== undefined && written(node).length > 0,
		);
		expect(writing.map(({ name }) => name)).toEqual(writers);
		for (const node of writing) {
			const missing = written(node).filter((each) => !JSON.stringify(twinOf(node)!.parameters).includes(each));
			expect([node.name, missing]).toEqual([node.name, []]);
		}
	});

	test('the values that the steps use are in both', () => {
		const names = ({ nodes }: typeof variant) =>
			(
				nodes.find(({ name }) => name === 'Your values')?.parameters.assignments as
					{ assignments: Array<{ name: string }> } | undefined
			)?.assignments
				.map(({ name }) => name)
				.filter((name) => !['crmUrl', 'spreadsheet', 'file', 'folder', 'csv', 'channel'].includes(name));
		expect(names(variant) ?? []).toEqual(names(offline));
	});
});
