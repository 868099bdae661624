import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { poll } from './triggers/statusTrigger';

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
		description: 'Starts the workflow when inquiries or batches change their status',
		eventTriggerDescription: 'Checking for inquiries and batches that changed their status',
		activationMessage: 'Inquiries and batches that change their status from now on start this workflow.',
		defaults: { name: 'Business Verification Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'businessVerificationApi', required: true, displayOptions: { show: { authentication: ['apiKey'] } } },
			{ name: 'businessVerificationJwtApi', required: true, displayOptions: { show: { authentication: ['jwt'] } } },
			{
				name: 'businessVerificationOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [
			{
				displayName: 'Authentication',
				name: 'authentication',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'API Key', value: 'apiKey' },
					{ name: 'JWT', value: 'jwt' },
					{ name: 'OAuth2', value: 'oAuth2' },
				],
				default: 'apiKey',
			},
			{
				displayName: 'Watch',
				name: 'watch',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Batches', value: 'batch', description: 'All batches of your organization, each as a whole' },
					{
						name: 'Inquiries',
						value: 'inquiry',
						description: 'All inquiries of your organization, or those that pass the filters',
					},
					{ name: 'Inquiries of a Batch', value: 'batchInquiry', description: 'The inquiries of one batch' },
				],
				default: 'inquiry',
			},
			{
				displayName: 'Batch ID',
				name: 'batchId',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. 3f2b8c1e-6f0d-4a7b-9c55-0d1e2f3a4b5c',
				description: 'The ID that the submission of the batch returned',
				displayOptions: { show: { watch: ['batchInquiry'] } },
			},
			{
				displayName: 'Trigger On',
				name: 'triggerOn',
				type: 'multiOptions',
				required: true,
				options: [
					{
						name: 'Any Status Change',
						value: 'statusChanged',
						description:
							'The status differs from the one seen last. Statuses passed between two polls are not made up.',
					},
					{
						name: 'Attention Needed',
						value: 'attention',
						description:
							'Several polls in a row did not get through, or the trigger had to start anew. Without this event such polls fail.',
					},
					{
						name: 'Completed',
						value: 'completed',
						description: 'Ended well, also when it ran again. Of a batch: every inquiry completed.',
					},
					{ name: 'Created', value: 'created', description: 'Seen for the first time' },
					{ name: 'Failed', value: 'failed', description: 'Ended as failed. Of a batch: every inquiry failed.' },
					{
						name: 'Partial Success',
						value: 'partialSuccess',
						description: 'Ended with a part of the results. Of a batch: ended with different outcomes.',
					},
				],
				default: ['completed', 'failed', 'partialSuccess'],
			},
			{
				displayName: 'Starting Point',
				name: 'startingPoint',
				type: 'options',
				options: [
					{ name: 'From Now', value: 'now', description: 'Report what happens after the activation' },
					{
						name: 'Include the Last Hours',
						value: 'lookBack',
						description: 'Also report what happened shortly before it',
					},
				],
				default: 'now',
				description: 'What the first activation reports. Later ones go on where the trigger stopped.',
			},
			{
				displayName: 'Hours to Include',
				name: 'lookBackHours',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 24,
				description: 'How many hours before the first activation to include',
				displayOptions: { show: { startingPoint: ['lookBack'] } },
			},
			{
				displayName: 'Simplify',
				name: 'simple',
				type: 'boolean',
				default: true,
				description: 'Whether to return a simplified version of the response instead of the raw data',
			},
			{
				displayName: 'Filters',
				name: 'filters',
				type: 'collection',
				placeholder: 'Add filter',
				default: {},
				displayOptions: { show: { watch: ['inquiry'] } },
				options: [
					{
						displayName: 'Scorecard Score Maximum',
						name: 'scorecard_score_max',
						type: 'number',
						default: 0,
						description: 'Any scorecard score at or below. Looked at when the inquiry has ended.',
					},
					{
						displayName: 'Scorecard Score Minimum',
						name: 'scorecard_score_min',
						type: 'number',
						default: 0,
						description: 'Any scorecard score at or above. Looked at when the inquiry has ended.',
					},
					{
						displayName: 'Search',
						name: 'search',
						type: 'string',
						default: '',
						placeholder: 'e.g. Acme',
						description: 'Matches business name, DBA, EIN and external ID',
					},
					{
						displayName: 'Source Filters',
						name: 'source_filters',
						type: 'fixedCollection',
						typeOptions: { multipleValues: true },
						placeholder: 'Add source filter',
						default: {},
						description: 'What sources must have found. Looked at when the inquiry has ended.',
						options: [
							{
								displayName: 'Filter',
								name: 'filter',
								values: [
									{
										displayName: 'Source',
										name: 'source',
										type: 'string',
										default: '',
										description: "Source in the service's own words",
									},
									{
										displayName: 'Value',
										name: 'value',
										type: 'string',
										default: '',
										description: 'Value that the source must show',
									},
								],
							},
						],
					},
					{
						displayName: 'Tags',
						name: 'tags',
						type: 'string',
						default: '',
						placeholder: 'e.g. onboarding, renewal',
						description: 'Comma-separated tags; an inquiry with any of them matches',
					},
				],
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Catch Up at Most (Hours)',
						name: 'catchUpHours',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 24,
						description:
							'How far back to report after a pause of this workflow or of n8n that was longer than this. 0: from now, after more than an hour. Without this option everything missed is reported.',
					},
					{
						displayName: 'Re-Check After Restart (Hours)',
						name: 'recheckHours',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 1,
						description:
							"How many hours before a restart of n8n to report again, in case n8n was stopped while it started a workflow. The repeated items carry the same 'deduplicationKey' as before.",
					},
					{
						displayName: 'Wait for Results (Minutes)',
						name: 'resultsMinutes',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 15,
						description:
							"How long to hold back an inquiry that has ended until its businesses are filled in, which the service does a little after the end. One that failed is not held back. Applies to 'Inquiries' and 'Inquiries of a Batch'.",
					},
				],
			},
		],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
