import { createHash } from 'node:crypto';
import type { InquiryItem } from './rows';

export const defaultChunkSize = 250;

const hashLength = 10;

/** The rows of one batch request, by their numbers. Their items are made when they are asked for, so that only those of the chunks under way exist. */
export class Chunk {
	private hash: string | undefined;

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
		const items = this.rows.map(this.itemOf);
		this.hash ??= hashOf(items);
		return items;
	}

	/** `<name> k/n #<hash of the rows>`: the same for the same rows, mapping and name, however often the import runs. Reads the rows, once. */
	get name(): string {
		this.hash ??= hashOf(this.rows.map(this.itemOf));
		return `${this.importName} ${this.number}/${this.count} #${this.hash}`;
	}
}

function hashOf(items: InquiryItem[]): string {
	// At once: hashing item by item costs twice as much.
	const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
	return createHash('sha256').update(text).digest('hex').slice(0, hashLength);
}

/** Deals the rows with these numbers into chunks. */
export function cutIntoChunks(rows: readonly number[], size: number, importName: string, itemOf: (row: number) => InquiryItem): Chunk[] {
	if (!Number.isInteger(size) || size < 1) throw new RangeError('A batch holds at least one row');
	const count = Math.ceil(rows.length / size);
	return Array.from({ length: count }, (_, index) => new Chunk(importName, index + 1, count, rows.slice(index * size, (index + 1) * size), itemOf));
}
