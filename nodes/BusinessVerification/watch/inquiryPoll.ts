import { activeStatuses, endStatuses } from '../document/inquiries';
import { newestPageFrom } from './beginning';
import { type Known, levelAt, raise, type WatchMemory } from './memory';
import { Poll, type PollOptions, type PollResult } from './poll';
import {
	tolerated,
	inFull,
	isPastOldAnswers,
	isUndocumented,
	type PageQuery,
	secondsOf,
	type StatusSource,
} from './rows';
import { readRows } from './walk';

/**
 * Reports each completion once, although the service cannot list what changed since a time. Which ones are lost is in
 * docs/development/architecture.md.
 *
 * Each poll reads
 * 1. the unfinished inquiries,
 * 2. the newest ones,
 * 3. the missing: those in memory that neither shows, except `covered` ones,
 * 4. a part of the sweep: a round over all older inquiries, for runs that began and finished between two polls,
 * 5. if many `covered` inquiries would wait in memory for the sweep, their pages,
 * 6. where rows show no times, the records of completions.
 *
 * A LEVEL (memory.ts) rises only after the pages of its creation times were read, so what the budget or an error cuts is left
 * to a later poll. It stays ten minutes behind the latest time shown, as rows may become visible late and clocks differ. Once
 * it is above the completion of a `covered` inquiry, the inquiry leaves memory.
 */
export const pollInquiries = (source: StatusSource, saved: WatchMemory | undefined, options: PollOptions) =>
	new InquiryPoll(source, saved, options).run();

const manyWaiting = 60;
/** Up to which part of the budget each is read: the rest is for what is read after it. */
const shares = { unfinished: 0.4, newest: 0.65, missing: 0.75, sweep: 0.8 };

/** What is left unread counts as cut, unless a number of `pages` is given. */
type Part = { share: number; status?: readonly string[]; pages?: number };

class InquiryPoll extends Poll {
	private readonly fullyRead: Array<[from: number, to: number]> = [];
	/** The rows of a full page, which may be fewer than asked for. */
	private pageSize = this.limits.page;

	async run(): Promise<PollResult> {
		if (this.beginning.backMs !== undefined) {
			const newest = { sort_by: 'created_at', sort_order: 'desc', limit: this.pageSize, offset: 0 } as const;
			this.beginWith((await this.budget.page(newest)).rows);
		}
		const listedUpTo = await this.readUnfinished();
		await this.readNewest();
		await this.readMissing(listedUpTo);
		await this.continueSweep();
		await this.readDroppable();
		await this.readRecords();
		if (this.budget.answers === 0) throw this.failure ?? new Error('The poll had no time to read anything');
		const events = await this.judgedEvents();
		this.raiseLevelsAndDrop();
		return this.end(events);
	}

	private async readUnfinished(): Promise<number> {
		const unknown = [...this.memory.known.values()].map(({ status }) => status).filter(isUndocumented);
		const status = [...new Set([...activeStatuses, ...unknown])];
		return this.read(0, Infinity, { status, share: shares.unfinished });
	}

	private async readNewest(): Promise<void> {
		const { memory, ledger } = this;
		const createdTimes: number[] = [];
		const reached = await this.read(memory.newestFrom, Infinity, { share: shares.newest }, createdTimes);
		const next = reached === Infinity ? newestPageFrom(memory, createdTimes, this.pageSize) : reached;
		memory.newestFrom = Math.max(memory.newestFrom, Math.min(next, ledger.refusedFrom));
	}

	private async readMissing(listedUpTo: number): Promise<void> {
		const isMissing = ([id, { state, created }]: [string, Known]) =>
			state !== 'covered' && created < listedUpTo && !this.ledger.seen.has(id);
		const missing = () => [...this.memory.known].filter(isMissing).map(([, entry]) => entry);
		// Most have finished, and a list of finished inquiries has fewer pages. What it lacks is searched for among all, which shows
		// what is gone. Of polls that are cut, each fifth begins with that, or the same would be looked for in vain again and again.
		if (this.memory.incompletePolls % 5 !== 4)
			await this.search(missing(), { share: shares.missing, status: endStatuses });
		if (!(await this.search(missing(), { share: shares.missing }))) this.isCut = true;
	}

	private async readDroppable(): Promise<void> {
		const isWaiting = (entry: Known) => this.isDroppable(entry, this.settledTo) && !this.isRead(entry);
		const waiting = [...this.memory.known.values()].filter(isWaiting);
		if (waiting.length >= manyWaiting) await this.search(waiting, { share: shares.sweep });
	}

	/** From the oldest on, as a page may show many. Returns whether all were read. */
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

	private async continueSweep(): Promise<void> {
		const { memory, limits, minutes } = this;
		const from = memory.continueAt < memory.newestFrom ? memory.continueAt : 0;
		const pages = memory.newestFrom > 0 ? Math.min(limits.sweepPages, minutes) : 0;
		const reached = await this.read(from, memory.newestFrom, { share: shares.sweep, pages });
		memory.continueAt = reached < memory.newestFrom ? reached : 0;
	}

	/** There may be no time for all. Without its record, a row is judged alone. */
	private async readRecords(): Promise<void> {
		const { ledger, budget } = this;
		for (const row of [...ledger.undated.values()]) {
			const record = await this.ifTime(this.allows(), () => budget.read(row.id));
			const isSame = typeof record === 'object' && record.status === row.status;
			// Of two statuses one is older, nobody knows which: then neither lends its times to the other.
			if (typeof record === 'object' && !isSame) ledger.see(record);
			ledger.see(isSame ? inFull(row, record) : row);
		}
	}

	/** What is dated up to here is visible by now, whichever clock wrote it. */
	private get settledTo(): number {
		return Math.max(0, this.memory.latestShown - tolerated.slack);
	}

	/** Whether memory can do without it, if `level` is that of its creation time. */
	private isDroppable({ state, since, created, coveredTo }: Known, level: number): boolean {
		return state === 'covered' && isPastOldAnswers(since, this.now) && Math.max(coveredTo, created) < level;
	}

	private isRead({ created }: Known): boolean {
		return this.fullyRead.some(([from, to]) => created >= from && created < to);
	}

	private raiseLevelsAndDrop(): void {
		const { memory, ledger } = this;
		for (const [from, to] of this.fullyRead)
			memory.steps = raise(memory.steps, from, Math.min(to, ledger.refusedFrom), this.settledTo);
		for (const [id, entry] of memory.known) {
			const { state, status, created } = entry;
			const level = levelAt(memory.steps, created);
			const isSeen = ledger.seen.has(id);
			// Its status may be a final one, so it is not followed for longer than a day. Counted from `since`, that would begin
			// again with each round of the sweep.
			const isADayOld = created < memory.latestShown - tolerated.day;
			const isGivenUp = state === 'unfinished' && isUndocumented(status) && isADayOld && isSeen;
			// Deleted, or the filters were changed. Should it come back, it is `old`, and a completion dated up to its level is lost.
			// One created above its level stays, as it would come back as `new`.
			const isGone = state !== 'covered' && this.isRead(entry) && !isSeen && created <= level;
			if (isGivenUp || isGone || this.isDroppable(entry, level)) memory.known.delete(id);
		}
	}

	/** As `readRows` (walk.ts). Adds the creation times of the rows to `createdTimes`. */
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
		if (!status) this.fullyRead.push([from, reached]);
		this.isCut ||= pages === undefined && reached < to;
		return reached;
	}
}
