import { Failure } from '../../definition/failure';
import { at } from '../../definition/route';
import type { Json, Question, Service } from '../../definition/service';
import { type SubmittedBatch, submittedBatch } from '../../document/answers';
import { routes } from '../../document/routes';
import type { Chunk } from '../../import/chunks';
import type { BatchRecognition } from '../../import/recognition';
import { connectingMs, firstLook, type LookingOptions, recognise, remember } from './looking';

export interface SendingOptions extends LookingOptions {
	ifUnknown?: 'leave' | 'resend';
	extraBody?: Json;
}

/** A chunk and the batch it became. `reused` when an earlier run had sent it. */
export interface Sent {
	chunk: Chunk;
	batchId: string;
	total: unknown;
	reused: boolean;
	/** Other batches of the same rows: another process ran the import at the same time. */
	alsoSentAs: string[];
}

export interface Unsent {
	chunk: Chunk;
	failure: Failure;
}

export type Delivery = Sent | Unsent;

/** Sends each chunk that is not there yet, once, and finds out about those that got no answer. */
export async function deliver(
	service: Service,
	chunks: readonly Chunk[],
	options: SendingOptions,
	listed?: Promise<Json[]>,
): Promise<Delivery[]> {
	if (chunks.length === 0) return [];
	for (const chunk of chunks.slice(0, service.concurrency)) chunk.prepare();
	let seen = await firstLook(service, chunks, options, listed);
	let isRefused = false;
	const request = (chunk: Chunk) => requestFor(chunk, service, options.extraBody);

	/** None of the requests in flight waits for our own work: the next one is made ready while the service is busy with them. */
	const readAhead = async ({ number }: Chunk) => {
		await service.pause(connectingMs);
		const next = chunks[number - 1 + service.concurrency];
		if (next !== undefined && !seen.knows(next)) next.prepare();
	};

	const attempts = await service.forEach(chunks, async (chunk): Promise<Delivery> => {
		const before = seen.found.get(chunk);
		if (before !== undefined) return taken(chunk, before, true);
		if (seen.knows(chunk)) return { chunk, failure: incomplete(chunk, seen) };
		if (isRefused && service.stopsOnFailure)
			return { chunk, failure: new Failure('The batch was not sent, because an earlier one failed') };
		const [attempt] = await Promise.all([send(service, chunk, request(chunk)), readAhead(chunk)]);
		isRefused ||= 'failure' in attempt && !mayBeThere(attempt);
		service.progress(
			`Batch ${chunk.number} of ${chunks.length}: ${'failure' in attempt ? attempt.failure.message : 'sent'}`,
		);
		return attempt;
	});

	const isNew = (delivery: Delivery) => 'failure' in delivery || !delivery.reused;
	const lost = attempts.filter(mayBeThere);
	if (lost.length > 0) await service.pause((options.lookupGrace ?? 30) * 1000);
	if (attempts.some(isNew)) seen = await recognise(service, chunks);

	const deliveries = await service.forEach(attempts, async (attempt): Promise<Delivery> => {
		if (!mayBeThere(attempt)) return attempt;
		const { chunk, failure } = attempt;
		const found = seen.found.get(chunk);
		if (found !== undefined) return taken(chunk, found, failure.details.httpCode === 409);
		if (seen.knows(chunk)) return { chunk, failure: incomplete(chunk, seen) };
		if (options.ifUnknown !== 'resend' || failure.details.submission === undefined) return attempt;
		return await send(service, chunk, request(chunk));
	});
	for (const delivery of deliveries) {
		if (!('failure' in delivery)) delivery.alsoSentAs = seen.othersOf(delivery.chunk, delivery.batchId);
	}
	return deliveries;
}

/** No answer, or the answer that a batch of this name exists: the list knows more. */
const mayBeThere = (delivery: Delivery): delivery is Unsent =>
	'failure' in delivery &&
	(delivery.failure.details.submission === 'unknown' || delivery.failure.details.httpCode === 409);

async function send(service: Service, chunk: Chunk, question: Question<SubmittedBatch>): Promise<Delivery> {
	try {
		const sent = taken(chunk, await service.send(question), false);
		remember(service, chunk, { batchId: sent.batchId });
		return sent;
	} catch (error) {
		if (!(error instanceof Failure)) return Promise.reject(error);
		if (error.details.submission === 'unknown') remember(service, chunk, {});
		return { chunk, failure: explained(error, service) };
	}
}

function requestFor(chunk: Chunk, { settings }: Service, extraBody: Json | undefined): Question<SubmittedBatch> {
	// The rows before the name: writing them names the chunk, so they are read once.
	const items = `${JSON.stringify(settings.batchItemsField)}:${chunk.json()}`;
	const others = JSON.stringify({ name: chunk.name, ...extraBody }).slice(1);
	return {
		...at(routes.submitBatch),
		place: `rows ${chunk.rows[0]} to ${chunk.rows.at(-1)}`,
		body: Buffer.from(`{${items},${others}`),
		kind: 'write',
		answer: submittedBatch,
		ifUnknown:
			'Run the same import again later: what the service has taken is recognised by its batch name and not sent again.',
	};
}

const taken = (chunk: Chunk, { batchId, total }: Json, reused: boolean): Sent => ({
	chunk,
	batchId: String(batchId),
	total,
	reused,
	alsoSentAs: [],
});

function incomplete(chunk: Chunk, seen: BatchRecognition): Failure {
	const { batch } = seen.differing.find((one) => one.chunk === chunk)!;
	return new Failure(
		`The service holds batch '${chunk.name}' with ${String(batch.total)} inquiries instead of ${chunk.rows.length}`,
		{
			description:
				`It was not sent again, because most of its rows would be doubled. Look at batch ${String(batch.batchId)} in the service, ` +
				"and import the rows it lacks under another 'Batch Name'.",
		},
	);
}

const badRequest = [400, 413, 422];

/** Two settings are the usual reasons for a refused batch, and the service cannot know them. */
function explained({ message, details }: Failure, { settings }: Service): Failure {
	if (details.httpCode === undefined || !badRequest.includes(details.httpCode)) return new Failure(message, details);
	const description =
		"If the batch holds too many rows, lower 'Rows per Batch' in the options. " +
		`The rows were sent in the field '${settings.batchItemsField}': if the service names another one, set 'Batch Items Field' in the credential.`;
	return new Failure(message, { ...details, parameter: 'options.chunkSize', description });
}
