import { explained, number, optional, shown, text } from '../definition/field';
import { collection } from '../definition/groups';
import { choice, choices } from '../definition/choices';
import { filterFields } from '../fields/filters';
import { triggerOutput } from '../fields/output';
import { attention } from './statusEvents';

const { search, tags, source_filters, scorecard_score_max, scorecard_score_min } = filterFields;

const atTheEnd = 'Looked at when the inquiry has ended.';

/** What the user sets of the trigger. */
export const statusTriggerFields = {
	watch: choice(
		'Watch',
		[
			{ name: 'Batches', value: 'batch', description: 'All batches of your organization, each as a whole' },
			{
				name: 'Inquiries',
				value: 'inquiry',
				description: 'All inquiries of your organization, or those that pass the filters',
			},
			{ name: 'Inquiries of a Batch', value: 'batchInquiry', description: 'The inquiries of one batch' },
		],
		{ default: 'inquiry' },
	),
	batchId: shown(
		{ watch: ['batchInquiry'] },
		text('Batch ID', {
			placeholder: 'e.g. 3f2b8c1e-6f0d-4a7b-9c55-0d1e2f3a4b5c',
			description: 'The ID that the submission of the batch returned',
		}),
	),
	triggerOn: choices(
		'Trigger On',
		[
			{
				name: 'Attention Needed',
				value: attention,
				description:
					'Several polls in a row did not get through, or the trigger had to start anew. Without this event such polls fail.',
			},
			{
				name: 'Verification Completed',
				value: 'completed',
				description: 'Ended well, also when it ran again. Of a batch: every inquiry completed.',
			},
			{ name: 'Verification Created', value: 'created', description: 'Seen for the first time' },
			{
				name: 'Verification Failed',
				value: 'failed',
				description: 'Ended as failed. Of a batch: every inquiry failed.',
			},
			{
				name: 'Verification Partially Succeeded',
				value: 'partialSuccess',
				description: 'Ended with a part of the results. Of a batch: ended with different outcomes.',
			},
			{
				name: 'Verification Status Changed',
				value: 'statusChanged',
				description: 'The status differs from the one seen last. Statuses passed between two polls are not made up.',
			},
		],
		{ default: ['completed', 'failed', 'partialSuccess'], required: true },
	),
	startingPoint: choice(
		'Starting Point',
		[
			{ name: 'From Now', value: 'now', description: 'Report what happens after the activation' },
			{
				name: 'Include the Last Hours',
				value: 'lookBack',
				description: 'Also report what happened shortly before it',
			},
		],
		{
			default: 'now',
			description: 'What the first activation reports. Later ones go on where the trigger stopped.',
		},
	),
	lookBackHours: shown(
		{ startingPoint: ['lookBack'] },
		number('Hours to Include', {
			default: 24,
			min: 1,
			description: 'How many hours before the first activation to include',
		}),
	),
	output: triggerOutput,
	filters: shown(
		{ watch: ['inquiry'] },
		collection(
			'Filters',
			{
				search,
				tags,
				scorecard_score_min: explained(scorecard_score_min, `Only scores from this one up. ${atTheEnd}`),
				scorecard_score_max: explained(scorecard_score_max, `Only scores up to this one. ${atTheEnd}`),
				source_filters: explained(source_filters, `What sources must have found. ${atTheEnd}`),
			},
			'Add Filter',
		),
	),
	/** Each of these is off unless it is added. */
	options: collection(
		'Options',
		{
			catchUpHours: optional(
				number('Catch Up at Most (Hours)', {
					default: 24,
					min: 0,
					description:
						'How far back to report after a pause of this workflow or of n8n that was longer than this. 0: from now, after more than an hour. Without this option everything missed is reported.',
				}),
			),
			recheckHours: optional(
				number('Re-Check After Restart (Hours)', {
					default: 1,
					min: 0,
					description:
						"How many hours before a restart of n8n to report again, in case n8n was stopped while it started a workflow. The repeated items carry the same 'deduplicationKey' as before.",
				}),
			),
			resultsMinutes: optional(
				number('Wait for Results (Minutes)', {
					default: 15,
					min: 0,
					description:
						"How long to hold back an inquiry that has ended until its businesses are filled in, which the service does a little after the end. One that failed is not held back. Applies to 'Inquiries' and 'Inquiries of a Batch'.",
				}),
			),
		},
		'Add Option',
	),
};
