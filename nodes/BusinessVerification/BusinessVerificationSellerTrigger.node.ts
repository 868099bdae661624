import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { propertiesOf } from './kit/field';
import { authentication, credentials } from '../../credentials/types';
import { checkSettings, receive, sellerTriggerFields } from './seller/sellerTrigger';

export class BusinessVerificationSellerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Verification Seller Report Trigger',
		name: 'businessVerificationSellerTrigger',
		icon: {
			light: 'file:../../icons/businessVerification.svg',
			dark: 'file:../../icons/businessVerification.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["callbackAuthentication"] === "none" ? "Anyone" : "Signed URLs" }}',
		description: 'Only for seller searches: starts the workflow when a Seller Report arrives',
		eventTriggerDescription: 'Waiting for a Seller Report',
		activationMessage: 'Seller Reports at the production URL now start this workflow.',
		defaults: { name: 'Business Verification Seller Report Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
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
			executionsHelp:
				"<b>While you build</b>: click the button above, use the <b>test URL</b> as 'Callback URL' of a Seller Search with the same credential, and its report appears here. One report per click.<br><br><b>For real searches</b>: publish the workflow and use the <b>production URL</b>. Reports appear in the list of executions.",
			activationHint: 'Publish the workflow to receive reports at the production URL.',
		},
		properties: [
			{ ...authentication, description: 'Which credential holds the callback secret' },
			...propertiesOf(sellerTriggerFields),
		],
	};

	webhookMethods = {
		default: {
			// The service has no list of callbacks to ask. Returning false makes n8n call `create`, which checks the settings.
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},

			async create(this: IHookFunctions): Promise<boolean> {
				await checkSettings(this);
				return true;
			},

			// Nothing was registered with the service.
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
