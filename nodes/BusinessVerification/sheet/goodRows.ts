import { createHash } from 'node:crypto';
import { orMade } from '../kit/objects';
import type { InquiryItem } from '../document/inquiries';
import { Failure } from '../kit/service';
import { isObject } from '../document/vocabulary';

/** Rows of a batch that was not accepted; the service may hold it all the same. */
export interface Unsent {
	places: number[];
	batchName: string;
	failure: Failure;
}

/**
 * The rows of a sheet that can be sent, and what tells them apart. They are read when they are asked for, so that only few
 * of them exist as items. All tries of a run share them, and with them what the run has sent.
 */
export class GoodRows {
	/** Whether this run has sent any. */
	isSent = false;
	/** By batch name: sent by this run, or by the agent that calls, without an answer. Looked for, and not sent by another try. */
	readonly unanswered = new Map<string, Unsent>();
	/** Batches in which the agent that calls has sent the same rows, under whatever name. */
	readonly intended: KnownBatch[] = [];
	private readonly hashes = new Map<string, string>();
	private ownDigests: string[] | undefined;
	private places: Map<string, number> | undefined;
	/** Those that a hash was made of last: whoever names a batch by them sends them next. */
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

	/** As it is sent, and told from others. */
	textOf(place: number): string {
		return this.latest.texts[place - this.latest.from] ?? textOfRow(this.item(place));
	}

	/** Of the rows from one place up to another, without that: the same for the same rows in the same order. */
	hashOf(from: number, end: number): string {
		return orMade(this.hashes, `${from}-${end}`, () => {
			this.latest = { from, texts: Array.from({ length: end - from }, (_, index) => this.textOf(from + index)) };
			const said = [this.importName.toLowerCase(), ...this.latest.texts].join('\n');
			return createHash('sha256').update(said.normalize()).digest('hex').slice(0, hashLength);
		});
	}

	/** One for each row. Rows that say the same, where the user lets them pass, are counted: each has its own. */
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

	/** Where the row of this digest stands; nowhere when it has left the sheet. */
	placeOf(digest: string): number | undefined {
		this.places ??= new Map(this.digests.map((own, place) => [own, place]));
		return this.places.get(digest);
	}

	private digestOf(text: string): string {
		const hash = createHash('sha256').update(`${this.importName.toLowerCase()}\n${text.normalize()}`).digest();
		return hash.toString('base64url', 0, digestBytes);
	}
}

export const digestBytes = 6;

export const hashLength = 10;

/** Neither the order of the columns nor that of the keys in a cell makes another row. Most are in order as they are made. */
export const textOfRow = (item: InquiryItem): string => JSON.stringify(isInOrder(item) ? item : keysInOrder(item));

/** A batch of this import whose rows are known. */
export interface KnownBatch {
	batchId: string;
	batchName: string;
	/** As the service counts them. */
	total: unknown;
	/** As its name counts them. */
	count: number;
	/** Those that are in the sheet today. */
	places: number[];
}

export function isInOrder(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isInOrder);
	if (!isRecord(value)) return true;
	const keys = Object.keys(value);
	return keys.every((key, place) => (place === 0 || keys[place - 1] < key) && isInOrder(value[key]));
}

export function keysInOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(keysInOrder);
	if (!isRecord(value)) return value;
	// Also a key that would be taken for the prototype where it is assigned.
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, keysInOrder(value[key])]),
	);
}

/** A date writes itself. */
export const isRecord = (value: unknown): value is Record<string, unknown> => isObject(value) && !('toJSON' in value);
