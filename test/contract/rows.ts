/**
 * The interface document as a table: what each operation must send, and what must come out. Written from the document
 * alone; nothing here is derived from the code it tests. A new operation adds one row, to the file of its resource, and all
 * that tests every operation makes its cases from these rows.
 */
import type { Row } from './call';
import { batch } from './rows/batch';
import { inquiry } from './rows/inquiry';
import { license } from './rows/license';
import { sellerSearch } from './rows/sellerSearch';
import { user } from './rows/user';

const resources = { batch, inquiry, license, sellerSearch, user };

/** By resource and operation: `inquiry.create`. */
export const rows: Record<string, Row> = Object.fromEntries(
	Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([operation, row]) => [`${resource}.${operation}`, row]),
	),
);
