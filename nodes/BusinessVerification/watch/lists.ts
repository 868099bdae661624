import { timeText } from '../document/vocabulary';
import { type Cursor, type CreationRange, rangesWithout } from './memory';
import { clockChange } from './clock';
import type { Ledger } from './ledger';
import type { Poll } from './poll';
import { type Page, type PageQuery, type ListedRow, secondsOf } from './source';

interface Bounds extends CreationRange {
	offset: number;
}

interface Walk {
	page(bounds: Bounds): Promise<Page>;
	/** Asked before each page but the first. A crowd may change its order, so it gets budget to be read in one poll. */
	mayGoOn(inCrowd: boolean): boolean;
	/** Returns false if the row could not be stored. Its creation time is then not covered. */
	see(row: ListedRow): boolean;
	/** Whether `total` is known to count all rows rather than those of the page. */
	counts: boolean;
	/** Rows asked for per page. */
	size: number;
	/** Times without a zone go back once a year, with the local clocks. */
	zoneless?: boolean;
}

interface Walked {
	/** Where to continue; null if the walk is complete. */
	next: Cursor | null;
	/** Creation times of which every row was shown and stored. */
	covered: CreationRange[];
	/** Creation times of the rows, repeated where a row was shown twice. */
	times: number[];
	counts: boolean;
}

/** Times that a crowd is read if its order changes from page to page. */
const roundsAtMost = 3;
/** Without a total, a page of fewer rows is taken for the last: no known service limits pages to so few. */
const smallestCap = 25;
const day = 86_400;

/**
 * Walks through all rows created from a second on, oldest first. Each page starts at the creation time of the last row
 * rather than at an offset, so rows that leave or join the list shift nothing; some are shown twice. If more rows of
 * one second exist than fit on a page, only offsets can page through this crowd. It is covered only once as many
 * different rows were shown as the service counts.
 */
export async function walk(walk: Walk, start: Cursor, to = Infinity): Promise<Walked> {
	const holes = new Set<number>();
	const times: number[] = [];
	let { counts } = walk;
	let { at } = start;
	let hasBegun = false;
	const result = (next: Cursor | null): Walked => {
		const end = next ? Math.min(to, next.at) : to;
		return { next, covered: rangesWithout(holes, start.at, end), times, counts };
	};
	const show = (rows: ListedRow[]): number[] => {
		const shown = rows.map(({ createdAt }) => secondsOf(createdAt));
		rows.forEach((row, index) => walk.see(row) || holes.add(shown[index]));
		times.push(...shown);
		return shown;
	};
	/** Returns undefined if the budget ends or a later page fails: the rows shown so far count, and the next walk goes on. */
	const ask = async (bounds: Bounds, inCrowd = false) => {
		if (hasBegun && !walk.mayGoOn(inCrowd)) return undefined;
		const page = await walk.page(bounds).catch((error: unknown) => (hasBegun ? undefined : Promise.reject(error)));
		hasBegun = true;
		if (page && usable(page.total) && page.total > bounds.offset + page.rows.length) counts = true;
		return page;
	};

	let ended = start.offset > 0 ? await walkCrowd(start.offset) : undefined;
	for (let skipped = 0; !ended;) {
		const page = await ask({ from: at, to, offset: skipped });
		if (!page) return result({ at, offset: 0 });
		const shown = show(page.rows);
		if (isLastPage(page, skipped, counts)) return result(null);
		if (page.rows.length === 0) {
			skipped += walk.size;
			continue;
		}
		skipped = 0;
		const reached = lastOf(shown, at, walk.zoneless ? clockChange : 0);
		const isCrowd = reached <= at || shown.every((time) => time === reached);
		at = Math.max(at, reached);
		if (isCrowd) ended = await walkCrowd(page.rows.length, page);
	}
	return ended;

	/** Reads the crowd of the second `at`, of which `first` was read. Returns undefined if the walk goes on after it. */
	async function walkCrowd(offset: number, first?: Page): Promise<Walked | undefined> {
		const shown = new Set(first?.rows.map(({ id }) => id));
		const total = first && counts && usable(first.total) ? first.total : Infinity;
		for (let round = 0; ; round++) {
			const { size, cut } = await walkRound(round === 0 ? offset : 0, shown);
			if (cut !== undefined) return result({ at, offset: cut });
			if (first && shown.size >= size) break;
			if (first && round + 1 < roundsAtMost && walk.mayGoOn(true)) continue;
			holes.add(at);
			break;
		}
		at++;
		// If all rows that the service counts are of the crowd, none comes after it.
		return at >= to || shown.size === total ? result(null) : undefined;
	}

	async function walkRound(offset: number, shown: Set<string>): Promise<{ size: number; cut?: number }> {
		for (let size = 0, place = offset; ;) {
			const page = await ask({ from: at, to: at + 1, offset: place }, true);
			if (!page) return { size, cut: place };
			show(page.rows);
			for (const { id } of page.rows) shown.add(id);
			size = Math.max(size, usable(page.total) ? page.total : place + page.rows.length);
			if (page.rows.length === 0 || isLastPage(page, place, counts)) return { size };
			place += page.rows.length;
		}
	}
}

const usable = (total: number | undefined): total is number => typeof total === 'number' && total >= 0;

/** `total` may be missing, capped, or that of the page. A multiple of 50 rows may be a page limit. */
export function isLastPage({ rows, total }: Page, offset: number, counts: boolean): boolean {
	const { length } = rows;
	if (!usable(total)) return length < smallestCap;
	if (offset + length < total) return false;
	return length === 0 || counts || length % 50 > 0;
}

/** Returns the newest creation time. Throws if the order or the bounds are ignored, as rows could be missed. */
function lastOf(times: number[], from: number, back: number): number {
	let newest = 0;
	let isInOrder = true;
	for (const time of times) {
		isInOrder &&= time >= newest - back;
		newest = Math.max(newest, time);
	}
	const trouble = times.includes(0)
		? 'rows carry no creation time'
		: !isInOrder
			? 'rows are not in the order of their creation'
			: times[0] < from - day
				? 'rows created before the time asked for are in the answer'
				: undefined;
	if (trouble) throw new Error(`The inquiry list cannot be followed: ${trouble}`);
	return newest;
}

/**
 * Asks for a page, oldest first. The API documentation does not say whether the bounds are inclusive, so they lie just
 * outside the whole seconds.
 */
export const oldestFirst = ({ from, to, offset }: Bounds, limit: number, zoneless: boolean): PageQuery => ({
	...(from <= 0 ? {} : { created_at_from: timeText(from * 1_000 - 1, zoneless) }),
	...(to === Infinity ? {} : { created_at_to: timeText(to * 1_000, zoneless) }),
	sort_by: 'created_at',
	sort_order: 'asc',
	limit,
	offset,
});

interface ListReading {
	status?: readonly string[];
	/** Part of the budget after which no further page is requested. */
	share?: number;
	/** Creation time before which the reading stops. */
	to?: number;
	pages?: number;
}

/** The inquiry list, oldest first. Every row goes into the ledger. */
export class Lists {
	/** Pages read in this poll. */
	pages = 0;
	/** The error of the first page that failed. */
	trouble: unknown;

	constructor(
		private readonly poll: Poll,
		private readonly ledger: Ledger,
	) {}

	/** One request is reserved for the judge, which runs last. */
	mayAsk = (share = 1): boolean => !this.ledger.isLaden && this.poll.budget.allows(share, this.poll.judge ? 1 : 0);

	async read(cursor: Cursor, { status, share = 1, to, pages = Infinity }: ListReading): Promise<Walked> {
		const { memory, limits } = this.poll;
		const last = this.pages + pages;
		const walked = await walk(
			{
				counts: memory.counts,
				size: limits.page,
				zoneless: memory.zoneless,
				page: (bounds) => this.page(bounds, status),
				mayGoOn: (inCrowd) => (inCrowd || this.pages < last) && this.mayAsk(inCrowd ? Math.max(share, 0.9) : share),
				see: (row) => this.ledger.see(row),
			},
			cursor,
			to,
		);
		memory.counts = walked.counts;
		return walked;
	}

	private async page(bounds: Bounds, status?: readonly string[]) {
		const { budget, memory, limits } = this.poll;
		const query = oldestFirst(bounds, limits.page, memory.zoneless);
		this.pages++;
		return budget.page(status ? { status: status.join(','), ...query } : query).catch((error: unknown) => {
			this.trouble ??= error;
			throw error;
		});
	}
}
