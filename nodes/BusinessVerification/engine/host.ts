import type { IExecuteFunctions, INode, IPollFunctions, Workflow } from 'n8n-workflow';
import type { FailureDetails } from '../kit/service';

/** The only file that uses features that older hosts lack. */

function ask<T>(context: object, method: string, ...args: unknown[]): T | undefined {
	if (!(method in context)) return undefined;
	return (context as Record<string, (...args: unknown[]) => T>)[method](...args);
}

export const cancelSignal = (context: object): AbortSignal | undefined =>
	ask<AbortSignal | undefined>(context, 'getExecutionCancelSignal');

/** Whether an AI agent calls the node. `isToolExecution` is false where the engine runs tools, as for Agent v3. */
export const calledByAgent = (context: IExecuteFunctions): boolean =>
	ask<boolean>(context, 'isToolExecution') === true || context.getNode().type.endsWith('Tool');

/**
 * The execution that all calls of an agent share. Calls of an MCP client have none: n8n starts an execution for each,
 * or none at all. A call without a parent node, as by workers of n8n 2.8, is from an MCP client.
 */
export function sharedExecution(context: IExecuteFunctions): string | undefined {
	const caller = 'parentNode' in context ? ((context.parentNode as INode | undefined)?.type ?? '.mcpTrigger') : '';
	return caller.endsWith('.mcpTrigger') ? undefined : context.getExecutionId() || undefined;
}

/** The time for one poll. Hosts without a budget allow minutes. */
export const pollBudgetMs = (context: object): number => ask<number>(context, 'getPollBudgetMs') ?? 300_000;

/** n8n's scheduler allows a poll less than two minutes, and repeats failed ones by itself. */
export const hasShortPolls = (context: object): boolean => pollBudgetMs(context) < 120_000;

/**
 * Whether n8n stores what the trigger remembers in a table of its own, together with the execution: a poll then gets data
 * that are not the workflow's. The scheduler can run without it.
 */
export function hasDurableCursor(context: IPollFunctions): boolean {
	if (!hasShortPolls(context)) return false;
	if (!('workflow' in context)) return true;
	const own = (context.workflow as Workflow).getStaticData('node', context.getNode());
	return own !== context.getWorkflowStaticData('node');
}

/** For the editor, which reads hints, descriptions, and notifications as HTML. */
export const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Shows a hint beside the output in the editor. Older hosts do not show it. */
export const remark = (context: object, text: string): void => {
	ask(context, 'addExecutionHints', { message: escaped(text), type: 'info', location: 'outputPane' });
};

/** The cause of a failure for n8n's scheduler. Older hosts ignore it. */
export const failureOption = ({ cause, retryAfterMs }: FailureDetails): object =>
	cause === undefined ? {} : { failure: { cause, retryAfterMs } };
