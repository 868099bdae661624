import { instant, type Page, type Row, timestamp } from './source';

export interface Bounds {
	from?: number;
	to?: number;
	offset: number;
}

interface Walk {
	page(bounds: Bounds): Promise<Page>;
	/** Asked after each page. A crowd is best walked at one go, because its order may change until next time. */
	mayGoOn(inCrowd: boolean): boolean;
	/** False stops the walk at this row. */
	see(row: Row): boolean | void;
}

/** A service may write whole seconds and still compare with what it left out. */
export const second = 1_000;

/** Rounds through a crowd whose order changes from page to page, before it is taken as seen. */
const roundsAtMost = 10;

/**
 * Shows all rows created from a time on, oldest first. Each page starts at the creation time of the last row before it
 * instead of at an offset, so rows that leave or join the list meanwhile shift nothing; some rows are shown twice.
 * Reads one page at least. Returns where to go on, or null at the end.
 */
export async function walk({ page, mayGoOn, see }: Walk, from: number): Promise<number | null> {
	let cursor = from;
	for (;;) {
		const { rows, total } = await page({ ...after(cursor), offset: 0 });
		for (const row of rows) if (see(row) === false) return instant(row.createdAt);
		if (rows.length === 0 || rows.length >= total) return null;
		const reached = instant(rows[rows.length - 1].createdAt);
		if (reached > cursor) {
			cursor = reached;
		} else {
			const step = rows.every(({ createdAt }) => instant(createdAt) % second === 0) ? second : 1;
			const stopped = await walkCrowd({ page, mayGoOn, see }, cursor, step);
			if (stopped) return cursor;
			cursor += step + 1;
		}
		if (!mayGoOn(false)) return cursor;
	}
}

/** More rows than fit on a page share one creation time: only offsets tell them apart. */
async function walkCrowd({ page, mayGoOn, see }: Walk, at: number, step: number): Promise<boolean> {
	const shown = new Set<string>();
	for (let round = 0; round < roundsAtMost; round++) {
		for (let offset = 0; ;) {
			const { rows, total } = await page({ from: at - 1, to: at + step + 1, offset });
			for (const row of rows) {
				shown.add(row.id);
				if (see(row) === false) return true;
			}
			offset += rows.length;
			if (rows.length === 0 || offset >= total) {
				if (shown.size >= total) return false;
				break;
			}
			if (!mayGoOn(true)) return true;
		}
	}
	return false;
}

/** The document leaves open whether the bounds belong to the range, so they stand one millisecond outside. */
const after = (time: number) => (time > 0 ? { from: time - 1 } : {});

export const created = ({ from, to }: Bounds) => ({
	...(from === undefined ? {} : { created_at_from: timestamp(from) }),
	...(to === undefined ? {} : { created_at_to: timestamp(to) }),
});
