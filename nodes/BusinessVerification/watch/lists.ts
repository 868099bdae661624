import { type Cursor, type Memory, type CreationRange, rangesWithout } from './memory';
import type { Budget, Limits } from './clock';
import type { Ledger } from './ledger';
import { type Page, type PageQuery, type ListedRow, secondsOf, timestamp } from './source';

/** Creation times from `from` up to but not including `to`, in seconds. */
export interface Bounds {
	from: number;
	to?: number;
	offset: number;
}

export interface Walk {
	page(bounds: Bounds): Promise<Page>;
	/** Asked before each page but the first; a crowd is best walked at one go, because its order may change. */
	mayGoOn(inCrowd: boolean): boolean;
	/** False: the row could not be taken in, so its creation time is not covered. */
	see(row: ListedRow): boolean;
	/** Whether totals are known to count all rows and not those of the page. */
	counts: boolean;
	/** Rows asked for per page. */
	size: number;
}

export interface Walked {
	/** Where to go on; null at the end. */
	next: Cursor | null;
	/** Creation times of which every row was shown and taken in. */
	covered: CreationRange[];
	/** Creation times of the rows that were shown, also of those shown twice. */
	times: number[];
	counts: boolean;
}

/** Rounds through a crowd whose order changes from page to page. */
const roundsAtMost = 3;
/** No service caps its pages below this. */
const smallestCap = 25;
const day = 86_400;

/**
 * Shows all rows created from a second on, oldest first. Each page starts at the last row before it instead of at an
 * offset, so rows that leave or join the list shift nothing; some are shown twice. More rows of one second than fit on
 * a page are a crowd: only offsets tell them apart, and only as many different rows as it counts cover it.
 */
export async function walk(walk: Walk, start: Cursor, to = Infinity): Promise<Walked> {
	const holes = new Set<number>();
	let { counts } = walk;
	let { at } = start;
	const times: number[] = [];
	let hasBegun = false;
	const bound = Number.isFinite(to) ? { to } : {};
	/** Returns their creation times. */
	const show = (rows: ListedRow[]): number[] => {
		const shown = rows.map(({ createdAt }) => secondsOf(createdAt));
		rows.forEach((row, index) => walk.see(row) || holes.add(shown[index]));
		times.push(...shown);
		return shown;
	};
	const result = (next: Cursor | null): Walked => {
		const end = next ? Math.min(to, next.at) : to;
		return { next, covered: rangesWithout(holes, start.at, end), times, counts };
	};
	/** Undefined where it fails: what was shown before counts, and the walk goes on there. */
	const ask = async (bounds: Bounds) => {
		const page = await walk.page(bounds).catch((error: unknown) => (hasBegun ? undefined : Promise.reject(error)));
		hasBegun = true;
		if (page && usable(page.total) && page.total > bounds.offset + page.rows.length) counts = true;
		return page;
	};

	let skipped = 0;
	let crowd: Crowd | undefined =
		start.offset > 0 ? { offset: start.offset, shown: new Set(), whole: false } : undefined;
	for (let first = true; ; first = false) {
		if (!first && !walk.mayGoOn(crowd !== undefined)) return result({ at, offset: crowd?.offset ?? 0 });
		if (crowd) {
			const cut = await walkCrowd(crowd);
			if (cut !== undefined) return result({ at, offset: cut });
			crowd = undefined;
			if (++at >= to) return result(null);
			continue;
		}
		const page = await ask({ from: at, ...bound, offset: skipped });
		if (!page) return result({ at, offset: 0 });
		const shown = show(page.rows);
		if (isEnd(page, skipped, counts)) return result(null);
		if (page.rows.length === 0) {
			skipped += walk.size;
			continue;
		}
		const reached = lastOf(shown, at);
		skipped = 0;
		if (reached > at) at = reached;
		else crowd = { offset: page.rows.length, shown: new Set(page.rows.map(({ id }) => id)), whole: true };
	}

	/** Undefined when it was walked to its end, else the offset at which it was cut. */
	async function walkCrowd({ offset, shown, whole }: Crowd): Promise<number | undefined> {
		for (let round = 0; ; round++) {
			const reached = await walkRound(round === 0 ? offset : 0, shown);
			if (reached.cut !== undefined) return reached.cut;
			if (whole && shown.size >= reached.size) return undefined;
			if (!whole || round + 1 >= roundsAtMost || !walk.mayGoOn(true)) break;
		}
		holes.add(at);
		return undefined;
	}

	async function walkRound(offset: number, shown: Set<string>): Promise<{ size: number; cut?: number }> {
		for (let size = 0, place = offset, first = true; ; first = false) {
			if (!first && !walk.mayGoOn(true)) return { size, cut: place };
			const page = await ask({ from: at, to: at + 1, offset: place });
			if (!page) return { size, cut: place };
			show(page.rows);
			for (const { id } of page.rows) shown.add(id);
			size = Math.max(size, usable(page.total) ? page.total : place + page.rows.length);
			if (page.rows.length === 0 || isEnd(page, place, counts)) return { size };
			place += page.rows.length;
		}
	}
}

interface Crowd {
	offset: number;
	shown: Set<string>;
	/** Whether it is shown from its beginning. */
	whole: boolean;
}

const usable = (total: number | undefined): total is number => typeof total === 'number' && total >= 0;

/** A total may be missing, capped, or count the page alone; a page of round length may be capped. */
function isEnd({ rows, total }: Page, offset: number, counts: boolean): boolean {
	const { length } = rows;
	if (!usable(total)) return length < smallestCap;
	if (offset + length < total) return false;
	return length === 0 || counts || length % 50 > 0;
}

/** The creation time of the last row, if the page shows that the service keeps to what was asked. */
function lastOf(times: number[], from: number): number {
	const trouble = times.includes(0)
		? 'rows carry no creation time'
		: times.some((time, index) => index > 0 && time < times[index - 1])
			? 'rows are not in the order of their creation'
			: times[0] < from - day
				? 'rows created before the time asked for are in the answer'
				: undefined;
	if (trouble) throw new Error(`The inquiry list cannot be followed: ${trouble}`);
	return times[times.length - 1];
}

/** The document leaves open whether bounds belong to the range, so they stand just outside the whole seconds. */
export const created = ({ from, to }: Partial<Bounds>, zoneless = false) => ({
	...(from === undefined || from <= 0 ? {} : { created_at_from: timestamp(from * 1_000 - 1, zoneless) }),
	...(to === undefined ? {} : { created_at_to: timestamp(to * 1_000, zoneless) }),
});

export interface ListReading {
	status?: readonly string[];
	/** Part of the budget that may be used up before another page is asked for. */
	share?: number;
	/** Creation time at which it ends. */
	to?: number;
	pages?: number;
}

/** The inquiry list, oldest first; every row it shows goes into the ledger. */
export class Lists {
	/** Pages read in this poll. */
	pages = 0;
	/** The first page that failed after others of its reading. */
	trouble: unknown;

	constructor(
		private readonly budget: Budget,
		private readonly memory: Memory,
		private readonly ledger: Ledger,
		private readonly limits: Limits,
		/** Requests to leave for the judge: what waited long enough is told when all has been asked. */
		private readonly judges: number,
	) {}

	mayAsk = (share = 1): boolean => !this.ledger.isLaden && this.budget.allows(share, this.judges);

	async read(cursor: Cursor, { status, share = 1, to, pages = Infinity }: ListReading): Promise<Walked> {
		const { memory, limits } = this;
		const last = this.pages + pages;
		const walked = await walk(
			{
				counts: memory.counts,
				size: limits.page,
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
		const query: PageQuery = {
			...(status ? { status: status.join(',') } : {}),
			...created(bounds, this.memory.zoneless),
			sort_by: 'created_at',
			sort_order: 'asc',
			limit: this.limits.page,
			offset: bounds.offset,
		};
		this.pages++;
		return this.budget.page(query).catch((error: unknown) => {
			this.trouble ??= error;
			throw error;
		});
	}
}
