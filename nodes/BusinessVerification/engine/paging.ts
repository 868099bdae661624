import { Failure, type Json, type ListRequest, type Request } from '../definition';
import { readThrough } from './listPass';

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
