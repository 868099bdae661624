import { hasZone, momentOf } from '../document/vocabulary';

/** What a list of the service shows, and whoever can be asked for it. */

export interface ListedRow {
	id: string;
	status: string;
	createdAt?: string | null;
	/** When the current run began, or the last one if the inquiry is finished. */
	startedAt?: string | null;
	completedAt?: string | null;
	/** Beside the list, its record was read (`full`), or could not be (`unread`). */
	detail?: 'full' | 'unread';
	/** Of an unread one, the time of the service, in seconds, at which a list showed it without times. */
	shownAt?: number;
	[key: string]: unknown;
}

export interface Page {
	rows: ListedRow[];
	/** How many rows match the query in total, if the response says. */
	total?: number;
	/** The Date header of the response, in milliseconds. */
	date?: number;
}

/** A page of a poll. */
export type ReadPage = Page & { isLast: boolean };

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

/** The list's status counts, because two copies with different statuses would otherwise be reported in turn. */
export const inFull = (row: ListedRow, { record, startedAt, completedAt }: ListedRow): ListedRow => ({
	...row,
	startedAt: row.startedAt ?? startedAt,
	completedAt: row.completedAt ?? completedAt,
	record: { ...(record as object), status: row.status },
	detail: 'full',
	shownAt: undefined,
});

/** Whole seconds since 1970, or 0 without a time: rows and records may write the same time with different precision. */
export const secondsOf = (text: string | null | undefined): number =>
	typeof text === 'string' ? Math.max(0, Math.floor(momentOf(text) / 1_000)) || 0 : 0;

export const isZoneless = ({ createdAt }: ListedRow) => typeof createdAt === 'string' && !hasZone(createdAt);
