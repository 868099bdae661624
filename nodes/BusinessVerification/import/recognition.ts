import { readName } from './batchNames';
import type { GoodRows } from './goodRows';

/** A batch as the service shows it, in its list or by itself. */
type ListedBatch = Record<string, unknown>;

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

/**
 * Which rows the service has. The one rule behind every import: a batch of ours tells its rows by its name, and while one
 * does not (the sheet was changed, the name was cut) nobody can say which rows are new.
 */
export class Recognition {
	/** By batch ID. */
	readonly known = new Map<string, KnownBatch>();
	/** Sent from rows that are not where they were. */
	readonly changed = new Map<string, ListedBatch>();
	/** Their names were cut or changed. */
	readonly unreadable = new Map<string, ListedBatch>();
	/** Batches that have no name at all, among all that were seen. */
	nameless = 0;
	seen = 0;
	/** Of the names made to find that out; undefined before there is one. */
	keptLength: number | undefined;
	/** Rows told one by one, also those that have left the sheet. */
	rowsTold = 0;

	private readonly holders: Array<readonly KnownBatch[] | undefined>;

	constructor(readonly rows: GoodRows) {
		this.holders = new Array(rows.numbers.length);
	}

	/** Whether a closer look at the batch could say more. */
	isUnclear({ batchName }: ListedBatch): boolean {
		if (typeof batchName !== 'string') return true;
		const read = readName(this.rows.importName, batchName);
		return read !== undefined && read.range === undefined && read.digests === undefined;
	}

	see(batch: ListedBatch): void {
		this.seen++;
		if (typeof batch.batchName !== 'string') {
			this.nameless++;
			return;
		}
		const { batchName, total } = batch;
		const batchId = String(batch.batchId ?? batchName);
		if (this.known.has(batchId)) return;
		const read = readName(this.rows.importName, batchName);
		if (read === undefined) return;
		const { range, digests, kept } = read;
		if (kept !== undefined) this.keptLength = Math.min(kept, this.keptLength ?? Infinity);
		if (range !== undefined) {
			const { from, to, hash } = range;
			const isThere = from >= 1 && from <= to && to <= this.rows.numbers.length;
			if (!isThere || this.rows.hashOf(from - 1, to) !== hash) this.changed.set(batchId, batch);
			else this.hold({ batchId, batchName, total, count: to - from + 1, places: places(from - 1, to) });
		} else if (digests !== undefined) {
			const there = digests.map((digest) => this.rows.placeOf(digest)).filter((place) => place !== undefined);
			this.rowsTold += digests.length;
			this.hold({ batchId, batchName, total, count: digests.length, places: there });
		} else this.unreadable.set(batchId, batch);
	}

	/** The batches that hold the row; more than one when two runs sent it at once. */
	holdersOf(place: number): readonly KnownBatch[] {
		return this.holders[place] ?? [];
	}

	/** The places of the rows that no batch holds, in the order of the sheet. */
	rest(): number[] {
		const rest: number[] = [];
		for (let place = 0; place < this.holders.length; place++) if (this.holders[place] === undefined) rest.push(place);
		return rest;
	}

	/** Every batch that is or may be of this import: two looks agree when they saw the same ones. */
	get ids(): string[] {
		return [...this.known.keys(), ...this.changed.keys(), ...this.unreadable.keys()].sort();
	}

	private hold(batch: KnownBatch): void {
		this.known.set(batch.batchId, batch);
		const alone = [batch];
		for (const place of batch.places) this.holders[place] = this.holders[place]?.concat(batch) ?? alone;
	}
}

const places = (from: number, end: number): number[] => Array.from({ length: end - from }, (_, index) => from + index);
