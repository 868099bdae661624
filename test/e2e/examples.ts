import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Client, Credential } from './client';
import type { N8n } from './n8n';
import type { WorkflowBody, WorkflowNode } from './workflow';

const folder = join(__dirname, '..', '..', 'examples');

export const exampleFiles = (): string[] =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.sort();

/** The workflow as a reader imports it. */
export const example = (file: string): WorkflowBody => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** The node with the credentials of its types chosen; an n8n has ids of its own, and here none of other services. */
export function withCredentials(node: WorkflowNode, credentials: Credential[]): WorkflowNode {
	const chosen = Object.keys(node.credentials ?? {}).flatMap(
		(type) => credentials.find((each) => each.type === type) ?? [],
	);
	return { ...node, credentials: Object.fromEntries(chosen.map(({ id, name, type }) => [type, { id, name }])) };
}

/** The example in n8n, ready to run against the service of the credential. */
export async function createExample(api: Client, file: string, credential: Credential) {
	const workflow = example(file);
	return await api.createWorkflow({
		...workflow,
		nodes: workflow.nodes.map((node) => withCredentials(node, [credential])),
	});
}

/** Types of nodes that this n8n does not have. */
export async function unknownTypes(api: Client, nodes: WorkflowNode[]): Promise<string[]> {
	const known = new Set((await api.nodeTypes()).map(({ name }) => name));
	return nodes.map(({ type }) => type).filter((type) => !known.has(type));
}

/** The node that reads a file of leads, pointed to one of that many rows where this n8n may read; other nodes as they are. */
export function withLeads(node: WorkflowNode, n8n: N8n, rows: number): WorkflowNode {
	const { fileSelector } = node.parameters;
	if (typeof fileSelector !== 'string') return node;
	const path = join(n8n.folder, '.n8n-files', basename(fileSelector));
	mkdirSync(dirname(path), { recursive: true });
	const lines = Array.from({ length: rows }, (_, index) => `Business ${index + 1},Springfield,IL,lead-${index + 1}`);
	writeFileSync(path, ['Business Name,City,State,External ID', ...lines].join('\n'));
	return { ...node, parameters: { ...node.parameters, fileSelector: path } };
}
