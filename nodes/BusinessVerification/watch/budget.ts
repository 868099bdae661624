import { largestPage } from '../document/vocabulary';
import type { ListedRow, PageQuery, ReadPage, StatusSource } from './rows';

/** What one poll may take. */
export const defaultLimits = {
	/** Rows per page. */
	page: largestPage,
	requests: 200,
	events: 20_000,
	/** Pages of the sweep in one poll. */
	sweepPages: 40,
	/** Inquiries in memory. */
	known: 70_000,
};

export type Limits = typeof defaultLimits;

/** The rest of the host's time is for the work after the last request. */
const usable = 0.9;

/** Counts the requests of a poll. Another is allowed only if the time left fits one as slow as the slowest so far. */
export class Budget {
	answers = 0;
	/** The latest Date header, in seconds; 0 as long as no response had one. */
	date = 0;
	private longestPage = 0;
	private requests = 0;
	private slowest = 0;
	private readonly time: number;

	constructor(
		private readonly source: StatusSource,
		private readonly limits: Limits,
	) {
		this.time = Math.max(1, source.remainingMs());
	}

	/** Whether one more request fits, with `after` more kept in reserve. It begins before `share` of the budget is used. */
	allows(share = 1, after = 0): boolean {
		const used = this.time - this.source.remainingMs();
		return (
			this.requests + after < share * this.limits.requests &&
			used + this.slowest * (1 + after) <= usable * this.time &&
			used <= share * usable * this.time
		);
	}

	page = async (query: PageQuery): Promise<ReadPage> => {
		const page = await this.timed(() => this.source.page(query));
		const { rows, total = -1, date } = page;
		if (date !== undefined) this.date = Math.floor(date / 1_000);
		// The service may give fewer rows than were asked for. If it tells no total either, only a page that is shorter than
		// another one is surely the last.
		this.longestPage = Math.max(this.longestPage, rows.length);
		const isShort = rows.length < Math.min(query.limit, this.longestPage);
		return { ...page, isLast: rows.length === 0 || (total < 0 ? isShort : query.offset + rows.length >= total) };
	};
	read = (id: string): Promise<ListedRow | 'gone'> => this.timed(() => this.source.read(id));

	private async timed<T>(request: () => Promise<T>): Promise<T> {
		const before = this.source.remainingMs();
		this.requests++;
		try {
			const answer = await request();
			this.answers++;
			return answer;
		} finally {
			this.slowest = Math.max(this.slowest, before - this.source.remainingMs());
		}
	}
}
