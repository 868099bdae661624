import type { Json } from '../../definition';
import { longestName } from '../../import/batchNames';
import { cutIntoChunks, firstRows, type ImportMode, rowsPerBatch } from '../../import/chunks';
import type { GoodRows } from '../../import/goodRows';
import { numberOf } from '../../import/rowNumbers';
import type { SheetReport } from '../../import/sheetCheck';
import type { Sheet } from './sheet';

/** What would be sent, and how the sheet was read. */
export function dryRunReport(
	{ plan, rows }: Sheet,
	{ good, problems, blankRows, changes, checks }: SheetReport,
	{ importMode, chunkSize }: { importMode: ImportMode; chunkSize: number },
): Json {
	const batches = batchesOf(good, importMode, chunkSize);
	const rowsToSend = good.numbers.length;
	const badRows = new Set(problems.map(({ row }) => row)).size;
	const bad = badRows === 0 ? '' : ` ${rowsOf(badRows)} cannot be imported.`;
	return {
		summary: `Nothing was sent or billed: ${rowsOf(rowsToSend)} would go in ${batchesSaid(batches)}, if the service does not have them already.${bad}`,
		dryRun: true,
		batches,
		rowsToSend,
		badRows,
		problems: problems.map((problem) => ({ ...problem, row: numberOf(rows, problem.row) })),
		blankRows: blankRows.map((row) => numberOf(rows, row)),
		mapped: plan.mapped.map(({ header, name }) => ({ column: header, field: name })),
		ignored: plan.ignored,
		ambiguous: plan.ambiguous,
		refused: plan.refused,
		changes,
		checks: checks.filter(({ rows }) => rows > 0),
	};
}

/** Of an import that the service knows nothing of yet. */
function batchesOf({ importName, numbers }: GoodRows, importMode: ImportMode, chunkSize: number): number {
	if (importMode === 'once') return cutIntoChunks(numbers, chunkSize, false).length;
	const size = Math.max(1, rowsPerBatch(importName, chunkSize, longestName));
	return Math.min(1, numbers.length) + cutIntoChunks(numbers.slice(firstRows), size, false).length;
}

export const rowsOf = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);
export const batchesSaid = (batches: number) => (batches === 1 ? '1 batch' : `${batches} batches`);
