import { at, Failure, type Json, type Service } from '../../definition';
import { batch as batchAnswer, isBatchDone, routes } from '../../document';
import { type WaitingOptions, waitingTimes } from '../../fields/waitingOptions';
import { idOf } from './batchRecord';

export const readBatch = (id: string) =>
	({ ...at(routes.batch, { batch_id: id }), kind: 'read', answer: batchAnswer }) as const;

/** Waits until every inquiry of a batch has ended. */
export async function untilDone(
	service: Service,
	id: string,
	options: WaitingOptions,
): Promise<{ batch: Json; extra: Json }> {
	const { record, timedOut } = await service.wait({
		id,
		read: readBatch(id),
		list: { ...at(routes.batches), query: () => ({}), idOf },
		// A row that does not tell is worth a read.
		mayBeDone: (row) => typeof row.total !== 'number' || typeof row.completed !== 'number' || isBatchDone(row),
		isDone: isBatchDone,
		...waitingTimes(options),
	});
	if (!timedOut) return { batch: record, extra: {} };
	if (options.onTimeout === 'lastState') return { batch: record, extra: { isFinal: false, timedOut: true } };
	throw new Failure(`Batch ${id} is not done within ${options.maxWait} minutes`, {
		wasAskedFor: true,
		description: "Raise 'Max Wait', choose another 'On Timeout', or start a workflow with the trigger.",
	});
}
