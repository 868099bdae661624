import { isKnownStatus } from '../document/inquiries';
import { hasZone, momentOf } from '../document/vocabulary';
import type { Json } from '../kit/service';

/** What a list shows of an inquiry is its row; its record answers a request for it alone. */

export interface ListedRow {
	id: string;
	status: string;
	createdAt?: string | null;
	/** When its current or last run began. */
	startedAt?: string | null;
	completedAt?: string | null;
	/** `full`: completed by its record. `unread`: its record is to be read, could not be, or has another status. */
	detail?: 'full' | 'unread';
	/** When an `unread` one was listed: in seconds, as `lastAnswerAt` (poll.ts). */
	listedAt?: number;
	/** As the service sent it; with `full`, its record. */
	json?: Json;
}

export interface Page {
	rows: ListedRow[];
	/** How many rows match the query, if the response says. */
	total?: number;
	/** The Date header, in milliseconds. */
	date?: number;
}

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
	remainingMs(): number;
	/** n8n's clock, in milliseconds. The service's may differ by hours. */
	hostTime(): number;
}

/** Row and record as one, with the status of the row: else two copies of the service that differ would be reported in turn. */
export const inFull = (row: ListedRow, { json, startedAt, completedAt }: ListedRow): ListedRow => ({
	...row,
	startedAt: row.startedAt ?? startedAt,
	completedAt: row.completedAt ?? completedAt,
	json: { ...json, status: row.status },
	detail: 'full',
	listedAt: undefined,
});

/** Whole seconds, because rows and records may write one time with different precision; 0 without a time. */
export const secondsOf = (text: string | null | undefined): number =>
	typeof text === 'string' ? Math.max(0, Math.floor(momentOf(text) / 1_000)) || 0 : 0;

export const isZoneless = ({ createdAt }: ListedRow) => typeof createdAt === 'string' && !hasZone(createdAt);

export const isUndocumented = (status: string): boolean => status !== '' && !isKnownStatus(status);

/** Seconds by which what the service shows may be off, or late. */
export const tolerated = {
	/** A time that is shown again, rounded otherwise. */
	rounding: 1,
	/** Inquiries that become visible after others that were created later, and servers whose clocks differ. */
	lateness: 120,
	/** Answers from a replica or a cache. */
	oldAnswer: 300,
	/** Early dates and late rows together: levels stay so far behind the latest time shown. */
	slack: 600,
	/** Local times without a zone differ from UTC by at least this, and at most a day. */
	shift: 3_000,
	/** What could go on for ever: a doubt, following an undocumented status, looking back after another filter. */
	day: 86_400,
};

/** Whether no answer can be from before `since` any more. */
export const isPastOldAnswers = (since: number, now: number): boolean => now - since >= tolerated.oldAnswer;
