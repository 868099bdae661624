import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { ensureBuilt, filesBelow, root, run, temporaryFolder } from './built';

// The lint rules read literals. Our fields are generated, so what n8n gets to see is written down as one and linted.

beforeAll(ensureBuilt, 180_000);

const built = (file: string) => path.join(root, 'dist', file.replace(/\.ts$/, '.js'));
const instance = <T>(file: string): T => {
	const className = path.basename(file).split('.')[0];
	return new (jest.requireActual(built(file))[className])();
};
const published = (folder: string, ending: string) =>
	filesBelow(path.join(root, folder))
		.filter((file) => file.endsWith(ending))
		.map((file) => `${folder}/${file}`);

/** As a person would write it, because that is what the rules look for: keys without quotes, on lines that begin with a tab. */
function literal(value: unknown): string {
	if (Array.isArray(value)) return `[\n\t${value.map(literal).join(',\n\t')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
	const entries = Object.entries(value).filter(([, each]) => typeof each !== 'function' && each !== undefined);
	return `{\n\t${entries.map(([key, each]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(each)}`).join(',\n\t')}}`;
}

function nodeSource(file: string, description: INodeTypeDescription): string {
	return `import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
export class ${path.basename(file).split('.')[0]} implements INodeType {
	description: INodeTypeDescription = ${literal(description)};
}
`;
}

function credentialSource(file: string, type: ICredentialType): string {
	const { name, displayName, icon, documentationUrl, properties } = type;
	return `import type { ICredentialType, INodeProperties } from 'n8n-workflow';
export class ${path.basename(file).split('.')[0]} implements ICredentialType {
	name = ${literal(name)};
	displayName = ${literal(displayName)};
	icon = ${literal(icon)};
	documentationUrl = ${literal(documentationUrl)};
	properties: INodeProperties[] = ${literal(properties)};
}
`;
}

/** The rules of n8n for what people read; the others need the whole class, and that is linted as it is written. */
function findings(sources: Record<string, string>): string[] {
	const folder = temporaryFolder();
	for (const name of ['package.json', 'icons'])
		cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
	for (const [file, source] of Object.entries(sources)) {
		mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		writeFileSync(path.join(folder, file), source);
	}
	const output = run(process.execPath, [path.join(__dirname, 'lint.mjs'), folder, '{nodes,credentials}/**/*.ts'], root);
	const readable = /\((n8n-nodes-base\/|@n8n\/community-nodes\/(no-emoji|resource-operation))/;
	return (JSON.parse(output) as string[]).filter((finding) => readable.test(finding));
}

const UNSORTED = /Alphabetize|unsorted-items/;

const main = published('nodes', 'BusinessVerification.node.ts')[0];
/** A node beside the published ones, that the rules must object to. */
const wrong = main.replace('nodes/', 'nodes/Wrong/');
const badly: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	default: {},
	options: [
		{ displayName: 'badly worded', name: 'badly', type: 'boolean', default: false, description: 'When needed' },
	],
};

const nodes = new Map<string, INodeTypeDescription>();
let found: string[] = [];

// In one run, because the linter takes longer to start than to read a node.
beforeAll(() => {
	const sources: Record<string, string> = {};
	for (const file of published('nodes', '.node.ts')) {
		const { description } = instance<{ description: INodeTypeDescription }>(file);
		nodes.set(file, description);
		sources[file] = nodeSource(file, description);
	}
	for (const file of published('credentials', '.credentials.ts')) {
		sources[file] = credentialSource(file, instance<ICredentialType>(file));
	}
	const [first] = nodes.get(main)!.properties;
	sources[wrong] = nodeSource(wrong, { ...nodes.get(main)!, properties: [first, badly] });
	found = findings(sources);
});

test('nodes and credentials follow the rules of n8n, but for the order of forms', () => {
	const ours = found.filter((finding) => !finding.startsWith(wrong));
	expect(ours.filter((finding) => !UNSORTED.test(finding))).toEqual([]);
});

test('the rules see the generated fields: one that is worded badly, deep inside, is found', () => {
	const rules = found
		.filter((finding) => finding.startsWith(wrong))
		.map((finding) => finding.replace(/.*\((.*)\)$/, '$1'));
	expect(rules).toEqual(
		expect.arrayContaining([
			'n8n-nodes-base/node-param-display-name-miscased',
			'n8n-nodes-base/node-param-description-boolean-without-whether',
		]),
	);
});
