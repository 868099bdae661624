/** What the document says of a batch's progress. */

type Batch = Record<string, unknown>;

/** Counts of inquiries per status; there is none for ENRICHING. */
export const batchCounts = ['planning', 'running', 'completed', 'partialSuccess', 'failed'] as const;
type Count = (typeof batchCounts)[number];

export const countOf = (batch: Batch, name: Count | 'total'): number => {
	const value = batch[name];
	return typeof value === 'number' ? value : 0;
};

export const endedIn = (batch: Batch): number =>
	countOf(batch, 'completed') + countOf(batch, 'partialSuccess') + countOf(batch, 'failed');

/** Nothing planned or running is not done, since ENRICHING is not counted: the ended ones must add up to the total. */
export const isBatchDone = (batch: Batch): boolean => typeof batch.total === 'number' && endedIn(batch) >= batch.total;
