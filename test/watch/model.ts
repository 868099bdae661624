import type { Page, PageQuery, ListedRow, StatusSource } from '../../nodes/BusinessVerification/watch/rows';

/** An inquiry of the model. `run` counts its runs, so that a test can tell which completion an event speaks of. */
export interface Inquiry {
	id: string;
	createdAt: number;
	status: string;
	completedAt: number | null;
	run: number;
	score: number;
}

export interface ModelOptions {
	/** What the service's Date header is off against its timestamps. */
	skewMs?: number;
	/** How long a new inquiry stays out of every list. */
	latenessMs?: number;
	/** List rows carry no `completedAt`. */
	undatedRows?: boolean;
	/** No page has more rows than this, whatever is asked for. */
	pageCap?: number;
	/** `keep`: a re-run leaves `completedAt` as it was, during the run and after it. */
	onRerun?: 'renew' | 'keep';
	/** Called before each answer: time passes and other things happen between two requests. */
	beforeAnswer?: () => void;
}

const active = ['PLANNING', 'RUNNING', 'ENRICHING'];

/**
 * The service's inquiry list in memory. Reads the interface document independently of the code under test: creation
 * bounds, several statuses, sort order, paging, totals. A million finished inquiries cost one array.
 */
export class Model implements StatusSource {
	now = Date.UTC(2026, 0, 1);
	requests = 0;
	deadline = Infinity;
	/** In creation order. */
	private readonly all: Inquiry[] = [];
	/** Unfinished ones in creation order, so that totals need no counting. */
	private readonly open: Inquiry[] = [];
	private readonly byId = new Map<string, Inquiry>();
	private readonly hidden: Inquiry[] = [];
	private count = 0;

	constructor(readonly options: ModelOptions = {}) {}

	create(at = this.now, id = uuidOf(++this.count)): Inquiry {
		const inquiry: Inquiry = {
			id,
			createdAt: at,
			status: 'PLANNING',
			completedAt: null,
			run: 1,
			score: this.count % 100,
		};
		if (this.options.latenessMs) this.hidden.push(inquiry);
		else this.show(inquiry);
		return inquiry;
	}

	/** Finished inquiries that were there before the test, evenly spread. */
	addHistory(size: number, from: number, to: number): void {
		for (let index = 0; index < size; index++) {
			const at = Math.floor(from + ((to - from) * index) / size);
			this.show({
				id: uuidOf(++this.count),
				createdAt: at,
				status: 'COMPLETED',
				completedAt: at + 60_000,
				run: 1,
				score: index % 100,
			});
		}
	}

	move(inquiry: Inquiry, status: string): void {
		const wasOpen = active.includes(inquiry.status);
		const isOpen = active.includes(status);
		if (!wasOpen && isOpen) {
			inquiry.run++;
			if (this.options.onRerun !== 'keep') inquiry.completedAt = null;
		}
		if (wasOpen && !isOpen && !(this.options.onRerun === 'keep' && inquiry.run > 1)) inquiry.completedAt = this.now;
		inquiry.status = status;
		if (!this.byId.has(inquiry.id) || wasOpen === isOpen) return;
		if (isOpen) insert(this.open, inquiry);
		else remove(this.open, inquiry);
	}

	vanish(inquiry: Inquiry): void {
		this.byId.delete(inquiry.id);
		if (this.hidden.includes(inquiry)) this.hidden.splice(this.hidden.indexOf(inquiry), 1);
		else remove(this.all, inquiry);
		if (active.includes(inquiry.status)) remove(this.open, inquiry);
	}

	get inquiries(): readonly Inquiry[] {
		return [...this.all, ...this.hidden];
	}

	passTo(time: number): void {
		this.now = time;
	}

	get openCount(): number {
		return this.open.length;
	}

	remainingMs(): number {
		return this.deadline - this.now;
	}

	/** The host's clock is right. */
	hostTime(): number {
		return Math.floor(this.now);
	}

	async read(id: string): Promise<ListedRow | 'gone'> {
		this.answer();
		const inquiry = this.byId.get(id);
		return inquiry ? this.rowOf(inquiry, false) : 'gone';
	}

	async page(query: PageQuery): Promise<Page> {
		this.answer();
		const limit = Math.min(query.limit, this.options.pageCap ?? Infinity);
		const from = query.created_at_from === undefined ? -Infinity : Date.parse(query.created_at_from);
		const to = query.created_at_to === undefined ? Infinity : Date.parse(query.created_at_to);
		const statuses = query.status?.split(',');
		const wantsOpen = !statuses || statuses.some((status) => active.includes(status));
		const wantsEnded = !statuses || statuses.some((status) => !active.includes(status));
		const list = wantsEnded ? this.all : this.open;
		const low = firstAt(list, from);
		const high = firstAt(list, to + 1);
		const whole = wantsOpen === wantsEnded || !wantsEnded;
		const exact =
			statuses?.length === 1 || query.scorecard_score_min !== undefined || query.source_filters !== undefined;
		const passes = (inquiry: Inquiry) =>
			(!statuses || statuses.includes(inquiry.status)) &&
			(query.scorecard_score_min === undefined || inquiry.score >= query.scorecard_score_min);

		let rows: Inquiry[] = [];
		let total: number;
		if (exact) {
			const matching = list.slice(low, high).filter(passes);
			total = matching.length;
			if (query.sort_order === 'desc') matching.reverse();
			rows = matching.slice(query.offset, query.offset + limit);
		} else {
			total = high - low - (whole ? 0 : countBetween(this.open, from, to));
			const step = query.sort_order === 'desc' ? -1 : 1;
			let skip = query.offset;
			let index = step > 0 ? low : high - 1;
			if (whole) {
				index += step * skip;
				skip = 0;
			} else if (step > 0) {
				const start = this.leap(low, high, skip);
				if (start > low)
					skip -= start - low - (firstAt(this.open, list[start].createdAt) - firstAt(this.open, list[low].createdAt));
				index = start;
			}
			for (; index >= low && index < high && rows.length < limit; index += step) {
				if (!whole && active.includes(list[index].status)) continue;
				if (skip > 0) skip--;
				else rows.push(list[index]);
			}
		}
		return {
			rows: rows.map((inquiry) => this.rowOf(inquiry, this.options.undatedRows ?? false)),
			total,
			date: Math.floor(this.now) + (this.options.skewMs ?? 0),
		};
	}

	private rowOf({ id, status, createdAt, completedAt, run, score }: Inquiry, undated: boolean): ListedRow {
		const written = (time: number) => new Date(time).toISOString();
		const row: ListedRow = {
			id,
			status,
			createdAt: written(createdAt),
			run,
			scorecardScore: score,
			record: { scorecardScore: score },
		};
		if (!undated) row.completedAt = completedAt === null ? null : written(completedAt);
		return row;
	}

	/** The furthest beginning of a creation time with at most so many ended rows before it. */
	private leap(low: number, high: number, ended: number): number {
		const openBefore = (index: number) =>
			firstAt(this.open, this.all[index].createdAt) - firstAt(this.open, this.all[low].createdAt);
		let best = low;
		for (let end = high; best + 1 < end;) {
			const middle = firstAt(this.all, this.all[(best + end) >>> 1].createdAt);
			if (middle > best && middle - low - openBefore(middle) <= ended) best = middle;
			else end = (best + end) >>> 1;
		}
		return best;
	}

	private answer(): void {
		this.requests++;
		this.options.beforeAnswer?.();
		const { latenessMs = 0 } = this.options;
		while (this.hidden.length > 0 && this.hidden[0].createdAt + latenessMs <= this.now) this.show(this.hidden.shift()!);
	}

	private show(inquiry: Inquiry): void {
		this.byId.set(inquiry.id, inquiry);
		insert(this.all, inquiry);
		if (active.includes(inquiry.status)) insert(this.open, inquiry);
	}
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Index of the first element created at or after a time. */
function firstAt(list: Inquiry[], time: number): number {
	let low = 0;
	let high = list.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (list[middle].createdAt < time) low = middle + 1;
		else high = middle;
	}
	return low;
}

const countBetween = (list: Inquiry[], from: number, to: number) =>
	Math.max(0, firstAt(list, to + 1) - firstAt(list, from));

function insert(list: Inquiry[], inquiry: Inquiry): void {
	if (list.length === 0 || list[list.length - 1].createdAt <= inquiry.createdAt) list.push(inquiry);
	else list.splice(firstAt(list, inquiry.createdAt + 1), 0, inquiry);
}

function remove(list: Inquiry[], inquiry: Inquiry): void {
	for (let index = firstAt(list, inquiry.createdAt); index < list.length; index++) {
		if (list[index] === inquiry) {
			list.splice(index, 1);
			return;
		}
	}
}
