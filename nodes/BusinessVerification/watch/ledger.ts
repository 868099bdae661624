import { activeStatuses, isEnd } from '../document/inquiries';
import { fingerprintOf, isAwaited, type Known, levelAt, textOf, type WatchMemory } from './memory';
import { isZoneless, type Limits, type ListedRow, secondsOf } from './sources';

/**
 * THE RULE. A finished row is a completion to report if
 *   1. nothing of the inquiry was reported yet, or
 *   2. the row shows a start or a completion time after `coveredTo`, the latest time of the completion reported last (the
 *      time of its report if it showed no date), or
 *   3. the inquiry was seen unfinished for five minutes, or
 *   4. its final status differs from the one reported, and five minutes have passed since that report.
 *
 * Five minutes, because an answer of the service may be outdated: a replica or a cache can show an inquiry unfinished, or
 * in its previous status, after its completion was reported. Only times prove the contrary at once.
 *
 * Times of the service (`created`, `coveredTo`, `start`, `date`, levels) are compared with each other only, and so are times of
 * our clock (`reportedAt`, `unfinishedSince`, `pendingSince`), so no rule depends on two clocks that agree.
 */
const isCompletion = (entry: Known, times: Times, status: string, now: number): boolean =>
	entry.coveredTo === 0 ||
	isLater(entry, times) ||
	(entry.unfinishedSince > 0 && isAged(entry.unfinishedSince, now)) ||
	(isOtherEnd(entry, status) && isAged(entry.reportedAt, now));

/** An unfinished row shows another run, not an outdated answer about the run that was reported. */
const isRun = ({ coveredTo, unfinishedSince, reportedAt }: Known, { start, date }: Times, now: number): boolean =>
	unfinishedSince > 0 || start > coveredTo || date >= coveredTo || isAged(reportedAt, now);

/** A service that writes its times again in another precision moves them by up to a second. */
const isLater = ({ coveredTo, reportedAt }: Known, { start, date }: Times): boolean =>
	Math.max(start, date) > coveredTo + (reportedAt > 0 ? 1 : 0);

const isOtherEnd = (entry: Known, status: string): boolean => isEnd(entry.status) && entry.status !== status;

/** Seconds that an answer of the service may be outdated. */
const oldestAnswer = 300;
export const isAged = (time: number, now: number): boolean => now - time >= oldestAnswer;

/** Seconds that the clocks of two servers may differ, and so may two ways of rounding. */
const skew = 2;
export const day = 86_400;

/** The times that a row shows, in seconds; 0 where it shows none. */
interface Times {
	created: number;
	start: number;
	date: number;
}

const timesOf = ({ createdAt, startedAt, completedAt }: ListedRow): Times => ({
	created: secondsOf(createdAt),
	start: secondsOf(startedAt),
	date: secondsOf(completedAt),
});

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: ListedRow;
	/** The status seen before this event; null if none was. */
	previousStatus: string | null;
	/** Becomes 'deduplicationKey'; of our clock only if nothing else tells two completions of an inquiry apart. */
	key: string;
	/** Minutes that the results of this completion have been awaited. */
	waited: number;
}

/** A row beside what memory has of its inquiry. */
interface Observed {
	row: ListedRow;
	id: string;
	times: Times;
	level: number;
	/** Undefined if the inquiry is not in memory; `entry` then has what its level says. */
	known?: Known;
	entry: Known;
}

interface LedgerOptions {
	limits: Limits;
	/** Our clock in seconds. */
	now: number;
	/** The latest time that a row can rightly show. */
	newestPossible(): number;
	/** Whether the caller uses an event. Other events change memory only. */
	wanted(event: StatusEvent): boolean;
	/** Whether memory has the whole list, and rows are confirmed: any difference is a change. */
	hasAll: boolean;
}

/** Compares the rows of one poll with memory, stores what they show, and collects the events to report. */
export class Ledger {
	readonly events: StatusEvent[] = [];
	readonly seen = new Set<string>();
	/** The first row of each completion without times: later ones may be of the next run. Its record may show them. */
	readonly withoutTimes = new Map<string, ListedRow>();
	/** Seen unfinished: if this poll sees them finished too, it may have missed a run. */
	readonly unfinished = new Set<string>();
	/** Creation time of the oldest inquiry for which memory had no room. */
	refused = Infinity;
	private readonly before = new Map<StatusEvent, Known>();

	constructor(
		private readonly memory: WatchMemory,
		private readonly options: LedgerOptions,
	) {}

	/** Raises the newest time too, never beyond what the service can have. Local times without a zone can be ahead. */
	readTimes(row: ListedRow): Times {
		const { memory } = this;
		memory.zoneless ||= isZoneless(row);
		const newestPossible = this.options.newestPossible() + (memory.zoneless ? day : 0);
		const times = timesOf(row);
		for (const time of [times.created, times.start, times.date])
			if (time > memory.newest && time <= newestPossible) memory.newest = time;
		return times;
	}

	/** Stores what was there before the activation, without reporting it. */
	skip(row: ListedRow): void {
		const times = timesOf(row);
		const { created, start, date } = times;
		const { floor, known } = this.memory;
		const { status } = row;
		// A date that comes later is from before the activation, too.
		const coveredTo = isEnd(status) ? Math.max(created, start, date || floor + 1) : latestBefore(times, floor);
		const since = isEnd(status) ? { reportedAt: this.options.now } : { unfinishedSince: this.options.now };
		known.set(fingerprintOf(row.id), { ...nothing, created, coveredTo, status, ...since });
	}

	see(row: ListedRow): void {
		const observed = this.observe(row);
		if (isEnd(row.status)) this.seeFinished(observed);
		else this.seeUnfinished(observed);
	}

	/** Changes memory so that the next poll finds the completion again. */
	postpone(event: StatusEvent): void {
		const entry = this.before.get(event)!;
		const { now } = this.options;
		const pendingSince = waitingSince(entry) || now;
		const since = { unfinishedSince: entry.unfinishedSince || now, pendingSince };
		this.memory.known.set(fingerprintOf(event.row.id), { ...entry, ...since });
	}

	private observe(row: ListedRow): Observed {
		const { memory } = this;
		const id = fingerprintOf(row.id);
		const times = this.readTimes(row);
		const { created } = times;
		const known = memory.known.get(id);
		this.seen.add(id);
		const level = levelAt(memory.steps, created);
		const covered = isEnd(row.status) ? level : latestBefore(times, level);
		// What was created after its level is new; of anything else, completions up to the level are covered.
		const entry = known ?? { ...nothing, created, coveredTo: created > level ? 0 : covered };
		return { row, id, times, level, known, entry };
	}

	private seeFinished(observed: Observed): void {
		const { row, id, times, level, known, entry } = observed;
		const { now, hasAll } = this.options;
		const isExpected = known ? isAwaited(known) || known.status !== row.status : times.created > level;
		if (isExpected && times.start + times.date === 0 && !row.isFull && row.shownAt === undefined && !hasAll) {
			if (this.withoutTimes.get(id)?.status !== row.status)
				this.withoutTimes.set(id, { ...row, shownAt: this.options.newestPossible() });
		} else if (isCompletion(entry, times, row.status, now) || (hasAll && known && known.status !== row.status)) {
			if (this.admits(observed)) this.report(observed);
		} else if (hasAll && !known) {
			this.skip(row);
		} else if (known && known.unfinishedSince === 0) {
			let { pendingSince } = known;
			// Another final status proves nothing for five minutes. Other doubt ends when a poll reads the record without it.
			if (isOtherEnd(known, row.status)) pendingSince ||= now;
			else if ((!this.unfinished.has(id) && row.shownAt === undefined) || now - pendingSince >= day) pendingSince = 0;
			this.memory.known.set(id, { ...known, pendingSince });
		}
	}

	private seeUnfinished(observed: Observed): void {
		const { row, id, times, level, known, entry } = observed;
		const { now, hasAll } = this.options;
		this.unfinished.add(id);
		if (!hasAll && !isRun(entry, times, now)) {
			// An outdated answer, or another run: the next rows decide.
			if (known) this.memory.known.set(id, { ...known, pendingSince: known.pendingSince || now });
			return;
		}
		if (!this.admits(observed)) return;
		const { status } = row;
		this.memory.known.set(id, { ...entry, unfinishedSince: entry.unfinishedSince || now, status, pendingSince: 0 });
		const isFirst = !known && (Math.max(times.created, times.start) <= level || status === activeStatuses[0]);
		if (!isFirst && status !== entry.status)
			this.add('changed', row, entry, `${row.id}:${status}:${textOf(entry.coveredTo)}`);
	}

	/** Whether memory has room for an inquiry; a new one is an event. Without room, no level passes its creation time. */
	private admits({ row, times: { created }, level, known }: Observed): boolean {
		if (known) return true;
		const hasRoom = this.memory.known.size < this.options.limits.known;
		if (!hasRoom) this.refused = Math.min(this.refused, created);
		else if (created > level) this.add('created', row, undefined, `${row.id}:created`);
		return hasRoom;
	}

	private report({ row, id, times, entry }: Observed): void {
		const { now } = this.options;
		const { created, start, date } = times;
		const time = Math.max(start, date);
		const again = time > entry.coveredTo || entry.coveredTo === 0 ? '' : `:${textOf(now)}`;
		this.add('ended', row, entry, `${row.id}:${row.status}:${textOf(time)}${again}`);
		// Without its date, or with the date of the run before it, the completion counts as dated by the moment in which it was
		// shown: if a later row shows its own date, that is no later time. Its next run may finish before the report.
		const isDated = date > entry.coveredTo && date >= start;
		const shownAt = row.shownAt ?? this.options.newestPossible();
		const coveredTo = Math.max(entry.coveredTo, created, time, isDated ? 0 : shownAt + skew);
		// An earlier poll saw it unfinished after this date: an outdated answer, or its next run, which the next record shows.
		const wasLaterUnfinished = row.isFull === true && entry.unfinishedSince > 0 && date < this.memory.serviceTime;
		const pendingSince = this.unfinished.has(id) || wasLaterUnfinished ? now : 0;
		this.memory.known.set(id, { ...nothing, created, coveredTo, reportedAt: now, pendingSince, status: row.status });
	}

	private add(kind: StatusEvent['kind'], row: ListedRow, entry: Known | undefined, key: string): void {
		const since = waitingSince(entry);
		const waited = since ? Math.round((this.options.now - since) / 60) : 0;
		const event: StatusEvent = { kind, row, key, previousStatus: entry?.status || null, waited };
		if (!this.options.wanted(event)) return;
		this.events.push(event);
		if (entry) this.before.set(event, entry);
	}
}

/** Since when a completion waits for its results. */
const waitingSince = (entry?: Known) => (entry?.unfinishedSince ? entry.pendingSince : 0);

const nothing = { reportedAt: 0, unfinishedSince: 0, pendingSince: 0, status: '' };

/** The latest time that an earlier run can have shown, if this one is first seen unfinished. */
const latestBefore = ({ start }: Times, level: number) => (start > 0 ? Math.min(level, start - 1) : level);
