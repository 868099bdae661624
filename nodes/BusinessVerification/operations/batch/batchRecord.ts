import type { Json } from '../../definition';
import { batchStatusFields, countOf, endedIn, isBatchDone } from '../../document';
import type { Outputs } from '../../fields/output';
import { shaped as inForm, type View } from '../shape';

export const idOf = (row: Json) => (typeof row.batchId === 'string' ? row.batchId : undefined);

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

const view = (extra: Json): View => ({
	id: 'batchId',
	known: [...batchStatusFields, 'timedOut'],
	raw: (batch) => counted(batch, extra),
	/** The counts without the progress objects, whose shape the document does not show. */
	simplified: (batch) => {
		const { isFinal, donePercent } = counted(batch);
		return {
			batchName: batch.batchName,
			status: batch.status,
			donePercent,
			total: batch.total,
			completed: batch.completed,
			partialSuccess: batch.partialSuccess,
			failed: batch.failed,
			batchId: batch.batchId,
			createdAt: batch.createdAt,
			isFinal,
			...extra,
		};
	},
});

export const shaped = (batch: Json, outputs: Outputs, extra: Json = {}): Json =>
	inForm([batch], outputs, view(extra))[0];

export const shapedList = (batches: readonly Json[], outputs: Outputs): Json[] => inForm(batches, outputs, view({}));
