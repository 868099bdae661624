import { Failure } from '../../definition/failure';
import type { Json, Service } from '../../definition/service';
import type { WaitingOptions } from '../inquiry/watching';
import { idOf, isFinal } from './record';

export const readBatch = (id: string) =>
	({ method: 'GET', path: `/v1/batch-inquiries/${encodeURIComponent(id)}`, kind: 'read' }) as const;

/** Waits until every inquiry of a batch has ended. */
export async function untilDone(
	service: Service,
	id: string,
	options: WaitingOptions,
): Promise<{ batch: Json; extra: Json }> {
	const { record, timedOut } = await service.wait({
		id,
		read: readBatch(id),
		list: { path: '/v1/batch-inquiries/', query: () => ({}), idOf },
		mayBeDone: isFinal,
		isDone: isFinal,
		maxWaitMs: (options.maxWait ?? 10) * 60_000,
		pollIntervalMs: (options.pollInterval ?? 30) * 1000,
	});
	if (!timedOut) return { batch: record, extra: {} };
	if (options.onTimeout === 'lastState') return { batch: record, extra: { isFinal: false, timedOut: true } };
	throw new Failure(`Batch ${id} is not done within ${options.maxWait ?? 10} minutes`, {
		wasAskedFor: true,
		description: "Raise 'Max Wait', choose another 'On Timeout', or start a workflow with the trigger.",
	});
}
