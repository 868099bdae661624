import { createHash } from 'node:crypto';
import type { InquiryItem } from '../document/inquiries';
import { withoutTags } from '../engine/runErrors';
import { namesIn, onOneLine } from '../inquiry/record';
import { few, without } from '../kit/objects';
import type { Failure, Json } from '../kit/service';
import { headerKey } from './targets';

/** The column in which n8n's spreadsheet nodes return the row number. */
export const ownNumber = 'row_number';

/** A batch of the import, as last read. */
export interface Batch {
	batchId: string;
	batchName: string;
	total: number;
	/** External IDs of its inquiries; undefined for one that shows none. */
	ids: Array<string | undefined>;
	/** The rows, if this run sent it. */
	sent?: readonly Row[];
}

/** Why a row cannot be sent. Never contains a value of the row, because values identify people. */
export interface RowProblem {
	/** The header, or the label of the field where no column is mapped to it. */
	column: string;
	reason: string;
}

/**
 * `blank` and `bad` cannot be sent; `new` has not been sent; `inBatch` is in at least one batch; `notConfirmed` was sent
 * without an answer and no batch shows it; `refused` was not sent, or not accepted, because of `failure`.
 */
export type Standing = 'blank' | 'bad' | 'new' | 'inBatch' | 'notConfirmed' | 'refused';

/**
 * What a failed request means for its rows. `notConfirmed`: there was no answer, so they may be submitted. `nameTaken`: so
 * may a batch of this name, with these rows. `rejected`: they are not, and another batch may be accepted. `failed`: they are
 * not, for a reason that is not in them.
 */
export function fateOf({ details }: Failure): 'notConfirmed' | 'nameTaken' | 'rejected' | 'failed' {
	const { submission, httpCode, cause } = details;
	if (submission === 'unknown') return 'notConfirmed';
	if (httpCode === 409) return 'nameTaken';
	return cause === undefined || httpCode === 413 ? 'rejected' : 'failed';
}

/**
 * One row of a sheet, and where it stands. Invariant: a row is its external ID, the user's or one made of its data. All
 * tries of a run share the rows, so no try sends what an earlier one has sent.
 */
export class Row {
	/** The inquiry that is sent for it. Its keys are sorted, so that the order of columns changes no hash. */
	item: InquiryItem = {};
	/** Whether an external ID of the user's identifies it: neither one made of its data, nor that of other businesses, too. */
	hasOwnId = false;
	/** Nothing but a header is in any mapped column. */
	isBlank = false;
	readonly problems: RowProblem[] = [];
	/** Later rows of the same business, which are not sent. Before the sheet was sorted, another one was the first. */
	readonly twins: Row[] = [];
	/** There are two if another process sent it at the same time. */
	batches: Batch[] = [];
	/** Known once its first batch was read. */
	inquiry?: Json;
	failure?: Failure;
	/** A request with it was sent, whatever the answer. */
	wasSent = false;
	/** Why a later run will not match it. */
	warning?: string;

	constructor(
		/** Index of its input item. */
		readonly index: number,
		/** By header, as they are in the input, and in the output. */
		readonly cells: Json,
		/** Whether every row has its number in the sheet. */
		private readonly isNumbered = false,
	) {}

	/** In the sheet, else among the items, from 1: nobody knows whether a line with headers came before the first. */
	get number(): number {
		return this.isNumbered ? Number(this.cells[ownNumber]) : this.index + 1;
	}

	/** Such as `row 6` or `item 5`. */
	get place(): string {
		return `${this.noun} ${this.number}`;
	}

	get noun(): string {
		return this.isNumbered ? 'row' : 'item';
	}

	get key(): string {
		return this.item.externalId!;
	}

	get standing(): Standing {
		if (this.batches.length > 0) return 'inBatch';
		if (this.isBlank) return 'blank';
		if (this.problems.length > 0) return 'bad';
		if (this.failure === undefined) return 'new';
		return fateOf(this.failure) === 'notConfirmed' ? 'notConfirmed' : 'refused';
	}

	/** Why it is in no batch. */
	get reason(): string | undefined {
		if (this.isBlank) return 'the row is blank or a header';
		if (this.problems.length === 0) return this.failure && withoutTags(this.failure.message);
		return few(
			this.problems.map(({ column, reason }) => `${column} ${reason}`),
			'; ',
		);
	}

	/** The name that its inquiry has, if the service shows one and it is not the row's: perhaps another business. */
	get otherName(): string | undefined {
		const { hasOwnId, wasSent, inquiry, item } = this;
		// What this run sent is the row's, whatever a service makes of names.
		if (!hasOwnId || wasSent || inquiry === undefined) return undefined;
		const shown = namesIn(inquiry);
		const typed = [item.businessName, item.businessDba].filter((name) => name !== undefined).map(headerKey);
		return typed.length === 0 || shown.some((name) => typed.includes(headerKey(name)))
			? undefined
			: shown.map(onOneLine).at(0);
	}

	/** Whether this run sent it. */
	get isNew(): boolean {
		return this.batches[0]?.sent !== undefined;
	}

	/** Whether this run sent it, and got no answer, or one that need not be the service's. */
	get isUnanswered(): boolean {
		return this.wasSent && this.failure !== undefined && fateOf(this.failure) !== 'nameTaken';
	}

	/** Whether it may be sent: no batch holds it, and it was not sent without an answer. */
	get isMissing(): boolean {
		return this.standing === 'new' || this.standing === 'refused';
	}

	problem(column: string, reason: string): undefined {
		this.problems.push({ column, reason });
	}

	/** Not if its cell could not be read, which was reported. */
	missing(column: string, reason: string): void {
		if (this.problems.every((problem) => problem.column !== column)) this.problem(column, reason);
	}

	isIn(batch: Batch, inquiry?: Json): void {
		if (this.batches.every(({ batchId }) => batchId !== batch.batchId)) this.batches.push(batch);
		if (this.batches[0].batchId === batch.batchId) this.inquiry = inquiry;
		this.failure = undefined;
	}
}

export const hasNumber = ({ [ownNumber]: number }: Json): boolean => Number.isInteger(number) && Number(number) > 0;

/** Such as `rows 4, 9` or `item 5`. */
export const placesOf = (rows: readonly Row[]): string =>
	`${rows[0].noun}${rows.length === 1 ? '' : 's'} ${few(rows.map(({ number }) => String(number)))}`;

export const isMadeKey = (id: string | undefined): boolean => id !== undefined && /^row-[0-9a-f]{20}$/i.test(id);

/** An external ID made of the data of a row, and of the import's name, so that another import sends the row again. */
export function madeKey(item: InquiryItem, importName: string): string {
	// Accents can be written in two ways; normalizing ASCII would take five times as long as hashing it.
	const text = JSON.stringify(without(item, 'externalId'));
	const hashed = `${importName.toLowerCase()}\n${Buffer.byteLength(text) === text.length ? text : text.normalize()}`;
	return `row-${createHash('sha256').update(hashed).digest('hex').slice(0, 20)}`;
}
