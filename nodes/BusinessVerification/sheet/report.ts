import { Failure, type Json, type Service } from '../kit/service';
import { countChecks } from '../inquiry/newInquiry';
import type { ImportInput } from './fields';
import { firstRows, longestName, rowsPerBatch } from './names';
import { firstNamed, nothingSent, quoted } from './recognition';
import { few } from '../kit/objects';
import type { RowProblem, SheetReport } from './check';
import { labelNamed } from './columns';
import type { Change } from '../kit/value';
import type { Delivery, GoodRows, Row } from './rows';

type ImportMode = ImportInput['importMode'];

export function dryRunReport(
	{ plan, good, problems, blankRows, rowsWithoutId, changes }: SheetReport,
	{ importMode, chunkSize }: { importMode: ImportMode; chunkSize: number },
): Json {
	const batches = batchesOf(good, importMode, chunkSize);
	const rowsToSend = good.rows.length;
	const badRows = badRowsIn(problems);
	const bad = badRows === 0 ? '' : ` ${rowsOf(badRows)} cannot be imported.`;
	return {
		summary: `Nothing was sent or billed. ${rowsOf(rowsToSend)} would be sent in ${batchesSaid(batches)}, unless already submitted.${bad}`,
		dryRun: true,
		batches,
		rowsToSend,
		badRows,
		problems: problems.map(({ row, ...problem }) => ({ row: row.number, ...problem })),
		blankRows: numbersOf(blankRows),
		rowsWithoutId: numbersOf(rowsWithoutId),
		mapped: plan.mapped.map(({ header, name }) => ({ column: header, field: name })),
		ignored: plan.ignored,
		ambiguous: plan.ambiguous,
		refused: plan.refused,
		changes: changes.map((change) => ({ ...change, firstRow: change.firstRow.number })),
		checks: countChecks(good.rows.map(({ item }) => item)),
	};
}

const numbersOf = (rows: readonly Row[]) => rows.map(({ number }) => number);

const badRowsIn = (problems: readonly RowProblem[]) => new Set(problems.map(({ row }) => row)).size;

/** Counted as if none of the rows was submitted before, because a dry run does not read the list of batches. */
function batchesOf({ importName, rows }: GoodRows, importMode: ImportMode, chunkSize: number): number {
	if (importMode === 'once') return Math.ceil(rows.length / chunkSize);
	const later = Math.max(0, rows.length - rowsPerBatch(importName, firstRows));
	return Math.min(1, rows.length) + Math.ceil(later / rowsPerBatch(importName, chunkSize));
}

const rowsOf = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);
const batchesSaid = (batches: number) => (batches === 1 ? '1 batch' : `${batches} batches`);

/** Without room for a row in the name of its batch, no later run could match the row. */
export function refuseLongName(importName: string, importMode: ImportMode): void {
	if (importMode === 'once' || rowsPerBatch(importName, firstRows) > 0) return;
	throw new Failure("'Batch Name' is too long for 'Sync With the Sheet'", {
		parameter: 'name',
		description: `Nothing was sent. Shorten it: the node adds a code for each row, and a batch can have a name of at most ${longestName} characters.`,
		cause: 'configuration-invalid',
	});
}

export function refuseTooMany(rows: number, maxRows: number): void {
	if (maxRows === 0 || rows <= maxRows) return;
	throw new Failure(`The sheet has ${rows} rows, more than 'Maximum Rows' allows (${maxRows})`, {
		parameter: 'sheetOptions.maxRows',
		description:
			"Nothing was sent. Check that this is the right sheet, then raise 'Maximum Rows' in the sheet options (0 means no limit).",
		cause: 'configuration-invalid',
	});
}

/** With 'Stop Workflow', nothing is sent while any row is bad. */
export function refuseBad({ problems, rows }: SheetReport): void {
	if (problems.length === 0) return;
	throw new Failure(`${badRowsIn(problems)} of ${rows} rows cannot be imported, so nothing was sent`, {
		parameter: 'columns',
		problems: problems.map(({ row, column, reason }) => `Row ${row.number}: '${column}' ${reason}`),
		description:
			"Correct them ('Dry Run' lists all), or set 'On Error' to 'Continue (using error output)' to send the others.",
	});
}

/** With 'Stop Workflow', one error covers all batches that were not submitted. */
export function refuseUnsent(deliveries: readonly Delivery[]): void {
	const unsent = deliveries.flatMap((delivery) => ('failure' in delivery ? [delivery] : []));
	if (unsent.length === 0) return;
	const { rows, failure } = unsent[0];
	const unknown = unsent.find((one) => one.failure.details.submission === 'unknown');
	const others = unsent.length === 1 ? '' : ` ${unsent.length - 1} more failed too.`;
	const unlisted = deliveries.some((delivery) => !('failure' in delivery) && !delivery.isListed);
	const goOn = unlisted
		? "Import only the rows that were not submitted, with another 'Batch Name', because the service does not list the batches by their names."
		: 'Run the same import again to submit only the missing rows.';
	throw new Failure(`Batch with rows ${rows[0].number} to ${rows.at(-1)!.number}: ${failure.message}`, {
		...failure.details,
		submission: unknown?.failure.details.submission ?? (unsent.length < deliveries.length ? 'partial' : undefined),
		description:
			`${failure.details.description ?? ''} ${deliveries.length - unsent.length} of ${deliveries.length} batches were submitted.${others} ` +
			goOn,
	});
}

const changeWords: Record<Change, string> = {
	trimmed: 'spaces removed',
	blankDropped: 'blank, not sent',
	convertedToText: 'sent as text',
	zerosRestored: 'leading zeros restored',
	zerosPerhapsLost: "leading zeros may be lost ('Restore Zeros in Text' in the sheet options restores them)",
	dateRewritten: 'date changed to YYYY-MM-DD',
	convertedFromText: 'converted from text',
};

export function tell({ plan, changes, blankRows, rowsWithoutId }: SheetReport, service: Service): void {
	if (plan.ignored.length > 0) service.remark(`Columns not sent: ${few(plan.ignored)}.`);
	for (const { target, used, unused } of plan.ambiguous) {
		service.remark(`'${labelNamed(target)}' was read from '${used}'. Not sent: ${few(unused)}.`);
	}
	for (const { target, header, reason } of plan.refused)
		service.remark(`'${header}' was not mapped to '${labelNamed(target)}': ${reason}.`);
	if (blankRows.length > 0)
		service.remark(`Skipped ${blankRows.length} blank rows, the first is row ${blankRows[0].number}.`);
	if (rowsWithoutId.length > 0) {
		service.remark(
			`${rowsOf(rowsWithoutId.length)} without an external ID, first row ${rowsWithoutId[0].number}. Results are matched to rows by this ID.`,
		);
	}
	for (const { column, change, cells, firstRow } of changes) {
		const where = cells === 1 ? 'in' : `in ${cells} rows, first in`;
		service.remark(`'${column}' ${where} row ${firstRow.number}: ${changeWords[change]}.`);
	}
}

function summaryOf(deliveries: readonly Delivery[], good: GoodRows): string {
	const fates = { sent: 0, reused: 0, unknown: 0, failed: 0 };
	for (const delivery of deliveries) fates[fateOf(delivery)] += delivery.rows.length;
	const { sent, reused, unknown, failed } = fates;
	const all = sent + reused + unknown + failed;
	if (reused === all)
		return `${all === 1 ? 'The row was' : `All ${all} rows were`} already submitted. ${nothingSent(good)} or billed.`;
	const batches = deliveries.filter((delivery) => fateOf(delivery) === 'sent').length;
	const others = [
		...(reused > 0 ? [`${reused} already submitted`] : []),
		...(unknown > 0 ? [`${unknown} not confirmed`] : []),
		...(failed > 0 ? [`${failed} not sent`] : []),
	];
	return `${[`${rowsOf(sent)} sent in ${batchesSaid(batches)}`, ...others].join(', ')}.`;
}

function fateOf(delivery: Delivery) {
	if (!('failure' in delivery)) return delivery.reused ? 'reused' : 'sent';
	return delivery.failure.details.submission === 'unknown' ? 'unknown' : 'failed';
}

/** Warnings as hints beside the output, because one in a thousand items would not be found. */
export function tellDeliveries(deliveries: readonly Delivery[], good: GoodRows, service: Service): void {
	if (deliveries.length > 0) service.remark(summaryOf(deliveries, good));
	const concerned = new Map<string, string[]>();
	for (const delivery of deliveries) {
		if ('failure' in delivery) continue;
		const { batchName, batchId, alsoSentAs, warnings } = delivery;
		const name = quoted(batchName);
		if (alsoSentAs.length > 0) {
			service.remark(
				`Rows of ${name} were submitted ${alsoSentAs.length + 1} times (${few([batchId, ...alsoSentAs])}), because another process ran this import at the same time.`,
			);
		}
		for (const warning of warnings) concerned.set(warning, [...(concerned.get(warning) ?? []), name]);
	}
	for (const [warning, names] of concerned) service.remark(`Batch ${firstNamed(names)}: ${warning}`);
}
