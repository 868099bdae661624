import { activeStatuses, isEnd, isKnownStatus } from '../document/inquiries';
import type { Limits } from './budget';
import { fingerprintOf, isTold, type Known, levelAt, textOf, type WatchMemory } from './memory';
import { isZoneless, type ListedRow, secondsOf } from './rows';

/**
 * THE RULE: what a row means, by the state of its inquiry and by what the row shows.
 *
 * Not in memory are inquiries created `aboveLevel`, and those `belowLevel`, of which completions up to it are covered. No
 * status of them is known, so any is another one. Those in memory are
 *   `unfinished`  seen unfinished,
 *   `postponed`   finished, but still to be reported: results or its record are awaited, or it is re-checked,
 *   `reported`    finished, and covered: reported, rejected by a filter, or from before the activation,
 *   `doubted`     the same, but an answer of this poll or a later one contradicts it, so it is read again.
 *
 * A row is unfinished, in the `sameRun` as far as it shows or in a `laterRun` than those covered. Or it is finished: `undated`
 * (without times, and its record was not read), `covered`, or `later`; `Other` in another status than the one known.
 *
 * An answer may be five minutes old: a replica or a cache can show an inquiry unfinished, or in its previous status, after
 * its completion was reported. So a row proves something by a later time than those covered, or by coming five minutes
 * after its inquiry got into its state: of `doubt|follow`, the second holds from then on. Times of the service are compared
 * with each other only, and so are times of our clock, so no rule depends on two clocks that agree.
 */
// prettier-ignore
const rule: Record<Prior['state'], readonly Cell[]> = {
	//           sameRun         laterRun   undated  undatedOther  covered        coveredOther    later
	aboveLevel: ['follow',       'follow',  'ask',   'ask',        'report',      'report',       'report'],
	belowLevel: ['follow',       'follow',  'pass',  'pass',       'pass',        'pass',         'report'],
	unfinished: ['follow',       'follow',  'ask',   'ask',        'pass|report', 'pass|report',  'report'],
	postponed:  ['follow',       'follow',  'ask',   'ask',        'pass|report', 'pass|report',  'report'],
	reported:   ['doubt|follow', 'follow',  'pass',  'ask',        'trust',       'doubt|report', 'report'],
	doubted:    ['doubt|follow', 'follow',  'ask',   'ask',        'trust',       'doubt|report', 'report'],
};

const columnNames = ['sameRun', 'laterRun', 'undated', 'undatedOther', 'covered', 'coveredOther', 'later'] as const;

/** The ledger has a method for each. */
type Action = 'follow' | 'ask' | 'report' | 'doubt' | 'trust' | 'pass';
type Cell = Action | `${Action}|${Action}`;

/** What is known of an inquiry before a row of it: from memory, or from its level. */
type Prior = Omit<Known, 'state'> & { state: Known['state'] | 'aboveLevel' | 'belowLevel' };

/** A row beside what was known of its inquiry. `start` and `date` are when its run began and finished, 0 if it does not say. */
type Sight = { row: ListedRow; id: string; start: number; date: number; before: Prior };

function columnOf({ row, start, date, before }: Sight, isUndated: boolean): (typeof columnNames)[number] {
	const { status, coveredTo } = before;
	const isOther = status !== row.status;
	// An answer from before a completion cannot show its date, so what is unfinished and does is the run after it.
	if (!isEnd(row.status)) return start > coveredTo || date >= coveredTo ? 'laterRun' : 'sameRun';
	if (isUndated) return isOther ? 'undatedOther' : 'undated';
	// Times that are written again may be rounded otherwise.
	const isLater = coveredTo === 0 || Math.max(start, date) > coveredTo + (isTold(before) ? 1 : 0);
	return isLater ? 'later' : isOther ? 'coveredOther' : 'covered';
}

/** Seconds that an answer of the service may be outdated. */
const oldestAnswer = 300;
export const isAged = (since: number, now: number): boolean => now - since >= oldestAnswer;

/** Seconds that the clocks of two servers may differ, and so may two ways of rounding. */
const skew = 2;
/** Seconds that anything may be late: a row, a copy of the service, or times of records behind other clocks. */
export const slack = 600;
export const day = 86_400;

/** Whether the API documentation does not list it. */
export const isUnknown = (status: string): boolean => status !== '' && !isKnownStatus(status);

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: ListedRow;
	/** The status seen before this event; null if none was. */
	previousStatus: string | null;
	/** Becomes 'deduplicationKey'; of our clock only if nothing else tells two completions of an inquiry apart. */
	key: string;
	/** Minutes since this completion was postponed. */
	waited: number;
}

/** What the ledger needs of its poll, which explains it. */
interface LedgerPoll {
	readonly memory: WatchMemory;
	readonly limits: Limits;
	readonly now: number;
	/** Whether memory has the whole list, and its rows are confirmed: none is outdated, so any difference is a change. */
	readonly isCertain: boolean;
	/** The latest time that a row can rightly show. */
	newestPossible(): number;
	wanted(event: StatusEvent): boolean;
}

/** Compares the rows of one poll with memory, stores what they show, and collects the events to report. */
export class Ledger {
	readonly events: StatusEvent[] = [];
	readonly seen = new Set<string>();
	/** The first row of each completion without times: later ones may be of the next run. Its record may show them. */
	readonly undated = new Map<string, ListedRow>();
	/** Creation time of the oldest inquiry for which memory had no room. */
	refusedFrom = Infinity;
	/** One of which the user was not told. */
	unknownStatus?: string;
	/** Seen unfinished: if this poll sees them finished too, it may have missed a run. */
	private readonly seenUnfinished = new Set<string>();
	private readonly beforeEvents = new Map<StatusEvent, Prior>();

	constructor(private readonly poll: LedgerPoll) {}

	see(row: ListedRow): void {
		const { memory, now, isCertain } = this.poll;
		const id = fingerprintOf(row.id);
		const { created, start, date } = this.readTimes(row);
		const before = memory.known.get(id) ?? this.notInMemory(row, created, start);
		const sight: Sight = { row, id, start, date, before };
		const isUndated = start + date === 0 && row.detail === undefined && !isCertain;
		this.seen.add(id);
		if (!isEnd(row.status)) this.seenUnfinished.add(id);
		if (isUnknown(row.status) && !memory.toldStatuses.includes(row.status)) this.unknownStatus = row.status;
		const cell = rule[before.state][columnNames.indexOf(columnOf(sight, isUndated))];
		const [atFirst, aged = atFirst] = cell.split('|') as [Action, Action?];
		this[isCertain || isAged(before.since, now) ? aged : atFirst](sight);
	}

	/** Stores what was there before the activation, without reporting it. */
	skip(row: ListedRow): void {
		const { created, start, date } = this.readTimes(row);
		const { now, memory } = this.poll;
		const state = isEnd(row.status) ? 'reported' : 'unfinished';
		// A date that comes later is from before the activation, too.
		const shown = Math.max(created, start, date || memory.floor + 1);
		const coveredTo = state === 'reported' ? shown : latestBefore(start, memory.floor - slack);
		this.store(row, { state, since: now, created, coveredTo, status: row.status });
	}

	/** The completion is not reported now, so the next poll has to find it again. */
	postpone(event: StatusEvent): void {
		const before = this.beforeEvents.get(event)!;
		const since = before.state === 'postponed' ? before.since : this.poll.now;
		this.store(event.row, { ...before, state: 'postponed', since });
	}

	/** Raises the newest time too, never beyond what the service can have. Local times without a zone can be ahead. */
	readTimes(row: ListedRow) {
		const { memory } = this.poll;
		memory.zoneless ||= isZoneless(row);
		const newestPossible = this.poll.newestPossible() + (memory.zoneless ? day : 0);
		const [created, start, date] = [row.createdAt, row.startedAt, row.completedAt].map(secondsOf);
		for (const time of [created, start, date])
			if (time <= newestPossible) memory.newest = Math.max(memory.newest, time);
		return { created, start, date };
	}

	private store({ id }: ListedRow, entry: Known): void {
		this.poll.memory.known.set(fingerprintOf(id), entry);
	}

	private notInMemory({ status }: ListedRow, created: number, start: number): Prior {
		const level = levelAt(this.poll.memory.steps, created);
		const unknown = { since: 0, created, status: '' };
		if (created > level) return { ...unknown, state: 'aboveLevel', coveredTo: 0 };
		return { ...unknown, state: 'belowLevel', coveredTo: isEnd(status) ? level : latestBefore(start, level) };
	}

	private follow(sight: Sight): void {
		if (!this.takeIn(sight)) return;
		const { row, start, before } = sight;
		const since = (isTold(before) ? 0 : before.since) || this.poll.now;
		this.store(row, { ...before, state: 'unfinished', since, status: row.status });
		const isJustCreated = before.state === 'aboveLevel' && row.status === activeStatuses[0];
		const level = levelAt(this.poll.memory.steps, before.created);
		const isOldRun = before.state === 'belowLevel' && start <= level;
		if (before.status !== row.status && !isJustCreated && !isOldRun)
			this.add('changed', row, before, `${row.id}:${row.status}:${textOf(before.coveredTo)}`);
	}

	/** Its record is read before anything is decided. */
	private ask({ row, id }: Sight): void {
		const isHere = this.undated.get(id)?.status === row.status;
		if (!isHere) this.undated.set(id, { ...row, detail: 'unread', shownAt: this.poll.newestPossible() });
	}

	private report(sight: Sight): void {
		if (!this.takeIn(sight)) return;
		const { now } = this.poll;
		const { row, id, start, date, before } = sight;
		const time = Math.max(start, date);
		const again = time > before.coveredTo || before.coveredTo === 0 ? '' : `:${textOf(now)}`;
		this.add('ended', row, before, `${row.id}:${row.status}:${textOf(time)}${again}`);
		// Without its date, or with the date of the run before it, the completion counts as dated by the moment in which it was
		// shown: if a later row shows its own date, that is no later time. Its next run may finish before the report.
		const isDated = date > before.coveredTo && date >= start;
		const shownAt = row.shownAt ?? this.poll.newestPossible();
		const coveredTo = Math.max(before.coveredTo, before.created, time, isDated ? 0 : shownAt + skew);
		// An earlier poll saw it unfinished after this date: an outdated answer, or its next run, which the next record shows.
		const wasLaterUnfinished =
			row.detail === 'full' && before.state === 'unfinished' && date < this.poll.memory.lastServiceTime;
		const state = this.seenUnfinished.has(id) || wasLaterUnfinished ? 'doubted' : 'reported';
		this.store(row, { ...before, state, since: now, coveredTo, status: row.status });
	}

	private doubt({ row, before }: Sight): void {
		this.store(row, { ...before, state: 'doubted' });
	}

	/** A doubt ends where nothing else in this poll contradicts and the record was read, or after a day. */
	private trust({ row, id, before }: Sight): void {
		const isOver = this.poll.now - before.since >= day || (!this.seenUnfinished.has(id) && row.detail !== 'unread');
		if (isOver) this.store(row, { ...before, state: 'reported' });
	}

	/** It is no news. Of a whole list, memory has all. */
	private pass({ row, before }: Sight): void {
		if (this.poll.isCertain && before.state === 'belowLevel') this.skip(row);
	}

	/** Returns whether memory has room; a new one is an event. Without room, no level passes its creation time. */
	private takeIn({ row, before }: Sight): boolean {
		if (before.state !== 'aboveLevel' && before.state !== 'belowLevel') return true;
		const hasRoom = this.poll.memory.known.size < this.poll.limits.known;
		if (!hasRoom) this.refusedFrom = Math.min(this.refusedFrom, before.created);
		else if (before.state === 'aboveLevel') this.add('created', row, before, `${row.id}:created`);
		return hasRoom;
	}

	private add(kind: StatusEvent['kind'], row: ListedRow, before: Prior, key: string): void {
		const waited = before.state === 'postponed' ? Math.round((this.poll.now - before.since) / 60) : 0;
		const event: StatusEvent = { kind, row, key, previousStatus: before.status || null, waited };
		if (!this.poll.wanted(event)) return;
		this.events.push(event);
		this.beforeEvents.set(event, before);
	}
}

/** The latest time that an earlier run can have shown, if a row shows this one unfinished. */
const latestBefore = (start: number, level: number) => (start > 0 ? Math.min(level, start - 1) : level);
