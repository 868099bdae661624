import { activeStatuses, isEnd, isKnownStatus } from '../document/statuses';
import { bitOf, entered, isForward, textOf } from './entry';
import { slack } from './limits';
import { type Known, levelAt, type Memory, print } from './memory';
import { type Row, seconds } from './source';
import { type Looking, Telling } from './telling';

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
	see(row: Row, direct = false): boolean {
		const created = seconds(row.createdAt);
		const id = print(row.id);
		const entry = this.memory.known.get(id);
		const known = entry?.created === created ? entry : undefined;
		if (known && !this.seen.has(id)) this.recognised++;
		this.seen.add(id);
		return isEnd(row.status)
			? this.seeEnd(row, id, created, known)
			: this.seeRunning(row, id, created, this.looking.isCurrent(direct), known);
	}

	private seeRunning(row: Row, id: number, created: number, isCurrent: boolean, known?: Known): boolean {
		const { limits } = this.looking;
		const level = levelAt(this.memory.steps, created);
		const isNew = !known && created > level;
		// A status nobody knows may last for ever; only what is watched already is followed through it.
		if (!known && !isNew && !isKnownStatus(row.status)) return true;
		if (!known && (this.running >= limits.running || this.isLaden)) return false;
		const entry = known ?? this.enter(created, level);
		// An old copy of an end told lately looks the same as another run.
		const isProof = isCurrent || entry.told === 0 || this.clock.isAged(entry);
		const keepsDate = entry.date > 0 && seconds(row.completedAt) === entry.date;
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

	private seeEnd(row: Row, id: number, created: number, known?: Known): boolean {
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
