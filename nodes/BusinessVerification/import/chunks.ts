import { createHash } from 'node:crypto';
import type { InquiryItem } from './rows';

export const defaultChunkSize = 250;

/** The rows of one batch request. */
export interface Chunk {
	/** `<name> k/n #<hash of the rows>`: the same for the same rows, mapping and name, however often the import runs. */
	name: string;
	/** k, from 1. */
	number: number;
	/** Row numbers in the order of the sheet, 1 for the first row below the headers. */
	rows: number[];
}

const hashLength = 10;

/** Deals rows into chunks while they pass by; keeps their numbers and a hash, and the rows only of the chunk that is filling. */
export class Chunker {
	private readonly done: Array<{ rows: number[]; hash: string }> = [];
	private rows: number[] = [];
	/** The rows of the open chunk as text: hashing them at once costs half of hashing them one by one. */
	private texts: string[] = [];

	constructor(private readonly size = defaultChunkSize) {
		if (!Number.isInteger(size) || size < 1) throw new RangeError('A batch holds at least one row');
	}

	add(row: number, item: InquiryItem): void {
		this.rows.push(row);
		this.texts.push(JSON.stringify(item));
		if (this.rows.length === this.size) this.close();
	}

	finish(name: string): Chunk[] {
		if (this.rows.length > 0) this.close();
		return this.done.map(({ rows, hash }, index, { length }) => ({
			name: `${name} ${index + 1}/${length} #${hash}`,
			number: index + 1,
			rows,
		}));
	}

	private close(): void {
		const hash = createHash('sha256').update(`${this.texts.join('\n')}\n`).digest('hex').slice(0, hashLength);
		this.done.push({ rows: this.rows, hash });
		this.rows = [];
		this.texts = [];
	}
}
