import { hasZone, momentOf } from '../document/vocabulary';

/** The interface between tracking and the service. */

export interface ListedRow {
	id: string;
	status: string;
	createdAt?: string | null;
	/** When the current run began, or the last one if the inquiry is finished. */
	startedAt?: string | null;
	completedAt?: string | null;
	/** Whether nothing more can be read of it. */
	isFull?: boolean;
	/** Whether it cannot be an outdated copy, whatever its times say. */
	isCurrent?: boolean;
	[key: string]: unknown;
}

/** The list's status counts, because two copies with different statuses would otherwise be reported in turn. */
export const inFull = (row: ListedRow, { record, startedAt, completedAt }: ListedRow): ListedRow => ({
	...row,
	startedAt: row.startedAt ?? startedAt,
	completedAt: row.completedAt ?? completedAt,
	record: { ...(record as object), status: row.status },
	isFull: true,
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
	/** The host's clock in milliseconds, for services that send no Date header. */
	hostTime(): number;
}

/**
 * Whole seconds since 1970, or 0 without a time. Rows and records may write the same time with different precision, so
 * fractions must not distinguish two completions.
 */
export function secondsOf(text: string | null | undefined): number {
	if (typeof text !== 'string') return 0;
	return Math.max(0, Math.floor(momentOf(text) / 1_000)) || 0;
}

export const isZoneless = ({ createdAt }: ListedRow) => typeof createdAt === 'string' && !hasZone(createdAt);
