import type { IHookFunctions, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { type CallbackContent, readReport, type ReportRules, requestIdIn, sellerIdIn } from './report';
import { digestOf, newNonce, sameText } from './signing';
import { withoutEndingSlashes } from '../../../credentials/address';
import type { Json } from '../kit/service';
import { Refusal } from './refusals';
import { withoutSecrets } from '../engine/redaction';

/** Handles calls to a trigger or to a waiting execution. */

export const deliveryOf = (context: IWebhookFunctions): CallbackContent => ({
	body: context.getBodyData(),
	rawBody: context.getRequestObject().rawBody,
	headers: context.getHeaderData(),
});

/** An uncaught error would make n8n start or resume an execution without data, and anyone could cause that. */
export async function handled(
	context: IWebhookFunctions,
	handle: () => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	try {
		return await handle();
	} catch (error) {
		context.logger.error(`A callback could not be processed: ${(error as Error).message}`, whereabouts(context));
		return responded(context, 500, { message: 'The callback could not be processed. Send it again later.' });
	}
}

/** Responds to the sender. n8n starts or resumes nothing. */
export function responded(context: IWebhookFunctions, status: number, body: Json): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

export const whereabouts = (context: IHookFunctions | IWebhookFunctions) => ({
	workflowId: context.getWorkflow().id,
	node: context.getNode().name,
});

/**
 * A waiting execution is resumed by a call to its resume URL. Older hosts make that URL guessable, and n8n's token is
 * the same for the whole execution. So each search adds a nonce, and the execution keeps only the digest of it.
 */
export interface Sleeper {
	/** Null if the service returned none. */
	requestId: string | null;
	ref: string | null;
	wokenBy: WakeRules;
}

/** Stored with the execution, because the node's parameters cannot be evaluated for the item during the call. */
export interface WakeRules extends ReportRules {
	nonceDigest: string;
}

/** Name of the query parameter that carries the nonce. */
export const nonceName = 'nonce';

/** Part of the path of the resume URL, so that a late callback does not resume another waiting node. */
export const wakePath = 'report';

export function newWakeUrl(resumeUrl: string) {
	const nonce = newNonce();
	const url = new URL(resumeUrl);
	url.pathname = `${withoutEndingSlashes(url.pathname)}/${wakePath}`;
	url.searchParams.set(nonceName, nonce);
	return { url: url.toString(), nonceDigest: digestOf(nonce) };
}

/** Checks whether a call belongs to the waiting search. Other calls do not resume it. */
export function wakingBy(
	{ requestId, ref, wokenBy }: Sleeper,
	nonce: unknown,
	delivery: CallbackContent,
): { json: Json } | Refusal {
	const { nonceDigest, requestIdPath, sellerIdPath } = wokenBy ?? {};
	if (nonce === undefined) return new Refusal('cutShort');
	if (typeof nonce !== 'string' || typeof nonceDigest !== 'string' || !sameText(digestOf(nonce), nonceDigest))
		return new Refusal('foreign');
	const read = readReport(delivery);
	if (read instanceof Refusal) return read;
	const reportedFor = requestIdIn(read.report, requestIdPath);
	if (reportedFor !== undefined && requestId !== null && reportedFor !== requestId) return new Refusal('ofAnother');
	const report = withoutSecrets([nonce], read.report);
	return {
		json: {
			status: 'complete',
			isFinal: true,
			ref,
			requestId: requestId ?? reportedFor ?? null,
			sellerId: sellerIdIn(report, sellerIdPath) ?? null,
			report,
		},
	};
}

export const wake = (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	handled(context, async () => {
		const { [nonceName]: nonce } = context.getQueryData() as Json;
		const sleeper = context.evaluateExpression('{{ $input.first().json }}', 0) as unknown as Sleeper;
		const waking = wakingBy(sleeper, nonce, deliveryOf(context));
		if (!(waking instanceof Refusal)) {
			const json = waking.json as unknown as INodeExecutionData['json'];
			return { webhookResponse: { received: true }, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
		}
		context.logger.warn(`A callback did not wake its execution: ${waking.message}`, whereabouts(context));
		return responded(context, waking.status, { message: waking.message });
	});
