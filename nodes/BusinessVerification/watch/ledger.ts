import { isEnd } from '../document/inquiries';
import { fingerprintOf, isCoveredOrDoubted, type Known, levelAt, textOf, type WatchMemory } from './memory';
import { tolerated, isPastOldAnswers, isUndocumented, isZoneless, type ListedRow, secondsOf } from './rows';

/**
 * THE RULE: what is done with a row that a poll has read.
 *
 * The life of an inquiry, poll by poll:
 *   poll   its row                            known, shown           what is done                        event
 *   12:01  PLANNING, created 12:00:20         new, laterRun          follow: it is `unfinished`          created
 *   12:02  RUNNING                            unfinished, laterRun   follow                              changed
 *   12:05  COMPLETED, completedAt 12:04:30    unfinished, laterEnd   report: `covered`, up to 12:04:30   ended
 *   12:06  RUNNING, because a cache is old    covered, noLaterRun    doubt: `doubted`                    -
 *   12:07  COMPLETED, completedAt 12:04:30    doubted, noLaterEnd    trust: `covered` again              -
 *   12:20  Every row of its creation time was read again: their level rises to 12:10, memory drops it, and it is `old`.
 *   15:01  RUNNING, startedAt 15:00:10        old, laterRun          follow: it is `unfinished`          changed
 *   15:03  COMPLETED, completedAt 15:02:40    unfinished, laterEnd   report: `covered`, up to 15:02:40   ended
 *
 * DOWN: what is known of its inquiry.
 *   new         not in memory, and created after the level of its creation time (memory.ts)
 *   old         not in memory, and created up to that level: its completions up to the level are covered
 *   unfinished  followed until it finishes
 *   postponed   finished, but the report waits for results or for the record, or is repeated after a restart
 *   covered     its last completion is covered
 *   doubted     covered, but it may have run again, so each poll reads it until that is clear
 *   contrary    covered or doubted, and this row has finished in another status
 *
 * ACROSS: whether the row shows a run or an end, and whether later than what is covered. If nothing is covered, each is later.
 * An `undatedEnd` shows no times, but its record, which is not read yet, may.
 *
 * DONE: `follow`, `report`, `doubt` and `trust` as above. `ask`: judged at the end of this poll, with its record if possible.
 * `ignore`: no news. `adopt`: stored without a report. Of two, the first is done until five minutes after `since` (for `old`,
 * always), as the row may be an older answer of a cache; then the second. Whole lists do the second at once: if it matters,
 * the record was asked before (wholeList.ts). `-` cannot happen: nothing of a `new` one is covered, and a `contrary` one has
 * finished.
 */
// prettier-ignore
const rule: Record<Before['state'] | 'contrary', readonly Cell[]> = {
	//           noLaterRun      laterRun  undatedEnd  noLaterEnd       laterEnd
	new:        ['-',            'follow', 'ask',      '-',             'report'],
	old:        ['follow',       'follow', 'ignore',   'ignore|adopt',  'report'],
	unfinished: ['follow',       'follow', 'ask',      'ignore|report', 'report'],
	postponed:  ['follow',       'follow', 'ask',      'ignore|report', 'report'],
	covered:    ['doubt|follow', 'follow', 'ignore',   'ignore',        'report'],
	doubted:    ['doubt|follow', 'follow', 'ask',      'trust',         'report'],
	contrary:   ['-',            '-',      'ask',      'doubt|report',  'report'],
};

const columnNames = ['noLaterRun', 'laterRun', 'undatedEnd', 'noLaterEnd', 'laterEnd'] as const;

type Action = 'follow' | 'report' | 'ask' | 'doubt' | 'trust' | 'ignore' | 'adopt';
type Cell = Action | `${Action}|${Action}` | '-';

type Before = Omit<Known, 'state'> & { state: Known['state'] | 'new' | 'old' };

/** A row, when it was created, and when its run began and finished; 0 if it does not say. */
type TimedRow = { row: ListedRow; created: number; start: number; date: number };

type Sight = TimedRow & { id: string; before: Before };

function columnOf({ row, start, date, before }: Sight, isUndated: boolean): (typeof columnNames)[number] {
	const { coveredTo } = before;
	// An older answer cannot have the date of the covered completion: an unfinished row that has it is of the next run.
	if (!isEnd(row.status)) return start > coveredTo || date >= coveredTo ? 'laterRun' : 'noLaterRun';
	if (isUndated) return 'undatedEnd';
	const rounding = isCoveredOrDoubted(before) ? tolerated.rounding : 0;
	return coveredTo === 0 || Math.max(start, date) > coveredTo + rounding ? 'laterEnd' : 'noLaterEnd';
}

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: ListedRow;
	previousStatus: string | null;
	/** The 'deduplicationKey' of its item. */
	key: string;
	/** Minutes since this completion was first postponed. */
	waited: number;
}

/** Explained in poll.ts. */
interface LedgerPoll {
	readonly memory: WatchMemory;
	readonly limits: { inMemory: number };
	readonly now: number;
	/** Whether it reads a whole list (wholeList.ts): then any difference from memory is a change. */
	readonly isCertain: boolean;
	latestPossible(): number;
	lastAnswerAt(): number;
	wanted(event: StatusEvent): boolean;
}

export class Ledger {
	readonly events: StatusEvent[] = [];
	readonly seen = new Set<string>();
	/** Of each `undatedEnd`, the first row of its last status. Later ones may be of the next run. */
	readonly undated = new Map<string, ListedRow>();
	/** The first creation time for which memory had no room: no level rises from there on. */
	refusedFrom = Infinity;
	unknownStatus?: string;
	/** If this poll sees them finished as well, it may have missed a run. */
	private readonly seenUnfinished = new Set<string>();
	private readonly beforeEvents = new Map<StatusEvent, Before>();

	constructor(private readonly poll: LedgerPoll) {}

	see(row: ListedRow): void {
		const { memory, now, isCertain } = this.poll;
		const id = fingerprintOf(row.id);
		const timed = this.readTimes(row);
		const before = memory.known.get(id) ?? this.notInMemory(timed);
		const sight = { ...timed, id, before };
		const isUndated = timed.start + timed.date === 0 && row.detail === undefined && !isCertain;
		this.seen.add(id);
		if (!isEnd(row.status)) this.seenUnfinished.add(id);
		if (isUndocumented(row.status) && !memory.toldStatuses.includes(row.status)) this.unknownStatus = row.status;
		const isContrary = isCoveredOrDoubted(before) && isEnd(row.status) && row.status !== before.status;
		const line = rule[isContrary ? 'contrary' : before.state];
		const cell = line[columnNames.indexOf(columnOf(sight, isUndated))];
		const [first, second = first] = cell.split('|') as [Action, Action?];
		this[isCertain || isPastOldAnswers(before.since, now) ? second : first](sight);
	}

	private follow(sight: Sight): void {
		if (!this.admit(sight)) return;
		const { row, start, before } = sight;
		const isOld = before.state === 'old';
		// Its completion is later than its start, although that may be below the level.
		const coveredTo = isOld && start > 0 ? Math.min(before.coveredTo, start - 1) : before.coveredTo;
		const isGoingOn = before.state === 'unfinished' || before.state === 'postponed';
		const since = isGoingOn ? before.since : this.poll.now;
		this.store(row, { ...before, state: 'unfinished', since, coveredTo, status: row.status });
		const isJustCreated = before.state === 'new' && row.status === 'PLANNING';
		// The last status of an `old` one is not known: only a start after its level shows a change.
		const mayBeUnchanged = isOld && start <= before.coveredTo;
		if (before.status !== row.status && !isJustCreated && !mayBeUnchanged)
			this.add('changed', row, before, `${row.id}:${row.status}:${textOf(before.coveredTo)}`);
	}

	private report(sight: Sight): void {
		if (!this.admit(sight)) return;
		const { now } = this.poll;
		const { row, id, start, date, before } = sight;
		const time = Math.max(start, date);
		// Without a later time, only the time of this poll tells its key from that of the completion before it.
		const suffix = time > before.coveredTo || before.coveredTo === 0 ? '' : `:${textOf(now)}`;
		this.add('ended', row, before, `${row.id}:${row.status}:${textOf(time)}${suffix}`);
		// Without a date of its own, it is covered up to when its row was listed, 12:05: should a later row have the date, 12:04:30,
		// that is no later end. Not up to now, as its next run may finish while its record is read.
		const isDated = date > before.coveredTo && date >= start;
		const listedAt = row.listedAt ?? this.poll.lastAnswerAt();
		const coveredTo = Math.max(before.coveredTo, before.created, time, isDated ? 0 : listedAt);
		// If the last poll, later than this date, still showed it unfinished, it may run again. Where lists show no times (`full`), a `covered` one
		// would ignore its next end, a `doubted` one asks for the record.
		const wasUnfinished = before.state === 'unfinished' && date < this.poll.memory.lastServiceTime;
		const mayRunAgain = this.seenUnfinished.has(id) || (row.detail === 'full' && wasUnfinished);
		const state = mayRunAgain ? 'doubted' : 'covered';
		this.store(row, { ...before, state, since: now, coveredTo, status: row.status });
	}

	private doubt({ row, before }: Sight): void {
		this.store(row, { ...before, state: 'doubted' });
	}

	/** A row of this poll that is unfinished, or a record that could not be read, keeps the doubt, but for a day at most. */
	private trust({ row, id, before }: Sight): void {
		const isAgreed = !this.seenUnfinished.has(id) && row.detail !== 'unread';
		if (isAgreed || this.poll.now - before.since >= tolerated.day) this.store(row, { ...before, state: 'covered' });
	}

	private ask({ row, id }: Sight): void {
		const isAskedAlready = this.undated.get(id)?.status === row.status;
		if (!isAskedAlready) this.undated.set(id, { ...row, detail: 'unread', listedAt: this.poll.lastAnswerAt() });
	}

	private ignore(): void {}

	/** Stores what is there at the activation, or is old in a whole list. */
	adopt({ row, created, start, date }: TimedRow): void {
		const { now, memory } = this.poll;
		const state = isEnd(row.status) ? 'covered' : 'unfinished';
		// Without a date, it counts as finished in the second of the activation: should a later row have the date, that is covered.
		// `recheck` (beginning.ts) leaves out what is covered to no later time.
		const finished = Math.max(created, start, date || memory.startLevel + 1);
		// Without a start, a completion after the activation is later than this, although servers differ by some seconds.
		const coveredBefore = start > 0 ? start - 1 : Math.max(0, memory.latestShown - tolerated.lateness);
		const coveredTo = state === 'covered' ? finished : coveredBefore;
		this.store(row, { state, since: now, created, coveredTo, status: row.status });
	}

	/** Takes a report back: as `coveredTo` is that of before, the rule decides on its next row again. */
	postpone(event: StatusEvent): void {
		const before = this.beforeEvents.get(event)!;
		const since = before.state === 'postponed' ? before.since : this.poll.now;
		this.store(event.row, { ...before, state: 'postponed', since });
	}

	/** Also raises the latest time shown, never beyond what the service can have: local times can be ahead. */
	readTimes(row: ListedRow): TimedRow {
		const { memory } = this.poll;
		memory.zoneless ||= isZoneless(row);
		const latestPossible = this.poll.latestPossible() + (memory.zoneless ? tolerated.day : 0);
		const [created, start, date] = [row.createdAt, row.startedAt, row.completedAt].map(secondsOf);
		for (const time of [created, start, date])
			if (time <= latestPossible) memory.latestShown = Math.max(memory.latestShown, time);
		return { row, created, start, date };
	}

	private notInMemory({ created }: TimedRow): Before {
		const level = levelAt(this.poll.memory.steps, created);
		const isNew = created > level;
		return { state: isNew ? 'new' : 'old', since: this.poll.now, created, coveredTo: isNew ? 0 : level, status: '' };
	}

	/** Whether memory has it, or has room for it, as for a whole list, of which it has all. Reports a new one as created. */
	private admit({ row, before }: Sight): boolean {
		if (before.state !== 'new' && before.state !== 'old') return true;
		const hasRoom = this.poll.isCertain || this.poll.memory.known.size < this.poll.limits.inMemory;
		if (!hasRoom) this.refusedFrom = Math.min(this.refusedFrom, before.created);
		else if (before.state === 'new') this.add('created', row, before, `${row.id}:created`);
		return hasRoom;
	}

	private add(kind: StatusEvent['kind'], row: ListedRow, before: Before, key: string): void {
		const waited = before.state === 'postponed' ? Math.round((this.poll.now - before.since) / 60) : 0;
		const event: StatusEvent = { kind, row, key, previousStatus: before.status || null, waited };
		if (!this.poll.wanted(event)) return;
		this.events.push(event);
		this.beforeEvents.set(event, before);
	}

	private store({ id }: ListedRow, entry: Known): void {
		this.poll.memory.known.set(fingerprintOf(id), entry);
	}
}
