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
import { howToMakeASecret, isStrong, problemOf } from '../callback/secrets';
import { RefusalTally } from '../callback/refusals';
import { audienceOf, proofName } from '../callback/signing';
import { problemOfSigningSecret, signingSecretsOf } from '../callback/standardWebhooks';
import { Failure } from '../definition/failure';
import { credentialType } from '../engine/account';
import { pause } from '../engine/pause';
import { createSender } from '../engine/request';
import { lookUp } from '../operations/sellerSearch/lookUp';

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
	const problem = isSigned(context) ? problemOf(credential) : undefined;
	if (problem !== undefined) {
		throw new NodeOperationError(context.getNode(), problem, {
			description: `Without a good one anyone could send a made-up report. ${howToMakeASecret} Enter it in the credential, or choose 'None' as 'Callback Authentication'.`,
		});
	}
	for (const secret of signingSecretsOf(credential.signingSecret)) {
		const wrong = problemOfSigningSecret(secret);
		if (wrong !== undefined) {
			throw new NodeOperationError(context.getNode(), `'Service Signing Secret' ${wrong}`, {
				description: 'Copy it from the service again, or leave the field empty if the service does not sign.',
			});
		}
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
			`The service probably cannot reach this n8n: ${unreachable}. Set WEBHOOK_URL to n8n's public address.`,
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

async function rulesOf(context: IWebhookFunctions, isTest: boolean): Promise<ReceptionRules> {
	const { fetchReport, includeHeaders, maxReportSize, publicUrl, requestIdPath, sellerIdPath } = optionsOf(context);
	const credential = await context.getCredentials(credentialType(context.getNodeParameter('authentication', 'apiKey')));
	return {
		secrets: isSigned(context) ? secretsOf(credential) : undefined,
		signingSecrets: signingSecretsOf(credential.signingSecret),
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
		return await send(lookUp('Result', requestId, settings));
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
	stored.accepted = whenSaved(() => reception.packed(Date.now()));
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
	isStrong(String(callbackSecret ?? '')) ? [String(callbackSecret), String(previousCallbackSecret ?? '')] : [];

const whereabouts = (context: IWebhookFunctions) => ({
	workflowId: context.getWorkflow().id,
	node: context.getNode().name,
});
