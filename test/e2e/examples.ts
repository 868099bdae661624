import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Credential } from './client';
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

interface Assignment {
	name: string;
	value: unknown;
}

/** The node with some of the reader's own values filled in; nodes that do not have them as they are. */
export function withValues(node: WorkflowNode, values: Record<string, unknown>): WorkflowNode {
	const assignments = (node.parameters.assignments as { assignments: Assignment[] } | undefined)?.assignments;
	if (node.name !== 'Your values' || assignments === undefined) return node;
	const filled = assignments.map((each) => ({ ...each, value: values[each.name] ?? each.value }));
	return { ...node, parameters: { ...node.parameters, assignments: { assignments: filled } } };
}

/** n8n reads and writes files nowhere else. */
export function readable(userFolder: string): string {
	const path = join(userFolder, '.n8n-files');
	mkdirSync(path, { recursive: true });
	return path;
}

/** The node as it runs in an n8n with this user folder: a service that answers at once need not be asked every half minute. */
export function ready(node: WorkflowNode, userFolder: string, credentials: Credential[], crmUrl: string): WorkflowNode {
	const values = { folder: readable(userFolder), file: join(readable(userFolder), 'leads.csv'), crmUrl };
	return soon(withValues(withCredentials(node, credentials), values));
}

export function soon(node: WorkflowNode): WorkflowNode {
	const { waitForCompletion, operation, resource } = node.parameters;
	if (waitForCompletion !== true && (operation !== 'wait' || resource === undefined)) return node;
	const place = 'waitingOptions' in node.parameters ? 'waitingOptions' : 'options';
	const options = { ...(node.parameters[place] as object), pollInterval: 1 };
	return { ...node, parameters: { ...node.parameters, [place]: options } };
}
