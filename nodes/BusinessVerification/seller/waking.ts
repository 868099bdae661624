import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { type CallbackContent, ofAnotherSearch, readReport, type ReportRules, requestIdIn, sellerIdIn } from './report';
import { digestOf, newNonce, Refusal, sameText } from './signing';
import { withoutEndingSlashes } from '../../../credentials/address';
import type { Json } from '../kit/service';
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
		if (error instanceof Refusal) {
			// A refused call starts no execution, so only the log shows it. At `debug`, so that an attacker does not fill it.
			const { status, logged } = error;
			context.logger.debug(`A callback was refused: ${logged}`, { ...whereabouts(context), status });
			return responded(context, status, { message: error.message });
		}
		context.logger.error(`A callback could not be processed: ${(error as Error).message}`, whereabouts(context));
		return responded(context, 500, { message: 'The callback could not be processed. Send it again later.' });
	}
}

/** Responds to the sender. n8n starts or resumes nothing. */
export function responded(context: IWebhookFunctions, status: number, body: Json): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

const whereabouts = (context: IWebhookFunctions) => ({
	workflowId: context.getWorkflow().id,
	node: context.getNode().name,
});

/**
 * A waiting execution is resumed by a call to its resume URL. Older hosts make that URL guessable, and n8n's token is
 * the same for the whole execution. So each search adds a nonce, and the execution keeps only the digest of it.
 */
export interface Sleeper {
	requestId: string;
	ref: string | null;
	/** Stored with the execution, because the node's parameters cannot be evaluated for the item during the call. */
	wokenBy: ReportRules & { nonceDigest: string };
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

/** What the execution continues with if the call belongs to its search. Other calls do not resume it. */
export function wakingBy({ requestId, ref, wokenBy }: Sleeper, nonce: unknown, delivery: CallbackContent): Json {
	const { nonceDigest, requestIdPath, sellerIdPath } = wokenBy ?? {};
	if (nonce === undefined) throw new Refusal(401, 'The query of the callback URL is missing');
	if (typeof nonce !== 'string' || typeof nonceDigest !== 'string' || !sameText(digestOf(nonce), nonceDigest))
		throw new Refusal(401, 'The callback does not belong to a search of this execution');
	const report = withoutSecrets([nonce], readReport(delivery));
	if ((requestIdIn(report, requestIdPath) ?? requestId) !== requestId) throw new Refusal(401, ofAnotherSearch);
	return {
		status: 'complete',
		isFinal: true,
		ref,
		requestId,
		sellerId: sellerIdIn(report, sellerIdPath) ?? null,
		report,
	};
}

export const wake = (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	handled(context, async () => {
		const { [nonceName]: nonce } = context.getQueryData() as Json;
		const sleeper = context.evaluateExpression('{{ $input.first().json }}', 0) as unknown as Sleeper;
		const json = wakingBy(sleeper, nonce, deliveryOf(context)) as INodeExecutionData['json'];
		return { webhookResponse: { received: true }, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
	});
