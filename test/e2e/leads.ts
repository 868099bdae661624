import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { N8n } from './n8n';
import type { WorkflowNode } from './workflow';

/** Where the home folder of n8n's Docker image is, and with it the file that the example for large files reads. */
const DOCKER_HOME = '/home/node';

/** The example's node, pointed to a file in the home folder of this n8n; other nodes as they are. */
export function withLeads(node: WorkflowNode, n8n: N8n, rows: number): WorkflowNode {
	const { fileSelector } = node.parameters;
	if (typeof fileSelector !== 'string') return node;
	const path = fileSelector.replace(DOCKER_HOME, n8n.folder);
	mkdirSync(dirname(path), { recursive: true });
	const lines = Array.from({ length: rows }, (_, index) => `Business ${index + 1},Springfield,IL,lead-${index + 1}`);
	writeFileSync(path, ['Business Name,City,State,External ID', ...lines].join('\n'));
	return { ...node, parameters: { ...node.parameters, fileSelector: path } };
}
