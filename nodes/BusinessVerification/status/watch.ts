import type { Limits } from './limits';
import { type End, fingerprint, type Memory, type Tracked } from './memory';
import { instant, isFinal, type Row } from './source';

export interface StatusEvent {
	kind: 'created' | 'changed' | 'ended';
	row: Row;
	/** The status last seen before this one; null where none was seen. */
	previousStatus: string | null;
	/** The same for the same occurrence, whenever and however often it is reported. */
	key: string;
}

export interface Rules {
	/** When the row ended, in milliseconds; 0 where the row does not say. */
	stampOf(row: Row): number;
	/** Whether that is the end's own date, which a second end should not share. */
	datesEnds: boolean;
	/** An end that a list row does not date is read by itself before it is reported. */
	readUndated: boolean;
}

interface Occurrence {
	event: StatusEvent;
	/** Makes the memory such that the next poll finds the occurrence again. */
	undo(): void;
}

/** One poll's look at the rows: turns sightings into events and keeps the memory true. Rows must be shown in the order they were read. */
export class Watch {
	/** Newest creation time seen. */
	newest = 0;
	private readonly occurrences: Occurrence[] = [];
	/** Tracked ids whose present state this poll has seen. */
	private readonly settled = new Set<string>();
	private readonly undated = new Set<string>();
	private undoneSince = Infinity;

	constructor(
		readonly memory: Memory,
		private readonly limits: Limits,
		private readonly rules: Rules,
		private readonly wanted: (event: StatusEvent) => boolean,
	) {}

	get events(): StatusEvent[] {
		return this.occurrences.map(({ event }) => event);
	}

	get eventCount(): number {
		return this.occurrences.length;
	}

	/** Shows a row of a list or, with `direct`, of a read. False: it must be shown again later, there is no room to track it. */
	see(row: Row, direct = false): boolean {
		const { memory } = this;
		const createdAt = instant(row.createdAt) || memory.at;
		this.newest = Math.max(this.newest, createdAt);
		const known = memory.tracked.get(row.id);
		const print = fingerprint(row.id);
		const last = memory.ended.get(print);
		const isNew = !known && !last && createdAt > memory.mark - this.limits.lateness;
		return isFinal(row.status)
			? this.seeEnd(row, direct, { createdAt, known, print, last, isNew })
			: this.seeActive(row, { createdAt, known, print, last, isNew });
	}

	private seeActive(row: Row, { createdAt, known, last, isNew }: Sighting): boolean {
		const { tracked } = this.memory;
		if (!known && tracked.size >= this.limits.tracked) return false;
		const doubtful =
			(!known || known.doubtful) &&
			last !== undefined &&
			row.completedAt === null &&
			this.memory.at - last.stamp < this.limits.lateness;
		const previous = (known?.status || last?.status) ?? null;
		const status = doubtful ? (known?.status ?? '') : row.status;
		tracked.set(row.id, { createdAt, status, ...(doubtful ? { doubtful } : {}) });
		this.settled.add(row.id);
		if (isNew) this.addCreated(row, createdAt);
		// An inquiry starts in PLANNING: appearing there is its creation, not a change.
		const changed = isNew ? row.status !== 'PLANNING' : previous !== row.status;
		if (changed && !doubtful) {
			const key = `${row.id}:${row.status}:${row.startedAt ?? ''}`;
			const undo = () => tracked.set(row.id, { createdAt, status: known?.status ?? '' });
			this.add({ kind: 'changed', row, previousStatus: previous, key }, undo);
		}
		return true;
	}

	private seeEnd(row: Row, direct: boolean, { createdAt, known, print, last, isNew }: Sighting): boolean {
		const { memory } = this;
		const stamp = this.rules.stampOf(row);
		if (known) {
			if (known.doubtful && last?.stamp === stamp && last.status === row.status) {
				memory.tracked.delete(row.id);
				return true;
			}
		} else if (last) {
			const isLater = stamp > last.stamp || ((stamp === last.stamp || stamp === 0) && row.status !== last.status);
			if (!isLater) return true;
		} else if (!isNew && (stamp || createdAt) <= memory.horizon) {
			return true;
		}
		if (isNew) this.addCreated(row, createdAt);
		const previous = (known?.status || last?.status) ?? null;
		if (stamp === 0 && this.rules.readUndated && !direct) {
			memory.tracked.set(row.id, { createdAt, status: known?.status ?? '' });
			this.undated.add(row.id);
			return true;
		}
		memory.tracked.delete(row.id);
		this.undated.delete(row.id);
		memory.ended.set(print, { stamp: stamp || Math.max(memory.at, createdAt), status: row.status });
		// A service that keeps the completion time on a re-run gives two ends the same date.
		const keptDate = last ? stamp === last.stamp : this.rules.datesEnds && stamp !== 0 && stamp <= memory.horizon;
		const again = keptDate ? `:${memory.at}` : '';
		const key = `${endKey(row)}${again}`;
		const undo = () => {
			memory.tracked.set(row.id, { createdAt, status: known?.status ?? '' });
			if (last) memory.ended.set(print, last);
			else memory.ended.delete(print);
		};
		this.add({ kind: 'ended', row, previousStatus: previous, key }, undo);
		return true;
	}

	private addCreated(row: Row, createdAt: number): void {
		const undo = () => {
			this.memory.tracked.delete(row.id);
			this.memory.ended.delete(fingerprint(row.id));
			this.undoneSince = Math.min(this.undoneSince, createdAt);
		};
		this.add({ kind: 'created', row, previousStatus: null, key: `${row.id}:created` }, undo);
	}

	private add(event: StatusEvent, undo: () => void): void {
		if (this.wanted(event)) this.occurrences.push({ event, undo });
	}

	/** A direct read found nothing. Twice in a row means that it is gone. */
	seeNothing(id: string): void {
		const known = this.memory.tracked.get(id);
		if (!known) return;
		this.settled.add(id);
		this.undated.delete(id);
		if (known.missing) this.memory.tracked.delete(id);
		else this.memory.tracked.set(id, { ...known, missing: true });
	}

	/** Tracked ids that were not among the unfinished ones, oldest first: they finished, vanished, or were overlooked. */
	unsettled(covered: (createdAt: number) => boolean): Array<{ id: string; createdAt: number }> {
		return [...this.memory.tracked]
			.filter(([id, { createdAt }]) => this.undated.has(id) || (!this.settled.has(id) && covered(createdAt)))
			.map(([id, { createdAt }]) => ({ id, createdAt }))
			.sort((a, b) => a.createdAt - b.createdAt);
	}

	isSettled(id: string): boolean {
		return !this.undated.has(id) && (this.settled.has(id) || !this.memory.tracked.has(id));
	}

	isUndated(id: string): boolean {
		return this.undated.has(id);
	}

	/** Lets a judge replace or reject events. What it leaves undecided is as if it had not been seen in this poll. */
	async judge(
		decide: (events: StatusEvent[]) => Promise<ReadonlyMap<StatusEvent, Row | null>>,
	): Promise<StatusEvent[]> {
		const verdicts = await decide(this.events);
		const undecided = new Set<string>();
		const put: StatusEvent[] = [];
		const back: Occurrence[] = [];
		for (const occurrence of this.occurrences) {
			const { event } = occurrence;
			const verdict = verdicts.get(event);
			// Later events of the same inquiry wait with it, so that their order stays.
			if (verdict === undefined || undecided.has(event.row.id)) {
				undecided.add(event.row.id);
				back.push(occurrence);
			} else if (verdict) {
				put.push({ ...event, row: verdict });
			}
		}
		for (const { undo } of back.reverse()) undo();
		return put;
	}

	/** Up to where everything has been looked at, given how far the poll came. */
	markAfter(mark: number): number {
		return Math.min(mark, this.undoneSince - 1);
	}
}

export const endKey = ({ id, status, completedAt }: Row) => `${id}:${status}:${completedAt ?? ''}`;

interface Sighting {
	createdAt: number;
	known: Tracked | undefined;
	print: string;
	last: End | undefined;
	isNew: boolean;
}
