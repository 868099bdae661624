import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';
import { Bounded } from '../../../credentials/bounded';
import { isRefusal } from '../callback/refusedCalls';
import { signingSecretsOf } from '../callback/standardWebhooks';
import { newWakeUrl, nonceName, type Sleeper, type WakeUrl, wakingBy } from '../callback/waking';
import { credentialType, type Json, orMade } from '../definition';
import { deliveryOf, handled, refused, whereabouts } from './calls';

/** Part of the path of the resume URL: a late callback of another waiting node does not wake this one. */
export const wakePath = 'report';

const wakeUrls = new Bounded<WakeUrl>(1000);

/**
 * The address at which n8n wakes this execution. The same for every try of a node's run: n8n may run it again after the
 * search was sent, and the service knows only the first address.
 */
export function wakeUrl(context: IExecuteFunctions): WakeUrl {
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const place = `${context.getExecutionId()} ${context.getNode().id} ${runIndex}`;
	return orMade(wakeUrls, place, () => {
		const url = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)));
		url.pathname = `${url.pathname.replace(/\/+$/, '')}/${wakePath}`;
		return newWakeUrl(url.toString());
	});
}

/**
 * Puts the execution to sleep. n8n keeps a sleeping node's input item, hands it to `webhook` when a call comes, and
 * outputs it as it is when the limit passes; so the state takes that item's place.
 */
export async function fallAsleep(context: IExecuteFunctions, limitMs: number, state: Json): Promise<void> {
	context.getInputData()[0] = { json: state as INodeExecutionData['json'], pairedItem: { item: 0 } };
	await context.putExecutionToWait(limitMs > 0 ? new Date(Date.now() + limitMs) : WAIT_INDEFINITELY);
}

/** A call to the resume URL. */
export const wake = (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	handled(context, async () => {
		const { [nonceName]: nonce } = context.getQueryData() as Json;
		const sleeper = context.evaluateExpression('{{ $input.first().json }}', 0) as unknown as Sleeper;
		const { signingSecret } = await context.getCredentials(credentialType(context));
		const waking = wakingBy(sleeper, nonce, deliveryOf(context), signingSecretsOf(signingSecret), Date.now());
		if (!isRefusal(waking)) {
			const json = waking.json as unknown as INodeExecutionData['json'];
			return { webhookResponse: { received: true }, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
		}
		context.logger.warn(`A callback did not wake its execution: ${waking.message}`, whereabouts(context));
		return refused(context, waking.status, waking.message);
	});
