import { activeStatuses, endStatuses, type inquiryStatuses } from './statuses';

/** What the document says of a batch's progress. */

const [started, underWay] = activeStatuses;
const [completed, partialSuccess, failed] = endStatuses;

type Batch = Record<string, unknown>;

/** Counts of inquiries per status; there is none for ENRICHING. */
const batchCounts = ['planning', 'running', 'completed', 'partialSuccess', 'failed'] as const;
type Count = (typeof batchCounts)[number];

/** The response of the batch status. */
export const batchStatusFields = [
	...['batchId', 'batchName', 'operationType', 'status', 'total', ...batchCounts, 'progressPercentage', 'createdAt'],
	...['phaseProgress', 'sourceRecordTotals', 'timingSummary'],
];

export const countOf = (batch: Batch, name: Count | 'total'): number => {
	const value = batch[name];
	return typeof value === 'number' ? value : 0;
};

export const endedIn = (batch: Batch): number =>
	countOf(batch, 'completed') + countOf(batch, 'partialSuccess') + countOf(batch, 'failed');

/** Nothing planned or running is not done, since ENRICHING is not counted: the ended ones must add up to the total. */
export const isBatchDone = (batch: Batch): boolean => typeof batch.total === 'number' && endedIn(batch) >= batch.total;

/** What a batch comes to, in the words for inquiries; its own `status` has values the document does not show. */
export function outcomeOf(batch: Batch): (typeof inquiryStatuses)[number] {
	const total = countOf(batch, 'total');
	if (total === 0 || !isBatchDone(batch)) return total > 0 && countOf(batch, 'planning') >= total ? started : underWay;
	if (countOf(batch, 'completed') >= total) return completed;
	return countOf(batch, 'failed') >= total ? failed : partialSuccess;
}
