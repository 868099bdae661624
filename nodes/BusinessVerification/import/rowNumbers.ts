import type { Row } from './columns';

/** Where n8n reads a sheet row by row, it says by this which row of the sheet it is. */
const ownNumber = 'row_number';

/** The number by which people find a row: the sheet's own, else counted below the headers. */
export function numberOf(rows: readonly Row[], row: number): number {
	const own = rows[row - 1]?.[ownNumber];
	return typeof own === 'number' && Number.isInteger(own) && own > 0 ? own : row;
}

/** For sentences; in a file that numbers no rows the headers are the first line. */
export function rowNamed(rows: readonly Row[], row: number): string {
	return ownNumber in (rows[row - 1] ?? {})
		? `row ${numberOf(rows, row)}`
		: `row ${row} (line ${row + 1} with the header)`;
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
