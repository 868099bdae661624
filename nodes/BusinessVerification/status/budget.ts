import type { Limits } from './limits';
import type { Page, PageQuery, Row, StatusSource } from './source';

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

	read = (id: string): Promise<Row | 'gone'> => this.timed(() => this.source.read(id));

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
