import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { checkSettings, receive } from './triggers/sellerTrigger';

export class BusinessVerificationSellerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Verification Seller Trigger',
		name: 'businessVerificationSellerTrigger',
		icon: {
			light: 'file:../../icons/businessVerification.svg',
			dark: 'file:../../icons/businessVerification.dark.svg',
		},
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
					'Searches with the <b>production URL</b> start this workflow by themselves; their reports are found in the executions list.<br><br>To try a change first, click the button above and search with the <b>test URL</b>. It takes one report per click.',
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
						description: "Where the report holds the request ID. When empty, 'request_id' at its top.",
					},
					{
						displayName: 'Seller ID Path',
						name: 'sellerIdPath',
						type: 'string',
						default: '',
						placeholder: 'e.g. data.sellers.0.seller_id',
						description: "Where the report holds the seller ID. When empty, 'seller_id' at its top.",
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
				await checkSettings(this);
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
