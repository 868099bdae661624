import type { Json } from '../../definition/service';
import { countOf, endedIn, isBatchDone } from '../../document/batches';

export const idOf = (row: Json) => (typeof row.batchId === 'string' ? row.batchId : undefined);

export const isFinal = isBatchDone;

/** Our own figures beside the service's: the scale of its progressPercentage is not documented. */
export function counted(batch: Json, extra: Json = {}): Json {
	const done = endedIn(batch);
	const all = countOf(batch, 'total');
	return {
		...batch,
		isFinal: isBatchDone(batch),
		donePercent: all === 0 ? 100 : Math.round((1000 * done) / all) / 10,
		other: all - done - countOf(batch, 'planning') - countOf(batch, 'running'),
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
