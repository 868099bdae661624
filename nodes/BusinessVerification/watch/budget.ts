import { largestPage } from '../document/vocabulary';
import type { ListedRow, PageQuery, ReadPage, StatusSource } from './rows';

/** What one poll may take. */
export const defaultLimits = {
	page: largestPage,
	requests: 200,
	events: 20_000,
	sweepPages: 40,
	inMemory: 70_000,
};

export type Limits = typeof defaultLimits;

/** The rest is for the work after the last request. */
const usable = 0.9;

/** Another request is allowed only if the time left fits one as slow as the slowest so far. */
export class Budget {
	answers = 0;
	/** The Date header of the last page, in seconds; 0 if none had one. */
	dateHeader = 0;
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

	/** Whether one more request fits before `share` of the budget is used, and `after` more after it. */
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
		if (date !== undefined) this.dateHeader = Math.floor(date / 1_000);
		// Pages may hold fewer rows than asked for: without a total, only one that is shorter than another counts as the last.
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
