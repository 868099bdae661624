import { Failure, type Json, type Service } from '../kit/service';
import { cutIntoChunks, firstRows, type ImportMode, longestName, rowsPerBatch } from './names';
import { shortName, type Delivery } from './recognition';
import { capitalised, numberOf, rowNamed, type RowProblem } from './rows';
import type { Sheet, SheetReport } from './check';
import { labelOf, targetNamed } from './columns';
import type { Change } from '../kit/value';
import type { GoodRows } from './goodRows';

/** What would be sent, and how the sheet was read. */
export function dryRunReport(
	{ plan, rows }: Sheet,
	{ good, problems, blankRows, rowsWithoutId, changes, checks }: SheetReport,
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
		rowsWithoutId: rowsWithoutId.map((row) => numberOf(rows, row)),
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

const mostListed = 100;

const said = (rows: readonly Json[], { row, column, reason }: RowProblem) =>
	`${capitalised(rowNamed(rows, row))}: '${column}' ${reason}`;

/** A guard against the wrong sheet: asked before anything is sent. */
export function refuseTooMany(rows: number, maxRows: number): void {
	if (maxRows === 0 || rows <= maxRows) return;
	throw new Failure(`The sheet has ${rows} rows, more than the ${maxRows} allowed in one run`, {
		parameter: 'sheetOptions.maxRows',
		description: "Nothing was sent. Raise 'Maximum Rows' in the sheet options or send fewer rows.",
		cause: 'configuration-invalid',
	});
}

/** Under "Stop" nothing is sent while any row is bad, and all of them are named at once. */
export function refuseBad({ problems }: SheetReport, rows: readonly Json[]): void {
	if (problems.length === 0) return;
	const bad = new Set(problems.map(({ row }) => row)).size;
	const more =
		problems.length > mostListed ? [`… and ${problems.length - mostListed} more. 'Dry Run' lists them all.`] : [];
	throw new Failure(`${bad} of ${rows.length} rows cannot be imported, so nothing was sent`, {
		parameter: 'columns',
		description: [
			...problems.slice(0, mostListed).map((problem) => said(rows, problem)),
			...more,
			"Correct them, or set 'On Error' to 'Continue (using error output)' to send the others.",
		].join('\n'),
	});
}

/** Under "Stop" one error speaks for all batches that did not get through, and says what did. */
export function refuseUnsent(deliveries: readonly Delivery[], { rows }: Sheet, { numbers }: GoodRows): void {
	const unsent = deliveries.flatMap((delivery) => ('failure' in delivery ? [delivery] : []));
	if (unsent.length === 0) return;
	const { places, failure } = unsent[0];
	const unknown = unsent.find((one) => one.failure.details.submission === 'unknown');
	const others = unsent.length === 1 ? '' : ` ${unsent.length - 1} more batches did not get through either.`;
	const unlisted = deliveries.some((delivery) => !('failure' in delivery) && !delivery.isListed);
	const goOn = unlisted
		? "The service does not show them under their names: import the rows that were not sent alone, under another 'Batch Name'."
		: 'Running the same import again sends only what is missing.';
	const [from, to] = [places[0], places.at(-1)!].map((place) => numberOf(rows, numbers[place]));
	throw new Failure(`Batch of the rows ${from} to ${to}: ${failure.message}`, {
		...failure.details,
		submission: unknown?.failure.details.submission ?? (unsent.length < deliveries.length ? 'partial' : undefined),
		description:
			`${failure.details.description ?? ''}\n${deliveries.length - unsent.length} of ${deliveries.length} batches are with the service.${others} ` +
			goOn,
	});
}

const changeWords: Record<Change, string> = {
	trimmed: 'white space was taken away',
	blankDropped: 'blank, so not sent',
	convertedToText: 'sent as text',
	zerosRestored: 'leading zeros were restored',
	zerosPerhapsLost: "leading zeros are perhaps lost; 'Restore Zeros in Text' in the sheet options brings them back",
	dateRewritten: 'the date was written as YYYY-MM-DD',
	convertedFromText: 'read from text',
};

const cellCount = (cells: number, firstRow: string) =>
	cells === 1 ? `in ${firstRow}` : `in ${cells} rows, first in ${firstRow}`;

function saidOf(name: string): string {
	const target = targetNamed(name);
	return target === undefined ? name : labelOf(target);
}

/** What the editor shows beside the output: how the columns were understood and what was changed. */
export function tell({ plan, rows }: Sheet, report: SheetReport, service: Service): void {
	const { changes, blankRows, rowsWithoutId } = report;
	if (plan.ignored.length > 0) service.remark(`Columns that were not sent: ${plan.ignored.join(', ')}.`);
	for (const { target, used, unused } of plan.ambiguous) {
		service.remark(
			`'${used}' was read as ${saidOf(target)}; ${unused.map((name) => `'${name}'`).join(', ')} was not sent.`,
		);
	}
	for (const { target, header, reason } of plan.refused)
		service.remark(`'${header}' was not mapped to ${saidOf(target)}: ${reason}.`);
	if (blankRows.length > 0)
		service.remark(`${blankRows.length} blank rows were skipped, the first is ${rowNamed(rows, blankRows[0])}.`);
	if (rowsWithoutId.length > 0) {
		service.remark(
			`${rowsOf(rowsWithoutId.length)} without an external ID, first ${rowNamed(rows, rowsWithoutId[0])}: a result finds its row in the sheet by this ID.`,
		);
	}
	for (const { column, change, cells, firstRow } of changes)
		service.remark(`'${column}' ${cellCount(cells, rowNamed(rows, firstRow))}: ${changeWords[change]}.`);
}

/** What became of the rows, in one sentence. */
function summaryOf(deliveries: readonly Delivery[]): string {
	const sent = deliveries.filter((delivery) => !('failure' in delivery) && !delivery.reused);
	const count = (some: readonly Delivery[]) => some.reduce((rows, { places }) => rows + places.length, 0);
	const all = count(deliveries);
	const there = count(deliveries.filter((delivery) => !('failure' in delivery) && delivery.reused));
	if (there === all) {
		return `${all === 1 ? 'The row is' : `All ${all} rows are`} with the service already; nothing was sent or billed.`;
	}
	const already = there === 0 ? '' : `, ${rowsOf(there)} are with the service already`;
	const failed = all - there - count(sent);
	return `${rowsOf(count(sent))} sent in ${batchesSaid(sent.length)}${already}${failed === 0 ? '' : `, ${failed} not sent`}.`;
}

/** What the output says of some rows, said once for all in the editor. */
export function tellDeliveries(deliveries: readonly Delivery[], service: Service): void {
	if (deliveries.length > 0) service.remark(summaryOf(deliveries));
	const concerned = new Map<string, string[]>();
	for (const delivery of deliveries) {
		if ('failure' in delivery) continue;
		const { batchName, batchId, alsoSentAs, warnings } = delivery;
		const name = `'${shortName(batchName)}'`;
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
