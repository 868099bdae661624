import { Failure, type Json, type AgentPage, type ListRequest, type Request } from '../kit/service';
import { largestPage } from '../document/vocabulary';
import { readRows } from './answers';

export interface ListPage {
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
	add({ rows }: ListPage): number {
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
	continuesWith({ rows: [row] }: ListPage): boolean {
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

export const pageSize = largestPage;
/** Neighbouring pages share one row: if it is not where it should be, the list has shifted between the two. */
const step = pageSize - 1;
/** Pages asked for before they are needed. */
const pagesAhead = 8;
/** How far to go back for a lost place, half a page further each time. */
const stepsBack = [1, 2, 3].map((halves) => (halves * pageSize) / 2);
/** Pages in a row without a new row, while the list claims to hold more. */
const stalePagesAllowed = 2;

type Send = (request: Request) => Promise<unknown>;

type FetchPage = (offset: number, limit?: number) => Promise<ListPage>;

export async function readPage(send: Send, itemsField: string, path: string, query: Json): Promise<ListPage> {
	const answer = await send({ method: 'GET', path, query, kind: 'read' });
	const total = (answer as Json | undefined)?.total;
	return { rows: readRows(answer, itemsField), total: typeof total === 'number' ? total : undefined };
}

/** Goes from page to page by the row both share; where it is missing, steps back until it is found again. */
export async function readThrough(send: Send, itemsField: string, request: ListRequest): Promise<ListPage> {
	const { idOf, limit: wanted = Infinity } = request;
	const fetchPage: FetchPage = (offset, limit = pageSize) =>
		readPage(send, itemsField, request.path, { ...request.query, limit, offset });

	const asked = Math.min(wanted, pageSize);
	const first = await fetchPage(0, asked);
	const gathered = new Gathered(idOf);
	gathered.add(first);
	const counted = (total: number | undefined) => (total === undefined ? undefined : total - gathered.doubled);
	if (isLast(first, 0, asked)) return { rows: gathered.rows, total: counted(first.total) };

	// Smaller pages than asked for leave no way to know where the next but one begins.
	const pageAhead = readingAhead(fetchPage, Math.min(wanted, first.total ?? 0));
	let isFull = first.rows.length === asked;
	let stale = 0;
	let total = first.total;
	for (let offset = first.rows.length - 1; gathered.rows.length < wanted;) {
		let page = await (isFull ? pageAhead : fetchPage)(offset);
		for (const back of stepsBack) {
			if (offset === 0 || gathered.continuesWith(page)) break;
			offset = Math.max(0, offset - back);
			page = await fetchPage(offset);
		}
		total = page.total;
		stale = gathered.add(page) > 0 ? 0 : stale + 1;
		isFull = page.rows.length >= pageSize;
		if (isLast(page, offset, pageSize)) break;
		if (stale > 0 && (!isFull || gathered.rows.length >= (page.total ?? Infinity))) break;
		if (stale > stalePagesAllowed) {
			throw new Failure('The list cannot be read to its end: the service sends the same rows again and again', {
				description: `${gathered.rows.length} of ${page.total ?? 'an unknown number of'} rows came. Narrow the list with filters, or set a 'Limit'.`,
				cause: 'temporarily-unavailable',
			});
		}
		offset += Math.max(1, page.rows.length - 1);
	}
	return { rows: gathered.rows, total: counted(total) };
}

/** A short page ends the list, unless the service has more and only makes smaller pages than asked. */
const isLast = ({ rows, total = 0 }: ListPage, offset: number, asked: number) =>
	rows.length === 0 || (rows.length < asked && offset + rows.length >= total);

/** Fetches pages side by side as far as the list is known to reach; after a jump it begins anew from there. */
function readingAhead(fetchPage: FetchPage, end: number): FetchPage {
	const ahead = new Map<number, Promise<ListPage>>();
	let next = 0;
	return async (offset) => {
		if (!ahead.has(offset)) {
			ahead.clear();
			next = offset;
		}
		for (; next === offset || (next < end - 1 && next < offset + pagesAhead * step); next += step) {
			const page = fetchPage(next);
			// A page that turns out not to be needed may fail unheard.
			page.catch(() => undefined);
			ahead.set(next, page);
		}
		const page = ahead.get(offset)!;
		ahead.delete(offset);
		return await page;
	};
}

/** Of one page as an agent turns them: few rows, so that each can show what it is. */
const agentPageSize = 20;

export async function listPage(
	send: Send,
	itemsField: string,
	{ path, query, limit = agentPageSize, page }: ListRequest & { page: number },
): Promise<{ rows: Json[]; page: AgentPage }> {
	const size = Math.min(limit, agentPageSize);
	const { rows, total } = await readPage(send, itemsField, path, { ...query, limit: size, offset: (page - 1) * size });
	return { rows, page: { number: page, size, rows: rows.length, total } };
}

const passesAllowed = 10;
/** Passes in a row that bring no new row, while the list claims to hold more. */
const idlePassesAllowed = 2;

/**
 * A whole list, or as much of it as is wanted. Rows of equal rank may change places from page to page, so that going
 * through the pages misses some: the answer's own total tells, and then the list is read again.
 */
export async function listRows(
	send: (request: Request) => Promise<unknown>,
	itemsField: string,
	request: ListRequest,
): Promise<Json[]> {
	const { idOf, limit = Infinity } = request;
	let rows: Json[] = [];
	let expected = 0;
	for (let pass = 0, idle = 0; pass < passesAllowed && idle < idlePassesAllowed; pass++) {
		const reading = await readThrough(send, itemsField, request);
		const before = rows.length;
		rows = merged(reading.rows, rows, idOf);
		expected = Math.min(limit, reading.total ?? 0);
		if (rows.length >= expected) return rows.slice(0, limit);
		idle = rows.length > before ? 0 : idle + 1;
	}
	throw new Failure(`The list lacks ${expected - rows.length} of the ${expected} rows that the service counts`, {
		description: `It was read again, and the same rows came. Narrow it with filters, such as a time of creation, or set a 'Limit' of at most ${rows.length}.`,
		cause: 'temporarily-unavailable',
	});
}

/** All rows of two readings, in the order of the first; those that only the other has stand behind the row they followed. */
function merged(rows: Json[], others: Json[], idOf: ListRequest['idOf']): Json[] {
	if (others.length === 0) return rows;
	const known = new Set(rows.map(idOf));
	if (known.has(undefined)) return rows.length >= others.length ? rows : others;
	const behind = new Map<string | undefined, Json[]>();
	let previous: string | undefined;
	for (const row of others) {
		const id = idOf(row);
		if (known.has(id)) previous = id;
		else behind.set(previous, [...(behind.get(previous) ?? []), row]);
	}
	return [...(behind.get(undefined) ?? []), ...rows.flatMap((row) => [row, ...(behind.get(idOf(row)) ?? [])])];
}
