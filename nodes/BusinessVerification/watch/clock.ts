import { largestPage } from '../document/vocabulary';
import type { Memory } from './memory';
import { type Known, oldestCopy, type Sight } from './occurrence';
import { type Page, type PageQuery, type ListedRow, secondsOf, type StatusSource } from './source';

/** Limits of one poll, and of the memory between polls. */
export const defaultLimits = {
	/** Rows per page. */
	page: largestPage,
	requests: 200,
	events: 20_000,
	/** Pages of the sweep in one poll. */
	sweepPages: 40,
	/** Unfinished inquiries in memory. */
	running: 40_000,
	/** Reported completions in memory. */
	ended: 30_000,
};

export type Limits = typeof defaultLimits;

/** Seconds that the service's clocks and copies may differ; a crowded memory allows only `leastSlack` for that. */
export const slack = 600;
const leastSlack = 180;
/** Seconds by which a clock of the service may be further ahead than the times in rows have shown so far. */
const unshown = 60;
/** Seconds by which local times without a zone go back when daylight saving time ends. */
export const clockChange = 3_600;
/** Single rows may be dated in the future, so `newestOf` skips the newest times up to this many. */
const doubted = 20;
/** Beyond this many completions, being younger than `slack` is no longer a reason to keep one. */
const keptForSlack = 2_000;

/** The rest of the host's time is for the work after the last request. */
const usable = 0.9;

/** Counts the requests of a poll. Another is allowed only if the time left fits one as slow as the slowest so far. */
export class Budget implements StatusSource {
	requests = 0;
	answers = 0;
	/** The Date header of the latest response, in milliseconds. */
	date: number | undefined;
	private slowest = 0;
	private readonly time: number;

	constructor(
		private readonly source: StatusSource,
		readonly limits: Limits,
	) {
		this.time = Math.max(1, source.remainingMs());
	}

	/**
	 * Whether one more request fits, and `after` more behind it. `share` keeps a stage from using up the whole budget.
	 */
	allows(share = 1, after = 0): boolean {
		const { usedMs } = this;
		return (
			this.requests + after < Math.max(1, share * this.limits.requests) &&
			usedMs + this.slowest * (1 + after) <= usable * this.time &&
			usedMs <= share * usable * this.time
		);
	}

	get usedMs(): number {
		return this.time - this.source.remainingMs();
	}

	page = (query: PageQuery): Promise<Page> =>
		this.timed(async () => {
			const page = await this.source.page(query);
			this.date = page.date ?? this.date;
			return page;
		});

	read = (id: string): Promise<ListedRow | 'gone'> => this.timed(() => this.source.read(id));

	remainingMs = () => this.source.remainingMs();

	hostTime = () => this.source.hostTime();

	private async timed<T>(ask: () => Promise<T>): Promise<T> {
		const before = this.source.remainingMs();
		this.requests++;
		try {
			const answer = await ask();
			this.answers++;
			return answer;
		} finally {
			this.slowest = Math.max(this.slowest, before - this.source.remainingMs());
		}
	}
}

const day = 86_400;
const quarter = 900;

/** The newest time, without those that single misdated rows may carry. Leaves the newest times first. */
export const newestOf = (times: number[], doubt = doubted): number => times.sort((a, b) => b - a)[doubt - 1] ?? 0;

/** The same of few times, of which no more than half may be misdated. */
export const newestOfFew = (times: number[]): number => newestOf(times, Math.min(doubted, Math.ceil(times.length / 2)));

/** The newest of the service's times in an entry. */
export const stampOf = ({ created, began, date }: Known): number => Math.max(created, began, date);

/**
 * The time of one poll. Durations are measured by our clock, which never goes back. The order of events follows the
 * timestamps of the rows only, because the two clocks may differ.
 */
export class Clock {
	/** In seconds. */
	readonly now: number;
	/** Minutes since the last poll, at least one; none in the first poll. */
	readonly minutes: number;
	/** Every completion dated before this has been seen by now, so `raise` may lift levels up to this time. */
	readonly settled: number;
	/** The newest time that rows have shown, single misdated rows aside. */
	readonly newest: number;
	/** Time of the poll that was over at `now`. */
	private readonly usedMs: number;

	constructor(
		private readonly memory: Memory,
		private readonly budget: Budget,
	) {
		const host = Math.floor(budget.hostTime());
		const isFirst = memory.host === 0;
		const passed = isFirst ? host : Math.max(1, host - memory.host);
		memory.at += passed;
		if (!isFirst) memory.distance = passed;
		memory.host = host;
		this.now = Math.floor(memory.at / 1_000);
		this.usedMs = budget.usedMs;
		this.minutes = isFirst ? 0 : Math.max(1, Math.round(passed / 60_000));
		const ended = [...memory.known.values()].filter(({ open }) => open === 0);
		const stamps = ended.map(stampOf).filter((time) => !this.isWrong(time));
		const hasRoom = ended.length < budget.limits.ended;
		const newest = hasRoom ? newestOf(stamps) : newestOfFew(stamps);
		this.newest = newest || memory.floor;
		memory.last = this.present;
		const behind = memory.zoneless ? slack + clockChange : slack;
		const crowded = memory.zoneless ? 0 : (stamps[keptForSlack - 1] ?? 0);
		const settled = Math.min(newest - leastSlack, Math.max(newest - behind, crowded));
		this.settled = Math.max(0, hasRoom ? settled : newest);
	}

	/** In minutes. 0 stands for "never", so no time has passed since. */
	since = (time: number): number => (time === 0 ? 0 : Math.round((this.now - time) / 60));

	/**
	 * Seconds by which the clock that writes the rows may be ahead of ours. The Date header shows it too, but says nothing
	 * about times without a zone: those differ from UTC by whole quarters of an hour.
	 */
	private get aheadAtMost(): number {
		const { ahead, zoneless } = this.memory;
		if (zoneless) return Math.max(ahead, Math.ceil((ahead - unshown) / quarter) * quarter);
		const { date } = this.budget;
		return Math.max(ahead, date === undefined ? 0 : Math.floor(date / 1_000) - this.now);
	}

	/** The latest date that the service can have given to a completion that happened by `time` of our clock. */
	latestAt = (time: number): number => time + this.aheadAtMost + unshown;

	/** The latest date of what finished before the first poll. Only a Date header says what time it is at the service. */
	get beginning(): number {
		return this.budget.date === undefined ? this.latestAt(this.now) : this.memory.floor;
	}

	/** An entry reported without a date stays in memory as long as a copy may still add the date of that completion. */
	lastOf = (entry: Known): number =>
		entry.own ? stampOf(entry) : Math.max(stampOf(entry), entry.told + this.memory.ahead + oldestCopy);

	/** Minutes awaited. `from` may belong to an earlier completion, so the completion date limits them. */
	waited({ completedAt }: ListedRow, from: number): number {
		const minutes = this.since(from);
		const date = secondsOf(completedAt);
		if (date === 0 || this.isWrong(date)) return Math.max(0, minutes - this.minutes);
		return Math.max(0, Math.min(minutes, Math.round((this.now + this.aheadAtMost - date) / 60)));
	}

	/** No time of a row is from the future, so each shows how far the clock that wrote it is ahead of ours at least. */
	learn({ created, start, date }: Sight): void {
		const { memory, budget } = this;
		const now = this.now + Math.floor((budget.usedMs - this.usedMs) / 1_000);
		const newest = Math.max(...[created, start, date].filter((time) => !this.isWrong(time)));
		memory.ahead = Math.max(memory.ahead, newest - now);
		memory.last = this.present;
	}

	/**
	 * A time more than a day ahead of the service's time is taken for an error of the row. One of the two clocks may be
	 * wrong, so the earlier one counts, unless rows have shown it to be slow.
	 */
	private isWrong(time: number): boolean {
		const { memory, now, budget } = this;
		const clocks = Math.min(budget.date ?? Infinity, budget.hostTime()) / 1_000;
		return time > Math.max(clocks, now + memory.ahead) + day;
	}

	/** The service's time, as far as rows have shown it. Times ahead of both clocks are of a node whose clock is fast. */
	private get present(): number {
		const { memory, now, budget } = this;
		const clocks = Math.max(budget.date ?? Infinity, budget.hostTime()) / 1_000;
		return Math.min(now + memory.ahead, memory.zoneless ? Infinity : Math.floor(clocks));
	}

	/** The times of a row, without those that cannot be true. */
	sightOf({ status, createdAt, startedAt, completedAt }: ListedRow): Sight {
		const [created, started, ended] = [createdAt, startedAt, completedAt].map(secondsOf);
		const isStarted = started > 0 && !this.isWrong(started);
		const isWrongDate = this.isWrong(ended);
		const date = isWrongDate ? 0 : ended;
		return { created, start: isStarted ? started : created, date, isWrong: isWrongDate, isStarted, status };
	}
}
