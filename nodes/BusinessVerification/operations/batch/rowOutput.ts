import type { Json } from '../../definition';
import type { JoinedRow } from '../../import/join';
import { numberOf } from '../../import/rowNumbers';
import { idOf, judged } from '../inquiry/inquiryRecord';
import type { Sheet } from './sheet';

/** Rows are numbered as people count them, items from 0. */
export const itemOf = (row: number) => row - 1;

/** What came of the row is read first, the row itself after it, and all that is known last. */
export function rowOutput({ rows }: Sheet, row: number, { status, score, id }: First, details: Json): Json {
	const first: Json = {
		verificationStatus: status,
		...(score !== undefined && { verificationScore: score }),
		inquiryId: id ?? null,
	};
	// Begun by one key, and not spread twice: otherwise V8 makes a hash table of every row, at ten times the cost.
	const output: Json = { verificationStatus: status, ...first, ...rows[itemOf(row)] };
	// A sheet may have columns of these names from the last time.
	return Object.assign(output, first, { verification: { row: numberOf(rows, row), ...details } });
}

export interface First {
	/** The inquiry's, or in small letters what there is to say instead. */
	status: unknown;
	score?: unknown;
	id?: string;
}

export const statusOf = (row: JoinedRow): First =>
	'notJoinable' in row ? { status: 'sent, not matched' } : { status: row.inquiry.status, id: idOf(row.inquiry) };

export function resultOf(row: JoinedRow): Json {
	if ('notJoinable' in row) return { notJoinable: row.notJoinable };
	const { inquiry, joinedBy } = row;
	return { ...inquiry, ...judged(inquiry), joinedBy };
}
