import { randomUUID } from 'node:crypto';

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	[setting: string]: unknown;
}

export interface WorkflowBody {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, { main: Array<Array<{ node: string; type: 'main'; index: number }>> }>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

/** One node; `more` may set anything that n8n saves with a node. */
export function node(
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}

export const manualTrigger = () => node('Start', 'n8n-nodes-base.manualTrigger');

/** A node that hands on the given items, for workflows that need input without a service. */
export const itemsNode = (items: unknown[], name = 'Items') =>
	node(
		name,
		'n8n-nodes-base.code',
		{ jsCode: `return ${JSON.stringify(items.map((json) => ({ json })))};` },
		{ typeVersion: 2 },
	);

/** A workflow in which each node feeds the next one. */
export function chain(name: string, nodes: WorkflowNode[], settings: Record<string, unknown> = {}): WorkflowBody {
	const connections: WorkflowBody['connections'] = {};
	nodes.forEach((each, index) => {
		each.position = [index * 220, 0];
		const next = nodes[index + 1];
		if (next) connections[each.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes, connections, settings: { executionOrder: 'v1', ...settings } };
}

/** Polls every two seconds. n8n refuses a rule for less than a minute, but not thirty rules. */
export const everyTwoSeconds = {
	item: Array.from({ length: 30 }, (_, index) => ({ mode: 'custom', cronExpression: `${index * 2} * * * * *` })),
};
