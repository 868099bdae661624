import { Failure } from '../../definition/failure';
import type { Json, Service } from '../../definition/service';
import type { RowProblem } from '../../import/findings';
import { longestName } from '../../import/batchNames';
import { cutIntoChunks, firstRows, type ImportMode, rowsPerBatch } from '../../import/chunks';
import type { GoodRows } from '../../import/goodRows';
import type { SheetReport } from '../../import/sheetCheck';
import type { Change } from '../../values/changes';
import { shortened } from './refusal';
import type { Delivery } from './sending';
import type { Sheet } from './sheet';

const mostListed = 100;

const said = ({ row, column, reason }: RowProblem) => `Row ${row}: '${column}' ${reason}`;

/** A guard against the wrong sheet: asked before anything is sent. */
export function refuseTooMany(rows: number, maxRows: number): void {
	if (maxRows === 0 || rows <= maxRows) return;
	throw new Failure(`The sheet has ${rows} rows, more than the ${maxRows} allowed in one run`, {
		parameter: 'options.maxRows',
		description: "Nothing was sent. Raise 'Maximum Rows' in the options or send fewer rows.",
	});
}

/** Under "Stop" nothing is sent while any row is bad, and all of them are named at once. */
export function refuseBad({ problems }: SheetReport, rows: number): void {
	if (problems.length === 0) return;
	const bad = new Set(problems.map(({ row }) => row)).size;
	const more =
		problems.length > mostListed ? [`… and ${problems.length - mostListed} more. 'Dry Run' lists them all.`] : [];
	throw new Failure(`${bad} of ${rows} rows cannot be imported, so nothing was sent`, {
		parameter: 'columns',
		description: [
			...problems.slice(0, mostListed).map(said),
			...more,
			"Correct them, or set 'On Error' to 'Continue (using error output)' to send the others.",
		].join('\n'),
	});
}

/** Under "Stop" one error speaks for all batches that did not get through, and says what did. */
export function refuseUnsent(deliveries: readonly Delivery[], { numbers }: GoodRows): void {
	const unsent = deliveries.flatMap((delivery) => ('failure' in delivery ? [delivery] : []));
	if (unsent.length === 0) return;
	const { places, failure } = unsent[0];
	const unknown = unsent.find((one) => one.failure.details.submission === 'unknown');
	const others = unsent.length === 1 ? '' : ` ${unsent.length - 1} more batches did not get through either.`;
	const unlisted = deliveries.some((delivery) => !('failure' in delivery) && !delivery.isListed);
	const goOn = unlisted
		? "The service does not show them under their names: import the rows that were not sent alone, under another 'Batch Name'."
		: 'Running the same import again sends only what is missing.';
	throw new Failure(`Batch of the rows ${numbers[places[0]]} to ${numbers[places.at(-1)!]}: ${failure.message}`, {
		...failure.details,
		submission: unknown?.failure.details.submission,
		description:
			`${failure.details.description ?? ''}\n${deliveries.length - unsent.length} of ${deliveries.length} batches are with the service.${others} ` +
			goOn,
	});
}

export function dryRunReport(
	{ plan }: Sheet,
	{ good, problems, blankRows, changes, checks }: SheetReport,
	{ importMode, chunkSize }: { importMode: ImportMode; chunkSize: number },
): Json {
	return {
		dryRun: true,
		batches: batchesOf(good, importMode, chunkSize),
		rowsToSend: good.numbers.length,
		badRows: new Set(problems.map(({ row }) => row)).size,
		problems,
		blankRows,
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

const changeWords: Record<Change, string> = {
	trimmed: 'white space was taken away',
	blankDropped: 'blank, so not sent',
	convertedToText: 'sent as text',
	zerosRestored: 'leading zeros were restored',
	zerosPerhapsLost: "leading zeros are perhaps lost; 'Restore Zeros in Text' in the options brings them back",
	dateRewritten: 'the date was written as YYYY-MM-DD',
	convertedFromText: 'read from text',
};

const cellCount = (cells: number, firstRow: number) =>
	cells === 1 ? `in row ${firstRow}` : `in ${cells} rows, first in row ${firstRow}`;

/** What the editor shows beside the output: how the columns were understood and what was changed. */
export function tell({ plan }: Sheet, { changes, blankRows }: SheetReport, service: Service): void {
	if (plan.ignored.length > 0) service.remark(`Columns that were not sent: ${plan.ignored.join(', ')}.`);
	for (const { target, used, unused } of plan.ambiguous) {
		service.remark(`'${used}' was read as ${target}; ${unused.map((name) => `'${name}'`).join(', ')} was not sent.`);
	}
	for (const { target, header, reason } of plan.refused)
		service.remark(`'${header}' was not mapped to ${target}: ${reason}.`);
	if (blankRows.length > 0)
		service.remark(`${blankRows.length} blank rows were skipped, the first is row ${blankRows[0]}.`);
	for (const { column, change, cells, firstRow } of changes)
		service.remark(`'${column}' ${cellCount(cells, firstRow)}: ${changeWords[change]}.`);
}

/** What the output says of some rows, said once for all in the editor. */
export function tellDeliveries(deliveries: readonly Delivery[], service: Service): void {
	const concerned = new Map<string, string[]>();
	for (const delivery of deliveries) {
		if ('failure' in delivery) continue;
		const { batchName, batchId, alsoSentAs, warnings } = delivery;
		const name = `'${shortened(batchName)}'`;
		if (alsoSentAs.length > 0) {
			service.remark(
				`The service holds rows of ${name} ${alsoSentAs.length + 1} times (${[batchId, ...alsoSentAs].join(', ')}): another process ran this import at the same time.`,
			);
		}
		for (const warning of warnings) concerned.set(warning, [...(concerned.get(warning) ?? []), name]);
	}
	for (const [warning, [first, ...others]] of concerned) {
		service.remark(`Batch ${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${warning}`);
	}
}
