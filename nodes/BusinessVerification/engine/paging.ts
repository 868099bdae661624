import { type AgentPage, Failure, type Json, type ListRequest } from '../kit/service';
import { largestPage } from '../document/vocabulary';
import type { ListPage } from './checkedAnswer';

/**
 * Reads a whole list while rows are added and removed. Invariant: every row that was in the list all the time, before a
 * row in `Gathered`, is in `Gathered` too. So a page is added only if its first row is known. If it is not, the list
 * has shifted, and the reading goes back until it finds a page whose first row is known.
 */

/** `page` of a sender. */
export type ReadListPage = (path: string, query: Json) => Promise<ListPage>;

type FetchPage = (offset: number) => Promise<ListPage>;

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
export async function listRows(readPage: ReadListPage, request: ListRequest): Promise<Json[]> {
	const { path, query, idOf, limit: wanted = Infinity } = request;
	const asked = Math.min(wanted, largestPage);
	const fetchPage: FetchPage = (offset) => readPage(path, { ...query, limit: asked, offset });
	const gathered = new Gathered(idOf);
	const { rows } = gathered;
	for (let readings = 1, idle = 0; ; readings++) {
		const before = rows.length;
		const { first, last } = await readOnce(fetchPage, gathered, asked, wanted);
		// Of a list with the newest first, what is created meanwhile is on no later page: it would be read again and again.
		const expected = Math.min(wanted, last, readings === 1 ? Infinity : first);
		if (rows.length >= expected) return rows.slice(0, wanted);
		idle = rows.length > before ? 0 : idle + 1;
		if (idle === idleReadingsAllowed) {
			const message = `${expected - rows.length} of the ${expected} records that the service counts are missing from its list`;
			throw new Failure(message, { description: narrower, cause: 'temporarily-unavailable' });
		}
	}
}

const narrower =
	"Narrow the list with a 'Limit' or filters such as 'Created After', if the operation has them. Otherwise ask your service provider.";

const tooMany = () =>
	new Failure(`The list has more than ${mostRows} records`, { description: narrower, cause: 'configuration-invalid' });

/** Reads all pages. Returns how many rows the service counts on the first and the last of them, or 0 if it does not say. */
async function readOnce(fetchPage: FetchPage, gathered: Gathered, asked: number, wanted: number) {
	const { rows } = gathered;
	let page = await fetchPage(0);
	const { total: first = 0 } = page;
	gathered.doubled = 0;
	gathered.add(page);
	let stale = 0;
	for (let offset = 0; rows.length < wanted && !isLast(page, offset, asked);) {
		if (rows.length > mostRows && wanted === Infinity) throw tooMany();
		offset += advance(page);
		page = await fetchPage(offset);
		for (let back = largestPage / 2; offset > 0 && !gathered.holdsFirstOf(page); back *= 2) {
			offset = Math.max(0, offset - back);
			page = await fetchPage(offset);
		}
		stale = gathered.add(page) > 0 ? 0 : stale + 1;
		// Some services repeat their last page for every later offset.
		if (stale > 0 && Math.min(offset, rows.length) >= (page.total ?? Infinity)) break;
		if (stale > stalePagesAllowed + rows.length / advance(page)) {
			throw new Failure('The list cannot be read completely: the service keeps returning the same records', {
				description: `${rows.length} of ${page.total ?? 'an unknown number of'} records were returned. ${narrower}`,
				cause: 'temporarily-unavailable',
			});
		}
	}
	return { first: first - gathered.doubled, last: (page.total ?? 0) - gathered.doubled };
}

/** A short page is the last, unless its limit or the total shows that the service returns smaller pages than asked. */
const isLast = ({ rows, total = 0, limit }: ListPage, offset: number, asked: number) =>
	rows.length === 0 ||
	(![asked, limit].includes(rows.length) && offset + rows.length >= total) ||
	(offset > 0 && rows.length === 1);

/** Neighboring pages overlap by one row. */
const advance = ({ rows }: ListPage) => Math.max(1, rows.length - 1);

/** Every row once, in the order in which it was found. */
class Gathered {
	readonly rows: Json[] = [];
	/** Rows that a page of the current reading contained twice. The service counts them twice as well. */
	doubled = 0;
	private readonly known = new Set<string>();

	constructor(private readonly idOf: ListRequest['idOf']) {}

	holdsFirstOf({ rows }: ListPage): boolean {
		const [first] = this.keysOf(rows.slice(0, 1));
		return first !== undefined && this.known.has(first);
	}

	/** Returns how many rows were new. */
	add({ rows }: ListPage): number {
		const before = this.rows.length;
		const keys = this.keysOf(rows);
		this.doubled += keys.length - new Set(keys).size;
		for (const [index, key] of keys.entries()) {
			if (!this.known.has(key)) this.rows.push(rows[index]);
			this.known.add(key);
		}
		return this.rows.length - before;
	}

	/** A row without an ID is known by its contents, and by how many equal ones are before it on its page. */
	private keysOf(rows: readonly Json[]): string[] {
		const equal = new Map<string, number>();
		return rows.map((row) => {
			const id = this.idOf(row);
			if (id !== undefined) return id;
			const contents = JSON.stringify(row);
			const number = equal.get(contents) ?? 0;
			equal.set(contents, number + 1);
			return `${contents} ${number}`;
		});
	}
}

/** Rows on a page for an agent. So few that all fit into one response, because the next page begins after them. */
const agentPageSize = 10;

export async function listPage(
	readPage: ReadListPage,
	{ path, query, limit = agentPageSize }: ListRequest,
	number: number,
): Promise<{ rows: Json[]; page: AgentPage }> {
	const size = Math.min(limit, agentPageSize);
	const offset = (number - 1) * size;
	const { rows, total } = await readPage(path, { ...query, limit: size, offset });
	return { rows, page: { number, size, rows: rows.length, total } };
}
