import type { WorkflowBody, WorkflowNode } from '../e2e/workflow';

/** What n8n's template library asks of a workflow, by its published guidelines. Each rule gives what is wrong, or nothing. */
type Rule = (workflow: WorkflowBody) => string[];

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';
const notesOf = ({ nodes }: WorkflowBody) => nodes.filter(isNote);
const stepsOf = ({ nodes }: WorkflowBody) => nodes.filter((node) => !isNote(node));
const textOf = ({ parameters }: WorkflowNode) => String(parameters.content);
/** Colour 7 is white; without one a note is yellow. */
const isMain = ({ parameters }: WorkflowNode) => parameters.color === undefined;
const words = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
const unless = (holds: boolean, problem: string) => (holds ? [] : [problem]);

const VERBS = ['Verify', 'Get', 'Send', 'Search', 'Triage', 'Ask', 'Save', 'Let', 'Give', 'Offer'];
const NAMES =
	/Business Verification|Data Table|Google Sheets?|Google Drive|Seller Report|HubSpot|Slack|MCP|AI|CRM|CSV|HTTP|n8n/g;

/** The headings of the main note, which are those of the description that the library asks for. */
export const SECTIONS = ["Who's it for", 'How it works', 'Setup steps', 'Requirements', 'How to customize'];

/** Ours: a workflow that needs a partner says what happens when the partner refuses. */
const FAILURES = 'If something fails';
const PARTNERS = /\.(slack|hubspot|googleSheets|googleDrive)$/;

const DEFAULT_NAMES = ['editfields', 'onformsubmission', 'whenclickingexecuteworkflow', 'readwritefilesfromdisk'];
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');

/** What a model is told not to say. */
const PROHIBITIONS = /\bDo not call [^.:]*/g;

/** What only a person or a threshold can say. That something could not be verified is a fact. */
const VERDICTS =
	/(?<!not be )\b(?:verified|approved|rejected)\b|:(?:white_check_mark|heavy_check_mark|x):|[\u2705\u2714\u2611\u274c]/gi;

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
	'the title is in sentence case, begins with a verb and says where from or to, in 80 characters': ({ name }) => [
		...unless(VERBS.includes(name.split(' ')[0]), 'verb'),
		...unless(/ (to|in|into|from|with|by|on|over|for) /.test(name), 'where'),
		...unless(!/[A-Z]/.test(name.replace(NAMES, '').slice(1)), 'sentence case'),
		...unless(name.length <= 80, `${name.length} characters`),
		...unless(!/\p{Extended_Pictographic}/u.test(name), 'emoji'),
	],

	'there is one main note, with the whole description in 100 to 300 words': (workflow) => {
		const [main, ...more] = notesOf(workflow).filter(isMain);
		if (main === undefined || more.length > 0) return [`${more.length} more than one`];
		const headings = [...textOf(main).matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
		return [
			...unless(textOf(main).startsWith(`## ${workflow.name}\n`), 'it is called otherwise'),
			...unless(
				headings.filter((heading) => heading !== FAILURES).join() === SECTIONS.join(),
				`sections ${headings.join(', ')}`,
			),
			...unless(
				headings.includes(FAILURES) === workflow.nodes.some(({ type }) => PARTNERS.test(type)),
				'what happens when a partner refuses',
			),
			...unless(words(textOf(main)) >= 100 && words(textOf(main)) <= 300, `${words(textOf(main))} words`),
			...unless(!/<[a-z]+[ >]/.test(textOf(main)), 'HTML'),
		];
	},

	'the main note names each field that a caller sends': (workflow) => {
		const read = [...JSON.stringify(workflow.nodes).matchAll(/\$json\.body\??\.(\w+)/g)].map(([, field]) => field);
		return [...new Set(read)].filter((field) => !notesOf(workflow).some((note) => textOf(note).includes(`*${field}*`)));
	},

	'white notes of at most 50 words explain the steps': (workflow) => {
		const notes = notesOf(workflow).filter((note) => !isMain(note));
		return [
			...unless(notes.length > 0, 'there is none'),
			...notes.filter((note) => note.parameters.color !== 7).map(({ name }) => `${name} is not white`),
			...notes.filter((note) => words(textOf(note)) > 50).map(({ name }) => `${name} is too long`),
		];
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

	"one Set node holds the user's values": (workflow) =>
		unless(
			// A server of tools has no flow that values could go through; a short one has them where they are used.
			stepsOf(workflow).length <= 6 ||
				stepsOf(workflow).some(({ type }) => type.endsWith('.mcpTrigger')) ||
				stepsOf(workflow).filter(({ name, type }) => name === 'Your values' && type.endsWith('.set')).length === 1,
			'not one',
		),

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

	'it runs by one click: what waits for others has pinned sample data': (workflow) =>
		stepsOf(workflow)
			.filter(
				({ type }) =>
					/trigger$|\.webhook$/i.test(type) && !/manualTrigger|scheduleTrigger|SellerTrigger|mcpTrigger/.test(type),
			)
			.filter(({ name }) => workflow.pinData?.[name] === undefined)
			.map(({ name }) => `${name} has none`),

	'no status is called a verdict: ticks, verified and approved follow from a threshold of the user': (workflow) => {
		const values = stepsOf(workflow).find(({ name }) => name === 'Your values')?.parameters.assignments;
		const thresholds = ((values as { assignments?: Array<{ name: string; type: string }> })?.assignments ?? []).filter(
			({ name, type }) => type === 'number' && /(From|Below)$/.test(name),
		);
		if (thresholds.length > 0) return [];
		return stepsOf(workflow).flatMap(({ name, parameters }) =>
			[...JSON.stringify(parameters).replace(PROHIBITIONS, '').matchAll(VERDICTS)].map(([word]) => `${name}: ${word}`),
		);
	},

	'a note says that a community node needs a self-hosted n8n': (workflow) =>
		unless(
			notesOf(workflow).some((note) => /self-hosted n8n/.test(textOf(note))),
			'not said',
		),
};
