import { isKnownStatus } from '../document/inquiries';
import { hasZone, momentOf } from '../document/vocabulary';
import type { Json } from '../kit/service';

/** What a list of the service shows, whoever can be asked for it, and how far what it shows may be off. */

export interface ListedRow {
	id: string;
	status: string;
	createdAt?: string | null;
	/** When the current run began, or the last one if the inquiry is finished. */
	startedAt?: string | null;
	completedAt?: string | null;
	/** Whether its record was read: `unread` if that is still to be done, or failed; `full` if the record completes the row. */
	detail?: 'full' | 'unread';
	/** Of an unread one, when a list showed it without times: in seconds, by the service's clock. */
	shownAt?: number;
	/** The row as the service sent it, or with `full` its record. */
	json?: Json;
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
	/** n8n's clock, in milliseconds. The one of the service may differ by hours. */
	hostTime(): number;
}

/** Row and record as one. The row's status counts: otherwise two copies with different statuses would be reported in turn. */
export const inFull = (row: ListedRow, { json, startedAt, completedAt }: ListedRow): ListedRow => ({
	...row,
	startedAt: row.startedAt ?? startedAt,
	completedAt: row.completedAt ?? completedAt,
	json: { ...json, status: row.status },
	detail: 'full',
	shownAt: undefined,
});

/** Whole seconds since 1970, or 0 without a time: rows and records may write the same time with different precision. */
export const secondsOf = (text: string | null | undefined): number =>
	typeof text === 'string' ? Math.max(0, Math.floor(momentOf(text) / 1_000)) || 0 : 0;

export const isZoneless = ({ createdAt }: ListedRow) => typeof createdAt === 'string' && !hasZone(createdAt);

/** Whether the API documentation does not list it. */
export const isUnknown = (status: string): boolean => status !== '' && !isKnownStatus(status);

/** ALLOWANCES: seconds by which what the service shows may be off, or late. */
export const tolerated = {
	/** A time that is written again, and rounded otherwise. */
	rounding: 1,
	/** Inquiries that become visible after others that were created later. */
	lateness: 120,
	/** Answers from a replica or a cache. */
	oldAnswer: 300,
	/** Early dates and late rows together: levels stay so far behind the newest time, or begin so far before the activation. */
	slack: 600,
	/** Local times without a zone differ from UTC by so much at least, and by a day at most. */
	shift: 3_000,
	/** What could go on for ever: a doubt, following an unknown status, looking back after another filter. */
	day: 86_400,
};

/** Whether no answer can be from before `since` any more. Both times are of n8n's clock. */
export const isPastOldAnswers = (since: number, now: number): boolean => now - since >= tolerated.oldAnswer;
