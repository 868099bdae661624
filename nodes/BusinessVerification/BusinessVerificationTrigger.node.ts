import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { authentication, credentials, propertiesOf } from './kit/operation';
import { poll } from './watch/trigger';
import { statusTriggerFields } from './watch/fields';

export class BusinessVerificationTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Verification Trigger',
		name: 'businessVerificationTrigger',
		icon: {
			light: 'file:../../icons/businessVerification.svg',
			dark: 'file:../../icons/businessVerification.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { inquiry: "Inquiries", batch: "Batches", batchInquiry: "Inquiries of a Batch" }[$parameter["watch"]] }}',
		description:
			'Verify businesses (KYB) and their licenses, or start a workflow when a verification changes its status',
		eventTriggerDescription: 'Checking for inquiries and batches that changed their status',
		activationMessage: 'Inquiries and batches that change their status from now on start this workflow.',
		defaults: { name: 'Business Verification Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		// What n8n says of itself is that it fetches a mock event.
		triggerPanel: {
			executionsHelp: {
				inactive:
					'<b>While you build</b>: click the button above. A real inquiry or batch shows up here as a sample; nothing is remembered.<br><br><b>For real changes</b>: publish the workflow. What changes from then on starts it, and shows up in the list of executions.',
				active:
					'What changes its status starts this workflow, and shows up in the list of executions.<br><br>To try a change before you publish it: click the button above for a sample. Nothing is remembered.',
			},
			activationHint: 'Publish the workflow to be told of changes.',
		},
		properties: [authentication, ...propertiesOf(statusTriggerFields)],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
