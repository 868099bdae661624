import { isEnd } from '../document/inquiries';
import { fingerprintOf, isTold, type Known, levelAt, textOf, type WatchMemory } from './memory';
import { tolerated, isAged, isUnknown, isZoneless, type ListedRow, secondsOf } from './rows';

/**
 * THE RULE: what a row means, by what is known of its inquiry (down) and by what the row shows (across).
 *
 * Not in memory are inquiries created after the level of their range (`aboveLevel`), of which nothing is covered, and those
 * before it (`belowLevel`), of which completions up to it are. Their status is not known. All others have a state:
 *   `unfinished`  since it was first seen so; if it was postponed, since then.
 *   `postponed`   since its completion was found, whose report waits for results or for its record, or is to be repeated. Each
 *                 poll finds it again.
 *   `reported`    since it was reported, rejected by a filter, or there at the activation: its completion is covered. It leaves
 *                 memory five minutes later at the earliest, once its level has passed that completion.
 *   `doubted`     still since the report, which another answer contradicts, or no answer dates. Each poll looks for it.
 * `contrary` is either of the last two, where the row has finished in another status.
 *
 * A row is unfinished, in the `sameRun` as far as it shows or in a `laterRun` than those covered. Or it shows an `undatedEnd`
 * (no times, and its record was not asked for yet), a `laterEnd` than what is covered, or a `coveredEnd`, maybe without times.
 *
 * `follow` stores it as unfinished, and `report` its completion as covered; both make events. `ask` has its record read at
 * the end of this poll, and then the rule decides by that. `doubt` has it read again by the next poll, `trust` ends a doubt,
 * and `pass` is no news.
 *
 * An answer may be five minutes old: a replica or a cache can show an inquiry unfinished, or in its previous status, after
 * its completion was reported. So a row proves something by a later time than those covered, or by coming five minutes
 * after the time from which its state counts: of `doubt|follow`, the second holds from then on, and always in a list that is
 * read whole. `-` cannot happen.
 */
// prettier-ignore
const rule: Record<Prior['state'] | 'contrary', readonly Cell[]> = {
	//           sameRun         laterRun   undatedEnd  coveredEnd      laterEnd
	aboveLevel: ['-',            'follow',  'ask',      '-',            'report'],
	belowLevel: ['follow',       'follow',  'pass',     'pass',         'report'],
	unfinished: ['follow',       'follow',  'ask',      'pass|report',  'report'],
	postponed:  ['follow',       'follow',  'ask',      'pass|report',  'report'],
	reported:   ['doubt|follow', 'follow',  'pass',     'pass',         'report'],
	doubted:    ['doubt|follow', 'follow',  'ask',      'trust',        'report'],
	contrary:   ['-',            '-',       'ask',      'doubt|report', 'report'],
};

const columnNames = ['sameRun', 'laterRun', 'undatedEnd', 'coveredEnd', 'laterEnd'] as const;

type Action = 'follow' | 'report' | 'ask' | 'doubt' | 'trust' | 'pass';
type Cell = Action | `${Action}|${Action}` | '-';

/** What is known of an inquiry before a row of it: from memory, or from its level. */
type Prior = Omit<Known, 'state'> & { state: Known['state'] | 'aboveLevel' | 'belowLevel' };

/** A row beside what was known of its inquiry. `start` and `date` are when its run began and finished, 0 if it does not say. */
type Sight = { row: ListedRow; id: string; start: number; date: number; before: Prior };

function columnOf({ row, start, date, before }: Sight, isUndated: boolean): (typeof columnNames)[number] {
	const { coveredTo } = before;
	// Answers from before a completion cannot show its date, so what is unfinished and shows it is the run after it. If nothing
	// is covered (0), any run is later.
	if (!isEnd(row.status)) return start > coveredTo || date >= coveredTo ? 'laterRun' : 'sameRun';
	if (isUndated) return 'undatedEnd';
	// A completion that was told may show its time again, rounded otherwise.
	const isLater = coveredTo === 0 || Math.max(start, date) > coveredTo + (isTold(before) ? tolerated.rounding : 0);
	return isLater ? 'laterEnd' : 'coveredEnd';
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
	newestPossible(): number;
	answeredAt(): number;
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
		const isContrary = isTold(before) && isEnd(row.status) && row.status !== before.status;
		const line = rule[isContrary ? 'contrary' : before.state];
		const cell = line[columnNames.indexOf(columnOf(sight, isUndated))];
		const [atFirst, aged = atFirst] = cell.split('|') as [Action, Action?];
		this[isCertain || isAged(before.since, now) ? aged : atFirst](sight);
	}

	/** Stores what was there before the activation, without reporting it. */
	skip(row: ListedRow): void {
		const { created, start, date } = this.readTimes(row);
		const { now, memory } = this.poll;
		const state = isEnd(row.status) ? 'reported' : 'unfinished';
		// A date that comes later is from before the activation, too. By `floor + 1`, a re-check knows that it must not repeat it.
		const finished = Math.max(created, start, date || memory.floor + 1);
		// What runs may still finish by a clock that is behind, so without a start, `slack` is left for that.
		const coveredBefore = start > 0 ? start - 1 : memory.floor - tolerated.slack;
		const coveredTo = state === 'reported' ? finished : coveredBefore;
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
		const newestPossible = this.poll.newestPossible() + (memory.zoneless ? tolerated.day : 0);
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
		const nothing = { since: 0, created, status: '' };
		if (created > level) return { ...nothing, state: 'aboveLevel', coveredTo: 0 };
		// It runs since `start`, so what it shows later is not covered, whatever its level.
		const coveredTo = start > 0 && !isEnd(status) ? Math.min(level, start - 1) : level;
		return { ...nothing, state: 'belowLevel', coveredTo };
	}

	private follow(sight: Sight): void {
		if (!this.takeIn(sight)) return;
		const { row, start, before } = sight;
		const isGoingOn = before.state === 'unfinished' || before.state === 'postponed';
		const since = isGoingOn ? before.since : this.poll.now;
		this.store(row, { ...before, state: 'unfinished', since, status: row.status });
		const isJustCreated = before.state === 'aboveLevel' && row.status === 'PLANNING';
		// Its status is not known, so only a start above its level shows that it changed.
		const showsNoNewRun = before.state === 'belowLevel' && start <= levelAt(this.poll.memory.steps, before.created);
		if (before.status !== row.status && !isJustCreated && !showsNoNewRun)
			this.add('changed', row, before, `${row.id}:${row.status}:${textOf(before.coveredTo)}`);
	}

	private ask({ row, id }: Sight): void {
		const isHere = this.undated.get(id)?.status === row.status;
		if (!isHere) this.undated.set(id, { ...row, detail: 'unread', shownAt: this.poll.answeredAt() });
	}

	private report(sight: Sight): void {
		if (!this.takeIn(sight)) return;
		const { now } = this.poll;
		const { row, id, start, date, before } = sight;
		const time = Math.max(start, date);
		// If its times are those of the completion before it, only the time of this poll tells the two apart.
		const suffix = time > before.coveredTo || before.coveredTo === 0 ? '' : `:${textOf(now)}`;
		this.add('ended', row, before, `${row.id}:${row.status}:${textOf(time)}${suffix}`);
		// Without its date, or with the date of the run before it, the completion counts as dated by the moment in which it was
		// shown: if a later row shows its own date, that is no later time. Its next run may finish before the report.
		const isDated = date > before.coveredTo && date >= start;
		const shownAt = row.shownAt ?? this.poll.answeredAt();
		const coveredTo = Math.max(before.coveredTo, before.created, time, isDated ? 0 : shownAt);
		// The last poll still had it unfinished after this date: by an old answer, or already in its next run.
		const wasUnfinishedAfterDate =
			row.detail === 'full' && before.state === 'unfinished' && date < this.poll.memory.lastServiceTime;
		const state = this.seenUnfinished.has(id) || wasUnfinishedAfterDate ? 'doubted' : 'reported';
		this.store(row, { ...before, state, since: now, coveredTo, status: row.status });
	}

	private doubt({ row, before }: Sight): void {
		this.store(row, { ...before, state: 'doubted' });
	}

	/** A doubt ends if nothing else in this poll contradicts the report and no record was missing, or a day after the report. */
	private trust({ row, id, before }: Sight): void {
		const isAgreed = !this.seenUnfinished.has(id) && row.detail !== 'unread';
		if (isAgreed || this.poll.now - before.since >= tolerated.day) this.store(row, { ...before, state: 'reported' });
	}

	/** Of a list that is read whole, memory keeps these, too. */
	private pass({ row, before }: Sight): void {
		if (this.poll.isCertain && before.state === 'belowLevel') this.skip(row);
	}

	/** Reports a new one as created. Returns false without room in memory: then no level passes its creation time. */
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
