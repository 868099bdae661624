import {
	type IDataObject,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { privateHost } from './callback/privateHost';
import { type ReceptionRules, ReceptionState } from './callback/reception';
import { RefusalTally } from './callback/refusals';
import { audienceOf, proofName } from './callback/signing';
import { Failure } from './definition/failure';
import { createSender } from './engine/request';

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

export class BusinessVerificationSellerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Verification Seller Trigger',
		name: 'businessVerificationSellerTrigger',
		icon: { light: 'file:../../icons/businessVerification.svg', dark: 'file:../../icons/businessVerification.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["callbackAuthentication"] === "none" ? "Anyone" : "Signed URLs" }}',
		description: 'Starts the workflow when the service calls back with a Seller Report',
		eventTriggerDescription: 'Waiting for the service to call back with a Seller Report',
		activationMessage: 'Seller Reports sent to the production URL now start this workflow.',
		defaults: { name: 'Business Verification Seller Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'businessVerificationApi', required: true, displayOptions: { show: { authentication: ['apiKey'] } } },
			{ name: 'businessVerificationJwtApi', required: true, displayOptions: { show: { authentication: ['jwt'] } } },
		],
		// n8n keeps one table of paths for all workflows and prefixes only the first one with this node's ID: the second has
		// to be unique by itself. Both begin alike, so that a signature can simply be appended to the URL the user copies.
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: '=seller-report-{{ $webhookId }}',
			},
			{
				name: 'setup',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: '=seller-report-{{ $webhookId }}/:proof',
				isFullPath: true,
				ndvHideUrl: true,
			},
		],
		triggerPanel: {
			header: 'Receive a Seller Report',
			executionsHelp: {
				inactive:
					"Use the <b>test URL</b> while you build: click the button above, put the test URL into a Seller Search with this node's credential, and the report shows up here. It takes one report per click.<br><br>Use the <b>production URL</b> for real searches. It works once the workflow is active, and its reports are found in the executions list.",
				active:
					"Searches with the <b>production URL</b> start this workflow by themselves; their reports are found in the executions list.<br><br>To try a change first, click the button above and search with the <b>test URL</b>. It takes one report per click.",
			},
			activationHint: 'Activate the workflow to receive reports at the production URL as well.',
		},
		properties: [
			{
				displayName:
					"Put the URL above into 'Callback URL' of the Seller Search operation, which signs it with the callback secret of the same credential. If it starts with localhost or a private address, the service cannot reach it: set the environment variable WEBHOOK_URL of n8n to the address at which n8n is reached from outside.",
				name: 'urlNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Authentication',
				name: 'authentication',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'API Key', value: 'apiKey' },
					{ name: 'JWT', value: 'jwt' },
				],
				default: 'apiKey',
				description: 'Which credential holds the callback secret',
			},
			{
				displayName: 'Callback Authentication',
				name: 'callbackAuthentication',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'None',
						value: 'none',
						description: 'Accept reports from anyone who knows the URL',
					},
					{
						name: 'Signed URL',
						value: 'signedUrl',
						description: 'Accept only calls to a URL that the Seller Search operation has signed',
					},
				],
				default: 'signedUrl',
			},
			{
				displayName:
					"Anyone who learns the URL can send a made-up report. Switch on 'Fetch Report From Service' in the options unless something in front of n8n checks the calls.",
				name: 'noneNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { callbackAuthentication: ['none'] } },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Fetch Report From Service',
						name: 'fetchReport',
						type: 'boolean',
						default: false,
						description:
							"Whether to read the report again from the service by its request ID and to ignore what the call brought. Needs 'Seller Result Path' in the credential.",
					},
					{
						displayName: 'Include Headers',
						name: 'includeHeaders',
						type: 'boolean',
						default: false,
						description: 'Whether to output the headers of the call. Values that may be secret are left out.',
					},
					{
						displayName: 'Max Report Size (MB)',
						name: 'maxReportSize',
						type: 'number',
						typeOptions: { minValue: 0.1 },
						default: 8,
						description: "Larger reports are answered with status 413. n8n's own limit is 16 MB unless it was changed.",
					},
					{
						displayName: 'Public URL',
						name: 'publicUrl',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://callbacks.example.com/kyb',
						description: 'The URL given to the Seller Search, if a gateway passes calls on from there to the URL above',
					},
					{
						displayName: 'Request ID Path',
						name: 'requestIdPath',
						type: 'string',
						default: '',
						placeholder: 'e.g. data.request_id',
						description: "Where the report holds the request ID. When empty, 'request_id' is searched.",
					},
					{
						displayName: 'Seller ID Path',
						name: 'sellerIdPath',
						type: 'string',
						default: '',
						placeholder: 'e.g. data.sellers.0.seller_id',
						description: "Where the report holds the seller ID. When empty, 'seller_id' is searched.",
					},
				],
			},
		],
	};

	webhookMethods = {
		default: {
			// The service keeps no list of callbacks; answering no makes n8n call `create`, which checks the settings.
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},

			async create(this: IHookFunctions): Promise<boolean> {
				const credential = await this.getCredentials(credentialType(this));
				if (isSigned(this) && secretsOf(credential).length === 0) {
					throw new NodeOperationError(this.getNode(), "The credential has no 'Callback Secret'", {
						description:
							"Without it anyone could send a made-up report. Enter a long random text as 'Callback Secret' in the credential, or choose 'None' as 'Callback Authentication'.",
					});
				}
				const { fetchReport, publicUrl } = optionsOf(this);
				if (publicUrl && !URL.canParse(publicUrl)) {
					throw new NodeOperationError(this.getNode(), `'Public URL' is not a complete URL: ${publicUrl}`, {
						description: 'Enter it as the service is given it, starting with https://.',
					});
				}
				if (fetchReport === true && !credential.sellerResultPath) {
					throw new NodeOperationError(this.getNode(), "The credential has no 'Seller Result Path'", {
						description: "'Fetch Report From Service' needs it. Ask the operator of the service, or switch the option off.",
					});
				}
				const unreachable = privateHost(publicUrl || (this.getNodeWebhookUrl('default') ?? ''));
				if (unreachable !== undefined) {
					this.logger.warn(
						`The service can hardly call back here: ${unreachable}. Set WEBHOOK_URL to the address at which n8n is reached from outside.`,
						{ workflowId: this.getWorkflow().id, node: this.getNode().name },
					);
				}
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		try {
			return await receive(this);
		} catch (error) {
			// An error that left this method would be stored as a failed execution, and anybody could cause those.
			this.logger.error(`A seller callback could not be handled: ${(error as Error).message}`, whereabouts(this));
			this.getResponseObject().status(500).json({ message: 'The callback could not be handled; send it again later' });
			return { noWebhookResponse: true };
		}
	}
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
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
			context.logger.warn(`A seller callback was refused: ${message}`, { ...whereabouts(context), status, reason, refused: record });
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
		secrets: isSigned(context) ? secretsOf(await context.getCredentials(credentialType(context))) : undefined,
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
	const path = settings.sellerResultPath.replace('{request_id}', encodeURIComponent(requestId));
	try {
		return await send({ method: settings.sellerLookupMethod, path, kind: 'read' });
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

const isSigned = (context: TriggerContext) => context.getNodeParameter('callbackAuthentication', 'signedUrl') !== 'none';

const credentialType = (context: TriggerContext) =>
	context.getNodeParameter('authentication', 'apiKey') === 'jwt' ? 'businessVerificationJwtApi' : 'businessVerificationApi';

const secretsOf = ({ callbackSecret, previousCallbackSecret }: IDataObject): string[] =>
	callbackSecret ? [String(callbackSecret), String(previousCallbackSecret ?? '')] : [];

const whereabouts = (context: IWebhookFunctions) => ({ workflowId: context.getWorkflow().id, node: context.getNode().name });
