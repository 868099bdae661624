/** What the tracking asks of the service, and nothing more. */

export interface ListedRow {
	id: string;
	status: string;
	createdAt?: string | null;
	/** When the run that it is in, or the last one, began. */
	startedAt?: string | null;
	completedAt?: string | null;
	[key: string]: unknown;
}

/** A row with what its record says besides. The list's word on the status counts, or two views would report in turn. */
export const inFull = (row: ListedRow, { record, startedAt, completedAt }: ListedRow): ListedRow => ({
	...row,
	startedAt: row.startedAt ?? startedAt,
	completedAt: row.completedAt ?? completedAt,
	record: { ...(record as object), status: row.status },
	isFull: true,
});

export interface Page {
	rows: ListedRow[];
	/** How many rows match the query altogether, where the answer says so. */
	total?: number;
	/** The answer's Date header, in milliseconds. */
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
	/** How long this poll may still take. */
	remainingMs(): number;
	/** The host's clock, for a service that sends no Date header. */
	hostTime(): number;
}

const hasZone = (text: string) => /(z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T');

/**
 * Whole seconds since 1970, 0 where there is no time. Rows and records may write one instant with more or fewer digits,
 * so nothing finer tells two ends apart. A time without a zone is taken as UTC here and asked for without a zone.
 */
export function secondsOf(text: string | null | undefined): number {
	if (typeof text !== 'string') return 0;
	return Math.max(0, Math.floor(Date.parse(hasZone(text) ? text : `${text}Z`) / 1_000)) || 0;
}

export const isZoneless = ({ createdAt }: ListedRow) => typeof createdAt === 'string' && !hasZone(createdAt);

export function timestamp(ms: number, zoneless = false): string {
	const text = new Date(ms).toISOString();
	return zoneless ? text.slice(0, -1) : text;
}
