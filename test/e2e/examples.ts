import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credential } from './client';
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

/** A service that answers at once need not be asked every half minute. */
export const ready = (node: WorkflowNode, credentials: Credential[]): WorkflowNode =>
	soon(withCredentials(node, credentials));

export function soon(node: WorkflowNode): WorkflowNode {
	const { waitForCompletion, operation, resource } = node.parameters;
	if (waitForCompletion !== true && (operation !== 'wait' || resource === undefined)) return node;
	const waitingOptions = { ...(node.parameters.waitingOptions as object), pollInterval: 1 };
	return { ...node, parameters: { ...node.parameters, waitingOptions } };
}
