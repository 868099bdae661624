import { Failure } from '../../definition/failure';
import type { Json, Request, Service } from '../../definition/service';
import type { Chunk } from '../../import/chunks';
import { BatchRecognition } from '../../import/recognition';
import { idOf } from './record';

export interface SendingOptions {
	lookupGrace?: number;
	ifUnknown?: 'leave' | 'resend';
	extraBody?: Json;
}

/** A chunk and the batch it became. `reused` when an earlier run had sent it. */
export interface Sent {
	chunk: Chunk;
	batchId: string;
	batchName: string;
	total: unknown;
	reused: boolean;
}

export type SendChunk = (chunk: Chunk, items: () => Json[]) => Promise<Sent>;

const listPath = '/v1/batch-inquiries/';

/** Looks through the service's batches once: those of our names are there from an earlier run, or from another one now. */
export async function recognise(service: Service, chunks: readonly Chunk[]): Promise<BatchRecognition> {
	const recognition = new BatchRecognition(chunks);
	for (const batch of await service.list({ path: listPath, idOf })) recognition.see(batch);
	return recognition;
}

/** Sends each chunk that is not there yet, once. */
export async function chunkSender(service: Service, chunks: readonly Chunk[], options: SendingOptions): Promise<SendChunk> {
	const known = await recognise(service, chunks);
	// When several outcomes are unknown at the same time, one look at the list serves them all.
	let lookingAgain: Promise<BatchRecognition> | undefined;

	return async (chunk, items) => {
		const before = known.found.get(chunk.name);
		if (before !== undefined) return taken(chunk, before, true);
		const request = requestFor(chunk, items, service, options.extraBody);
		try {
			return taken(chunk, (await service.send(request)) as Json, false);
		} catch (error) {
			if (!(error instanceof Failure)) return Promise.reject(error);
			if (error.details.submission !== 'unknown') return Promise.reject(explained(error, service));
			lookingAgain ??= lookAgain(service, chunks, options).finally(() => (lookingAgain = undefined));
			const found = (await lookingAgain).found.get(chunk.name);
			if (found !== undefined) return taken(chunk, found, false);
			if (options.ifUnknown !== 'resend') return Promise.reject(error);
			return taken(chunk, (await service.send({ ...request, name: `${chunk.name} again` })) as Json, false);
		}
	};
}

/** The service may list a new batch late. */
async function lookAgain(service: Service, chunks: readonly Chunk[], { lookupGrace = 30 }: SendingOptions): Promise<BatchRecognition> {
	await service.pause(lookupGrace * 1000);
	return await recognise(service, chunks);
}

const requestFor = (chunk: Chunk, items: () => Json[], service: Service, extraBody: Json | undefined): Request => ({
	method: 'POST',
	path: listPath,
	name: chunk.name,
	body: { name: chunk.name, [service.settings.batchItemsField]: items(), ...extraBody },
	kind: 'write',
	ifUnknown: 'Run the same import again: what the service has taken is recognised by its batch name and not sent again.',
});

const taken = (chunk: Chunk, batch: Json, reused: boolean): Sent => ({
	chunk,
	batchId: String(batch.batchId),
	batchName: String(batch.batchName ?? chunk.name),
	total: batch.total,
	reused,
});

/** Two settings are the usual reasons for a refused batch, and the service cannot know them. */
function explained({ message, details }: Failure, { settings }: Service): Failure {
	if (details.httpCode === undefined || details.httpCode >= 500) return new Failure(message, details);
	const hint =
		`The rows were sent in the field '${settings.batchItemsField}': if the service names another one, set 'Batch Items Field' in the credential. ` +
		"If it finds the batch too large, lower 'Rows per Batch'.";
	return new Failure(message, { ...details, description: hint });
}
