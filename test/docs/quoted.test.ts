import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { BusinessVerificationApi } from '../../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { BusinessVerificationOAuth2Api } from '../../credentials/BusinessVerificationOAuth2Api.credentials';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { triggerEvents } from '../../nodes/BusinessVerification/watch/fields';
import { resources } from '../../nodes/BusinessVerification/operations';
import { BusinessVerificationTrigger } from '../../nodes/BusinessVerification/BusinessVerificationTrigger.node';

/*
 * What a page for users quotes is there: **labels** and *choices* of the panels, `fields`, and defaults.
 * The page of operations is generated from the panels and needs no such test.
 */

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
	'README.md',
	'SECURITY.md',
	'docs/stories/README.md',
	...readdirSync(join(root, 'docs'))
		.filter((file) => file.endsWith('.md') && file !== 'operations.md')
		.map((file) => `docs/${file}`),
];

const types = [
	new BusinessVerification().description,
	new BusinessVerificationTrigger().description,
	new BusinessVerificationSellerTrigger().description,
	new BusinessVerificationApi(),
	new BusinessVerificationJwtApi(),
	new BusinessVerificationOAuth2Api(),
];

interface Shown {
	label: string;
	default?: unknown;
}

function* shownIn(properties: INodeProperties[]): Generator<Shown> {
	for (const property of properties) {
		yield { label: property.displayName, default: property.default };
		for (const { displayName } of property.modes ?? []) yield { label: displayName };
		for (const option of property.options ?? []) {
			if ('values' in option) {
				yield { label: option.displayName };
				yield* shownIn(option.values);
			} else if ('displayName' in option) yield* shownIn([option as INodeProperties]);
			else {
				yield { label: option.name };
				if (option.action !== undefined) yield { label: option.action };
			}
		}
	}
}

const panels: Shown[] = types.flatMap(({ displayName, properties }) => [
	{ label: displayName },
	...shownIn(properties),
]);

/** A page leaves out the unit that a label ends with: **Max Wait** for *Max Wait (Minutes)*. */
const withoutUnit = (label: string) => label.replace(/ \([^)]+\)$/, '');
const labels = new Set(panels.flatMap(({ label }) => [label, withoutUnit(label)]));

/** Words of n8n's own panels, menus and nodes, as they are written there. */
const ofN8n = [
	'+ · Access Token URL · AI Agent · Approve · Authorization URL · BASE64 · Body · Client ID · Client Secret · Community nodes · Continue (using error output) · Convert to File · Credential · Crypto',
	'Description · Execute step · Executions · Execute workflow · Extract from File · From file · Generate · Google Drive · Download file',
	'Upload file · HTTP Request · Ignore SSL Issues · Import · Install · Loop Over Items · MCP Server Trigger · More details',
	'New credential · Proxy · Schedule Trigger · On Error · On Webhook Call · Remove Duplicates · Retry · Retry On Fail · Send Additional Body Properties · Settings · Stop Workflow',
	'Update · Wait · Webhook URLs · Workflow settings · Schema · Slack · Google Sheets · Data table · If',
	'Capture Who Responded · Error Workflow · Error Trigger · History Size · Save failed production executions',
	'Save successful production executions · Save manual executions',
].flatMap((line) => line.split(' · '));

/** The words of the glossary are bold where they are explained. */
const glossary = [...read('docs/stories/README.md').matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, word]) => word);
const known = new Set([...ofN8n, ...glossary, ...labels]);

/** `**Inquiry: Create, Get**` names operations, `**Options > Max Wait**` leads through a panel. */
const isKnown = (quoted: string) =>
	known.has(quoted) || quoted.split(/ > |: |, | and /).every((part) => known.has(part.trim()));

/** Emphasis of prose: it ends as a sentence does, or has a long word in lower case, which no label has. */
const isProse = (quoted: string) => /[.?:]$|(?<!\w)[a-z]{5,}/.test(quoted);

const proseOf = (page: string) => read(page).replace(/```[\s\S]*?```/g, '');
const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

it.each(pages)('every label and choice that %s names is in a panel', (page) => {
	const prose = proseOf(page).replace(/\*\*`[^`\n]*`\*\*|`[^`\n]*`/g, '');
	const bold = [...prose.matchAll(/\*\*([^*]+)\*\*/g)];
	const italic = [...prose.replace(/\*\*[^*]+\*\*/g, '').matchAll(/(?<![\w*])\*([A-Z][^*\n]*)\*(?![\w*])/g)];
	const quoted = [...bold, ...italic].map(([, text]) => onOneLine(text));
	expect(quoted.filter((text) => !isProse(text) && !isKnown(text))).toEqual([]);
});

const filesBelow = (folder: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(ts|json)$/.test(file))
		.map((file) => read(join(folder, file)));
const words = new Set([...filesBelow('nodes'), ...filesBelow('credentials')].join('\n').match(/[\w-]+/g));

/** Settings of n8n and of Node.js, commands, and files. */
const isOfOthers = (quoted: string) =>
	/^(N8N|NODE|WEBHOOK|HTTPS?|NO|CREDENTIALS|EXECUTIONS)_[A-Z\d_]+(=.*)?$/.test(quoted) ||
	/^(npm|openssl|n8n)\b|\.(md|ts|json|pem)$/.test(quoted);

it.each(pages)('every field and status that %s names is in the code', (page) => {
	const quoted = [...proseOf(page).matchAll(/`([^`\n]+)`/g)]
		.map(([, text]) => text)
		.filter((text) => /^\.?[A-Za-z][\w.-]*$/.test(text) && !isOfOthers(text));
	expect(quoted.filter((text) => text.split('.').some((part) => part !== '' && !words.has(part)))).toEqual([]);
});

const notes = readdirSync(join(root, 'docs/stories')).map((file) => `docs/stories/${file}`);

/** `**Max Wait** (30 minutes)`: the number is the default, whatever its unit is called. The notes of the examples name some, too. */
it.each([...new Set([...pages, ...notes])])('every default that %s names is the one of the panel', (page) => {
	const named = [...proseOf(page).matchAll(/\*\*([^*]+)\*\* \(([\d,]+)(?: [a-z]+)?\)/g)];
	const wrong = named.filter(([, label, number]) => {
		const defaults = panels.filter((shown) => withoutUnit(shown.label) === onOneLine(label));
		return !defaults.some((shown) => shown.default === Number(number.replaceAll(',', '')));
	});
	expect(wrong.map(([quoted]) => onOneLine(quoted))).toEqual([]);
});

/** What the node returns is explained, or is the service's: then it is in the API documentation. */
it('every field of an output is on the page of output fields, or in the API documentation', () => {
	const explained = new Set(`${read('docs/output.md')}${read('docs/development/service-interface.md')}`.match(/\w+/g));
	// In capitals are the columns of a sheet.
	const fieldsOf = (example: unknown) => Object.keys([example].flat()[0] as object);
	const unexplained = Object.values(resources).flatMap(({ name, operations }) =>
		Object.values(operations).flatMap((operation) =>
			fieldsOf(operation.example)
				.filter((field) => !explained.has(field) && /^[a-z]/.test(field))
				.map((field) => `${name}: ${operation.name}: ${field}`),
		),
	);
	expect(unexplained).toEqual([]);
	// The default is one of three others in the output.
	const { finished: _, ...events } = triggerEvents;
	expect(Object.keys(events).filter((event) => !explained.has(event))).toEqual([]);
});
