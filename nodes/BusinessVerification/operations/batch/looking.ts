import { Failure } from '../../definition/failure';
import type { Json, Service } from '../../definition/service';
import { at } from '../../definition/route';
import { routes } from '../../document/routes';
import type { Chunk } from '../../import/chunks';
import { BatchRecognition } from '../../import/recognition';
import { idOf } from './record';
import { readBatch } from './watching';

/** Milliseconds in which a request has left, where the service is not far away. */
export const connectingMs = 3;

export interface LookingOptions {
	firstLookDelay?: number;
	lookupGrace?: number;
}

/** What the process remembers of the batches it has sent: bridges a list that shows new ones late. */
export function remember(service: Service, chunk: Chunk, sent: Json): void {
	service.recent.set(importKey(chunk), {});
	service.recent.set(batchKey(chunk), sent);
}

const batchKey = ({ name }: Chunk) => `batch ${name}`;
/** Spares an import that this process has never sent the names of its chunks, which cost a look at every row. */
const importKey = ({ importName }: Chunk) => `import ${importName}`;

const recall = (service: Service, chunk: Chunk): Json | undefined =>
	service.recent.get(importKey(chunk)) && service.recent.get(batchKey(chunk));

const listBatches = (service: Service): Promise<Json[]> => service.list({ ...at(routes.batches), idOf });

/** Looks through the service's batches once: those of our names are there from an earlier run, or from another one now. */
export async function recognise(
	service: Service,
	chunks: readonly Chunk[],
	listed = listBatches(service),
): Promise<BatchRecognition> {
	const recognition = new BatchRecognition(chunks);
	for (const batch of await listed) recognition.see(batch);
	return recognition;
}

/** The answer to the first look is on its way while the rows are checked, unless the user has it wait. */
export async function askEarly(
	service: Service,
	{ firstLookDelay = 0 }: LookingOptions,
): Promise<{ listed?: Promise<Json[]> }> {
	if (firstLookDelay > 0) return {};
	const listed = listBatches(service);
	// When the rows are refused, nobody asks how it went.
	listed.catch(() => undefined);
	// Checking the rows lets nothing else happen: the request has to be gone before.
	await service.pause(connectingMs);
	return { listed };
}

/**
 * What is there before anything is sent. When only a part of the import is there, an earlier run was interrupted, perhaps
 * a moment ago, and its last batches may not be listed yet: so they get the grace before they count as not sent.
 */
export async function firstLook(
	service: Service,
	chunks: readonly Chunk[],
	{ firstLookDelay = 0, lookupGrace = 30 }: LookingOptions,
	listed?: Promise<Json[]>,
): Promise<BatchRecognition> {
	if (listed === undefined) await service.pause(firstLookDelay * 1000);
	const seen = await recognise(service, chunks, listed);
	if (seen.otherVersions.size > 0 && !seen.complete) {
		service.remark(
			`The service already holds batches of this name (${seen.otherVersions.size}) with other rows. If they come from this sheet before it was edited, their rows are there twice now.`,
		);
	}
	const remembered = chunks.filter((chunk) => !seen.knows(chunk) && recall(service, chunk) !== undefined);
	await service.forEach(remembered, async (chunk) => {
		const { batchId } = recall(service, chunk)!;
		const batch = typeof batchId === 'string' ? await read(service, batchId) : undefined;
		if (batch !== undefined) seen.see(batch);
	});
	if (seen.complete || (seen.found.size === 0 && remembered.length === 0)) return seen;
	service.progress(
		`An earlier run had sent ${seen.found.size} of ${chunks.length} batches: looking again in ${lookupGrace} s for the others`,
	);
	await service.pause(lookupGrace * 1000);
	for (const batch of await listBatches(service)) seen.see(batch);
	return seen;
}

async function read(service: Service, batchId: string): Promise<Json | undefined> {
	try {
		return await service.send(readBatch(batchId));
	} catch (error) {
		if (error instanceof Failure && error.details.httpCode === 404) return undefined;
		return Promise.reject(error);
	}
}
