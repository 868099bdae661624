import { createHash } from 'node:crypto';
import type { InquiryItem } from '../document/inquiries';
import { without } from '../kit/objects';
import type { Failure, Json } from '../kit/service';

/** The column in which n8n's spreadsheet nodes return the row number. */
export const ownNumber = 'row_number';

export interface Batch {
	batchId: string;
	batchName: string;
}

/** A batch that holds a row. The inquiry is known once it was read. */
export interface InBatch {
	batch: Batch;
	inquiry?: Json;
	/** Whether this run sent the row. */
	isNew: boolean;
}

/**
 * `new` has not been sent; `inBatch` is in at least one batch; `notConfirmed` was sent without an answer and no batch
 * shows it; `refused` was not sent, or not accepted, because of `failure`.
 */
export type Standing = 'new' | 'inBatch' | 'notConfirmed' | 'refused';

/**
 * One row of a sheet, and where it stands. Invariant: a row is its external ID, the user's or one made of its data. All
 * tries of a run share the rows, so no try sends what an earlier one has sent.
 */
export class Row {
	/** The inquiry that is sent for it. Its keys are sorted, so that the order of columns changes no hash. */
	item: InquiryItem = {};
	/** Whether its external ID is the user's, and not made of its data. */
	hasOwnId = false;
	/** By ID of the batch. There are two if another process sent it at the same time. */
	readonly inBatches = new Map<string, InBatch>();
	failure?: Failure;

	constructor(
		/** Index of its input item. */
		readonly index: number,
		/** By header, as they are in the input, and in the output. */
		readonly cells: Json,
	) {}

	/** `row_number` of the row, else its line in a file whose first line is the header. */
	get number(): number {
		const own = this.cells[ownNumber];
		return typeof own === 'number' && Number.isInteger(own) && own > 0 ? own : this.index + 2;
	}

	get key(): string {
		return this.item.externalId!;
	}

	get inBatch(): InBatch | undefined {
		return this.inBatches.values().next().value;
	}

	get standing(): Standing {
		if (this.inBatches.size > 0) return 'inBatch';
		if (this.failure === undefined) return 'new';
		return this.failure.details.submission === 'unknown' ? 'notConfirmed' : 'refused';
	}

	/** Whether it may be sent: no batch holds it, and it was not sent without an answer. */
	get isMissing(): boolean {
		return this.standing === 'new' || this.standing === 'refused';
	}

	isIn(found: InBatch): void {
		const isNew = this.inBatches.get(found.batch.batchId)?.isNew ?? found.isNew;
		this.inBatches.set(found.batch.batchId, { ...found, isNew });
		this.failure = undefined;
	}
}

/** For rows from a list without a header line, where the first row is line 1 and not line 2. */
export const numbered = (rows: readonly Json[]): Json[] =>
	rows.map((row, index) => ({ ...row, [ownNumber]: index + 1 }));

export const isMadeKey = (id: string | undefined): boolean => id !== undefined && /^row-[0-9a-f]{20}$/i.test(id);

/** An external ID made of the data of a row, and of the import's name, so that another import sends the row again. */
export function madeKey(item: InquiryItem, importName: string): string {
	// Accents can be written in two ways; normalizing ASCII would take five times as long as hashing it.
	const text = JSON.stringify(without(item, 'externalId'));
	const hashed = `${importName.toLowerCase()}\n${Buffer.byteLength(text) === text.length ? text : text.normalize()}`;
	return `row-${createHash('sha256').update(hashed).digest('hex').slice(0, 20)}`;
}
