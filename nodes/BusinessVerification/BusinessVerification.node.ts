import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { toolTexts, toolVariants } from './agents/tools';
import { nodeProperties } from './kit/operation';
import { authentication, credentials } from '../../credentials/types';
import { editorMethods } from './engine/editorMethods';
import { run } from './engine/run';
import { wake, wakePath } from './seller/waking';
import { resources } from './operations';
import { sheetColumns, loads, searches } from './operations/editorLists';

// Inside of the description, n8n's linter would take the node for a trigger.
const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: '',
		path: wakePath,
		restartWebhook: true,
		isFullPath: true,
	},
];

export class BusinessVerification implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Verification',
		name: 'businessVerification',
		icon: {
			light: 'file:../../icons/businessVerification.svg',
			dark: 'file:../../icons/businessVerification.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Verify businesses (KYB) and licenses, or start a workflow when a verification changes its status',
		defaults: { name: 'Business Verification' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		webhooks: resumeWebhooks,
		waitingNodeTooltip: 'Waiting until the service sends the Seller Report',
		properties: [authentication, ...toolTexts(resources), ...nodeProperties(resources, toolVariants)],
	};

	methods = {
		listSearch: editorMethods(searches),
		loadOptions: editorMethods(loads),
		resourceMapping: sheetColumns,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}

	/** The callback that wakes an execution of 'Submit and Wait'. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await wake(this);
	}
}
