import { activeStatuses, endStatuses, isEnd, isKnownStatus } from '../document/inquiries';
import { isAged, isForgotten } from './ledger';
import { type Known, levelAt, type Memory, raise } from './memory';
import { Poll, type PollOptions, type PollResult } from './poll';
import { inFull, type ListedRow, readRows, secondsOf, type StatusSource } from './sources';

/**
 * Reports every completion of every inquiry once, although the service cannot list what changed since a time.
 *
 * Each poll reads (1) the unfinished inquiries, (2) the newest ones, (3) those that were unfinished and are missing from
 * (1), and (4) a page of the sweep, a round over all inquiries, for runs that began and finished between two polls. What
 * the rows mean is decided by the rule at the head of ledger.ts.
 *
 * LEVELS. Of an inquiry that is not in memory, completions up to the level of its creation time are covered. A level rises
 * only after every row of its creation times was read, and stays ten minutes behind the newest time shown, so that rows
 * that become visible late, or clocks that differ, hide nothing. A reported completion stays in memory until its level has
 * passed it. What the budget or an error cuts is read by a later poll, because no level has passed it.
 *
 * THE SWEEP owes a page for each minute, and pages on which many completions can be dropped from memory come first. So a
 * re-run that no poll saw is found within a round, and memory stays small.
 */
export async function pollInquiries(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const poll = new Poll(source, saved, options);
	const reader = new Reader(poll);
	if (poll.start) await reader.begin();
	const unfinishedBefore = await reader.readUnfinished();
	await reader.readNewest();
	await reader.readMissing(unfinishedBefore);
	await reader.readRecords();
	await reader.sweep();
	await reader.readRecords();
	if (poll.budget.answers === 0) throw poll.trouble ?? new Error('The poll had no time to read anything');
	const events = await poll.judgedEvents();
	reader.raiseLevels();
	return poll.end(events);
}

/** Seconds that levels stay behind the newest time. */
const slack = 600;
/** Known completions that a page must let memory drop to be worth its request. */
const worthwhile = 60;
/** How much of its time a poll may have used when each kind of pages begins its last one. */
const shares = { unfinished: 0.4, newest: 0.65, missing: 0.85, sweep: 1 };

type Entry = [id: string, known: Known];

interface Reading {
	/** The part of the budget that may be used. */
	share: number;
	status?: readonly string[];
	/** Pages at most; without it, being cut means that the poll is behind. */
	pages?: number;
}

/** Reads the pages of one poll. */
class Reader {
	/** Creation times of which every row was read. */
	private readonly covered: Array<[from: number, to: number]> = [];
	/** Rows that a page holds, which may be fewer than asked for. */
	private pageSize: number;
	private pages = 0;

	constructor(private readonly poll: Poll) {
		this.pageSize = poll.limits.page;
	}

	async begin(): Promise<void> {
		const { budget, limits } = this.poll;
		const newest = { sort_by: 'created_at', sort_order: 'desc', limit: limits.page, offset: 0 } as const;
		this.poll.startFrom((await budget.page(newest)).rows);
	}

	/** Returns up to which creation time the list of unfinished inquiries was read. */
	async readUnfinished(): Promise<number> {
		const { known } = this.poll.memory;
		const isUnknown = ({ status }: Known) => status !== '' && !isEnd(status) && !isKnownStatus(status);
		const unknown = [...known.values()].filter(isUnknown).map(({ status }) => status);
		const status = [...new Set([...activeStatuses, ...unknown])];
		return this.read(0, Infinity, { status, share: shares.unfinished });
	}

	/** What is cut goes on where it stopped. */
	async readNewest(): Promise<void> {
		const { poll } = this;
		const { memory, ledger } = poll;
		const { top } = memory;
		const created: number[] = [];
		const reached = await this.read(top, Infinity, { share: shares.newest }, created);
		const next = reached === Infinity ? poll.topOf(created, this.pageSize) : reached;
		memory.top = Math.max(top, Math.min(next, ledger.refused));
	}

	/** Searches for unfinished inquiries that their list lacks: among the finished ones, then each by its creation time. */
	async readMissing(listedBefore: number): Promise<void> {
		const { memory, ledger } = this.poll;
		const isMissing = ([id, { unfinishedSince, pendingSince, created }]: Entry) =>
			unfinishedSince + pendingSince > 0 && created < listedBefore && !ledger.seen.has(id);
		const missing = [...memory.known].filter(isMissing).sort(([, a], [, b]) => a.created - b.created);
		const nowhere = await this.readFinished(missing, isMissing);
		for (const entry of nowhere) {
			const [id, { created }] = entry;
			if (!isMissing(entry)) continue;
			const reached = await this.read(created, created + 1, { share: shares.missing });
			// Deleted, or outside the filter now: nothing of it can be lost once its level has passed it.
			const isGone = reached > created && isMissing(entry) && created <= levelAt(memory.steps, created);
			if (isGone && ledger.seen.size > 0) ledger.remove(id);
		}
	}

	/** Returns those that are not among the finished ones either. */
	private async readFinished(missing: Entry[], isMissing: (entry: Entry) => boolean): Promise<Entry[]> {
		const nowhere: Entry[] = [];
		let queue = missing;
		while (queue.length > 0) {
			const from = queue[0][1].created;
			const to = queue[queue.length - 1][1].created + 1;
			const reached = await this.read(from, to, { status: endStatuses, share: shares.missing, pages: 1 });
			const isLeft = ([, { created }]: Entry) => created >= reached;
			nowhere.push(...queue.filter((entry) => !isLeft(entry) && isMissing(entry)));
			queue = queue.filter((entry) => isLeft(entry) && isMissing(entry));
			if (reached <= from) break;
		}
		return nowhere;
	}

	/** Reads the records of finished rows without times. A row whose record cannot be read now is judged by itself. */
	async readRecords(): Promise<void> {
		const { ledger, budget, failed } = this.poll;
		for (const row of ledger.withoutTimes.values()) {
			const isAllowed = this.poll.allows(shares.missing);
			this.poll.isCut ||= !isAllowed;
			const record = isAllowed ? await budget.read(row.id).catch(failed) : undefined;
			const full = record && record !== 'gone' ? record : row;
			if (full.status === row.status) {
				ledger.see(inFull(row, full));
			} else {
				// One of the two is of an earlier moment: nobody knows which, so neither lends its times to the other.
				ledger.see({ ...row, isFull: true });
				ledger.see(full);
			}
		}
		ledger.withoutTimes.clear();
	}

	async sweep(): Promise<void> {
		const { memory, limits, minutes } = this.poll;
		memory.debt += minutes;
		const waiting = await this.readCrowdedPages();
		const pressure = Math.ceil((limits.sweepPages * waiting) / limits.ended);
		const pages = Math.min(limits.sweepPages, Math.max(memory.debt, pressure));
		const from = memory.sweep < memory.top ? memory.sweep : 0;
		if (pages < 1 || memory.top === 0) return;
		const before = this.pages;
		const reached = await this.read(from, memory.top, { share: shares.sweep, pages });
		const isRoundOver = reached >= memory.top;
		memory.sweep = isRoundOver ? 0 : reached;
		memory.debt = isRoundOver ? 0 : Math.max(0, memory.debt - (this.pages - before));
		if (reached > from && !isRoundOver) memory.width = Math.max(1, Math.floor((reached - from) / pages));
	}

	/** Reads the pages that let memory drop many completions. Returns how many wait for the sweep to pass them. */
	private async readCrowdedPages(): Promise<number> {
		const { memory, limits } = this.poll;
		const isUncovered = (created: number) => !this.covered.some(([from, to]) => created >= from && created < to);
		const droppable = [...memory.known.values()].filter((entry) => this.isDone(entry, this.settled));
		let waiting = droppable.map(({ created }) => created).filter(isUncovered);
		waiting.sort((a, b) => a - b);
		for (let read = 0; read < limits.sweepPages / 2 && this.poll.allows(); read++) {
			const from = waiting.find((created, place) => waiting[place + worthwhile - 1] <= created + memory.width);
			if (from === undefined) break;
			await this.read(from, Infinity, { share: shares.sweep, pages: 1 });
			waiting = waiting.filter(isUncovered);
		}
		return waiting.length;
	}

	/** Everything up to here has been shown by now, whichever clock wrote it. */
	private get settled(): number {
		return Math.max(0, this.poll.memory.newest - slack);
	}

	/** Whether a completion need not stay in memory once its level has reached `level`. */
	private isDone({ created, stamp, reportedAt, ...since }: Known, level: number): boolean {
		const isSettled = since.unfinishedSince + since.pendingSince === 0 && isAged(reportedAt, this.poll.now);
		return isSettled && Math.max(stamp, created) <= level;
	}

	/** Raises the levels of what was read, and drops what they have passed. */
	raiseLevels(): void {
		const { memory, ledger } = this.poll;
		for (const [from, to] of this.covered)
			memory.steps = raise(memory.steps, from, Math.min(to, ledger.refused), this.settled);
		for (const [id, entry] of memory.known) {
			const { status, created } = entry;
			if (isForgotten(status, created, memory.newest) || this.isDone(entry, levelAt(memory.steps, created)))
				ledger.remove(id);
		}
	}

	/** Reads the rows created in [from, to), oldest first, and returns up to where. */
	private async read(
		from: number,
		to: number,
		{ share, status, pages }: Reading,
		created: number[] = [],
	): Promise<number> {
		const { poll } = this;
		if (!poll.allows(share)) {
			poll.isCut ||= share < shares.sweep;
			return from;
		}
		const reached = await readRows(from, to, {
			page: async (query) => {
				this.pages++;
				const page = await poll.budget.page(query);
				const { rows, total = 0 } = page;
				if (rows.length > 0 && rows.length < Math.min(this.pageSize, total - query.offset)) this.pageSize = rows.length;
				return page;
			},
			failed: poll.failed,
			mayGoOn: () => poll.allows(share),
			see: (row: ListedRow) => {
				poll.ledger.see(row);
				created.push(secondsOf(row.createdAt));
			},
			query: status ? { status: status.join(',') } : {},
			limit: poll.limits.page,
			pages,
			zoneless: poll.memory.zoneless,
		});
		if (!status && reached > from) this.covered.push([from, reached]);
		poll.isCut ||= pages === undefined && reached < to;
		return reached;
	}
}
