import { rowsIn } from '../definition/rows';
import type { Json, ListRequest, Request } from '../definition/service';

export const pageSize = 500;
/** Neighbouring pages share one row: if it is not where it should be, the list has shifted between the two. */
const step = pageSize - 1;

type Send = (request: Request) => Promise<unknown>;

export interface Page {
	rows: Json[];
	total: number | undefined;
}

export async function readPage(send: Send, itemsField: string, path: string, query: Json): Promise<Page> {
	const answer = await send({ method: 'GET', path, query, kind: 'read' });
	const total = (answer as Json | undefined)?.total;
	return { rows: rowsIn(answer, itemsField), total: typeof total === 'number' ? total : undefined };
}

export async function listRows(send: Send, itemsField: string, request: ListRequest): Promise<Json[]> {
	const wanted = request.limit ?? Infinity;
	const fetchPage = (offset: number, limit: number) =>
		readPage(send, itemsField, request.path, { ...request.query, limit, offset });

	const first = await fetchPage(0, Math.min(wanted, pageSize));
	if (wanted <= pageSize || first.rows.length < pageSize) return first.rows.slice(0, wanted);

	// With the total known the other pages come side by side; the walk below then checks that they fit together.
	const ahead = new Map<number, Promise<Page>>();
	const end = Math.min(wanted, first.total ?? 0);
	for (let offset = step; offset < end - 1; offset += step) ahead.set(offset, fetchPage(offset, pageSize));
	await Promise.all(ahead.values());
	return walk(first.rows, wanted, request.idOf, async (offset) => {
		const page = (await ahead.get(offset)) ?? (await fetchPage(offset, pageSize));
		ahead.delete(offset);
		return page.rows;
	});
}

/** Goes from page to page by the row both share; where it is missing, steps back until it is found again. */
async function walk(
	rows: Json[],
	wanted: number,
	idOf: ListRequest['idOf'],
	pageAt: (offset: number) => Promise<Json[]>,
): Promise<Json[]> {
	const found = [...rows];
	const known = new Set(rows.map(idOf));
	for (let offset = step; found.length < wanted; ) {
		let page = await pageAt(offset);
		for (let back = 1; back <= 3 && offset > 0 && page.length > 0 && !known.has(idOf(page[0])); back++) {
			offset = Math.max(0, offset - (pageSize / 2) * back);
			page = await pageAt(offset);
		}
		const fresh = page.filter((row) => idOf(row) === undefined || !known.has(idOf(row)));
		for (const row of fresh) known.add(idOf(row));
		found.push(...fresh);
		if (page.length < pageSize || fresh.length === 0) break;
		offset += page.length - 1;
	}
	return found.slice(0, wanted);
}
