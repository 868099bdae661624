import { activeStatuses, endStatuses, isKnownStatus } from '../document/inquiries';
import { day, isAged } from './ledger';
import { fingerprintOf, isAwaited, type Known, levelAt, raise, type WatchMemory } from './memory';
import { Poll, type PollOptions, type PollResult } from './poll';
import { inFull, isLastPage, type ListedRow, type PageQuery, readRows, secondsOf, type StatusSource } from './sources';

/**
 * Reports every completion of every inquiry once, although the service cannot list what changed since a time.
 *
 * Each poll reads (1) the unfinished inquiries, (2) the newest ones, (3) those that were unfinished and are missing from
 * (1), and (4) a page of the sweep, a round over all inquiries, for runs that began and finished between two polls. Where
 * rows show no times, it also reads the records of completions. What the rows mean is decided by the rule at the head of
 * ledger.ts.
 *
 * LEVELS. Of an inquiry that is not in memory, completions up to the level of its creation time are covered. A level rises
 * only after every row of its creation times was read, and stays ten minutes behind the newest time shown, so that rows
 * that become visible late, or clocks that differ, hide nothing. A reported completion stays in memory until its level has
 * passed it. What the budget or an error cuts is read by a later poll, because no level has passed it.
 *
 * THE SWEEP reads a page for each minute, so a re-run that no poll saw is found within a round. Before it, pages are read on
 * which memory can drop many completions, so memory stays small.
 */
export async function pollInquiries(
	source: StatusSource,
	saved: WatchMemory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const poll = new Poll(source, saved, options);
	const reader = new InquiryReader(poll);
	if (poll.startBackMs !== undefined) {
		const newest = { sort_by: 'created_at', sort_order: 'desc', limit: poll.limits.page, offset: 0 } as const;
		poll.startFrom((await poll.budget.page(newest)).rows);
	}
	const listedUpTo = await reader.readUnfinished();
	await reader.readNewest();
	await reader.readMissing(listedUpTo);
	await reader.readRecords();
	await reader.readCrowded();
	await reader.sweep();
	await reader.readRecords();
	if (poll.budget.answers === 0) throw poll.trouble ?? new Error('The poll had no time to read anything');
	const events = await poll.judgedEvents();
	reader.raiseLevels();
	return poll.end(events);
}

/** Seconds that levels stay behind the newest time. */
const slack = 600;
/** Completions that must wait for the sweep before pages are read for them. */
const worthwhile = 60;
/** Each kind of pages is read until this part of the budget is used; the rest is kept for the kinds after it. */
const shares = { unfinished: 0.4, newest: 0.65, missing: 0.75, records: 0.9, sweep: 1 };

/** Whether the API documentation does not list it. */
const isUnknown = (status: string) => status !== '' && !isKnownStatus(status);

/** What a poll reads of a list. */
interface Part extends Pick<Parameters<typeof readRows>[2], 'pages' | 'crowds'> {
	share: number;
	status?: readonly string[];
}

/** Reads the pages of one poll. */
class InquiryReader {
	/** Creation times of which every row was read. */
	private readonly readWhole: Array<[from: number, to: number]> = [];
	/** Rows that a page holds, which may be fewer than asked for. */
	private pageSize: number;

	constructor(private readonly poll: Poll) {
		this.pageSize = poll.limits.page;
	}

	/** Returns up to which creation time the list of unfinished inquiries was read. */
	async readUnfinished(): Promise<number> {
		const { known } = this.poll.memory;
		const unknown = [...known.values()].map(({ status }) => status).filter(isUnknown);
		const status = [...new Set([...activeStatuses, ...unknown])];
		return this.read(0, Infinity, { status, share: shares.unfinished });
	}

	/** What is cut goes on where it stopped. */
	async readNewest(): Promise<void> {
		const { memory, ledger } = this.poll;
		const { newestFrom } = memory;
		const created: number[] = [];
		const reached = await this.read(newestFrom, Infinity, { share: shares.newest }, created);
		const next = reached === Infinity ? this.poll.startOfNewest(created, this.pageSize) : reached;
		memory.newestFrom = Math.max(newestFrom, Math.min(next, ledger.refused));
	}

	/** Searches for unfinished inquiries that their list lacks: among the finished ones, then each by its creation time. */
	async readMissing(listedUpTo: number): Promise<void> {
		const { memory, ledger } = this.poll;
		const isMissing = ([id, known]: [string, Known]) =>
			isAwaited(known) && known.created < listedUpTo && !ledger.seen.has(id);
		const missing = () => [...memory.known].filter(isMissing).sort(([, a], [, b]) => a.created - b.created);
		const all = missing();
		const part = { share: shares.missing };
		let reached = 0;
		for (const [, { created }] of all) {
			if (created < reached) continue;
			const to = all[all.length - 1][1].created + 1;
			const read = await this.read(created, to, { ...part, status: endStatuses, pages: 1, crowds: false });
			reached = Math.max(read, created + 1);
		}
		for (const time of new Set(missing().map(([, { created }]) => created))) {
			if ((await this.read(time, time + 1, part)) <= time || time > levelAt(memory.steps, time)) continue;
			// Deleted, or outside the filter now: nothing of it can be lost once its level has passed it.
			for (const [id, { created }] of missing()) if (created === time) memory.known.delete(id);
		}
	}

	/**
	 * Reads the records of finished rows without times, first of those that have waited longest for theirs: a poll may have no
	 * time for all. A row whose record cannot be read now is judged by itself.
	 */
	async readRecords(): Promise<void> {
		const { ledger, budget, memory, now } = this.poll;
		const since = ({ id }: ListedRow) => memory.known.get(fingerprintOf(id))?.pendingSince || now;
		for (const row of [...ledger.withoutTimes.values()].sort((a, b) => since(a) - since(b))) {
			const isAllowed = this.poll.allows(shares.records);
			const record = (await this.poll.ifTime(isAllowed, () => budget.read(row.id))) ?? 'gone';
			const isSame = record !== 'gone' && record.status === row.status;
			// If not, one of the two is of an earlier moment: nobody knows which, so neither lends its times to the other.
			if (record !== 'gone' && !isSame) ledger.see(record);
			ledger.see(isSame ? inFull(row, record) : row);
		}
		ledger.withoutTimes.clear();
	}

	/** Goes on with the round, by a page for each minute. */
	async sweep(): Promise<void> {
		const { memory, limits, minutes } = this.poll;
		const from = memory.continueAt < memory.newestFrom ? memory.continueAt : 0;
		const pages = memory.newestFrom > 0 ? Math.min(limits.sweepPages, minutes) : 0;
		const reached = await this.read(from, memory.newestFrom, { share: shares.sweep, pages });
		memory.continueAt = reached < memory.newestFrom ? reached : 0;
	}

	/** Reads the pages that let memory drop completions, as long as many wait for the sweep to pass them. */
	async readCrowded(): Promise<void> {
		const { memory, limits } = this.poll;
		const isWaiting = (entry: Known) =>
			this.isDone(entry, this.settled) &&
			!this.readWhole.some(([from, to]) => entry.created >= from && entry.created < to);
		for (let pages = limits.sweepPages / 2; pages > 0; pages--) {
			const waiting = [...memory.known.values()].filter(isWaiting).map(({ created }) => created);
			const from = Math.min(...waiting);
			const part = { share: shares.sweep, pages: 1 };
			if (waiting.length < worthwhile || (await this.read(from, Infinity, part)) <= from) return;
		}
	}

	/** Everything up to here has been shown by now, whichever clock wrote it. */
	private get settled(): number {
		return Math.max(0, this.poll.memory.newest - slack);
	}

	/** Whether a completion need not stay in memory once its level has reached `level`. */
	private isDone(entry: Known, level: number): boolean {
		const { created, coveredTo, reportedAt } = entry;
		return !isAwaited(entry) && isAged(reportedAt, this.poll.now) && Math.max(coveredTo, created) <= level;
	}

	/** Raises the levels of what was read, and drops what they have passed. */
	raiseLevels(): void {
		const { memory, ledger } = this.poll;
		for (const [from, to] of this.readWhole)
			memory.steps = raise(memory.steps, from, Math.min(to, ledger.refused), this.settled);
		for (const [id, entry] of memory.known) {
			const { status, created } = entry;
			// The status may be a final one, so it is followed for a day: the sweep finds what becomes of it.
			const isForgotten = isUnknown(status) && created < memory.newest - day && ledger.seen.has(id);
			if (isForgotten || this.isDone(entry, levelAt(memory.steps, created))) memory.known.delete(id);
		}
	}

	/** Reads the rows created in [from, to), oldest first, and returns up to where. */
	private async read(from: number, to: number, part: Part, created: number[] = []): Promise<number> {
		const { poll } = this;
		const { share, status, pages } = part;
		const { memory, ledger, budget, limits } = poll;
		const ask = async (query: PageQuery) => {
			if (!poll.allows(share)) {
				// The sweep and its like may stop anywhere.
				poll.isCut ||= share < shares.sweep;
				return;
			}
			const page = await budget.page({ ...query, ...(status && { status: status.join(',') }) }).catch(poll.failed);
			for (const row of page?.rows ?? []) {
				ledger.see(row);
				created.push(secondsOf(row.createdAt));
			}
			if (page && !isLastPage(page, query.offset, query.limit)) this.pageSize = page.rows.length;
			return page;
		};
		const reached = await readRows(from, to, { ...part, ask, limit: limits.page, zoneless: memory.zoneless });
		if (!status) this.readWhole.push([from, reached]);
		poll.isCut ||= pages === undefined && reached < to;
		return reached;
	}
}
