import type { IExecuteFunctions, INode, Logger, Workflow } from 'n8n-workflow';
import type { FailureDetails } from '../kit/service';

/** Everything that only newer hosts have is asked for here, and nowhere else. */

function ask<T>(context: object, method: string, ...args: unknown[]): T | undefined {
	if (!(method in context)) return undefined;
	return (context as Record<string, (...args: unknown[]) => T>)[method](...args);
}

export const cancelSignal = (context: object): AbortSignal | undefined =>
	ask<AbortSignal | undefined>(context, 'getExecutionCancelSignal');

/** Whether an AI agent calls the node. Hosts answer false where the engine runs a tool for the agent, as for Agent v3. */
export const calledByAgent = (context: IExecuteFunctions): boolean =>
	ask<boolean>(context, 'isToolExecution') === true || context.getNode().type.endsWith('Tool');

/**
 * What the calls of one agent have in common. Those of an MCP client have nothing: n8n starts an execution for each, or
 * none. Where a tool is called in the name of no node, as by workers of 2.8, it is for such a client.
 */
export function sharedExecution(context: IExecuteFunctions): string | undefined {
	const caller = 'parentNode' in context ? ((context.parentNode as INode | undefined)?.type ?? '.mcpTrigger') : '';
	return caller.endsWith('.mcpTrigger') ? undefined : context.getExecutionId() || undefined;
}

/**
 * Tools of this kind that whoever calls this one has as well, itself among them; undefined where n8n does not say. A human
 * review stands between a tool and its agent.
 */
export function toolsBeside(context: IExecuteFunctions): INode[] | undefined {
	if (!('workflow' in context)) return undefined;
	const workflow = context.workflow as Workflow;
	const { name, type } = context.getNode();
	const agents = workflow.getChildNodes(name, 'ai_tool');
	if (agents.length === 0) return undefined;
	const tools = new Set([name, ...agents.flatMap((agent) => workflow.getParentNodes(agent, 'ai_tool'))]);
	return [...tools]
		.flatMap((tool) => workflow.getNode(tool) ?? [])
		.filter((node) => node.type === type && !node.disabled);
}

/** How long one poll may take; hosts without a budget let it run for minutes. */
export const pollBudgetMs = (context: object): number => ask<number>(context, 'getPollBudgetMs') ?? 300_000;

/** A remark beside the run's output in the editor; older hosts show none. */
export const remark = (context: object, message: string): void =>
	ask(context, 'addExecutionHints', { message, type: 'info', location: 'outputPane' });

/** A line in the browser's console during a manual run: all that n8n shows of a node that is still working. */
export const tellProgress = (context: object, message: string): void => ask(context, 'sendMessageToUI', message);

/** A line in n8n's log for those who look for a fault: never a body, a query or a secret. */
export const tellLog = (logger: Logger, message: string, facts: object): void => ask(logger, 'debug', message, facts);

/** Tells n8n's scheduler why a request failed; hosts that do not know the option leave it unread. */
export const failureOption = ({ cause, retryAfterMs }: FailureDetails): object =>
	cause === undefined ? {} : { failure: { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } };
