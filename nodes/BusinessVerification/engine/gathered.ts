import type { Json, ListRequest } from '../definition';

export interface Page {
	rows: Json[];
	total: number | undefined;
}

/** Every row once. Rows without an ID are told apart by their place alone: the first of a page ended the one before. */
export class Gathered {
	readonly rows: Json[] = [];
	/** By ID, the page that it was on last. */
	private readonly known = new Map<string, number>();
	private page = 0;
	private previous = '';
	/** Rows that a page held twice: the service counts them twice as well. */
	doubled = 0;

	constructor(private readonly idOf: ListRequest['idOf']) {}

	/** How many rows were new. */
	add({ rows }: Page): number {
		const before = this.rows.length;
		const isRepeated = this.repeats(rows);
		this.page++;
		rows.forEach((row, place) => {
			const id = this.idOf(row);
			if (id === undefined) {
				if (!isRepeated && (place > 0 || before === 0)) this.rows.push(row);
				return;
			}
			const page = this.known.get(id);
			if (page === undefined) this.rows.push(row);
			if (page === this.page) this.doubled++;
			this.known.set(id, this.page);
		});
		return this.rows.length - before;
	}

	/** Whether the page begins with the row it should share. An empty one does not; places alone can tell nothing. */
	continuesWith({ rows: [row] }: Page): boolean {
		const id = row === undefined ? undefined : this.idOf(row);
		return this.known.size === 0 || (row !== undefined && (id === undefined || this.known.has(id)));
	}

	private repeats(rows: Json[]): boolean {
		if (rows.every((row) => this.idOf(row) !== undefined)) return false;
		const before = this.previous;
		this.previous = JSON.stringify(rows);
		return before === this.previous;
	}
}
