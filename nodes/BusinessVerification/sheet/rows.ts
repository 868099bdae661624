import { createHash } from 'node:crypto';
import type { InquiryItem } from '../document/inquiries';
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
	/** The external ID made of its data. A row with an ID of the user's was perhaps sent with this one before. */
	madeKey = '';
	/** By ID of the batch. There are two if another process sent it at the same time. */
	readonly places = new Map<string, InBatch>();
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

	get hasOwnId(): boolean {
		return this.key !== this.madeKey;
	}

	get place(): InBatch | undefined {
		return this.places.values().next().value;
	}

	get standing(): Standing {
		if (this.places.size > 0) return 'inBatch';
		if (this.failure === undefined) return 'new';
		return this.failure.details.submission === 'unknown' ? 'notConfirmed' : 'refused';
	}

	/** Whether it may be sent: no batch holds it, and it was not sent without an answer. */
	get isMissing(): boolean {
		return this.standing === 'new' || this.standing === 'refused';
	}

	isIn(place: InBatch): void {
		const isNew = this.places.get(place.batch.batchId)?.isNew ?? place.isNew;
		this.places.set(place.batch.batchId, { ...place, isNew });
		this.failure = undefined;
	}
}

/** "row 2" or "rows 2 to 251". */
export function spanOf(rows: readonly Row[]): string {
	const [first, last] = [rows[0].number, rows.at(-1)!.number];
	return first === last ? `row ${first}` : `rows ${first} to ${last}`;
}

/** For rows from a list without a header line, where the first row is line 1 and not line 2. */
export const numbered = (rows: readonly Json[]): Json[] =>
	rows.map((row, index) => ({ ...row, [ownNumber]: index + 1 }));

const madePrefix = 'row-';

export const isMadeKey = (id: string | undefined): boolean => id !== undefined && /^row-[0-9a-f]{20}$/i.test(id);

/** Gives a row without an external ID one made of its data and the import's name, so that another import sends it again. */
export function giveKey(row: Row, importName: string): void {
	const { externalId, ...data } = row.item;
	// Accents can be written in two ways; normalizing ASCII would take five times as long as hashing it.
	const text = JSON.stringify(data);
	const said = `${importName.toLowerCase()}\n${Buffer.byteLength(text) === text.length ? text : text.normalize()}`;
	row.madeKey = `${madePrefix}${createHash('sha256').update(said).digest('hex').slice(0, 20)}`;
	row.item.externalId = externalId ?? row.madeKey;
}
