import type { Chunk } from './chunks';

/** An entry of the service's batch list. */
export type ListedBatch = Record<string, unknown>;

/** `<name> k/n #<hash>` */
const chunkName = /^(.*) (\d+)\/\d+ #[0-9a-f]+$/s;

interface Sighting {
	chunk: Chunk;
	batch: ListedBatch;
}

/** Finds the batches of earlier runs in the batch list, page by page. */
export class BatchRecognition {
	/** The batch that a chunk was sent as: it is taken over, not sent again. */
	readonly found = new Map<Chunk, ListedBatch>();
	/** Further batches of a chunk that has one: two runs at once sent it twice. */
	readonly doubled: Sighting[] = [];
	/** Batches of a chunk's name with another number of rows: part of the chunk was perhaps not taken. */
	readonly differing: Sighting[] = [];

	/** Batches under the import's name with other rows: the sheet or its mapping was another one then. */
	readonly otherVersions = new Set<unknown>();

	constructor(private readonly chunks: readonly Chunk[]) {}

	see(batch: ListedBatch): void {
		const [, importName, number] = chunkName.exec(String(batch.batchName)) ?? [];
		if (importName === undefined || importName !== this.chunks[0]?.importName) return;
		const chunk = this.chunks[Number(number) - 1];
		if (chunk?.name !== batch.batchName) {
			this.otherVersions.add(batch.batchId);
			return;
		}
		const known = this.found.get(chunk);
		if (batch.total !== chunk.rows.length) this.differing.push({ chunk, batch });
		else if (!known) this.found.set(chunk, batch);
		// A list that grows while it is read shows a batch on two pages.
		else if (batch.batchId !== known.batchId) this.doubled.push({ chunk, batch });
	}

	/** Whether any batch carries the chunk's name, complete or not: sending it would double rows. */
	knows(chunk: Chunk): boolean {
		return this.found.has(chunk) || this.differing.some((sighting) => sighting.chunk === chunk);
	}

	/** The IDs of the chunk's batches beside the given one. */
	othersOf(chunk: Chunk, batchId: string): string[] {
		const first = this.found.get(chunk);
		const batches = [
			...(first ? [first] : []),
			...this.doubled.filter((one) => one.chunk === chunk).map(({ batch }) => batch),
		];
		return [...new Set(batches.map((batch) => String(batch.batchId)))].filter((id) => id !== batchId);
	}

	/** Whether every chunk has its batch, so that there is nothing to send. */
	get complete(): boolean {
		return this.found.size === this.chunks.length;
	}
}
