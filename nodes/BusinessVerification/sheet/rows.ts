import { createHash } from 'node:crypto';
import type { InquiryItem } from '../document/inquiries';
import { orMade } from '../kit/objects';
import type { Failure, Json } from '../kit/service';

/** The column in which n8n's spreadsheet nodes return the row number. */
export const ownNumber = 'row_number';

/** One row of a sheet. Messages name it by `number`, outputs are paired by `index`, and names of batches say `place`. */
export class Row {
	/** The inquiry that is sent for it. Its keys are sorted, so that the order of columns changes no hash. */
	item: InquiryItem = {};
	/** Its place among the rows that can be sent, from 1. */
	place = 0;

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

	/** The JSON that is both sent and hashed. */
	get text(): string {
		return JSON.stringify(this.item);
	}
}

/** For rows from a list without a header line, where the first row is line 1 and not line 2. */
export const numbered = (rows: readonly Json[]): Json[] =>
	rows.map((row, index) => ({ ...row, [ownNumber]: index + 1 }));

/** A batch of this import whose rows are known. */
export interface KnownBatch {
	batchId: string;
	batchName: string;
	/** Number of rows that the service reports. */
	total: unknown;
	/** Number of rows that its name identifies. */
	count: number;
	/** Those of them that are still in the sheet. */
	rows: readonly Row[];
}

/** Rows of a batch that was refused or got no answer. In the second case the service may have the batch. */
export interface Unsent {
	rows: readonly Row[];
	batchName: string;
	failure: Failure;
}

/** Rows and the batch they are in. `reused` if an earlier run sent it. */
export interface Sent extends KnownBatch {
	reused: boolean;
	/** IDs of other batches with the same rows, sent by another process that ran the import at the same time. */
	alsoSentAs: string[];
	/** Whether the service lists the batch under its name, so that a later run can match its rows. */
	isListed: boolean;
	warnings: string[];
}

export type Delivery = Sent | Unsent;

/**
 * The rows of a sheet that can be sent, in its order. All tries of a run share one `GoodRows`, so they know which
 * batches the earlier tries sent.
 */
export class GoodRows {
	/** Whether this run, or the calling agent, has sent rows. */
	isSent = false;
	/** Whether this run has found batches of another run of the same import. */
	hasCompany = false;
	/** By name: batches that this run or the calling agent sent without an answer. A retry checks the list for them. */
	readonly unanswered = new Map<string, Unsent>();
	/** Batches in which the calling agent sent the same rows, also under other names. */
	readonly intended: KnownBatch[] = [];
	private readonly hashes = new Map<string, string>();
	private ownDigests: string[] | undefined;
	private byDigest: Map<string, Row> | undefined;

	constructor(
		readonly importName: string,
		readonly rows: readonly Row[],
	) {
		rows.forEach((row, index) => (row.place = index + 1));
	}

	/** One hash of neighboring rows, in their order. */
	hashOf(rows: readonly Row[], texts?: readonly string[]): string {
		return orMade(this.hashes, `${rows[0].place}-${rows.at(-1)!.place}`, () => {
			const said = [this.importName.toLowerCase(), ...(texts ?? rows.map(({ text }) => text))].join('\n');
			return createHash('sha256').update(normalized(said)).digest('hex').slice(0, hashLength);
		});
	}

	/** One for each row. Equal rows, which 'Send All' allows, are counted, so that their digests differ. */
	get digests(): readonly string[] {
		if (this.ownDigests !== undefined) return this.ownDigests;
		const times = new Map<string, number>();
		return (this.ownDigests = this.rows.map(({ text }) => {
			const digest = this.digestOf(text);
			const before = times.get(digest) ?? 0;
			times.set(digest, before + 1);
			return before === 0 ? digest : this.digestOf(`${text}\n${before}`);
		}));
	}

	/** Undefined if the row is no longer in the sheet. */
	rowOf(digest: string): Row | undefined {
		this.byDigest ??= new Map(this.digests.map((own, index) => [own, this.rows[index]]));
		return this.byDigest.get(digest);
	}

	private digestOf(text: string): string {
		const hash = createHash('sha256')
			.update(`${this.importName.toLowerCase()}\n${normalized(text)}`)
			.digest();
		return hash.toString('base64url', 0, digestBytes);
	}
}

const digestBytes = 6;

const hashLength = 10;

/** Accents can be written in two ways. ASCII is left as it is, because normalizing takes five times as long as hashing. */
const normalized = (text: string) => (Buffer.byteLength(text) === text.length ? text : text.normalize());
