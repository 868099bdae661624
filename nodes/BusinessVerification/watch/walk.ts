import { largestPage, timeText } from '../document/vocabulary';
import { type PageQuery, type ReadPage, secondsOf } from './rows';

interface Walk {
	/** Undefined if it cannot be read now, which ends the walk. */
	readPage(query: PageQuery): Promise<ReadPage | undefined | void>;
	limit?: number;
	pages?: number;
	zoneless?: boolean;
}

/**
 * Reads the rows created in [from, to), oldest first, and returns up to which creation time. Each page starts at that of the
 * last row rather than at an offset, so rows that leave or join the list shift nothing.
 */
export async function readRows(from: number, to: number, walk: Walk): Promise<number> {
	const { limit = largestPage, pages = Infinity, zoneless = false } = walk;
	for (let pagesRead = 0; pagesRead < pages; pagesRead++) {
		const page = await walk.readPage({ ...oldestFirst(from, to, zoneless), limit, offset: 0 });
		if (!page) return from;
		if (page.isLast) return to;
		const lastCreated = secondsOf(page.rows[page.rows.length - 1].createdAt);
		// Rows of second `from`, or of the millisecond before it (see `oldestFirst`), can fill a page: it shows no later time.
		if (lastCreated > from) from = lastCreated;
		else if (await readCrowd(from, walk)) from++;
		else return from;
	}
	return from;
}

const mostReadings = 8;

/**
 * Reads a crowd: the rows created in one second, if they fill more than a page. These need offsets, and their order may change
 * with each request, so they are read again until as many were seen as there are: with pages of another size, because a cache
 * answers the same question with the same page.
 */
async function readCrowd(second: number, { readPage, limit = largestPage, zoneless = false }: Walk): Promise<boolean> {
	const seen = new Set<string>();
	for (let fewer = 0; fewer < mostReadings; fewer++) {
		const size = limit - fewer;
		let [offset, total] = [0, Infinity];
		for (let isAtEnd = false; !isAtEnd;) {
			const page = await readPage({ ...oldestFirst(second, second + 1, zoneless), limit: size, offset });
			if (!page) return false;
			for (const { id } of page.rows) seen.add(id);
			total = Math.min(total, page.total ?? Infinity);
			isAtEnd = page.isLast;
			offset += page.rows.length;
		}
		// Two copies of the service may disagree on the total. The smallest counts, or the rows of this reading, if fewer.
		if (seen.size >= Math.min(offset, total)) return true;
	}
	return false;
}

/** The bounds lie just outside of these seconds, as they may be inclusive or exclusive. */
const oldestFirst = (from: number, to: number, zoneless: boolean): Partial<PageQuery> => ({
	...(from > 0 ? { created_at_from: timeText(from * 1_000 - 1, zoneless) } : {}),
	...(to < Infinity ? { created_at_to: timeText(to * 1_000, zoneless) } : {}),
	sort_by: 'created_at',
	sort_order: 'asc',
});
