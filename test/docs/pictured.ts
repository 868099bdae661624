import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { nodeNamed } from '../../scripts/savedNames';
import { example } from '../e2e/examples';
import type { WorkflowNode } from '../e2e/workflow';

/** What the two examples returned that the pictures show. */
interface Outputs {
	verified: object[];
	imported: object[];
}

/** What the pictures of the documentation show of this package. docs/pictures/texts.json has it as it was taken. */
export function pictured({ verified, imported }: Outputs): Record<string, unknown> {
	const [output] = verified.map(withoutChance);
	const { nodes, pinData } = example('completion-to-slack.json');
	const samples = pinData!['Inquiry finished'] as Array<{ json: { summary: string } }>;
	return {
		'workflow.png': example('verify-business.json').nodes.map(({ name }) => name),
		'node.png': { panel: panelOf(nodeOf('verify-business.json', 'Verify')), output },
		'result.png': { fields: Object.keys(assigned('verify-business.json', 'The result')), summary: output.summary },
		'sheet-with-results.png': imported.map(withoutChance),
		'slack-message.png': {
			text: nodes.find(({ name }) => name === 'Send to Slack')!.parameters.text,
			lines: samples.map(({ json }) => json.summary),
		},
	};
}

export const nodeOf = (file: string, name: string): WorkflowNode =>
	example(file).nodes.find((node) => node.name === name)!;

/** What a *Set* node of an example writes. */
export function assigned(file: string, name: string): Record<string, unknown> {
	const { assignments } = nodeOf(file, name).parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	return Object.fromEntries(assignments.map((field) => [field.name, field.value]));
}

/** IDs and times are others in every run. */
const withoutChance = (json: object): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(json).map(([key, value]) => [key, /^(id|inquiryId)$|At$/.test(key) && value !== null ? '…' : value]),
	);

/** The labels and notices that n8n shows of a node, from top to bottom, with those of added fields and the button to add more. */
function panelOf({ parameters, typeVersion }: WorkflowNode): string[] {
	const { description } = nodeNamed('BusinessVerification');
	const all = NodeHelpers.getNodeParameters(
		description.properties,
		parameters as INodeParameters,
		true,
		false,
		{ typeVersion },
		description,
	)!;
	const isShown = (property: INodeProperties) =>
		property.type !== 'hidden' && NodeHelpers.displayParameter(all, property, { typeVersion }, description);
	return description.properties.filter(isShown).flatMap(({ displayName, name, options = [], placeholder }) => {
		const added = options.filter((option) => option.name in Object(parameters[name]));
		return [
			displayName,
			...added.map((option) => ('displayName' in option ? option.displayName : option.name)),
			...(options.length > 0 && placeholder ? [placeholder] : []),
		];
	});
}
