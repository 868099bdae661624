import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { authentication, credentials, propertiesOf } from './definition';
import { poll } from './triggers/statusTrigger';
import { statusTriggerFields } from './triggers/statusTriggerFields';

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
		properties: [authentication, ...propertiesOf(statusTriggerFields)],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
