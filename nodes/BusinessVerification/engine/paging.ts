import { type AgentPage, Failure, type Json, type ListRequest, type Request } from '../kit/service';
import { largestPage } from '../document/vocabulary';
import { type ListPage, pageIn } from './answers';

/**
 * Reads a whole list while rows are added and removed. Invariant: every row that was in the list all the time, before a
 * row in `Gathered`, is in `Gathered` too. So a page is added only if its first row is known. If it is not, the list
 * has shifted, and the reading goes back until it finds a page whose first row is known.
 */

type Send = (request: Request) => Promise<unknown>;

type FetchPage = (offset: number) => Promise<ListPage>;

/** Pages requested before they are needed. */
const pagesAhead = 8;
/** Pages in a row without a new row, beyond those that the known rows fill. */
const stalePagesAllowed = 2;
/** Beyond it, a list without an end would fill the memory of n8n. */
const mostRows = 100_000;
/** Readings in a row without a new row while the service counts more. */
const idleReadingsAllowed = 2;

/**
 * Returns all rows, or the first `limit`. Rows with equal sort values may change their order between pages, so a reading may
 * miss some. The service's total shows that, and then the list is read again.
 */
export async function listRows(send: Send, itemsField: string, request: ListRequest): Promise<Json[]> {
	const { path, query, idOf, limit: wanted = Infinity } = request;
	const asked = Math.min(wanted, largestPage);
	const fetchPage: FetchPage = (offset) => readPage(send, itemsField, path, { ...query, limit: asked, offset });
	const gathered = new Gathered(idOf);
	const { rows } = gathered;
	for (let idle = 0; ;) {
		const before = rows.length;
		const expected = Math.min(wanted, await readOnce(fetchPage, gathered, asked, wanted));
		if (rows.length >= expected) return rows.slice(0, wanted);
		idle = rows.length > before ? 0 : idle + 1;
		if (idle === idleReadingsAllowed || !gathered.hasIds) {
			throw new Failure(
				`${expected - rows.length} of the ${expected} rows that the service counts are missing from its list`,
				{
					description: `Narrow the list with filters such as 'Created After', or set a 'Limit' of at most ${rows.length}.`,
					cause: 'temporarily-unavailable',
				},
			);
		}
	}
}

const tooMany = () =>
	new Failure(`The list has more than ${mostRows} records`, {
		description: "Narrow the list with filters such as 'Created After', or set a 'Limit'.",
		cause: 'configuration-invalid',
	});

/** Reads all pages. Returns how many rows the service counts, or 0 if it does not say. */
async function readOnce(fetchPage: FetchPage, gathered: Gathered, asked: number, wanted: number): Promise<number> {
	const { rows } = gathered;
	let page = await fetchPage(0);
	gathered.doubled = 0;
	gathered.add(page);
	const pageAhead = readingAhead(fetchPage, Math.min(wanted, page.total ?? 0));
	let stale = 0;
	for (let offset = 0; rows.length < wanted && !isLast(page, offset, asked);) {
		if (rows.length > mostRows && wanted === Infinity) throw tooMany();
		// If the service returns smaller pages than asked, the offsets of later pages are unknown.
		const fetchNext = page.rows.length < asked ? fetchPage : pageAhead;
		offset += advance(page);
		page = await fetchNext(offset);
		for (let back = largestPage / 2; offset > 0 && !gathered.holdsFirstOf(page); back *= 2) {
			offset = Math.max(0, offset - back);
			page = await fetchPage(offset);
		}
		stale = gathered.add(page) > 0 ? 0 : stale + 1;
		// Some services repeat their last page for every later offset.
		if (stale > 0 && Math.min(offset, rows.length) >= (page.total ?? Infinity)) break;
		if (stale > stalePagesAllowed + rows.length / advance(page)) {
			throw new Failure('The list cannot be read completely: the service keeps returning the same rows', {
				description: `${rows.length} of ${page.total ?? 'an unknown number of'} rows were returned. Narrow the list with filters, or set a 'Limit'.`,
				cause: 'temporarily-unavailable',
			});
		}
	}
	return (page.total ?? 0) - gathered.doubled;
}

/** A short page is the last, unless the total shows that the service returns smaller pages than asked. */
const isLast = ({ rows, total = 0 }: ListPage, offset: number, asked: number) =>
	rows.length === 0 || (rows.length !== asked && offset + rows.length >= total) || (offset > 0 && rows.length === 1);

/** Neighboring pages overlap by one row. */
const advance = ({ rows }: ListPage) => Math.max(1, rows.length - 1);

/** Fetches pages in parallel up to `end`. After a jump, it starts again at the new offset. */
function readingAhead(fetchPage: FetchPage, end: number): FetchPage {
	const step = largestPage - 1;
	const ahead = new Map<number, Promise<ListPage>>();
	let next = 0;
	return async (offset) => {
		if (!ahead.has(offset)) {
			ahead.clear();
			next = offset;
		}
		for (; next === offset || (next < end - 1 && next < offset + pagesAhead * step); next += step) {
			const page = fetchPage(next);
			// The page may not be needed, so its failure counts only once it is awaited.
			page.catch(() => undefined);
			ahead.set(next, page);
		}
		const page = ahead.get(offset)!;
		ahead.delete(offset);
		return await page;
	};
}

/** Every row once, in the order of the list. Rows without an ID are distinguished by position only. */
class Gathered {
	readonly rows: Json[] = [];
	hasIds = true;
	/** Rows that a page of the current reading contained twice. The service counts them twice as well. */
	doubled = 0;
	private readonly known = new Set<string>();
	private previous = '';

	constructor(private readonly idOf: ListRequest['idOf']) {}

	/** Whether the page begins with a known row. A row without an ID counts as known. */
	holdsFirstOf({ rows: [row] }: ListPage): boolean {
		const id = row && this.idOf(row);
		return row !== undefined && (id === undefined || this.known.has(id));
	}

	/** Returns how many rows were new. */
	add({ rows }: ListPage): number {
		const before = this.rows.length;
		const ids = rows.map(this.idOf);
		if (ids.includes(undefined)) {
			this.hasIds = false;
			const page = JSON.stringify(rows);
			if (page === this.previous) return 0;
			this.previous = page;
		} else {
			this.doubled += ids.length - new Set(ids).size;
		}
		let next: number | undefined = 0;
		ids.forEach((id, index) => {
			if (id === undefined ? index === 0 && before > 0 : this.known.has(id)) {
				next = undefined;
				return;
			}
			// Inserted after the row before it on the page, usually the last.
			next ??= this.indexAfter(ids[index - 1]);
			this.rows.splice(next++, 0, rows[index]);
			if (id !== undefined) this.known.add(id);
		});
		return this.rows.length - before;
	}

	private indexAfter(id: string | undefined): number {
		let index = this.rows.length;
		if (id !== undefined) while (index > 0 && this.idOf(this.rows[index - 1]) !== id) index--;
		return index;
	}
}

export async function readPage(send: Send, itemsField: string, path: string, query: Json): Promise<ListPage> {
	return pageIn(await send({ method: 'GET', path, query, kind: 'read' }), itemsField);
}

/** Rows on a page for an agent. Few, so that each can be shown in detail. */
const agentPageSize = 20;

export async function listPage(
	send: Send,
	itemsField: string,
	{ path, query, limit = agentPageSize }: ListRequest,
	number: number,
): Promise<{ rows: Json[]; page: AgentPage }> {
	const size = Math.min(limit, agentPageSize);
	const offset = (number - 1) * size;
	const { rows, total } = await readPage(send, itemsField, path, { ...query, limit: size, offset });
	return { rows, page: { number, size, rows: rows.length, total } };
}
