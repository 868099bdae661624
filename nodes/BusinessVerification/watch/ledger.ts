import { type Clock, type Limits, slack } from './clock';
import { bitOf, entered, isForward, type Known, levelAt, type Memory, print, textOf } from './memory';
import { activeStatuses, isEnd, isKnownStatus } from '../document/inquiries';
import { type ListedRow, secondsOf } from './source';

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: ListedRow;
	/** The status last seen before this one; null where none was seen. */
	previousStatus: string | null;
	/** Names the occurrence in the service's own words: the same whenever and however often it is reported. */
	key: string;
	/** Minutes that its results have been waited for. */
	waited: number;
}

export interface Looking {
	limits: Limits;
	/** Ends have dates; where a row does not show one, the inquiry is read by itself. */
	dated: boolean;
	/** Whether what is seen is no old copy; `direct` of a record that was read by itself. */
	isCurrent(direct: boolean): boolean;
	/** The first look: what was not known before is entered and not told. */
	silent: boolean;
	clock(): Clock;
	wanted(event: StatusEvent): boolean;
}

/** For so many minutes an end waits for its date, unless polls are rarer; longer where what is shown may be an old copy. */
const patience = 3;
const patienceWithOld = 5;

/** What is known, counted, and what a poll tells of it. */
export class Telling {
	readonly events: StatusEvent[] = [];
	/** Ended rows that show no date of this end. */
	readonly undated = new Map<number, ListedRow>();
	/** Those of them that were asked for by themselves, and whether they show no date of this end either. */
	readonly read = new Map<number, boolean>();
	/** Creation time of the oldest new one that must be found again. */
	postponed = Infinity;
	private readonly before = new Map<StatusEvent, Known | undefined>();
	protected running = 0;
	protected ended = 0;

	constructor(
		readonly memory: Memory,
		protected readonly looking: Looking,
	) {
		for (const entry of memory.known.values()) this.count(entry, 1);
	}

	put(id: number, entry: Known): true {
		this.remove(id);
		this.memory.known.set(id, entry);
		this.count(entry, 1);
		return true;
	}

	remove(id: number): void {
		const entry = this.memory.known.get(id);
		if (entry) this.count(entry, -1);
		this.memory.known.delete(id);
	}

	private count({ running }: Known, by: number): void {
		if (running) this.running += by;
		else this.ended += by;
	}

	/** After the undated ones were read by themselves: what has waited long enough is told without a date. */
	settleUndated(): void {
		for (const [id, row] of this.undated) {
			const entry = this.memory.known.get(id)!;
			const hasNone = this.read.get(id) === true;
			const isRare = this.clock.minutes > patience && hasNone && entry.sure;
			if (this.clock.since(entry.ended) < (hasNone ? patience : patienceWithOld) && !isRare) continue;
			if (entry.sure || (entry.told & bitOf(row)) === 0) this.tell(row, id, entry, entry);
			else if (this.read.has(id)) this.put(id, { ...entry, running: false, ended: 0 });
		}
	}

	protected tell(row: ListedRow, id: number, entry: Known, known?: Known): void {
		// First of all, because with it everything that was told before becomes older.
		const { now } = this.clock;
		const date = this.clock.dateOf(row);
		const isAmended = !(entry.running && entry.sure) && date <= entry.date;
		const isOwn = date > entry.date || (isAmended && date > 0);
		const after = isOwn || entry.date === 0 ? '' : `:${textOf(entry.date)}`;
		this.undated.delete(id);
		this.put(id, {
			created: entry.created,
			date: isOwn ? Math.max(date, entry.date) : Math.max(entry.date, now),
			told: bitOf(row) | (isAmended ? entry.told : 0),
			status: row.status,
			running: false,
			sure: false,
			loose: !isOwn,
			astray: 0,
			ended: 0,
			silent: this.looking.silent && !known,
		});
		const key = `${row.id}:${row.status}:${textOf(date)}${after}`;
		this.add('ended', row, known, key, entry);
	}

	protected add(kind: StatusEvent['kind'], row: ListedRow, known: Known | undefined, key: string, entry = known): void {
		const event = {
			kind,
			row,
			key,
			previousStatus: known?.status || null,
			waited: this.clock.waited(row, entry?.ended ?? 0),
		};
		if ((this.looking.silent && !known) || !this.looking.wanted(event)) return;
		this.events.push(event);
		this.before.set(event, known);
	}

	/** Makes the memory such that the next poll finds the occurrence again. */
	postpone(event: StatusEvent): void {
		const { kind, row } = event;
		const id = print(row.id);
		const created = secondsOf(row.createdAt);
		const now = this.memory.known.get(id);
		const entry = this.before.get(event) ?? entered(created, levelAt(this.memory.steps, created));
		if (kind === 'ended') {
			this.put(id, { ...entry, running: true, sure: true, ended: entry.ended || this.clock.latestPoll });
		} else if (kind === 'changed' && now) {
			this.put(id, { ...now, status: entry.status });
		} else if (now) {
			this.remove(id);
			this.memory.top = Math.min(this.memory.top, created);
			this.postponed = Math.min(this.postponed, created);
		}
	}

	protected get clock(): Clock {
		return this.looking.clock();
	}
}

/** One poll's sightings, judged by what is known. Every rule of what an end is stands here. */
export class Ledger extends Telling {
	readonly seen = new Set<number>();
	/** Rows of what was known before. */
	private recognised = 0;
	private readonly remembered: boolean;

	constructor(memory: Memory, looking: Looking) {
		super(memory, looking);
		this.remembered = memory.known.size > 0;
	}

	/** Nothing that was known was shown again: these may be somebody else's. */
	get isStrange(): boolean {
		return this.recognised === 0 && (this.remembered || this.events.length > 0);
	}

	get isFull(): boolean {
		const { limits } = this.looking;
		return this.running >= limits.running || this.ended >= limits.ended;
	}

	get isLaden(): boolean {
		return this.events.length >= this.looking.limits.events;
	}

	/** False: there is no room for what the row says, it must be looked at again. */
	see(row: ListedRow, direct = false): boolean {
		const created = secondsOf(row.createdAt);
		const id = print(row.id);
		const entry = this.memory.known.get(id);
		const known = entry?.created === created ? entry : undefined;
		if (known && !this.seen.has(id)) this.recognised++;
		this.seen.add(id);
		return isEnd(row.status)
			? this.seeEnd(row, id, created, known)
			: this.seeRunning(row, id, created, this.looking.isCurrent(direct), known);
	}

	private seeRunning(row: ListedRow, id: number, created: number, isCurrent: boolean, known?: Known): boolean {
		const { limits } = this.looking;
		const level = levelAt(this.memory.steps, created);
		const isNew = !known && created > level;
		// A status nobody knows may last for ever; only what is watched already is followed through it.
		if (!known && !isNew && !isKnownStatus(row.status)) return true;
		if (!known && (this.running >= limits.running || this.isLaden)) return false;
		const entry = known ?? this.enter(created, level);
		// An old copy of an end told lately looks the same as another run.
		const isProof = isCurrent || entry.told === 0 || this.clock.isAged(entry);
		const keepsDate = entry.date > 0 && secondsOf(row.completedAt) === entry.date;
		const sure = (entry.running && entry.sure) || isProof || keepsDate;
		const status = sure && isForward(entry, row.status) ? row.status : entry.status;
		const astray = isKnownStatus(row.status) ? 0 : entry.astray || this.clock.latestPoll;
		this.put(id, { ...entry, running: true, sure, status, astray, ended: 0 });
		if (isNew) this.add('created', row, known, `${row.id}:created`);
		if (status !== entry.status && !(isNew && status === activeStatuses[0])) {
			this.add('changed', row, known, `${row.id}:${status}:${textOf(entry.date)}`);
		}
		return true;
	}

	private seeEnd(row: ListedRow, id: number, created: number, known?: Known): boolean {
		const { limits, dated, silent } = this.looking;
		const date = this.clock.dateOf(row);
		const level = levelAt(this.memory.steps, created);
		// Without a date it may have ended just before the first look, which no level says. Where no end has one, only who
		// was met then shows by another outcome that it ran again.
		const isMet = silent && (!dated || (date === 0 && level < this.memory.floor));
		if (!known && !isMet && this.timeOf(date, created) <= level) return true;
		if (!known && (this.ended >= limits.ended || this.isLaden)) return false;
		const entry = known ?? this.enter(created, level);
		const isOwed = entry.running && entry.sure;
		const isOwn = date > entry.date;
		if (!isOwed) {
			const isTold = (entry.told & bitOf(row)) > 0;
			// Its date comes late, and is one from about when it was told.
			if (entry.loose && Math.abs(date - entry.date) <= slack && isTold && !entry.running) {
				return this.put(id, { ...entry, date: Math.max(date, entry.date), loose: false });
			}
			const isDoubt = entry.running && date === 0 && dated;
			if (!isOwn && !isDoubt && (isTold || (date > 0 && date < entry.date))) {
				return this.put(id, { ...entry, running: false, ended: 0 });
			}
		}
		if (!known) {
			this.put(id, entry);
			if (created > level) this.add('created', row, known, `${row.id}:created`);
		}
		// Its date may still come, or an old copy be replaced.
		if (!isOwn && dated && (known || !silent)) {
			this.put(id, { ...entry, running: true, astray: 0, ended: entry.ended || this.clock.latestPoll });
			this.undated.set(id, row);
			return true;
		}
		this.tell(row, id, entry, known);
		return true;
	}

	/** Of an end met for the first time, the time to go by: a creation in the future shows nothing, if there is a date. */
	private timeOf(date: number, created: number): number {
		return this.clock.isFuture(created) && date > 0 ? date : Math.max(date, created);
	}

	/** A creation time in the future does not show that it is new. */
	private enter(created: number, level: number): Known {
		return entered(created, level, created > level && !this.clock.isFuture(created));
	}
}
