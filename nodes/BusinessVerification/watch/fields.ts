import { choice, choices, collection, explained, filters, number, shown } from '../kit/field';
import { batchId } from '../fields/shared';
import { filterFields } from '../inquiry/list';
import { triggerOutput } from '../fields/outputs';

const atTheEnd = 'Checked when the inquiry finishes.';

/** The event for a trigger that cannot keep up or had to start over. */
export const attention = 'attention';

/** The trigger's parameters. */
export const statusTriggerFields = {
	watch: choice(
		'Watch',
		{
			inquiry: ['Inquiries', 'All inquiries of your organization, or those that pass the filters'],
			batch: ['Batches', 'All batches of your organization, each as a whole'],
			batchInquiry: ['Inquiries of a Batch', 'The inquiries of one batch'],
		},
		'What to report on',
	),
	batchId: shown({ watch: ['batchInquiry'] }, batchId),
	triggerOn: choices(
		'Trigger On',
		{
			[attention]: [
				'Polling Problem',
				'Several polls in a row could not read everything, or the trigger had to start over. If not selected, the next poll without events fails, and a new start is only logged. A poll that can read nothing always fails.',
			],
			completed: [
				'Verification Completed',
				'Finished as COMPLETED, including re-runs. Not an approval. For a batch, every inquiry completed.',
			],
			created: ['Verification Created', 'A new inquiry or batch'],
			failed: [
				'Verification Failed',
				'Finished as FAILED: the checks could not run. For a batch, every inquiry failed.',
			],
			partialSuccess: [
				'Verification Partially Succeeded',
				'Finished with some results missing. For a batch, its inquiries finished differently.',
			],
			statusChanged: [
				'Verification Status Changed',
				'The status changed since the last poll. Changes that came and went between polls are not reported.',
			],
		},
		{
			default: [attention, 'completed', 'failed', 'partialSuccess'],
			required: true,
			description: 'Events that start the workflow',
		},
	),
	startingPoint: choice(
		'Starting Point',
		{
			now: ['From Now', 'Report changes after the workflow is published'],
			lookBack: ['Include the Last Hours', 'Also report changes in the hours before'],
		},
		'What to report when the workflow is first published. After that, the trigger continues where it stopped.',
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
			search: filterFields.search,
			tags: filterFields.tags,
			scorecard_score_min: explained(filterFields.scorecard_score_min, `Only this score or higher. ${atTheEnd}`),
			scorecard_score_max: explained(filterFields.scorecard_score_max, `Only this score or lower. ${atTheEnd}`),
			source_filters: explained(filterFields.source_filters, `Required results of sources. ${atTheEnd}`),
		}),
	),
	/** Each option has no effect unless it is added. */
	options: collection(
		'Options',
		{
			recheckHours: number('Re-Check After Restart (Hours)', {
				default: 1,
				min: 0,
				description:
					"Hours before the last event to report again after a restart of n8n, in case n8n crashed before it started the workflow. Repeated items have the same 'deduplicationKey'.",
			}),
			resultsMinutes: number('Wait for Results (Minutes)', {
				default: 15,
				min: 0,
				description:
					"Minutes to wait for 'businesses', which the service adds after an inquiry finishes. Failed inquiries are reported at once. Does not apply to batches.",
			}),
		},
		'Add Option',
	),
};
