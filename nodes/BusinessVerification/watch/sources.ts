import type { IPollFunctions } from 'n8n-workflow';
import { batchIdOf, outcomeOf } from '../document/answers';
import { routes } from '../document/routes';
import { hasZone, largestPage, momentOf, timeText } from '../document/vocabulary';
import { pageIn } from '../engine/answers';
import { hasShortPolls, pollBudgetMs } from '../engine/host';
import { createSender } from '../engine/sender';
import { inquiryIn } from '../inquiry/record';
import { at, timeoutBounds } from '../kit/operation';
import { type Address, Failure, isUnknownRecord, type Json } from '../kit/service';

/** The lists of the service, and how a poll reads them within its time. */

export interface ListedRow {
	id: string;
	status: string;
	createdAt?: string | null;
	/** When the current run began, or the last one if the inquiry is finished. */
	startedAt?: string | null;
	completedAt?: string | null;
	/** Whether nothing more can be read of it. */
	isFull?: boolean;
	/** The time of the service, in seconds, at which a list showed this row without times, if its record is not read yet. */
	shownAt?: number;
	[key: string]: unknown;
}

/** The list's status counts, because two copies with different statuses would otherwise be reported in turn. */
export const inFull = (row: ListedRow, { record, startedAt, completedAt }: ListedRow): ListedRow => ({
	...row,
	startedAt: row.startedAt ?? startedAt,
	completedAt: row.completedAt ?? completedAt,
	record: { ...(record as object), status: row.status },
	isFull: true,
	shownAt: undefined,
});

export interface Page {
	rows: ListedRow[];
	/** How many rows match the query in total, if the response says. */
	total?: number;
	/** The Date header of the response, in milliseconds. */
	date?: number;
}

export interface PageQuery {
	limit: number;
	offset: number;
	status?: string;
	created_at_from?: string;
	created_at_to?: string;
	sort_by?: 'created_at';
	sort_order?: 'asc' | 'desc';
	source_filters?: string;
	scorecard_score_min?: number;
	scorecard_score_max?: number;
}

export interface StatusSource {
	page(query: PageQuery): Promise<Page>;
	read(id: string): Promise<ListedRow | 'gone'>;
	/** The time left for this poll. */
	remainingMs(): number;
	/** In milliseconds, by the clock of the host. The one of the service may differ by hours. */
	hostTime(): number;
}

/** Whole seconds since 1970, or 0 without a time: rows and records may write the same time with different precision. */
export const secondsOf = (text: string | null | undefined): number =>
	typeof text === 'string' ? Math.max(0, Math.floor(momentOf(text) / 1_000)) || 0 : 0;

export const isZoneless = ({ createdAt }: ListedRow) => typeof createdAt === 'string' && !hasZone(createdAt);

export const isLastPage = ({ rows, total }: Page, offset: number, limit: number): boolean =>
	rows.length === 0 || (total !== undefined && total >= 0 ? offset + rows.length >= total : rows.length < limit);

/** Oldest first. Inclusive or exclusive, the bounds hold every row of these seconds: they lie just outside of them. */
const oldestFirst = (from: number, to: number, zoneless: boolean): Partial<PageQuery> => ({
	...(from > 0 ? { created_at_from: timeText(from * 1_000 - 1, zoneless) } : {}),
	...(to < Infinity ? { created_at_to: timeText(to * 1_000, zoneless) } : {}),
	sort_by: 'created_at',
	sort_order: 'asc',
});

interface Walk {
	/** Undefined if the page cannot be read now. That ends the walk, and what was read before counts. */
	ask(query: PageQuery): Promise<Page | undefined | void>;
	limit?: number;
	/** Pages at most. Without it all must be read. */
	pages?: number;
	/** Whether a second whose rows fill more than a page is read to its end, which can take many pages, or left out. */
	crowds?: boolean;
	zoneless?: boolean;
}

/**
 * Reads the rows created in [from, to), oldest first. Each page starts at the creation time of the last row rather than
 * at an offset, so rows that leave or join the list shift nothing. Returns up to which creation time all was read.
 */
export async function readRows(from: number, to: number, walk: Walk): Promise<number> {
	const { limit = largestPage, pages = Infinity, crowds = true, zoneless = false } = walk;
	let [asked, offset] = [0, 0];
	while (asked < pages) {
		const page = await walk.ask({ ...oldestFirst(from, to, zoneless), limit, offset });
		if (!page) return from;
		if (isLastPage(page, offset, limit)) return to;
		const last = secondsOf(page.rows[page.rows.length - 1].createdAt);
		// An inclusive bound shows a crowd of the last millisecond before it, too. It was read.
		offset = last === from - 1 ? offset + page.rows.length : 0;
		if (offset > 0) continue;
		asked++;
		if (last > from) from = last;
		else if (!crowds || (await readCrowd(last, walk))) from = last + 1;
		else return from;
	}
	return from;
}

/** A crowd is read at most so often. */
const mostReadings = 8;

/**
 * Reads all rows created in one second, if they fill more than a page. Only these need offsets, and their order may change
 * with each request, so they are read again until as many rows were seen as there are: with pages of another size, because
 * a cache answers the same question with the same page.
 */
async function readCrowd(second: number, { ask, limit = largestPage, zoneless = false }: Walk): Promise<boolean> {
	const seen = new Set<string>();
	for (let readings = 0; readings < mostReadings; readings++) {
		const size = limit - readings;
		let [offset, total] = [0, Infinity];
		for (let isAtEnd = false; !isAtEnd;) {
			const page = await ask({ ...oldestFirst(second, second + 1, zoneless), limit: size, offset });
			if (!page) return false;
			for (const { id } of page.rows) seen.add(id);
			total = Math.min(total, page.total ?? Infinity);
			isAtEnd = isLastPage(page, offset, size);
			offset += page.rows.length;
		}
		// Two copies of the service may disagree on the total.
		if (seen.size >= Math.min(offset, total)) return true;
	}
	return false;
}

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
export class Budget implements StatusSource {
	answers = 0;
	/** The Date header of the latest response, in seconds; 0 without one. */
	date = 0;
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
			this.requests + after < Math.max(1, share * this.limits.requests) &&
			used + this.slowest * (1 + after) <= usable * this.time &&
			used <= share * usable * this.time
		);
	}

	page = async (query: PageQuery): Promise<Page> => {
		const page = await this.timed(() => this.source.page(query));
		if (page.date !== undefined) this.date = Math.floor(page.date / 1_000);
		return page;
	};
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

type Asking = Awaited<ReturnType<typeof askingFor>>;

const inquiryAt = (id: string) => at(routes.inquiry, { inquiry_id: id });

/** What can be watched, by the names of the setting. */
export const sources = {
	/** `filters` are sent with every request, so they must never change. Result filters would hide unfinished inquiries. */
	inquiry: (asking: Asking, { filters }: { filters: Json }) =>
		sourceOf(asking, at(routes.inquiries), inquiryAt, inquiryRow, filters),
	batch: (asking: Asking) => sourceOf(asking, at(routes.batches), (id) => at(routes.batch, { batch_id: id }), batchRow),
	batchInquiry: (asking: Asking, { batchId }: { batchId: string }) =>
		sourceOf(asking, at(routes.batchInquiries, { batch_id: batchId }), inquiryAt, inquiryRow),
};

function sourceOf(
	{ exchange, settings, remainingMs }: Asking,
	list: Address,
	one: (id: string) => Address,
	rowOf: (record: Json) => ListedRow,
	filters: Json = {},
): StatusSource {
	return {
		async page(query: PageQuery): Promise<Page> {
			const { body, headers } = await exchange({ ...list, query: { ...filters, ...query }, kind: 'read' });
			const page = pageIn(body, settings.listItemsField);
			const date = Date.parse(String(headers.date));
			return { ...page, rows: page.rows.map(rowOf), ...(Number.isNaN(date) ? {} : { date }) };
		},
		read: (id: string) =>
			exchange({ ...one(id), kind: 'read' }).then(
				({ body }) => rowOf(body as Json),
				(error: unknown) => (isUnknownRecord(error) ? 'gone' : Promise.reject(error)),
			),
		remainingMs,
		hostTime: () => Date.now(),
	};
}

function inquiryRow(row: Json): ListedRow {
	const record = inquiryIn(row);
	const [id, status] = [record.id, record.status].map(filledText);
	if (id === undefined || status === undefined) {
		throw new Failure(`A row carries no ${id === undefined ? 'ID' : 'status'}, so it cannot be followed`, {
			description: `It has the fields ${Object.keys(row).join(', ')}.`,
		});
	}
	const { createdAt, startedAt, completedAt } = record as Pick<ListedRow, 'createdAt' | 'startedAt' | 'completedAt'>;
	return { id, status: status.trim().toUpperCase().slice(0, longestStatus), createdAt, startedAt, completedAt, record };
}

/** A status is part of the stored memory. */
const longestStatus = 50;

function batchRow(record: Json): ListedRow {
	const id = batchIdOf(record);
	if (id === undefined) throw new Failure('A batch carries no batchId, so it cannot be followed');
	const description = 'Use Batch: Wait for each batch instead.';
	// Without its counts, a batch would seem to run for ever.
	if (typeof record.total !== 'number')
		throw new Failure('The list of batches shows no counts, so batches cannot be followed', { description });
	return { id, status: outcomeOf(record), createdAt: filledText(record.createdAt), record };
}

const filledText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A longer poll would delay the next ones, whatever the host allows. */
export const longestPollMs = 240_000;

/** Sends requests within the time that n8n allows one poll. */
export async function askingFor(context: IPollFunctions) {
	const started = performance.now();
	const budget = Math.min(longestPollMs, pollBudgetMs(context));
	// n8n's scheduler repeats failed polls itself, sooner than the node could.
	const repeats = hasShortPolls(context) ? 0 : 2;
	const sender = await createSender(context, {
		concurrency: 1,
		timeout: Math.min(timeoutBounds.default * 1000, budget * 0.8),
		repeats,
	});
	let isOver = false;
	const exchange: typeof sender.exchange = (request) =>
		sender.exchange(request).catch((error: unknown) => {
			isOver ||= concernsScheduler(error);
			throw error;
		});
	// After a rate limit or a refused credential, no further request of this poll can succeed.
	const remainingMs = () => (isOver ? 0 : started + budget - performance.now());
	return { ...sender, exchange, remainingMs };
}

/** What n8n's scheduler should know, so that it waits longer before the next poll. A 403 is about one request alone. */
export const concernsScheduler = (error: unknown) =>
	error instanceof Failure && [401, 429].includes(error.details.httpCode ?? 0);
