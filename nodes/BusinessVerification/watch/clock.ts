import { largestPage } from '../document/vocabulary';
import type { Known, Memory } from './memory';
import { type Page, type PageQuery, type ListedRow, secondsOf, type StatusSource } from './source';

/** The bounds of one poll and of what is remembered between polls. */
export interface Limits {
	/** Rows per page. */
	page: number;
	requests: number;
	events: number;
	/** Pages of the sweep in one poll. */
	sweepPages: number;
	/** Unfinished inquiries in memory. */
	running: number;
	/** Reported ends in memory. */
	ended: number;
}

export const defaultLimits: Limits = {
	page: largestPage,
	requests: 200,
	events: 5_000,
	sweepPages: 40,
	running: 40_000,
	ended: 30_000,
};

/** The service's clocks and copies may differ by this many seconds, by `leastSlack` under heavy load. */
export const slack = 600;
export const leastSlack = 180;
/** This many newest times are not believed alone: single rows may be dated in the future. */
export const doubted = 20;
/** More ends than this are not kept only because they are younger than `slack`. */
export const keptForSlack = 2_000;

/** A tenth of the host's time is left for what happens after the last request. */
const usable = 0.9;

/** Counts what a poll has used. A request is made only if one as slow as the slowest so far would still fit. */
export class Budget implements StatusSource {
	requests = 0;
	answers = 0;
	/** The last Date header. */
	date: number | undefined;
	private slowest = 0;
	private readonly time: number;

	constructor(
		private readonly source: StatusSource,
		private readonly limits: Limits,
	) {
		this.time = Math.max(1, source.remainingMs());
	}

	/**
	 * Whether one more request fits, and so many after it. A share keeps one stage from using up what the next ones need.
	 */
	allows(share = 1, after = 0): boolean {
		const used = this.time - this.source.remainingMs();
		return (
			this.requests + after < Math.max(1, share * this.limits.requests) &&
			used + this.slowest * (1 + after) <= usable * this.time &&
			used <= share * usable * this.time
		);
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

/** Clocks that are no further apart than this agree, in seconds. */
const agreement = 900;
const day = 86_400;

/** What the service's Date header and the host say, in seconds. */
export interface Clocks {
	date?: number;
	host: number;
}

export const clocksOf = ({ date, hostTime }: Budget): Clocks => ({
	date: date && Math.floor(date / 1_000),
	host: Math.floor(hostTime() / 1_000),
});

/**
 * The service's time, in seconds: where the two disagree, the one that its rows bear out, and of both the one that goes on
 * with what the last poll believed, or the earlier one.
 */
export function serviceTime({ date, host }: Clocks, newest: number, believed = 0): number {
	if (date === undefined) return host;
	if (Math.abs(date - host) <= agreement) return date;
	const possible = [date, host].filter((time) => time >= newest - slack);
	possible.sort((a, b) => Math.abs(a - believed) - Math.abs(b - believed));
	return possible[0] ?? newest;
}

/** The time of the last poll, and what the host's clock has gone on since. */
export const believedTime = ({ at, host }: Memory, now: number): number =>
	at === 0 ? 0 : Math.floor(at / 1_000) + now - host;

/** What ended before this clock or the host's, if the two agree, may have ended before now. */
export const atLatest = (time: number, host: number): number =>
	Math.abs(host - time) <= agreement ? Math.max(time, host) : time;

/** The newest of some times, but for those that single wrong rows may carry. */
export const newestOf = (times: number[], doubt = doubted): number => times.sort((a, b) => b - a)[doubt - 1] ?? 0;

/** The time of one poll, to be taken again when the first answer has arrived. */
export class Clock {
	/** In seconds, as the rows count them. */
	readonly now: number;
	/** By the clock that is ahead. */
	readonly latest: number;
	/** Since the last poll; one at least. */
	readonly minutes: number;
	/** The latest time of all polls, which never goes back: waiting is measured by it. */
	readonly latestPoll: number;
	/** No end that is still to be seen is dated before this: ends up to here can be left to the level. */
	readonly settled: number;

	constructor(memory: Memory, budget: Budget, room = Infinity) {
		const { shift, at } = memory;
		const clocks = clocksOf(budget);
		const { date = 0, host } = clocks;
		const dates = [...memory.known.values()].filter(({ told }) => told > 0).map((entry) => entry.date);
		const newest = newestOf(dates);
		// Before the first answer nothing says that the host is right: it is still the time of the last poll.
		const time =
			budget.answers === 0 ? Math.floor(at / 1_000) : serviceTime(clocks, newest - shift, believedTime(memory, host));
		this.now = time + shift;
		this.latest = Math.max(host, date) + shift;
		this.minutes = Math.max(1, Math.round((time - Math.floor(at / 1_000)) / 60));
		const crowded = dates[keptForSlack - 1] ?? 0;
		const least = Math.min(newest, this.now) - leastSlack;
		const settled = Math.max(0, Math.min(least, Math.max(newest - slack, crowded)));
		// With no room for another end, the clock alone must do.
		this.settled = dates.length < room ? settled : Math.max(settled, this.now - leastSlack);
		memory.at = Math.max(at, time * 1_000);
		if (budget.answers > 0) memory.host = host;
		this.latestPoll = Math.floor(memory.at / 1_000);
	}

	/** Minutes since; none since 0, which is no time. */
	since = (time: number): number => (time === 0 ? 0 : Math.round((this.latestPoll - time) / 60));

	isFuture = (time: number): boolean => time > this.now + day;

	/** When a row says that it ended; a date that is a day ahead of both clocks is none. */
	dateOf({ completedAt }: ListedRow): number {
		const date = secondsOf(completedAt);
		return date > this.latest + day ? 0 : date;
	}

	/** Minutes that an end has been waited for: what was waited for before may have been another one. */
	waited(row: ListedRow, from: number): number {
		const minutes = this.since(from);
		const date = this.dateOf(row);
		// Without a date it may have come after the last poll.
		if (date === 0 || date > this.now) return Math.max(0, minutes - this.minutes);
		return Math.min(minutes, Math.round((this.now - date) / 60));
	}

	/** No copy of the service is so old that it shows the state before that end. */
	isAged = ({ date }: Known): boolean => this.now > date + slack;
}
