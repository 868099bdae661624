import type { Json } from '../../definition/service';

export const idOf = (row: Json) => (typeof row.batchId === 'string' ? row.batchId : undefined);

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The counts have no place for ENRICHING, so "nothing planned or running" does not mean done; ended ones must add up. */
export const isFinal = (batch: Json) => {
	const { completed, partialSuccess, failed, total } = batch;
	return typeof total === 'number' && count(completed) + count(partialSuccess) + count(failed) >= total;
};

/** Our own figures beside the service's: the scale of its progressPercentage is not documented. */
export function counted(batch: Json, extra: Json = {}): Json {
	const { planning, running, completed, partialSuccess, failed, total } = batch;
	const done = count(completed) + count(partialSuccess) + count(failed);
	const all = count(total);
	return {
		...batch,
		isFinal: isFinal(batch),
		donePercent: all === 0 ? 100 : Math.round((1000 * done) / all) / 10,
		other: all - done - count(planning) - count(running),
		...extra,
	};
}

/** The counts without the progress objects, whose shape the document does not show. */
export function shaped(batch: Json, simple: boolean, extra: Json = {}): Json {
	if (!simple) return counted(batch, extra);
	const { batchId, batchName, status, total, completed, partialSuccess, failed, createdAt } = batch;
	const { isFinal: done, donePercent } = counted(batch);
	return {
		batchId,
		batchName,
		status,
		total,
		completed,
		partialSuccess,
		failed,
		createdAt,
		isFinal: done,
		donePercent,
		...extra,
	};
}
