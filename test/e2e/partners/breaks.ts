import type { WorkflowBody, WorkflowNode } from '../workflow';

/** Something that an example needs, taken out of it. */
export interface Break {
	/** The file of `examples/` that is broken. */
	file: string;
	spoil(workflow: WorkflowBody): void;
	/** How the first check that fails begins, and what it then sees. */
	check: string;
	seen: RegExp;
}

const at = ({ nodes }: Pick<WorkflowBody, 'nodes'>, name: string): WorkflowNode => {
	const found = nodes.find((node) => node.name === name);
	if (found === undefined) throw new Error(`There is no node called ${name}`);
	return found;
};

const without =
	(name: string, ...settings: string[]) =>
	(workflow: WorkflowBody) => {
		const node = at(workflow, name);
		for (const setting of settings) {
			if (!(setting in node)) throw new Error(`${name} has no ${setting}`);
			delete node[setting];
		}
	};

const withoutOption = (name: string, option: string) => (workflow: WorkflowBody) => {
	const options = at(workflow, name).parameters.options as Record<string, unknown>;
	if (!(option in options)) throw new Error(`${name} has no option ${option}`);
	delete options[option];
};

/** What an output leads to leads elsewhere. */
const leading = (from: string, output: number, to: string) => (workflow: WorkflowBody) => {
	at(workflow, to);
	workflow.connections[from].main[output] = [{ node: to, type: 'main', index: 0 }];
};

/** A text anywhere in the parameters of a node. */
const saying = (name: string, text: string, other: string) => (workflow: WorkflowBody) => {
	const node = at(workflow, name);
	const [before, quoted, replaced] = [JSON.stringify(node.parameters), JSON.stringify(text), JSON.stringify(other)];
	const after = before.replaceAll(quoted.slice(1, -1), replaced.slice(1, -1));
	if (after === before) throw new Error(`${name} does not say ${text}`);
	node.parameters = JSON.parse(after);
};

const sheet = 'sheet-import.json';
const hubspot = 'crm-verification-hubspot.json';
const schedule = 'crm-verification-hubspot-schedule.json';
const alert = 'completion-to-slack.json';
const approval = 'human-approval-slack.json';

const everyResult = 'a sheet: every result finds its row';
const oneDelivery = 'HubSpot: in one delivery';
const catchingUp = 'HubSpot without a developer account';
const escaped = `.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')`;

/** By what is missing. */
export const BREAKS: Record<string, Break> = {
	'the read format': {
		...{ file: sheet, spoil: withoutOption('Read the sheet', 'outputFormatting') },
		...{ check: everyResult, seen: /1,002/ },
	},
	'RAW, where results are written': {
		...{ file: sheet, spoil: withoutOption('Write the results back', 'cellFormat') },
		...{ check: everyResult, seen: /USER_ENTERED/ },
	},
	'another try to write results': {
		...{ file: sheet, spoil: without('Write the results back', 'retryOnFail') },
		...{ check: 'a sheet: Google refuses for a while', seen: /quota|429|too many/i },
	},

	'the error output of a read company': {
		...{ file: hubspot, spoil: without('Read the record', 'onError') },
		...{ check: oneDelivery, seen: /ERROR/ },
	},
	'the error output of a company that is verified': {
		...{ file: hubspot, spoil: without('Verify once per record', 'onError') },
		...{ check: oneDelivery, seen: /ERROR/ },
	},
	'the error output of a written company': {
		...{ file: hubspot, spoil: without('Write the result to the record', 'onError') },
		...{ check: oneDelivery, seen: /could not be found/ },
	},
	'another try to read a company': {
		...{ file: hubspot, spoil: leading('Read the record', 1, 'What to write') },
		...{ check: 'HubSpot: it asks for patience', seen: /COMPLETED/ },
	},
	'another try to write a company': {
		...{ file: hubspot, spoil: leading('Write the result to the record', 1, 'Stop and say why') },
		...{ check: 'HubSpot: it asks for patience', seen: /did not take the result/ },
	},
	'the error output of a scheduled company': {
		...{ file: schedule, spoil: without('Verify once per record', 'onError') },
		...{ check: catchingUp, seen: /City/ },
	},
	'the error output of a scheduled write': {
		...{ file: schedule, spoil: without('Write the result to the record', 'onError') },
		...{ check: catchingUp, seen: /did not take the result/ },
	},

	'the escape of an alert': {
		...{ file: alert, spoil: saying('The message', escaped, '') },
		...{ check: 'Slack: each completion is told once', seen: /<!channel>/ },
	},
	'a CRM that may fail': {
		...{ file: alert, spoil: without('Name from your CRM', 'onError') },
		...{ check: 'Slack: each completion is told once', seen: /could not be found/ },
	},
	'the branch of inquiries without an external ID': {
		...{ file: alert, spoil: leading('Your values', 0, 'Name from your CRM') },
		...{ check: 'Slack: an inquiry without an external ID', seen: /null/ },
	},
	'the loop of one': {
		...{ file: alert, spoil: ({ nodes }) => (at({ nodes }, 'One message at a time').parameters.batchSize = 1000) },
		// n8n loses which message each answer is for.
		...{ check: 'Slack: 100 completions', seen: /Paired item data for item from node 'Tell the channel'/ },
	},
	'the error output of an alert': {
		...{ file: alert, spoil: without('Tell the channel', 'onError') },
		...{ check: 'Slack: a message that is not taken for long', seen: /rate|limit|429/i },
	},

	'the escape of a question': {
		...{ file: approval, spoil: saying('Ask a person', `.replaceAll('&', 'and').replace(/[<>]/g, '')`, '') },
		...{ check: 'an approval: an answer without a name', seen: /<!channel>/ },
	},
	'the question whether an answer is complete': {
		...{ file: approval, spoil: leading('The decision', 0, 'Make the audit table') },
		...{ check: 'an approval: an answer without a name', seen: /message 2/ },
	},
	'each application once': {
		...{ file: approval, spoil: leading('Verify once per application', 0, 'Ask a person') },
		...{ check: 'an approval: the same application twice', seen: /asked again/ },
	},
	'the error output of an application': {
		...{ file: approval, spoil: without('Verify once per application', 'onError') },
		...{ check: 'an approval: an application that cannot be verified', seen: /message 3/ },
	},
	'the escape of what could not be verified': {
		...{ file: approval, spoil: saying('Say that it could not be verified', escaped, '') },
		...{ check: 'an approval: an application that cannot be verified', seen: /No Town <Ltd>/ },
	},
	'another try to ask': {
		...{ file: approval, spoil: without('Ask a person', 'retryOnFail') },
		...{ check: 'an approval: Slack refuses three times', seen: /message 5/ },
	},
};
