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
	/** Records may show times that rows do not. */
	isInFull: boolean;
	/** Whether what a row shows is no old copy, whatever its times say. */
	isCurrent(row: ListedRow): boolean;
	/** The first look: what was not known before is entered and not told. */
	silent: boolean;
	clock(): Clock;
	wanted(event: StatusEvent): boolean;
}

/** For so many minutes a record that decides may be unreadable. */
const patience = 5;

/** One poll's sightings, judged by what is known, and what the poll tells of them. */
export class Ledger {
	readonly events: StatusEvent[] = [];
	readonly seen = new Set<number>();
	/** Rows that do not show enough to judge them: their records are to be read. */
	readonly unread = new Map<number, ListedRow>();
	/** Creation time of the oldest new one that must be found again. */
	postponed = Infinity;
	private readonly before = new Map<StatusEvent, Known | undefined>();
	private readonly remembered: boolean;
	/** Rows of what was known before. */
	private recognised = 0;
	private open = 0;

	constructor(
		readonly memory: Memory,
		private readonly looking: Looking,
	) {
		for (const entry of memory.known.values()) this.count(entry, 1);
		this.remembered = memory.known.size > 0;
	}

	/** Nothing that was known was shown again: these may be somebody else's. */
	get isStrange(): boolean {
		return this.recognised === 0 && (this.remembered || this.events.length > 0);
	}

	get isFull(): boolean {
		return this.isFullOf('running') || this.isFullOf('ended');
	}

	get isLaden(): boolean {
		return this.events.length >= this.looking.limits.events;
	}

	/** False: there is no room for what the row says, it must be looked at again. */
	see(row: ListedRow): boolean {
		const id = print(row.id);
		const sight = this.looking.clock().sightOf(row);
		const entry = this.memory.known.get(id);
		const known = entry?.created === sight.created ? entry : undefined;
		if (known && !this.seen.has(id)) this.recognised++;
		this.seen.add(id);
		this.unread.delete(id);
		return isEnd(row.status) ? this.seeEnd(row, id, sight, known) : this.seeRunning(row, id, sight, known);
	}

	/** Rows whose records could not be read are judged by what they show: ends after some minutes. */
	settleUnread(): void {
		for (const [id, row] of [...this.unread]) {
			const waits = this.memory.known.get(id)?.waits ?? 0;
			if (!isEnd(row.status) || this.looking.clock().since(waits) >= patience) this.see({ ...row, isFull: true });
		}
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

	/** Makes the memory such that the next poll finds the occurrence again. */
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

	private seeRunning(row: ListedRow, id: number, sight: Sight, known?: Known): boolean {
		const { created } = sight;
		const { now } = this.look;
		const level = this.levelOf(created);
		const isNew = !known && created > level;
		// A status nobody knows may last for ever; only what is watched already is followed through it.
		if (!known && !isNew && !isKnownStatus(row.status)) return true;
		if (!known && (this.isFullOf('running') || this.isLaden)) return false;
		const met = known ? afterUnfinished(known, sight, now) : metUnfinished(sight, level, this.look);
		const entry = met.open === 0 && this.looking.isCurrent(row) ? { ...met, open: 1 } : met;
		if (entry.open === 0) {
			// Its record may show that it has begun since.
			if (this.isBare(row, sight)) this.unread.set(id, row);
			return this.put(id, entry);
		}
		const status = isForward(known, row.status) ? row.status : entry.status;
		const astray = isKnownStatus(row.status) ? 0 : entry.astray || now;
		this.put(id, { ...entry, status, astray, waits: 0 });
		if (isNew) this.add('created', row, known, `${row.id}:created`);
		if (status !== entry.status && !(isNew && status === activeStatuses[0])) {
			this.add('changed', row, known, `${row.id}:${status}:${textOf(entry.date)}`);
		}
		return true;
	}

	private seeEnd(row: ListedRow, id: number, sight: Sight, known?: Known): boolean {
		const { look } = this;
		if (look.isFirst && !known) return !this.isFullOf('ended') && this.put(id, metEnded(sight, look.now));
		const entry = known ?? entered(sight.created, this.levelOf(sight.created));
		const isCurrent = this.looking.isCurrent(row);
		const isDoubt = known !== undefined && known.open === 0 && (known.status !== row.status || known.waits > 0);
		const isTold =
			isToTell(entry, sight, look) || (isCurrent && (entry.open > 0 || (isDoubt && known.status !== row.status)));
		const isOpen = entry.open > 0 || isDoubt || (isTold && this.looking.isInFull);
		const isSettled = sight.date > 0 && isLater(entry, sight, look);
		if (isOpen && !isSettled && this.isBare(row, sight) && (this.looking.isInFull || !isTold)) {
			return this.leaveUnread(row, id, entry, known);
		}
		if (!isTold) return !known || this.put(id, { ...dated(known, sight), waits: 0 });
		if (!known && (this.isFullOf('ended') || this.isLaden)) return false;
		if (!known) this.meet(row, id, entry);
		this.tell(row, id, sight, entry, known);
		return true;
	}

	/** What is met so owes its end until its record was read, and is judged by its record then. */
	private leaveUnread(row: ListedRow, id: number, entry: Known, known?: Known): boolean {
		if (!known && (this.isFullOf('running') || this.isLaden)) return false;
		if (!known) this.meet(row, id, entry);
		const open = known ? known.open : 1;
		this.unread.set(id, row);
		return this.put(id, { ...entry, open, astray: 0, waits: entry.waits || this.look.now });
	}

	private meet(row: ListedRow, id: number, entry: Known): void {
		this.put(id, entry);
		if (entry.created > this.levelOf(entry.created)) this.add('created', row, undefined, `${row.id}:created`);
	}

	private tell(row: ListedRow, id: number, sight: Sight, entry: Known, known?: Known): void {
		const { look } = this;
		const isNew = isLater(entry, sight, look);
		const told = afterTelling(entry, sight, look);
		// Nothing shows when it began: not after anything that was shown by now.
		const isDark = !sight.isStarted && sight.date === 0 && this.looking.isInFull;
		this.put(id, isDark ? { ...told, began: Math.max(told.began, this.looking.clock().newest) } : told);
		const date = sight.isWrong ? secondsOf(row.completedAt) : sight.date;
		const time = textOf(date >= sight.start || !sight.isStarted ? date : sight.start);
		this.add('ended', row, known, `${row.id}:${row.status}:${time}${isNew ? '' : `:${textOf(look.now)}`}`, entry);
	}

	private add(kind: StatusEvent['kind'], row: ListedRow, known: Known | undefined, key: string, entry = known): void {
		const waited = this.looking.clock().waited(row, entry?.waits ?? 0);
		const event: StatusEvent = { kind, row, key, previousStatus: known?.status || null, waited };
		if ((this.looking.silent && !known) || !this.looking.wanted(event)) return;
		this.events.push(event);
		this.before.set(event, known);
	}

	/** It shows no times, though its record may. */
	private isBare = (row: ListedRow, { isStarted }: Sight) => !row.isFull && !isStarted && !this.looking.isCurrent(row);

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

/** Within one run, a step back in the order of the lifecycle is an old copy. */
function isForward(known: Known | undefined, next: string): boolean {
	if (!known || known.open === 0) return true;
	const place = (name: string) => activeStatuses.findIndex((active) => active === name);
	return place(known.status) < 0 || place(next) < 0 || place(next) > place(known.status);
}
