import { activeStatuses, isEnd, isKnownStatus } from '../document/inquiries';
import type { Clock, Limits } from './clock';
import { levelAt, type Memory, print, textOf } from './memory';
import {
	afterTelling,
	afterUnfinished,
	dated,
	entered,
	isLater,
	isToTell,
	type Known,
	type Look,
	metEnded,
	metUnfinished,
	type Sight,
} from './occurrence';
import { isZoneless, type ListedRow, secondsOf } from './source';

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: ListedRow;
	/** The status seen before this event; null if none was. */
	previousStatus: string | null;
	/**
	 * Becomes 'deduplicationKey', so it holds only values of the service, unless nothing but our clock tells two
	 * completions of an inquiry apart.
	 */
	key: string;
	/** Minutes that the results of this completion have been awaited. */
	waited: number;
}

export interface Looking {
	memory: Memory;
	limits: Limits;
	/** In the first poll: unknown inquiries are stored and not reported. */
	silent: boolean;
	clock(): Clock;
	wanted(event: StatusEvent): boolean;
}

/** Minutes that a doubt waits for a record that cannot be read. */
const patience = 5;

/** Compares the rows of one poll with memory, and collects the events to report. */
export class Ledger {
	readonly events: StatusEvent[] = [];
	readonly seen = new Set<string>();
	/** Rows that show too little for a decision. Their records are read next. */
	readonly unread = new Map<string, ListedRow>();
	/** Creation time of the oldest new inquiry that the next poll must find again. */
	postponed = Infinity;
	private readonly memory: Memory;
	private readonly before = new Map<StatusEvent, Known | undefined>();
	private readonly remembered: boolean;
	/** Whether a row matched an inquiry in memory. */
	private isRecognised = false;
	private open = 0;

	constructor(
		private readonly looking: Looking,
		/** Whether records may show times that rows do not. */
		private readonly isInFull: boolean,
	) {
		this.memory = looking.memory;
		for (const entry of this.memory.known.values()) this.count(entry, 1);
		this.remembered = this.memory.known.size > 0;
	}

	/** No row matched memory, so the rows may belong to another organization. */
	get isStrange(): boolean {
		return !this.isRecognised && (this.remembered || this.events.length > 0);
	}

	get isFull(): boolean {
		return this.isFullOf('running') || this.isFullOf('ended');
	}

	get isLaden(): boolean {
		return this.events.length >= this.looking.limits.events;
	}

	/** Returns false if memory has no room for the row. Its creation time then counts as not read. */
	see(row: ListedRow): boolean {
		const id = print(row.id);
		const unread = this.unread.get(id);
		this.unread.delete(id);
		// The inquiry has moved on since, or `row` is older: `unread` cannot be completed any more.
		if (unread && unread.status !== row.status && this.tells(unread)) this.see({ ...unread, isFull: true });
		this.memory.zoneless ||= isZoneless(row);
		const clock = this.looking.clock();
		const sight = clock.sightOf(row);
		clock.learn(sight);
		const entry = this.memory.known.get(id);
		const known = entry?.created === sight.created ? entry : undefined;
		this.isRecognised ||= known !== undefined && !this.seen.has(id);
		this.seen.add(id);
		return isEnd(row.status) ? this.seeEnd(row, id, sight, known) : this.seeRunning(row, id, sight, known);
	}

	/** Rows that decide nothing by themselves come first: only their records show whether there is a completion. */
	get inOrder(): ListedRow[] {
		const rows = [...this.unread.values()];
		return [...rows.filter((row) => !this.tells(row)), ...rows.filter((row) => this.tells(row))];
	}

	/**
	 * Judges rows whose records could not be read by the row itself. A completion that the row shows does not wait, because
	 * the inquiry may have run again by the next poll; a doubt about one waits for `patience` minutes.
	 */
	settleUnread(): void {
		for (const [id, row] of [...this.unread]) {
			const waits = this.memory.known.get(id)?.waits ?? 0;
			const isOver = !isEnd(row.status) || this.looking.clock().since(waits) >= patience;
			if (isOver || this.tells(row)) this.see({ ...row, isFull: true });
		}
	}

	put(id: string, entry: Known): true {
		this.remove(id);
		this.memory.known.set(id, entry);
		this.count(entry, 1);
		return true;
	}

	remove(id: string): void {
		const entry = this.memory.known.get(id);
		if (entry) this.count(entry, -1);
		this.memory.known.delete(id);
	}

	/** Changes memory so that the next poll finds the event again. */
	postpone(event: StatusEvent): void {
		const { kind, row } = event;
		const id = print(row.id);
		const created = secondsOf(row.createdAt);
		const now = this.memory.known.get(id);
		const entry = this.before.get(event) ?? { ...entered(created, this.levelOf(created)), open: 1 };
		if (kind === 'ended') {
			this.put(id, { ...entry, open: entry.open || 1, waits: entry.waits || this.look.now });
		} else if (kind === 'changed' && now) {
			this.put(id, { ...now, status: entry.status });
		} else if (now) {
			this.remove(id);
			this.memory.top = Math.min(this.memory.top, created);
			this.postponed = Math.min(this.postponed, created);
		}
	}

	private seeRunning(row: ListedRow, id: string, sight: Sight, known?: Known): boolean {
		const { created } = sight;
		const { look } = this;
		const level = this.levelOf(created);
		const isNew = !known && created > level;
		// An unknown status may last forever, so only new or watched inquiries are followed through it.
		if (!known && !isNew && !isKnownStatus(row.status)) return true;
		if (!known && !this.admits(row, id, entered(created, level), 'running')) return false;
		const met = known ? afterUnfinished(known, sight, look.now) : metUnfinished(sight, level, look);
		const entry = met.open === 0 && row.isCurrent ? { ...met, open: 1 } : met;
		if (entry.open === 0) {
			// The record may show that a new run has begun.
			if (this.isBare(row, sight)) this.unread.set(id, row);
			return this.put(id, entry);
		}
		const status = isForward(known, row.status) ? row.status : entry.status;
		const astray = isKnownStatus(row.status) ? 0 : entry.astray || look.now;
		this.put(id, { ...entry, status, astray, waits: 0 });
		if (status !== entry.status && !(isNew && status === activeStatuses[0])) {
			this.add('changed', row, known, `${row.id}:${status}:${textOf(entry.date)}`);
		}
		return true;
	}

	private seeEnd(row: ListedRow, id: string, sight: Sight, known?: Known): boolean {
		const { look } = this;
		if (look.isFirst && !known)
			return !this.isFullOf('ended') && this.put(id, metEnded(sight, look.now, this.looking.clock().beginning));
		const entry = known ?? entered(sight.created, this.levelOf(sight.created));
		const isOther = known !== undefined && (known.open > 0 || known.status !== row.status);
		const isTold = isToTell(entry, sight, look) || (row.isCurrent && isOther);
		const isOpen = isOther || entry.waits > 0 || (isTold && this.isInFull);
		const isSettled = sight.date > 0 && isLater(entry, sight, look);
		if (isOpen && !isSettled && this.isBare(row, sight) && (this.isInFull || !isTold)) {
			if (!known && !this.admits(row, id, entry, 'running')) return false;
			this.unread.set(id, row);
			// Stored as unfinished, so that the completion is not lost if its record cannot be read.
			return this.put(id, { ...entry, open: known?.open ?? 1, astray: 0, waits: entry.waits || look.now });
		}
		if (!isTold) return !known || this.put(id, { ...dated(known, sight), waits: 0 });
		if (!known && !this.admits(row, id, entry, 'ended')) return false;
		return this.tell(row, id, sight, entry, known);
	}

	/** Whether the row shows a completion to report, whatever its record may add. */
	private tells(row: ListedRow): boolean {
		const entry = this.memory.known.get(print(row.id));
		return entry !== undefined && isEnd(row.status) && isToTell(entry, this.looking.clock().sightOf(row), this.look);
	}

	/** Stores an inquiry seen for the first time. Returns false if memory has no room for it. */
	private admits(row: ListedRow, id: string, entry: Known, what: 'running' | 'ended'): boolean {
		if (this.isFullOf(what) || this.isLaden) return false;
		if (entry.created > this.levelOf(entry.created)) this.add('created', row, undefined, `${row.id}:created`);
		return this.put(id, entry);
	}

	private tell(row: ListedRow, id: string, sight: Sight, entry: Known, known?: Known): true {
		const { look } = this;
		const date = sight.isWrong ? secondsOf(row.completedAt) : sight.date;
		const time = textOf(sight.isStarted && (sight.isWrong || date < sight.start) ? sight.start : date);
		const again = isLater(entry, sight, look) ? '' : `:${textOf(look.now)}`;
		this.add('ended', row, known, `${row.id}:${row.status}:${time}${again}`);
		const told = afterTelling(entry, sight, look);
		// No time identifies this run, so only a run that began after all times shown by now counts as later.
		const isDark = !sight.isStarted && sight.date === 0 && this.isInFull;
		return this.put(id, isDark ? { ...told, began: Math.max(told.began, this.looking.clock().newest) } : told);
	}

	private add(kind: StatusEvent['kind'], row: ListedRow, known: Known | undefined, key: string): void {
		const waited = this.looking.clock().waited(row, known?.waits ?? 0);
		const event: StatusEvent = { kind, row, key, previousStatus: known?.status || null, waited };
		if ((this.looking.silent && !known) || !this.looking.wanted(event)) return;
		this.events.push(event);
		this.before.set(event, known);
	}

	/** The row shows no times, but its record may. */
	private isBare = (row: ListedRow, { isStarted }: Sight) => !row.isFull && !isStarted && !row.isCurrent;

	private levelOf = (created: number) => levelAt(this.memory.steps, created);

	private isFullOf(what: 'running' | 'ended'): boolean {
		const { limits } = this.looking;
		const count = what === 'running' ? this.open : this.memory.known.size - this.open;
		return count >= limits[what];
	}

	private count({ open }: Known, by: number): void {
		if (open > 0) this.open += by;
	}

	private get look(): Look {
		const { now, latestAt } = this.looking.clock();
		return { now, latestAt, cut: this.memory.cut, isFirst: this.looking.silent };
	}
}

/** A status never goes back within one run, so an earlier one is an outdated copy. */
function isForward(known: Known | undefined, next: string): boolean {
	if (!known || known.open === 0) return true;
	const place = (name: string) => activeStatuses.findIndex((active) => active === name);
	return place(known.status) < 0 || place(next) < 0 || place(next) > place(known.status);
}
