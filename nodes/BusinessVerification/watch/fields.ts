import { choice, choices, explained, number, shown } from '../kit/field';
import { collection, filters } from '../kit/collections';
import { batchById } from '../fields/shared';
import { filterFields } from '../inquiry/list';
import { triggerOutput } from '../fields/outputs';

export const endEvents = { COMPLETED: 'completed', PARTIAL_SUCCESS: 'partialSuccess', FAILED: 'failed' } as const;

/**
 * The label and help of each event. n8n's picker of nodes lists them by label and selects only the one picked, so the one that
 * leaves no result out comes first.
 */
export const triggerEvents = {
	finished: [
		'Verification Finished',
		'Any result: COMPLETED, PARTIAL_SUCCESS or FAILED, including re-runs. None of them is an approval.',
	],
	completed: [
		'Verification Finished as Completed Only',
		'Finished as COMPLETED, including re-runs. Not an approval. For a batch, every inquiry completed.',
	],
	failed: [
		'Verification Finished as Failed Only',
		'Finished as FAILED: as we read it, the checks gave no result. For a batch, every inquiry failed.',
	],
	partialSuccess: [
		'Verification Finished as Partial Success Only',
		'Finished as PARTIAL_SUCCESS: as we read it, some results are missing. For a batch, its inquiries finished differently.',
	],
	statusChanged: [
		'Verification Status Changed',
		'The status changed since the last poll. Changes that came and went between polls are not reported.',
	],
	created: ['Verification Submitted', 'A new inquiry or batch, not its result'],
	attention: [
		'When Polling Fails',
		'Polls fell behind, the trigger started over, or a status is unknown. If not selected, polls without events fail instead, and starting over is only logged. A poll without an answer fails in any case.',
		'When polling fails',
	],
} as const;

/** Sent with every list, so only filters on what is submitted: others would hide an inquiry once it changes. */
export const creationFilters = { search: filterFields.search, tags: filterFields.tags };

const atTheEnd = 'Checked when the inquiry finishes.';

/** Applied to completions only. */
export const resultFilters = {
	scorecard_score_min: explained(filterFields.scorecard_score_min, `Only this score or higher. ${atTheEnd}`),
	scorecard_score_max: explained(filterFields.scorecard_score_max, `Only this score or lower. ${atTheEnd}`),
	source_filters: explained(filterFields.source_filters, `Required results of sources. ${atTheEnd}`),
};

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
	batchId: shown({ watch: ['batchInquiry'] }, batchById),
	triggerOn: choices('Trigger On', triggerEvents, { default: ['finished'], required: true }),
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
		number('Hours to Include', { default: 24, min: 1, description: 'Hours before the workflow is published' }),
	),
	output: triggerOutput,
	filters: shown({ watch: ['inquiry'] }, filters({ ...creationFilters, ...resultFilters })),
	options: collection('Options', {
		recheckHours: number('Re-Check After Restart (Hours)', {
			default: 1,
			min: 0,
			description:
				"Hours before the last poll: completions in them are reported again after a restart, in case n8n crashed before it started the workflow. Repeated items have the same 'deduplicationKey', but for rare exceptions.",
		}),
		resultsMinutes: number('Wait for Results (Minutes)', {
			default: 15,
			min: 0,
			description:
				"Minutes to wait for 'businesses', which the service adds after an inquiry finishes. Failed inquiries are reported at once. Does not apply to batches.",
		}),
	}),
};
