import { createHash } from 'node:crypto';
import type { InquiryItem } from './rows';

export const defaultChunkSize = 250;

const hashLength = 10;

/** The rows of one batch request, by their numbers. They are read when they are asked for, so that only those of the chunks under way exist as items. */
export class Chunk {
	private hash: string | undefined;
	private prepared: string | undefined;

	constructor(
		readonly importName: string,
		/** k, from 1. */
		readonly number: number,
		private readonly count: number,
		/** Row numbers in the order of the sheet, 1 for the first row below the headers. */
		readonly rows: number[],
		private readonly itemOf: (row: number) => InquiryItem,
	) {}

	items(): InquiryItem[] {
		return this.rows.map(this.itemOf);
	}

	/** Writes the items as JSON, and so the name, before they are asked for. */
	prepare(): void {
		this.prepared ??= this.write();
	}

	/** The items as a JSON list, which the chunk then no longer holds. */
	json(): string {
		const json = this.prepared ?? this.write();
		this.prepared = undefined;
		return json;
	}

	/** `<name> k/n #<hash of the rows>`: the same for the same rows, mapping and name, however often the import runs. Asked for the first time, it reads the rows. */
	get name(): string {
		if (this.hash === undefined) this.write();
		return `${this.importName} ${this.number}/${this.count} #${this.hash}`;
	}

	private write(): string {
		const items = this.items().map((item) => JSON.stringify(item));
		this.hash ??= createHash('sha256')
			.update(`${items.join('\n')}\n`)
			.digest('hex')
			.slice(0, hashLength);
		return `[${items.join(',')}]`;
	}
}

/** Deals the rows with these numbers into chunks. */
export function cutIntoChunks(
	rows: readonly number[],
	size: number,
	importName: string,
	itemOf: (row: number) => InquiryItem,
): Chunk[] {
	if (!Number.isInteger(size) || size < 1) throw new RangeError('A batch holds at least one row');
	const count = Math.ceil(rows.length / size);
	return Array.from(
		{ length: count },
		(_, index) => new Chunk(importName, index + 1, count, rows.slice(index * size, (index + 1) * size), itemOf),
	);
}
