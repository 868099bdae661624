import type { Page, PageQuery, Row, StatusSource } from './source';

/** Part of the host's time is left for what happens after the last request. */
const usableShare = 0.8;

/** Counts what a poll has used, so that every step leaves something for the next one. */
export class Allowance implements StatusSource {
	private requests = 0;
	private readonly time: number;

	constructor(
		private readonly source: StatusSource,
		private readonly requestsAtMost: number,
	) {
		this.time = Math.max(1, source.remainingMs());
	}

	/** Whether less than this share of the poll's requests and time is used up. */
	left(share: number): boolean {
		const used = this.time - this.source.remainingMs();
		return this.requests < share * this.requestsAtMost && used < share * usableShare * this.time;
	}

	async page(query: PageQuery): Promise<Page> {
		this.requests++;
		return this.source.page(query);
	}

	async read(id: string): Promise<Row | 'gone'> {
		this.requests++;
		return this.source.read(id);
	}

	remainingMs(): number {
		return this.source.remainingMs();
	}
}
