import { type IExecuteFunctions, type INodeExecutionData, WAIT_INDEFINITELY } from 'n8n-workflow';
import type { Json } from '../kit/service';

/** A call to this URL wakes the execution while it waits. */
export const resumeUrl = (context: IExecuteFunctions): string =>
	String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));

/**
 * Puts the execution to wait. n8n stores the node's input item, passes it to `webhook` with a call, and outputs it
 * unchanged after the limit. So the state replaces that item, unless the execution cannot wait: "Retry On Fail" then
 * needs the item again, by which `RunMemory` knows what was already sent.
 */
export async function fallAsleep(context: IExecuteFunctions, limitMs: number, state: Json): Promise<void> {
	const items = context.getInputData();
	const [input] = items;
	items[0] = { json: state as INodeExecutionData['json'], pairedItem: { item: 0 } };
	try {
		await context.putExecutionToWait(limitMs > 0 ? new Date(Date.now() + limitMs) : WAIT_INDEFINITELY);
	} catch (error) {
		items[0] = input;
		return Promise.reject(error);
	}
}
