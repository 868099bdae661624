import { choice, choices, collection, explained, filters, number, shown, text } from '../kit/field';
import { filterFields } from '../inquiry/list';
import { triggerOutput } from '../fields/outputs';
import type { StatusEvent } from './ledger';

const { search, tags, source_filters, scorecard_score_max, scorecard_score_min } = filterFields;

const atTheEnd = 'Looked at when the inquiry has ended.';

/** What an event is called in the node and in its output. */
export const endNames: Record<string, string> = {
	COMPLETED: 'completed',
	PARTIAL_SUCCESS: 'partialSuccess',
	FAILED: 'failed',
};

/** Reports that the trigger cannot keep up, or had to start anew. */
export const attention = 'attention';

export const nameOf = ({ kind, row }: StatusEvent) =>
	kind === 'ended' ? endNames[row.status] : kind === 'created' ? 'created' : 'statusChanged';

/** An end is a status change too. */
export const isWanted = (event: StatusEvent, names: string[]) =>
	names.includes(nameOf(event)) || (event.kind !== 'created' && names.includes('statusChanged'));

/** What the user sets of the trigger. */
export const statusTriggerFields = {
	watch: choice('Watch', {
		inquiry: ['Inquiries', 'All inquiries of your organization, or those that pass the filters'],
		batch: ['Batches', 'All batches of your organization, each as a whole'],
		batchInquiry: ['Inquiries of a Batch', 'The inquiries of one batch'],
	}),
	batchId: shown(
		{ watch: ['batchInquiry'] },
		text('Batch ID', {
			placeholder: 'e.g. 3f2b8c1e-6f0d-4a7b-9c55-0d1e2f3a4b5c',
			description: "The 'batchId' that Batch: Submit put out",
		}),
	),
	triggerOn: choices(
		'Trigger On',
		{
			[attention]: [
				'Attention Needed',
				'Several polls in a row did not get through, or the trigger had to start over. Without this event such polls fail.',
			],
			completed: ['Verification Completed', 'Ended well, also when it ran again. Of a batch: every inquiry completed.'],
			created: ['Verification Created', 'Seen for the first time'],
			failed: ['Verification Failed', 'Ended as failed. Of a batch: every inquiry failed.'],
			partialSuccess: [
				'Verification Partially Succeeded',
				'Ended with a part of the results. Of a batch: ended with different outcomes.',
			],
			statusChanged: [
				'Verification Status Changed',
				'The status is another one than at the last poll. What came and went in between is not reported.',
			],
		},
		{ default: ['completed', 'failed', 'partialSuccess'], required: true },
	),
	startingPoint: choice(
		'Starting Point',
		{
			now: ['From Now', 'Report what happens after the workflow is published'],
			lookBack: ['Include the Last Hours', 'Also report what happened in the hours before'],
		},
		'What to report when the workflow is published for the first time. Later on the trigger continues where it stopped.',
	),
	lookBackHours: shown(
		{ startingPoint: ['lookBack'] },
		number('Hours to Include', {
			default: 24,
			min: 1,
			description: 'Hours before the workflow is published',
		}),
	),
	output: triggerOutput,
	filters: shown(
		{ watch: ['inquiry'] },
		filters({
			search,
			tags,
			scorecard_score_min: explained(scorecard_score_min, `Only scores from this one up. ${atTheEnd}`),
			scorecard_score_max: explained(scorecard_score_max, `Only scores up to this one. ${atTheEnd}`),
			source_filters: explained(source_filters, `What sources must have found. ${atTheEnd}`),
		}),
	),
	/** Each of these is off unless it is added. */
	options: collection(
		'Options',
		{
			catchUpHours: number('Catch Up at Most (Hours)', {
				default: 24,
				min: 0,
				description:
					'After a longer pause of the workflow or of n8n, report the last hours only. 0 reports nothing of a pause of more than an hour. Without this option everything missed is reported.',
			}),
			recheckHours: number('Re-Check After Restart (Hours)', {
				default: 1,
				min: 0,
				description:
					"Hours before a restart of n8n to report again, in case n8n stopped while it started a workflow. Repeated items carry the same 'deduplicationKey'.",
			}),
			resultsMinutes: number('Wait for Results (Minutes)', {
				default: 15,
				min: 0,
				description:
					"How long to wait for 'businesses' after an inquiry has ended: the service fills them in a little later. A failed inquiry is reported at once. Applies to 'Inquiries' and 'Inquiries of a Batch'.",
			}),
		},
		'Add Option',
	),
};
