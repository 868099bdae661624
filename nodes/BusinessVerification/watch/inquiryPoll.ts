import { activeStatuses, endStatuses } from '../document/inquiries';
import { newestPageFrom } from './beginning';
import { fingerprintOf, type Known, levelAt, raise, type WatchMemory } from './memory';
import { Poll, type PollOptions, type PollResult } from './poll';
import { tolerated, inFull, isPastOldAnswers, isUnknown, type PageQuery, secondsOf, type StatusSource } from './rows';
import { readRows } from './walk';

/**
 * Reports every completion of every inquiry once, although the service cannot list what changed since a time.
 *
 * Each poll reads (1) the unfinished inquiries, (2) the newest ones, (3) those in memory that neither shows, but for `covered`
 * ones, (4) a part of the sweep, a round over all older inquiries, for runs that began and finished between two polls, (5) the
 * pages of `covered` ones, if many would wait in memory for the sweep, and (6) where rows show no times, the records of
 * completions. What the rows mean is decided by the rule at the head of ledger.ts.
 *
 * LEVELS (memory.ts). They begin at the activation, or at another filter. From then on, a level rises only after every row of
 * its creation times was read, and stays ten minutes behind the newest time shown, so that rows that become visible late, or
 * clocks that differ, hide nothing. A `covered` inquiry stays in memory until the level of its creation time is later than its
 * completion. What the budget or an error cuts is read by a later poll, because no level rises before.
 */
export const pollInquiries = (source: StatusSource, saved: WatchMemory | undefined, options: PollOptions) =>
	new InquiryPoll(source, saved, options).run();

/** So many `covered` inquiries in memory are worth pages of their own. */
const worthwhile = 60;
/** Each kind of pages is read until this part of the budget is used; the rest is kept for what is read after it. */
const shares = { unfinished: 0.4, newest: 0.65, missing: 0.75, sweep: 0.8 };

/** What a poll reads of a list. With a number of `pages` it may stop anywhere; else what is left counts as cut. */
type Part = { share: number; status?: readonly string[]; pages?: number };

class InquiryPoll extends Poll {
	/** Creation times of which every row was read. */
	private readonly wholeRanges: Array<[from: number, to: number]> = [];
	/** Rows that a page holds, which may be fewer than asked for. */
	private pageSize = this.limits.page;

	async run(): Promise<PollResult> {
		if (this.beginning.backMs !== undefined) {
			const newest = { sort_by: 'created_at', sort_order: 'desc', limit: this.pageSize, offset: 0 } as const;
			this.beginWith((await this.budget.page(newest)).rows);
		}
		const listedUpTo = await this.readUnfinished();
		await this.readNewest();
		await this.readMissing(listedUpTo);
		await this.sweep();
		await this.readDroppable();
		await this.readRecords();
		if (this.budget.answers === 0) throw this.failure ?? new Error('The poll had no time to read anything');
		const events = await this.judgedEvents();
		this.raiseLevels();
		return this.end(events);
	}

	/** Returns up to which creation time the list of unfinished inquiries was read. */
	private async readUnfinished(): Promise<number> {
		const unknown = [...this.memory.known.values()].map(({ status }) => status).filter(isUnknown);
		const status = [...new Set([...activeStatuses, ...unknown])];
		return this.read(0, Infinity, { status, share: shares.unfinished });
	}

	/** What is cut goes on where it stopped. */
	private async readNewest(): Promise<void> {
		const { memory, ledger } = this;
		const createdTimes: number[] = [];
		const reached = await this.read(memory.newestFrom, Infinity, { share: shares.newest }, createdTimes);
		const next = reached === Infinity ? newestPageFrom(memory, createdTimes, this.pageSize) : reached;
		memory.newestFrom = Math.max(memory.newestFrom, Math.min(next, ledger.refusedFrom));
	}

	/** Searches for inquiries in memory that no list has shown: unfinished, postponed, and doubted ones. */
	private async readMissing(listedUpTo: number): Promise<void> {
		const isMissing = ([id, { state, created }]: [string, Known]) =>
			state !== 'covered' && created < listedUpTo && !this.ledger.seen.has(id);
		const missing = () => [...this.memory.known].filter(isMissing).map(([, entry]) => entry);
		// Most have finished, and fill fewer pages among those that have. For the rest, the second search has to be whole.
		await this.search(missing(), { share: shares.missing, status: endStatuses });
		if (!(await this.search(missing(), { share: shares.missing }))) this.isCut = true;
	}

	/** Memory drops `covered` inquiries once their pages were read. If many would wait for the sweep, that is done now. */
	private async readDroppable(): Promise<void> {
		const isWaiting = (entry: Known) => this.isDroppable(entry, this.settledTo) && !this.isRead(entry);
		const waiting = [...this.memory.known.values()].filter(isWaiting);
		if (waiting.length >= worthwhile) await this.search(waiting, { share: shares.sweep });
	}

	/** From the oldest on, because a page may show many. Returns whether all pages were read. */
	private async search(entries: Known[], part: Part): Promise<boolean> {
		const times = entries.map(({ created }) => created).sort((a, b) => a - b);
		let [reached, isWhole] = [0, true];
		for (const time of times) {
			if (time < reached) continue;
			const read = await this.read(time, times[times.length - 1] + 1, { ...part, pages: 1 });
			isWhole &&= read > time;
			reached = Math.max(read, time + 1);
		}
		return isWhole;
	}

	/** Goes on with the round, by a page for each minute. It finds the re-runs that no poll saw. */
	private async sweep(): Promise<void> {
		const { memory, limits, minutes } = this;
		const from = memory.continueAt < memory.newestFrom ? memory.continueAt : 0;
		const pages = memory.newestFrom > 0 ? Math.min(limits.sweepPages, minutes) : 0;
		const reached = await this.read(from, memory.newestFrom, { share: shares.sweep, pages });
		memory.continueAt = reached < memory.newestFrom ? reached : 0;
	}

	/**
	 * Reads the records of finished rows without times, first of those that have waited longest for theirs: a poll may have no
	 * time for all. A row whose record cannot be read now is judged by itself.
	 */
	private async readRecords(): Promise<void> {
		const { ledger, budget, memory, now } = this;
		const since = (id: string) => {
			const known = memory.known.get(fingerprintOf(id));
			return known && known.state !== 'unfinished' ? known.since : now;
		};
		for (const row of [...ledger.undated.values()].sort((a, b) => since(a.id) - since(b.id))) {
			const record = await this.ifTime(this.allows(), () => budget.read(row.id));
			const isSame = typeof record === 'object' && record.status === row.status;
			// If not, one of the two is of an earlier moment: nobody knows which, so neither lends its times to the other.
			if (typeof record === 'object' && !isSame) ledger.see(record);
			ledger.see(isSame ? inFull(row, record) : row);
		}
	}

	/** Everything dated up to here has been shown by now, whichever clock wrote it. */
	private get settledTo(): number {
		return Math.max(0, this.memory.latestShown - tolerated.slack);
	}

	/** Whether it need not stay in memory once the level of its creation time is `level`. */
	private isDroppable({ state, since, created, coveredTo }: Known, level: number): boolean {
		return state === 'covered' && isPastOldAnswers(since, this.now) && Math.max(coveredTo, created) < level;
	}

	private isRead({ created }: Known): boolean {
		return this.wholeRanges.some(([from, to]) => created >= from && created < to);
	}

	/** Raises the levels of what was read, and drops the inquiries for which they suffice. */
	private raiseLevels(): void {
		const { memory, ledger } = this;
		for (const [from, to] of this.wholeRanges)
			memory.steps = raise(memory.steps, from, Math.min(to, ledger.refusedFrom), this.settledTo);
		for (const [id, entry] of memory.known) {
			const { state, status, created } = entry;
			const level = levelAt(memory.steps, created);
			const isSeen = ledger.seen.has(id);
			// The status may be a final one, so once a day has passed since the creation, only the sweep goes on reading it. Counted
			// from `since`, the day would begin again with each round.
			const isGivenUp = isUnknown(status) && created < memory.latestShown - tolerated.day && isSeen;
			// Deleted, or outside the filter now. Should it only be hidden, it comes back as `old`: a completion dated above its level
			// is reported, an earlier one is lost. Dropped while its level is below its creation, it would come back as `new`.
			const isGone = state !== 'covered' && this.isRead(entry) && !isSeen && created <= level;
			if (isGivenUp || isGone || this.isDroppable(entry, level)) memory.known.delete(id);
		}
	}

	/** Reads the rows created in [from, to), oldest first, and returns up to where. Adds their times to `createdTimes`. */
	private async read(from: number, to: number, part: Part, createdTimes: number[] = []): Promise<number> {
		const { share, status, pages } = part;
		const readPage = async (query: PageQuery) => {
			if (!this.allows(share)) return undefined;
			const page = await this.budget.page({ ...query, ...(status && { status: status.join(',') }) }).catch(this.failed);
			for (const row of page?.rows ?? []) {
				this.ledger.see(row);
				createdTimes.push(secondsOf(row.createdAt));
			}
			if (page?.isLast === false) this.pageSize = page.rows.length;
			return page;
		};
		const { zoneless } = this.memory;
		const reached = await readRows(from, to, { ...part, readPage, limit: this.limits.page, zoneless });
		if (!status) this.wholeRanges.push([from, reached]);
		this.isCut ||= pages === undefined && reached < to;
		return reached;
	}
}
