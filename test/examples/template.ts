import type { WorkflowBody, WorkflowNode } from '../e2e/workflow';

/** What n8n's template library asks of a workflow, by its published guidelines. Each rule gives what is wrong, or nothing. */
type Rule = (workflow: WorkflowBody) => string[];

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const notesOf = ({ nodes }: WorkflowBody) => nodes.filter(isNote);
const stepsOf = ({ nodes }: WorkflowBody) => nodes.filter((node) => !isNote(node));
const textOf = ({ parameters }: WorkflowNode) => String(parameters.content);
const words = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
const unless = (holds: boolean, problem: string) => (holds ? [] : [problem]);

const VERBS = ['Verify', 'Get', 'Save', 'Send', 'Search', 'Approve', 'Let', 'Offer', 'Re-verify'];
const NAMES = /Google Sheet|HubSpot|Slack|MCP|AI|CRM|CSV|SHA-256|n8n/g;

const SECTIONS = ['How it works', 'Set up', 'What it costs', 'Make it yours'];

const MOST_STEPS = 6;
const MOST_WORDS = 120;

const DEFAULT_NAMES = ['editfields', 'onformsubmission', 'whenclickingexecuteworkflow', 'readwritefilesfromdisk'];
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');

/** What a model is told not to say. */
const PROHIBITIONS = /\bDo not call [^.:]*/g;

/** What only a person or a threshold can say. */
const VERDICTS =
	/\b(?:approved|rejected)\b|\bis verified\b|:(?:white_check_mark|heavy_check_mark|x):|[\u2705\u2714\u2611\u274c]/gi;

function boxOf({ position: [x, y], parameters, type }: WorkflowNode) {
	const [width, height] =
		type === 'n8n-nodes-base.stickyNote' ? [Number(parameters.width), Number(parameters.height)] : [100, 100];
	return { left: x, right: x + width, top: y, bottom: y + height };
}

function overlap(one: WorkflowNode, other: WorkflowNode): boolean {
	const [a, b] = [boxOf(one), boxOf(other)];
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export const RULES: Record<string, Rule> = {
	'the title is in sentence case, begins with a verb and says the result, in 80 characters': ({ name }) => [
		...unless(VERBS.includes(name.split(' ')[0]), 'verb'),
		...unless(!/Business Verification/.test(name), 'it names the package'),
		...unless(!/[A-Z]/.test(name.replace(NAMES, '').slice(1)), 'sentence case'),
		...unless(name.length <= 80, `${name.length} characters`),
		...unless(!/\p{Extended_Pictographic}/u.test(name), 'emoji'),
	],

	'it has at most six nodes beside its note': (workflow) =>
		unless(stepsOf(workflow).length <= MOST_STEPS, `${stepsOf(workflow).length} nodes`),

	'one note of at most 120 words says what it does, what to choose, what it costs, and which node to replace': (
		workflow,
	) => {
		const [note, ...more] = notesOf(workflow);
		if (note === undefined || more.length > 0) return [`${more.length} more than one`];
		const headings = [...textOf(note).matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
		return [
			...unless(textOf(note).startsWith(`## ${workflow.name}\n`), 'it is called otherwise'),
			...unless(headings.join() === SECTIONS.join(), `sections ${headings.join(', ')}`),
			...unless(words(textOf(note)) <= MOST_WORDS, `${words(textOf(note))} words`),
			...unless(!/<[a-z]+[ >]/.test(textOf(note)), 'HTML'),
		];
	},

	'every node that the note names in bold is there, or is a setting of one': (workflow) => {
		const known = JSON.stringify(workflow.nodes.map(({ name }) => name));
		const isSetting = (name: string) => /^(Spending Limit|Max Wait|Batch Name|Execute workflow|Retry)$/.test(name);
		return notesOf(workflow)
			.flatMap((note) => [...textOf(note).matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name))
			.filter((name) => !known.includes(`"${name}"`) && !isSetting(name));
	},

	'the note names each field that a caller sends': (workflow) => {
		const read = [...JSON.stringify(workflow.nodes).matchAll(/\$json\.body\??\.(\w+)/g)].map(([, field]) => field);
		return [...new Set(read)].filter((field) => !notesOf(workflow).some((note) => textOf(note).includes(`*${field}*`)));
	},

	'nothing lies on a note': (workflow) =>
		notesOf(workflow).flatMap((note) =>
			workflow.nodes
				.filter((node) => node !== note && overlap(note, node))
				.map(({ name }) => `${name} on ${note.name}`),
		),

	'every node has a name of its own': ({ nodes }) => {
		const names = nodes.map(({ name }) => name);
		return nodes
			.filter(({ name, type }) => {
				const kind = plain(type.split('.')[1]);
				return names.indexOf(name) !== names.lastIndexOf(name) || [kind, ...DEFAULT_NAMES].includes(plain(name));
			})
			.map(({ name }) => name);
	},

	'no identifier of an account, no key and no real address is in it': (workflow) => {
		const saved = JSON.stringify(workflow);
		const ids = stepsOf(workflow).flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
		return [
			...unless(
				ids.every((id) => id === ''),
				'the ID of a credential',
			),
			...unless(!('id' in workflow) && !('meta' in workflow), 'the ID of a workflow or an n8n'),
			...[...saved.matchAll(/[\w.+-]+@[\w-]+\.[a-z]+/g)].map(([address]) => address),
			...[...saved.matchAll(/https?:\/\/([\w.-]+)/g)]
				.map(([, host]) => host)
				.filter((host) => !host.endsWith('.example')),
			...[...saved.matchAll(/\b(?:sk|xox[abp]|ghp|Bearer)[-_ ][\w-]{8,}/g)].map(([key]) => key),
		];
	},

	'it runs by one click: what waits for others has pinned sample data, but what needs a real record has none': (
		workflow,
	) => {
		// The report of a made-up inquiry cannot be read. Without a sample, a test of the status trigger reads the newest one.
		const needsRecord = ({ type, parameters }: WorkflowNode) =>
			type.endsWith('SellerTrigger') || parameters.operation === 'downloadPdf';
		const realOnes = stepsOf(workflow).filter(needsRecord);
		const others = stepsOf(workflow).filter(
			({ type }) => /trigger$|\.webhook$/i.test(type) && !/(manual|schedule|Seller|mcp)Trigger/.test(type),
		);
		const isPinned = ({ name }: WorkflowNode) => workflow.pinData?.[name] !== undefined;
		// A sample would bill a search whose report cannot arrive, because the workflow is not published.
		if (realOnes.length > 0) return others.filter(isPinned).map(({ name }) => `${name} has some`);
		return others.filter((node) => !isPinned(node)).map(({ name }) => `${name} has none`);
	},

	'no status is called a verdict: only a person or a threshold of the user decides': (workflow) => {
		const decides = stepsOf(workflow).some(({ name }) => name === 'Ask a person');
		if (decides) return [];
		return stepsOf(workflow).flatMap(({ name, parameters }) =>
			[...JSON.stringify(parameters).replace(PROHIBITIONS, '').matchAll(VERDICTS)].map(([word]) => `${name}: ${word}`),
		);
	},
};
