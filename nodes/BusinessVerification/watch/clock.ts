import { largestPage } from '../document/vocabulary';
import type { Memory } from './memory';
import { type Known, oldestCopy, type Sight } from './occurrence';
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
	events: 20_000,
	sweepPages: 40,
	running: 40_000,
	ended: 30_000,
};

/** The service's clocks and copies may differ by this many seconds, by `leastSlack` under heavy load. */
export const slack = 600;
export const leastSlack = 180;
/** By so much local times without a zone go back when the clocks change. */
const clockChange = 3_600;
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

const day = 86_400;

/** The newest of some times, but for those that single wrong rows may carry. */
export const newestOf = (times: number[], doubt = doubted): number => times.sort((a, b) => b - a)[doubt - 1] ?? 0;

/** Times that are a day ahead of both clocks cannot be. */
export const isWrong = (time: number, { date, hostTime }: Budget): boolean =>
	time > Math.max(date ?? 0, hostTime()) / 1_000 + day;

/** The newest time that an entry knows of the service. */
export const stampOf = ({ created, began, date }: Known): number => Math.max(created, began, date);

/**
 * The time of one poll. How long something has lasted is measured by our own clock, which only goes on; what came before
 * what, only the stamps of the rows say.
 */
export class Clock {
	/** In seconds. */
	readonly now: number;
	/** Since the last poll; one at least. */
	readonly minutes: number;
	/** No end that is still to be seen is dated before this: ends up to here can be left to the level. */
	readonly settled: number;
	/** The newest time that rows have shown, single wrong ones aside. */
	readonly newest: number;
	private readonly ahead: number;

	constructor(
		memory: Memory,
		private readonly budget: Budget,
		room = Infinity,
	) {
		const host = Math.floor(budget.hostTime());
		const isFirst = memory.host === 0;
		const passed = isFirst ? host : Math.max(1, host - memory.host);
		memory.at += passed;
		if (!isFirst) memory.distance = passed;
		memory.host = host;
		this.now = Math.floor(memory.at / 1_000);
		this.minutes = isFirst ? 1 : Math.max(1, Math.round(passed / 60_000));
		const ended = [...memory.known.values()].filter(({ open }) => open === 0);
		const stamps = ended.map(stampOf).filter((time) => !isWrong(time, budget));
		const hasRoom = ended.length < room;
		const newest = newestOf(stamps, hasRoom ? doubted : Math.min(doubted, Math.ceil(stamps.length / 2)));
		this.newest = newest || memory.floor;
		this.ahead = isFirst ? this.newest - this.now : Math.max(memory.ahead, this.newest - this.now);
		memory.ahead = this.ahead;
		const behind = memory.zoneless ? slack + clockChange : slack;
		const crowded = memory.zoneless ? 0 : (stamps[keptForSlack - 1] ?? 0);
		const least = newest - (hasRoom ? leastSlack : 0);
		this.settled = Math.max(0, Math.min(least, hasRoom ? Math.max(newest - behind, crowded) : least));
	}

	/** Minutes since; none since 0, which is no time. */
	since = (time: number): number => (time === 0 ? 0 : Math.round((this.now - time) / 60));

	/** What the clock that writes the rows is ahead of ours, at most: the Date header is one of the same service. */
	private get aheadAtMost(): number {
		return Math.max(this.ahead, Math.floor((this.budget.date ?? 0) / 1_000) - this.now, 0);
	}

	/** Nothing that ended up to a time of our clock is dated after this, however the clocks of the service differ. */
	latestAt = (time: number): number => time + this.aheadAtMost + leastSlack;

	/** What was told without a date of its own must stay as long as that date may still come. */
	lastOf = (entry: Known): number =>
		entry.own ? stampOf(entry) : Math.max(stampOf(entry), entry.told + this.ahead + oldestCopy);

	/** Minutes that results of an end have been waited for: what was waited for before may have been another one. */
	waited({ completedAt }: ListedRow, from: number): number {
		const minutes = this.since(from);
		const date = secondsOf(completedAt);
		if (date === 0 || isWrong(date, this.budget)) return Math.max(0, minutes - this.minutes);
		return Math.max(0, Math.min(minutes, Math.round((this.now + this.aheadAtMost - date) / 60)));
	}

	/** What a row shows, so far as it can be believed. */
	sightOf({ status, createdAt, startedAt, completedAt }: ListedRow): Sight {
		const [created, started, ended] = [createdAt, startedAt, completedAt].map(secondsOf);
		const isStarted = started > 0 && !isWrong(started, this.budget);
		const isWrongDate = isWrong(ended, this.budget);
		const date = isWrongDate ? 0 : ended;
		return { created, start: isStarted ? started : created, date, isWrong: isWrongDate, isStarted, status };
	}
}
