import type { Clock } from './clock';
import { bitOf, entered, textOf } from './entry';
import type { StatusEvent } from './event';
import type { Limits } from './limits';
import { type Known, levelAt, type Memory, print } from './memory';
import { type Row, seconds } from './source';

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
	readonly undated = new Map<number, Row>();
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

	protected tell(row: Row, id: number, entry: Known, known?: Known): void {
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

	protected add(kind: StatusEvent['kind'], row: Row, known: Known | undefined, key: string, entry = known): void {
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
		const created = seconds(row.createdAt);
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
