import type { Budget } from './budget';
import type { Ledger } from './ledger';
import type { Limits } from './limits';
import type { Cursor, Memory } from './memory';
import type { PageQuery } from './source';
import { type Bounds, created, walk, type Walked } from './walk';

export interface Reading {
	status?: readonly string[];
	/** Part of the budget that may be used up before another page is asked for. */
	share?: number;
	/** Creation time at which it ends. */
	to?: number;
	pages?: number;
}

/** The inquiry list, oldest first; every row it shows goes into the ledger. */
export class Lists {
	/** Pages read in this poll. */
	pages = 0;
	/** The first page that failed after others of its reading. */
	trouble: unknown;

	constructor(
		private readonly budget: Budget,
		private readonly memory: Memory,
		private readonly ledger: Ledger,
		private readonly limits: Limits,
		/** Requests to leave for the judge: what waited long enough is told when all has been asked. */
		private readonly judges: number,
	) {}

	mayAsk = (share = 1): boolean => !this.ledger.isLaden && this.budget.allows(share, this.judges);

	async read(cursor: Cursor, { status, share = 1, to, pages = Infinity }: Reading): Promise<Walked> {
		const { memory, limits } = this;
		const last = this.pages + pages;
		const walked = await walk(
			{
				counts: memory.counts,
				size: limits.page,
				page: (bounds) => this.page(bounds, status),
				mayGoOn: (inCrowd) => (inCrowd || this.pages < last) && this.mayAsk(inCrowd ? Math.max(share, 0.9) : share),
				see: (row) => this.ledger.see(row),
			},
			cursor,
			to,
		);
		memory.counts = walked.counts;
		return walked;
	}

	private async page(bounds: Bounds, status?: readonly string[]) {
		const query: PageQuery = {
			...(status ? { status: status.join(',') } : {}),
			...created(bounds, this.memory.zoneless),
			sort_by: 'created_at',
			sort_order: 'asc',
			limit: this.limits.page,
			offset: bounds.offset,
		};
		this.pages++;
		return this.budget.page(query).catch((error: unknown) => {
			this.trouble ??= error;
			throw error;
		});
	}
}
