/** What the tracking asks of the service, and nothing more. */

export interface Row {
	id: string;
	status: string;
	createdAt?: string | null;
	startedAt?: string | null;
	completedAt?: string | null;
	[key: string]: unknown;
}

export interface Page {
	rows: Row[];
	/** How many rows match the query altogether. */
	total: number;
	/** The service's own clock, in whole milliseconds. */
	serviceNow: number;
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
	read(id: string): Promise<Row | 'gone'>;
	/** How long this poll may still take. */
	remainingMs(): number;
}

export const activeStatuses = ['PLANNING', 'RUNNING', 'ENRICHING'];
export const finalStatuses = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

/** A status the document does not know is not an end. */
export const isFinal = (status: string) => finalStatuses.includes(status);

/** Milliseconds of a timestamp, 0 where there is none. A service that leaves the zone out means UTC. */
export function instant(text: string | null | undefined): number {
	if (!text) return 0;
	const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
	return Date.parse(zoned) || 0;
}

export const timestamp = (ms: number) => new Date(ms).toISOString();
