import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Delivery } from '../callback/sellerReport';

/** Calls from outside, to a trigger or to an execution that sleeps. */

export const deliveryOf = (context: IWebhookFunctions): Delivery => ({
	body: context.getBodyData(),
	rawBody: context.getRequestObject().rawBody,
	headers: context.getHeaderData(),
});

/** An error that left here would start or wake an execution with nothing in its hands, and anybody could cause those. */
export async function handled(
	context: IWebhookFunctions,
	handle: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	try {
		return await handle();
	} catch (error) {
		context.logger.error(`A callback could not be handled: ${(error as Error).message}`, whereabouts(context));
		return refused(context, 500, 'The callback could not be handled; send it again later');
	}
}

/** The caller is told; n8n does nothing. */
export function refused(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

export const whereabouts = (context: IWebhookFunctions) => ({
	workflowId: context.getWorkflow().id,
	node: context.getNode().name,
});
