import { createHash } from 'node:crypto';
import { orMade } from '../kit/objects';
import type { InquiryItem } from '../document/inquiries';
import { Failure } from '../kit/service';
import { isObject } from '../document/vocabulary';

/** Rows of a batch that was refused or got no answer. In the second case the service may have the batch. */
export interface Unsent {
	places: number[];
	batchName: string;
	failure: Failure;
}

/**
 * The rows of a sheet that can be sent, with their digests and hashes. `item` maps a row at each call, so that a large
 * sheet is not held in memory a second time. All tries of a run share one `GoodRows`, so they know which batches the
 * earlier tries sent.
 */
export class GoodRows {
	/** Whether this run has sent rows. */
	isSent = false;
	/** Whether this run has found batches of another run of the same import. */
	hasCompany = false;
	/** By name: batches that this run or the calling agent sent without an answer. A retry checks the list for them. */
	readonly unanswered = new Map<string, Unsent>();
	/** Batches in which the calling agent sent the same rows, also under other names. */
	readonly intended: KnownBatch[] = [];
	private readonly hashes = new Map<string, string>();
	private ownDigests: string[] | undefined;
	private places: Map<string, number> | undefined;
	/** Texts of the rows hashed last. `Posting.write` needs them next, for the batch named by that hash. */
	private latest = { from: 0, texts: [] as string[] };

	constructor(
		readonly importName: string,
		/** Row numbers in the order of the sheet, 1 for the first row below the headers. */
		readonly numbers: readonly number[],
		private readonly itemOf: (row: number) => InquiryItem,
	) {}

	item(place: number): InquiryItem {
		return this.itemOf(this.numbers[place]);
	}

	/** The JSON that is both sent and hashed. */
	textOf(place: number): string {
		return this.latest.texts[place - this.latest.from] ?? textOfRow(this.item(place));
	}

	/** One hash of the rows at the places `from` to `end - 1`, in their order. */
	hashOf(from: number, end: number): string {
		return orMade(this.hashes, `${from}-${end}`, () => {
			this.latest = { from, texts: Array.from({ length: end - from }, (_, index) => this.textOf(from + index)) };
			const said = [this.importName.toLowerCase(), ...this.latest.texts].join('\n');
			return createHash('sha256').update(said.normalize()).digest('hex').slice(0, hashLength);
		});
	}

	/** One for each row. Equal rows, which 'Send All' allows, are counted, so that their digests differ. */
	get digests(): readonly string[] {
		if (this.ownDigests !== undefined) return this.ownDigests;
		const times = new Map<string, number>();
		return (this.ownDigests = this.numbers.map((_, place) => {
			const text = this.textOf(place);
			const digest = this.digestOf(text);
			const before = times.get(digest) ?? 0;
			times.set(digest, before + 1);
			return before === 0 ? digest : this.digestOf(`${text}\n${before}`);
		}));
	}

	/** Undefined if the row is no longer in the sheet. */
	placeOf(digest: string): number | undefined {
		this.places ??= new Map(this.digests.map((own, place) => [own, place]));
		return this.places.get(digest);
	}

	private digestOf(text: string): string {
		const hash = createHash('sha256').update(`${this.importName.toLowerCase()}\n${text.normalize()}`).digest();
		return hash.toString('base64url', 0, digestBytes);
	}
}

const digestBytes = 6;

const hashLength = 10;

/** Sorted, so that the order of columns, and of keys in a JSON cell, changes no hash. Most items are sorted already. */
const textOfRow = (item: InquiryItem): string => JSON.stringify(isInOrder(item) ? item : keysInOrder(item));

/** A batch of this import whose rows are known. */
export interface KnownBatch {
	batchId: string;
	batchName: string;
	/** Number of rows that the service reports. */
	total: unknown;
	/** Number of rows that its name identifies. */
	count: number;
	/** Places of those rows that are still in the sheet. */
	places: number[];
}

function isInOrder(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isInOrder);
	if (!isRecord(value)) return true;
	const keys = Object.keys(value);
	return keys.every((key, place) => (place === 0 || keys[place - 1] < key) && isInOrder(value[key]));
}

function keysInOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(keysInOrder);
	if (!isRecord(value)) return value;
	// Not by assignment, where a key `__proto__` would set the prototype.
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, keysInOrder(value[key])]),
	);
}

/** Not a date, which JSON.stringify writes by its `toJSON`. */
export const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !('toJSON' in value);
