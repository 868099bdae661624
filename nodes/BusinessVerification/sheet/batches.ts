import { Failure, type Json, type Service } from '../kit/service';
import { type BatchChoice, type WaitingOptions, waitingTimes } from '../fields/shared';
import { type Outputs, inView, type View } from '../fields/outputs';
import { at } from '../kit/operation';
import { batch as batchAnswer, batchIdOf, countOf, endedIn, isBatchDone } from '../document/answers';
import { routes } from '../document/routes';
import { momentOf } from '../document/vocabulary';
import { orNone, unfinished } from '../inquiry/completion';
import { whileRunning } from '../inquiry/record';
import { few } from '../kit/objects';

/** Adds `donePercent`, because how `progressPercentage` is scaled is not documented. Rows of a list may have no counts. */
function counted(batch: Json): Json {
	if (typeof batch.total !== 'number') return { ...batch, batchId: batchIdOf(batch) };
	const done = endedIn(batch);
	const all = countOf(batch, 'total');
	return {
		...batch,
		batchId: batchIdOf(batch),
		isFinal: isBatchDone(batch),
		donePercent: all === 0 ? 0 : Math.round((1000 * done) / all) / 10,
	};
}

const viewOfBatches = (extra: Json): View => ({
	id: 'batchId',
	raw: (batch) => ({ ...counted(batch), ...extra }),
	/** Without the progress objects, whose shape the API documentation does not show. */
	simplified: (batch) => {
		const { batchId, isFinal, donePercent } = counted(batch);
		return {
			batchName: batch.batchName,
			status: batch.status,
			donePercent,
			total: batch.total,
			completed: batch.completed,
			partialSuccess: batch.partialSuccess,
			failed: batch.failed,
			batchId,
			createdAt: batch.createdAt,
			isFinal,
			...extra,
		};
	},
});

export const batchOutput = (batch: Json, outputs: Outputs, extra: Json = {}): Json =>
	inView(batch, outputs, viewOfBatches(extra));

/** What an agent may do next about a batch as it is now. */
export const afterBatch = (batch: Json): string[] =>
	isBatchDone(batch) ? ["'Get inquiries of batch' lists its inquiries."] : whileRunning('batch');

export const readBatch = (id: string) =>
	({ ...at(routes.batch, { batch_id: id }), kind: 'read', answer: batchAnswer }) as const;

/** 1 for the first batch of an import, which has its name; undefined for one of another import. */
export function numberIn(importName: string, name: unknown): number | undefined {
	const [start, lower] = [importName, String(name)].map((text) => text.toLowerCase().trim());
	const tail = lower.startsWith(start) ? /^(?: · ?(\d{0,7}))?$/.exec(lower.slice(start.length)) : null;
	return tail === null ? undefined : Number(tail[1] ?? 1);
}

export const statusOf = (service: Service, batchId = ''): Promise<Json> =>
	orNone<Json>(service.send(readBatch(batchId)), {});

export const listBatches = (service: Service) => service.list({ ...at(routes.batches), idOf: batchIdOf });

/** With their names, which the API documentation promises in the status of a batch. */
export const withNames = (service: Service, batches: readonly Json[]): Promise<Json[]> =>
	service.forEach(batches, async (batch) =>
		typeof batch.batchName === 'string' ? batch : { ...batch, ...(await statusOf(service, batchIdOf(batch))) },
	);

/** The ID of the batch that a user chose. Of several with one name, it is the newest. */
export async function chosenBatch(service: Service, chosen: BatchChoice): Promise<string> {
	if ('id' in chosen) return chosen.id;
	const { name } = chosen;
	const all = await service.shared('batches', async () => withNames(service, await listBatches(service)));
	const time = ({ createdAt }: Json) => momentOf(String(createdAt)) || 0;
	const ofImport = all.filter(({ batchName }) => numberIn(name, batchName) !== undefined);
	const [newest] = ofImport.filter(({ batchName }) => batchName === name).sort((a, b) => time(b) - time(a));
	if (newest === undefined)
		throw new Failure(`No batch is named '${name}'`, {
			parameter: 'batchId',
			description: "Names are compared exactly. 'Batch: Get Many' lists them.",
		});
	const others = ofImport
		.filter((batch) => batch !== newest)
		.map((batch) => `${batch.batchName} (${batchIdOf(batch)})`);
	const id = batchIdOf(newest)!;
	if (others.length > 0) service.remark(`Batch ${id} of '${name}' was read. There are others: ${few(others)}.`);
	return id;
}

export async function untilDone(
	service: Service,
	id: string,
	options: WaitingOptions,
): Promise<{ batch: Json; extra: Json }> {
	const { record, timedOut } = await service.wait({
		id,
		read: readBatch(id),
		list: { ...at(routes.batches), idOf: batchIdOf },
		// A listed batch without counts may be finished, so it is read by its ID.
		mayBeDone: (row) => typeof row.total !== 'number' || typeof row.completed !== 'number' || isBatchDone(row),
		isDone: isBatchDone,
		...waitingTimes(options),
	});
	return { batch: record, extra: timedOut ? unfinished('Batch', id, options) : {} };
}
