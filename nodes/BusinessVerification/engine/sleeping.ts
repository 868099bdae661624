import { type IExecuteFunctions, type INodeExecutionData, WAIT_INDEFINITELY } from 'n8n-workflow';
import { Bounded } from '../../../credentials/tokens';
import type { Json } from '../kit/service';
import { orMade } from '../kit/objects';

const wakeUrls = new Bounded<object>(1000);

/**
 * The resume URL of this execution, completed by `make`. It is the same for every try of a run: n8n may repeat the run
 * after the search was submitted, and the service has the first URL only.
 */
export function wakeUrl<U extends object>(context: IExecuteFunctions, make: (resumeUrl: string) => U): U {
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const place = `${context.getExecutionId()} ${context.getNode().id} ${runIndex}`;
	return orMade(wakeUrls, place, () => make(String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)))) as U;
}

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
