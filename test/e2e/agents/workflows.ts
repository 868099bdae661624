import type { Client, Credential } from '../client';
import { PACKAGE } from '../verification';
import { manualTrigger, node, type WorkflowBody, type WorkflowNode } from '../workflow';

const langchain = '@n8n/n8n-nodes-langchain';

/** Our node as a tool, as it is when it was only dropped and its operation chosen. */
export const tool = (
	credential: Credential,
	resource: string,
	operation: string,
	more: Partial<WorkflowNode> = {},
	parameters: object = {},
): WorkflowNode =>
	node(
		more.name ?? `${resource}_${operation}`,
		`${PACKAGE}.businessVerificationTool`,
		{ authentication: 'apiKey', resource, operation, ...parameters },
		{ credentials: { [credential.type]: { id: credential.id, name: credential.name } }, ...more },
	);

function connected(name: string, nodes: WorkflowNode[], wires: Wire[]) {
	const connections: Record<string, object> = {};
	for (const [from, type, to] of wires) connections[from] = { [type]: [[{ node: to, type, index: 0 }]] };
	return { name, nodes, connections, settings: { executionOrder: 'v1' } } as WorkflowBody;
}

/** n8n's AI Agent of that version with these tools. */
export function agentWorkflow(version: number, model: Credential, tools: WorkflowNode[]): WorkflowBody {
	const wires = tools.map(({ name }): Wire => [name, 'ai_tool', 'Agent']);
	return agentWith(version, model, tools, wires);
}

/** Agent version 3 with a tool behind n8n's human review, which asks by a messenger. */
export function reviewedWorkflow(
	model: Credential,
	bot: Credential,
	message: string,
	reviewed: WorkflowNode,
): WorkflowBody {
	const review = node(
		'Review',
		'n8n-nodes-base.telegramHitlTool',
		{ message, chatId: '1', approvalOptions: { values: { approvalType: 'double' } } },
		{ typeVersion: 1.2, credentials: { [bot.type]: { id: bot.id, name: bot.name } } },
	);
	review.webhookId = 'review';
	const wires: Wire[] = [
		[reviewed.name, 'ai_tool', review.name],
		[review.name, 'ai_tool', 'Agent'],
	];
	return agentWith(3, model, [reviewed, review], wires);
}

type Wire = [from: string, type: string, to: string];

function agentWith(version: number, model: Credential, tools: WorkflowNode[], wires: Wire[]): WorkflowBody {
	const start = manualTrigger();
	const agent = node(
		'Agent',
		`${langchain}.agent`,
		{ promptType: 'define', text: 'Verify Acme.', options: {} },
		{ typeVersion: version },
	);
	const chat = node(
		'Model',
		`${langchain}.lmChatOpenAi`,
		{ model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
		{ typeVersion: 1.2, credentials: { [model.type]: { id: model.id, name: model.name } } },
	);
	return connected(
		`Agent ${version}`,
		[start, agent, chat, ...tools],
		[[start.name, 'main', agent.name], [chat.name, 'ai_languageModel', agent.name], ...wires],
	);
}

/** An MCP server with these tools, running; what comes back is its address. */
export async function mcpServer(api: Client, path: string, tools: WorkflowNode[]): Promise<string> {
	const trigger = node('MCP', `${langchain}.mcpTrigger`, { path, authentication: 'none' }, { typeVersion: 2 });
	trigger.webhookId = path;
	const wires = tools.map(({ name }): Wire => [name, 'ai_tool', trigger.name]);
	const { id } = await api.createWorkflow(connected(`MCP ${path}`, [trigger, ...tools], wires));
	await api.activate(id);
	return `${api.url}/mcp/${path}`;
}
