import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { propertiesOf } from './kit/field';
import { authentication, credentials } from '../../credentials/types';
import { editorMethods } from './engine/editorMethods';
import { searches } from './operations/editorLists';
import { poll } from './watch/statusTrigger';
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
		// n8n's picker has one entry for this node and the one without triggers, and shows this text there.
		description: 'Verify businesses (KYB) and licenses, or start a workflow when a verification finishes',
		eventTriggerDescription: 'Checking for status changes',
		activationMessage: 'What you chose to watch now starts this workflow.',
		defaults: { name: 'Business Verification Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		hints: [
			{
				message:
					'A test in the editor returns a sample, however old: the newest inquiry or batch, if possible one that fits. A published workflow gets changes only.',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		// Replaces n8n's own text, which says that it fetches a mock event.
		triggerPanel: {
			executionsHelp:
				'<b>While you build</b>: click the button above to get a real inquiry or batch as a sample.<br><br><b>For real changes</b>: publish the workflow. Status changes then start it and appear in the list of executions.',
			activationHint: 'Publish the workflow to be notified about changes.',
		},
		properties: [authentication, ...propertiesOf(statusTriggerFields)],
	};

	methods = { listSearch: editorMethods(searches) };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
