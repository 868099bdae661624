import { isEnd } from '../document/inquiries';
import { fingerprintOf, isCoveredOrDoubted, type Known, levelAt, textOf, type WatchMemory } from './memory';
import { tolerated, isPastOldAnswers, isUnknown, isZoneless, type ListedRow, secondsOf } from './rows';

/**
 * THE RULE: what is done with a row that a poll has read. Down: what is known of its inquiry. Across: what the row shows.
 *
 * The life of an inquiry, poll by poll:
 *   poll   its row                            known, shown          what is done                        event
 *   12:01  PLANNING, created 12:00:20         new, laterRun         follow: it is `unfinished`          created
 *   12:02  RUNNING                            unfinished, laterRun  follow                              changed
 *   12:05  COMPLETED, completedAt 12:04:30    unfinished, laterEnd  report: `covered`, up to 12:04:30   ended
 *   12:06  RUNNING, because a cache is old    covered, sameRun      doubt: `doubted`                    -
 *   12:07  COMPLETED, completedAt 12:04:30    doubted, coveredEnd   trust: `covered` again              -
 *   12:20  Every row of its creation time was read again: their level rises to 12:10, memory drops it, and it is `old`.
 *   15:01  RUNNING, startedAt 15:00:10        old, laterRun         follow: it is `unfinished`          changed
 *   15:03  COMPLETED, completedAt 15:02:40    unfinished, laterEnd  report: `covered`, up to 15:02:40   ended
 *
 * DOWN, what is known of the inquiry:
 *   new         not in memory, and created after the level of its creation time (memory.ts), so no completion of it is covered
 *   old         not in memory, and created before that level, so its completions up to the level are covered
 *   unfinished  followed until it finishes; each poll reads it, like `postponed` and `doubted` ones
 *   postponed   finished, but the report waits for results or for the record, or is to be repeated
 *   covered     its last completion was reported, rejected by a filter, or there at the activation
 *   doubted     as `covered`, but another answer contradicts that completion
 *   contrary    `covered` or `doubted`, and the row has finished in another status
 *
 * ACROSS. An unfinished row shows a later run than what is covered, or no sign of one (`sameRun`). A finished row is dated
 * later than that (`laterEnd`, as always if nothing is covered), or not (`coveredEnd`). One without times is an `undatedEnd`
 * until its record was asked for; if that has none either, it is a `coveredEnd`.
 *
 * DONE. `follow`, `report`, `doubt` and `trust` as above. `ask`: its record is read at the end of this poll, and decides.
 * `ignore`: no news. `adopt`: stored without a report. `-` cannot happen. Of `doubt|follow`, the second is done from five
 * minutes after `since` (memory.ts) on, as an older answer of a cache is possible until then, and always in whole lists.
 */
// prettier-ignore
const rule: Record<Before['state'] | 'contrary', readonly Cell[]> = {
	//           sameRun         laterRun  undatedEnd  coveredEnd       laterEnd
	new:        ['-',            'follow', 'ask',      '-',             'report'],
	old:        ['follow',       'follow', 'ignore',   'ignore|adopt',  'report'],
	unfinished: ['follow',       'follow', 'ask',      'ignore|report', 'report'],
	postponed:  ['follow',       'follow', 'ask',      'ignore|report', 'report'],
	covered:    ['doubt|follow', 'follow', 'ignore',   'ignore',        'report'],
	doubted:    ['doubt|follow', 'follow', 'ask',      'trust',         'report'],
	contrary:   ['-',            '-',      'ask',      'doubt|report',  'report'],
};

const columnNames = ['sameRun', 'laterRun', 'undatedEnd', 'coveredEnd', 'laterEnd'] as const;

type Action = 'follow' | 'report' | 'ask' | 'doubt' | 'trust' | 'ignore' | 'adopt';
type Cell = Action | `${Action}|${Action}` | '-';

/** What is known of an inquiry before a row of it: from memory, or from its level. */
type Before = Omit<Known, 'state'> & { state: Known['state'] | 'new' | 'old' };

/** A row and its times, of which `start` and `date` are when its run began and finished. 0 if it does not say. */
type TimedRow = { row: ListedRow; created: number; start: number; date: number };

/** Such a row, beside what was known of its inquiry. */
type Sight = TimedRow & { id: string; before: Before };

function columnOf({ row, start, date, before }: Sight, isUndated: boolean): (typeof columnNames)[number] {
	const { coveredTo } = before;
	// An unfinished row with the date of the covered completion is of the run after: no answer from before that has its date.
	// If nothing is covered (0), any run is later.
	if (!isEnd(row.status)) return start > coveredTo || date >= coveredTo ? 'laterRun' : 'sameRun';
	if (isUndated) return 'undatedEnd';
	const rounding = isCoveredOrDoubted(before) ? tolerated.rounding : 0;
	return coveredTo === 0 || Math.max(start, date) > coveredTo + rounding ? 'laterEnd' : 'coveredEnd';
}

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: ListedRow;
	/** The status seen before this event; null if none was. */
	previousStatus: string | null;
	/** Becomes 'deduplicationKey'. */
	key: string;
	/** Minutes since this completion was postponed. */
	waited: number;
}

/** What the ledger needs of its poll, which explains it. */
interface LedgerPoll {
	readonly memory: WatchMemory;
	readonly limits: { known: number };
	readonly now: number;
	/** Whether memory has the whole list, and its rows are confirmed: none is outdated, so any difference is a change. */
	readonly isCertain: boolean;
	latestPossible(): number;
	answeredAt(): number;
	wanted(event: StatusEvent): boolean;
}

/** Compares the rows of one poll with memory, stores what they show, and collects the events to report. */
export class Ledger {
	readonly events: StatusEvent[] = [];
	readonly seen = new Set<string>();
	/** The first row of each completion without times, which its record may show. Later rows may be of the next run. */
	readonly undated = new Map<string, ListedRow>();
	/** Creation time of the oldest inquiry for which memory had no room. */
	refusedFrom = Infinity;
	/** A status that the API documentation does not list, and of which the user was not told. */
	unknownStatus?: string;
	/** Seen unfinished: if this poll sees them finished too, it may have missed a run. */
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
		if (isUnknown(row.status) && !memory.toldStatuses.includes(row.status)) this.unknownStatus = row.status;
		const isContrary = isCoveredOrDoubted(before) && isEnd(row.status) && row.status !== before.status;
		const line = rule[isContrary ? 'contrary' : before.state];
		const cell = line[columnNames.indexOf(columnOf(sight, isUndated))];
		const [atFirst, later = atFirst] = cell.split('|') as [Action, Action?];
		this[isCertain || isPastOldAnswers(before.since, now) ? later : atFirst](sight);
	}

	private follow(sight: Sight): void {
		if (!this.admit(sight)) return;
		const { row, start, before } = sight;
		const isGoingOn = before.state === 'unfinished' || before.state === 'postponed';
		const since = isGoingOn ? before.since : this.poll.now;
		this.store(row, { ...before, state: 'unfinished', since, status: row.status });
		const isJustCreated = before.state === 'new' && row.status === 'PLANNING';
		// Its last status is not known, so unless a start above its level shows that it changed, it is followed without an event.
		const showsNoNewRun = before.state === 'old' && start <= levelAt(this.poll.memory.steps, before.created);
		if (before.status !== row.status && !isJustCreated && !showsNoNewRun)
			this.add('changed', row, before, `${row.id}:${row.status}:${textOf(before.coveredTo)}`);
	}

	private report(sight: Sight): void {
		if (!this.admit(sight)) return;
		const { now } = this.poll;
		const { row, id, start, date, before } = sight;
		const time = Math.max(start, date);
		// If its times are those of the completion before it, only the time of this poll tells the two apart.
		const suffix = time > before.coveredTo || before.coveredTo === 0 ? '' : `:${textOf(now)}`;
		this.add('ended', row, before, `${row.id}:${row.status}:${textOf(time)}${suffix}`);
		// Without its date, or with that of the run before it, it is covered up to when it was shown: if that was 12:05, a row of
		// 12:06 with its date, 12:04:30, shows no later one. Not up to now: its next run may finish while its record is read.
		const isDated = date > before.coveredTo && date >= start;
		const shownAt = row.shownAt ?? this.poll.answeredAt();
		const coveredTo = Math.max(before.coveredTo, before.created, time, isDated ? 0 : shownAt);
		// The last poll still had it unfinished after this date: by an old answer, or already in its next run.
		const wasUnfinishedAfterDate =
			row.detail === 'full' && before.state === 'unfinished' && date < this.poll.memory.lastServiceTime;
		const state = this.seenUnfinished.has(id) || wasUnfinishedAfterDate ? 'doubted' : 'covered';
		this.store(row, { ...before, state, since: now, coveredTo, status: row.status });
	}

	private doubt({ row, before }: Sight): void {
		this.store(row, { ...before, state: 'doubted' });
	}

	/** A doubt ends if nothing else in this poll contradicts the report and no record was missing, or a day after the report. */
	private trust({ row, id, before }: Sight): void {
		const isAgreed = !this.seenUnfinished.has(id) && row.detail !== 'unread';
		if (isAgreed || this.poll.now - before.since >= tolerated.day) this.store(row, { ...before, state: 'covered' });
	}

	private ask({ row, id }: Sight): void {
		const isAskedAlready = this.undated.get(id)?.status === row.status;
		if (!isAskedAlready) this.undated.set(id, { ...row, detail: 'unread', shownAt: this.poll.answeredAt() });
	}

	private ignore(): void {}

	/** What is unfinished or finished at the activation, or old in a list of which memory keeps all. */
	adopt({ row, created, start, date }: TimedRow): void {
		const { now, memory } = this.poll;
		const state = isEnd(row.status) ? 'covered' : 'unfinished';
		// Without its date, it counts as finished in the second of the activation, `startLevel + 1`. So when a later row has the
		// date, that is covered, and a re-check, which repeats only what is covered up to a later time, leaves it out.
		const finished = Math.max(created, start, date || memory.startLevel + 1);
		// An unfinished one finishes after its start. If that is not shown, its date may be of a clock that is `slack` behind.
		const coveredBefore = start > 0 ? start - 1 : memory.startLevel - tolerated.slack;
		const coveredTo = state === 'covered' ? finished : coveredBefore;
		this.store(row, { state, since: now, created, coveredTo, status: row.status });
	}

	/** The completion is not reported now: with the `coveredTo` of before, the next poll that reads its row finds it again. */
	postpone(event: StatusEvent): void {
		const before = this.beforeEvents.get(event)!;
		const since = before.state === 'postponed' ? before.since : this.poll.now;
		this.store(event.row, { ...before, state: 'postponed', since });
	}

	/** Raises the latest time shown, too, never beyond what the service can have. Local times without a zone can be ahead. */
	readTimes(row: ListedRow): TimedRow {
		const { memory } = this.poll;
		memory.zoneless ||= isZoneless(row);
		const latestPossible = this.poll.latestPossible() + (memory.zoneless ? tolerated.day : 0);
		const [created, start, date] = [row.createdAt, row.startedAt, row.completedAt].map(secondsOf);
		for (const time of [created, start, date])
			if (time <= latestPossible) memory.latestShown = Math.max(memory.latestShown, time);
		return { row, created, start, date };
	}

	private notInMemory({ row, created, start }: TimedRow): Before {
		const level = levelAt(this.poll.memory.steps, created);
		const nothing = { since: this.poll.now, created, status: '' };
		if (created > level) return { ...nothing, state: 'new', coveredTo: 0 };
		// It runs since `start`, so what it shows later is not covered, whatever its level.
		const coveredTo = start > 0 && !isEnd(row.status) ? Math.min(level, start - 1) : level;
		return { ...nothing, state: 'old', coveredTo };
	}

	/** Reports a new one as created. Returns false without room in memory: then no level passes its creation time. */
	private admit({ row, before }: Sight): boolean {
		if (before.state !== 'new' && before.state !== 'old') return true;
		const hasRoom = this.poll.memory.known.size < this.poll.limits.known;
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
