import {
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';
import { ReceptionState } from '../callback/reception';
import { RefusalTally } from '../callback/refusalTally';
import { proofName } from '../callback/signing';
import { Failure, orMade } from '../definition';
import { deliveryOf, handled, refused, whereabouts } from '../engine/calls';
import { pause } from '../engine/pause';
import { readAnswer } from '../engine/reading';
import { createSender } from '../engine/request';
import { readResult } from '../operations/sellerSearch/progress';
import { rulesOf } from './sellerTriggerSettings';

/** What this process knows of its triggers. n8n loads this file once, so all calls of a trigger meet here. */
const states = new Map<string, { reception: ReceptionState; refusals: RefusalTally }>();

/** A call to one of the trigger's URLs. */
export const receive = (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	handled(context, () => received(context));

async function received(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	const stored = context.getWorkflowStaticData('node');
	const { reception, refusals } = stateOf(context, stored);
	const isTest = context.getMode() === 'manual';
	if (!isTest) reception.memory.absorb(stored.accepted);

	const { [proofName]: pathSegment } = context.getParamsData() as Record<string, unknown>;
	const call = {
		query: context.getQueryData() as Record<string, unknown>,
		pathSegment,
		rawUrl: context.getRequestObject().originalUrl,
		...deliveryOf(context),
	};
	const { fetchesReport, ...rules } = await rulesOf(context);
	const fetchReport = fetchesReport ? (requestId: string) => fetchedReport(context, requestId) : undefined;
	const outcome = await reception.receive(call, { ...rules, isTest, fetchReport }, Date.now());

	if (outcome.status !== 200) {
		const { status, reason, message } = outcome;
		const record = refusals.note(reason, Date.now());
		if (record !== undefined) {
			context.logger.warn(`A seller callback was refused: ${message}`, {
				...whereabouts(context),
				status,
				reason,
				refused: record,
			});
			if (!isTest) store(stored, reception, refusals);
		}
		return refused(context, status, message);
	}
	const { item } = outcome;
	if (item === undefined) {
		response.status(200).json({ received: true, duplicate: true });
		return { noWebhookResponse: true };
	}
	void answered(response).then((status) => outcome.settle(status < 400));
	return {
		// Newer hosts forget, while they start the execution, that static data has changed, and would not save it. They ask
		// for the answer after that and save then, so it is changed when they ask.
		get webhookResponse() {
			if (!isTest) store(stored, reception, refusals);
			return { received: true };
		},
		workflowData: [[{ json: item as unknown as INodeExecutionData['json'] }]],
	};
}

/** The status with which n8n has answered: an error when it could not start the execution. */
async function answered(response: Response): Promise<number> {
	await new Promise<void>((resolve) => {
		response.once('finish', () => resolve());
		response.once('close', () => resolve());
	});
	// A caller that hangs up early does not keep n8n from starting the execution, nor from noting how that went.
	while (!response.writableEnded) await pause(100, undefined);
	return response.statusCode;
}

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Undefined when the service knows no such request. The caller waits for our answer, so this does not take long. */
async function fetchedReport(context: IWebhookFunctions, requestId: string): Promise<unknown> {
	const { settings, send } = await createSender(context, { timeout: 10_000, repeats: 1 });
	try {
		const question = readResult(requestId, settings);
		return readAnswer(question, await send(question));
	} catch (error) {
		if (error instanceof Failure && error.details.httpCode === 404) return undefined;
		context.logger.warn(`A Seller Report could not be read back: ${(error as Error).message}`, whereabouts(context));
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

/**
 * n8n saves a call's static data as a whole after it has started the execution, and calls overtake each other there.
 * So both are written, and only while they are saved: the last one to be saved then knows of all others.
 */
function store(stored: IDataObject, reception: ReceptionState, refusals: RefusalTally): void {
	const whenSaved = (value: () => unknown) => ({ toJSON: value }) as unknown as IDataObject;
	stored.accepted = whenSaved(() => reception.memory.pack(Date.now()));
	if (refusals.record() !== undefined) stored.refused = whenSaved(() => refusals.record());
}

function stateOf(context: IWebhookFunctions, stored: IDataObject) {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	return orMade(states, key, () => ({ reception: new ReceptionState(), refusals: new RefusalTally(stored.refused) }));
}
