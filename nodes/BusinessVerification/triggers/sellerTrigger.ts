import {
	type IDataObject,
	type IHookFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';
import { privateHost } from '../callback/privateHost';
import { type ReceptionRules, ReceptionState } from '../callback/reception';
import { RefusalTally } from '../callback/refusals';
import { audienceOf, proofName } from '../callback/signing';
import { Failure } from '../definition/failure';
import { credentialType } from '../engine/account';
import { createSender } from '../engine/request';
import { readAnswer } from '../engine/reading';
import { readResult } from '../operations/sellerSearch/progress';

interface TriggerOptions {
	fetchReport?: boolean;
	includeHeaders?: boolean;
	maxReportSize?: number;
	publicUrl?: string;
	requestIdPath?: string;
	sellerIdPath?: string;
}

/** What this process knows of its triggers. n8n loads this file once, so all calls of a trigger meet here. */
const states = new Map<string, { reception: ReceptionState; refusals: RefusalTally }>();

/** What has to be set before the trigger may listen. */
export async function checkSettings(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials(credentialType(context.getNodeParameter('authentication', 'apiKey')));
	if (isSigned(context) && secretsOf(credential).length === 0) {
		throw new NodeOperationError(context.getNode(), "The credential has no 'Callback Secret'", {
			description:
				"Without it anyone could send a made-up report. Enter a long random text as 'Callback Secret' in the credential, or choose 'None' as 'Callback Authentication'.",
		});
	}
	const { fetchReport, publicUrl } = optionsOf(context);
	if (publicUrl && !URL.canParse(publicUrl)) {
		throw new NodeOperationError(context.getNode(), `'Public URL' is not a complete URL: ${publicUrl}`, {
			description: 'Enter it as the service is given it, starting with https://.',
		});
	}
	if (fetchReport === true && !credential.sellerResultPath) {
		throw new NodeOperationError(context.getNode(), "The credential has no 'Seller Result Path'", {
			description: "'Fetch Report From Service' needs it. Ask the operator of the service, or switch the option off.",
		});
	}
	const unreachable = privateHost(publicUrl || (context.getNodeWebhookUrl('default') ?? ''));
	if (unreachable !== undefined) {
		context.logger.warn(
			`The service can hardly call back here: ${unreachable}. Set WEBHOOK_URL to the address at which n8n is reached from outside.`,
			{ workflowId: context.getWorkflow().id, node: context.getNode().name },
		);
	}
}

/** A call to one of the trigger's URLs. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await received(context);
	} catch (error) {
		// An error that left this function would be stored as a failed execution, and anybody could cause those.
		context.logger.error(`A seller callback could not be handled: ${(error as Error).message}`, whereabouts(context));
		context.getResponseObject().status(500).json({ message: 'The callback could not be handled; send it again later' });
		return { noWebhookResponse: true };
	}
}

async function received(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const response = context.getResponseObject();
	const stored = context.getWorkflowStaticData('node');
	const { reception, refusals } = stateOf(context, stored);
	const isTest = context.getMode() === 'manual';
	if (!isTest) reception.absorb(stored.accepted);

	const { [proofName]: pathSegment } = context.getParamsData() as Record<string, unknown>;
	const call = {
		query: context.getQueryData() as Record<string, unknown>,
		pathSegment,
		rawUrl: request.originalUrl,
		body: context.getBodyData(),
		rawBody: request.rawBody,
		headers: context.getHeaderData(),
	};
	const outcome = await reception.receive(call, await rulesOf(context, isTest), Date.now());

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
		response.status(status).json({ message });
		return { noWebhookResponse: true };
	}
	const { item } = outcome;
	if (item === undefined) {
		response.status(200).json({ received: true, duplicate: true });
		return { noWebhookResponse: true };
	}
	if (!isTest) {
		// n8n may still fail to start the execution; the service is then told so, and its next attempt must count.
		response.once('finish', () => {
			if (response.statusCode >= 400) reception.forget(item);
		});
	}
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

async function rulesOf(context: IWebhookFunctions, isTest: boolean): Promise<ReceptionRules> {
	const { fetchReport, includeHeaders, maxReportSize, publicUrl, requestIdPath, sellerIdPath } = optionsOf(context);
	return {
		secrets: isSigned(context)
			? secretsOf(await context.getCredentials(credentialType(context.getNodeParameter('authentication', 'apiKey'))))
			: undefined,
		audience: audienceOf(publicUrl || (context.getNodeWebhookUrl('default') ?? '')),
		maxBytes: (maxReportSize ?? 8) * 1024 * 1024,
		requestIdPath: requestIdPath ?? '',
		sellerIdPath: sellerIdPath ?? '',
		includeHeaders: includeHeaders === true,
		isTest,
		fetchReport: fetchReport === true ? (requestId) => fetchedReport(context, requestId) : undefined,
	};
}

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
	stored.accepted = whenSaved(() => reception.packed());
	if (refusals.record() !== undefined) stored.refused = whenSaved(() => refusals.record());
}

function stateOf(context: IWebhookFunctions, stored: IDataObject) {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	let state = states.get(key);
	if (state === undefined) {
		state = { reception: new ReceptionState(), refusals: new RefusalTally(stored.refused) };
		states.set(key, state);
	}
	return state;
}

type TriggerContext = IHookFunctions | IWebhookFunctions;

const optionsOf = (context: TriggerContext) => context.getNodeParameter('options', {}) as TriggerOptions;

const isSigned = (context: TriggerContext) =>
	context.getNodeParameter('callbackAuthentication', 'signedUrl') !== 'none';

const secretsOf = ({ callbackSecret, previousCallbackSecret }: IDataObject): string[] =>
	callbackSecret ? [String(callbackSecret), String(previousCallbackSecret ?? '')] : [];

const whereabouts = (context: IWebhookFunctions) => ({
	workflowId: context.getWorkflow().id,
	node: context.getNode().name,
});
