import { type IExecuteFunctions, type INodeExecutionData, WAIT_INDEFINITELY } from 'n8n-workflow';
import { Bounded } from '../../../credentials/tokens';
import type { Json } from '../kit/service';
import { orMade } from '../kit/objects';

const wakeUrls = new Bounded<object>(1000);

/**
 * The address at which n8n wakes this execution, as `make` completes it. The same for every try of a node's run: n8n may
 * run it again after the search was sent, and the service knows only the first address.
 */
export function wakeUrl<U extends object>(context: IExecuteFunctions, make: (resumeUrl: string) => U): U {
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const place = `${context.getExecutionId()} ${context.getNode().id} ${runIndex}`;
	return orMade(wakeUrls, place, () => make(String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)))) as U;
}

/**
 * Puts the execution to sleep. n8n keeps a sleeping node's input item, hands it to `webhook` when a call comes, and
 * outputs it as it is when the limit passes; so the state takes that item's place.
 */
export async function fallAsleep(context: IExecuteFunctions, limitMs: number, state: Json): Promise<void> {
	context.getInputData()[0] = { json: state as INodeExecutionData['json'], pairedItem: { item: 0 } };
	await context.putExecutionToWait(limitMs > 0 ? new Date(Date.now() + limitMs) : WAIT_INDEFINITELY);
}
