import { countChecks, remarksOn } from '../inquiry/newInquiry';
import { few, orMade } from '../kit/objects';
import { Failure, type Json, type Service } from '../kit/service';
import { refusalOf, type SheetReport } from './check';
import { labelNamed } from './columns';
import { fateOf, type Row, type Standing } from './rows';
import type { Submitted } from './submitted';

export function dryRunReport({ plan, rows, good }: SheetReport, chunkSize: number, maxRows: number): Json {
	const rowsToSend = good.length;
	const tooMany = isTooMany(rows.length, maxRows) ? " But the run is refused until you raise 'Maximum Rows'." : '';
	// Counted as if none of the rows was submitted before, because a dry run does not read the list of batches.
	const batches = Math.ceil(rowsToSend / chunkSize);
	const badRows = rows.filter(({ standing }) => standing === 'bad').length;
	const bad = badRows === 0 ? '' : ` ${rowsOf(badRows)} cannot be sent.`;
	const unnamed = good.filter(({ hasOwnId }) => !hasOwnId).length;
	const noId = unnamed === 0 ? '' : ` Without External ID: ${rowsOf(unnamed)}, billed again whenever the data change.`;
	return {
		summary: `Nothing was sent or billed. ${rowsOf(rowsToSend)} would be sent in ${batchesSaid(batches)}, unless already submitted.${tooMany}${bad}${noId}`,
		dryRun: true,
		batches,
		rowsToSend,
		badRows,
		problems: rows.flatMap(({ number, problems }) => problems.map((problem) => ({ row: number, ...problem }))),
		remarks: remarksIn(good),
		blankRows: rows.filter(({ isBlank }) => isBlank).map(({ number }) => number),
		mapped: plan.mapped.map(({ header, name }) => ({ column: header, field: name })),
		ignored: plan.ignored,
		ambiguous: plan.ambiguous,
		refused: plan.refused,
		checks: countChecks(good.map(({ item }) => item)),
	};
}

const rowsOf = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);
const batchesSaid = (batches: number) => (batches === 1 ? '1 batch' : `${batches} batches`);

const isTooMany = (rows: number, maxRows: number) => maxRows !== 0 && rows > maxRows;

export function refuseTooMany(rows: number, maxRows: number): void {
	if (!isTooMany(rows, maxRows)) return;
	throw new Failure(`The sheet has ${rows} rows, more than 'Maximum Rows' allows (${maxRows})`, {
		parameter: 'sheetOptions.maxRows',
		description:
			"Nothing was sent. Check that this is the right sheet, then raise 'Maximum Rows' in the sheet options (0 means no limit).",
		cause: 'configuration-invalid',
	});
}

/**
 * Rows that were not sent, or are not confirmed, are returned with their reason. It is an error if the reason is not
 * theirs, or if the same became of all.
 */
export function refuseUnsent(rows: readonly Row[], service: Service): void {
	const unsent = rows.flatMap(({ failure }) => failure ?? []);
	const unknown = rows.filter(({ standing }) => standing === 'notConfirmed').length;
	const isNothingThere = unsent.length === rows.length;
	const worst = unsent.find((failure) => fateOf(failure) === 'failed') ?? (isNothingThere ? unsent[0] : undefined);
	const concernsAll = isNothingThere && [0, rows.length].includes(unknown);
	if (worst === undefined || (!concernsAll && !service.stopsOnFailure)) return;
	const { message, details } = worst;
	const submission = unknown > 0 ? 'unknown' : isNothingThere ? details.submission : (details.submission ?? 'partial');
	const open = unknown === 0 ? '' : `, and ${unknown} are not confirmed`;
	// What stands in the way has to be changed first, or these rows are submitted again.
	const next =
		details.cause === 'configuration-invalid' ? '' : ' Run the same import again to submit the missing rows.';
	const description = `${details.description ?? ''} ${rows.length - unsent.length} of ${rows.length} rows were submitted${open}.${next}`;
	throw new Failure(message, { ...details, submission, description });
}

/** A later try of n8n may fail before it comes to what an earlier one has sent. */
export function withRowsSent(error: unknown, rows: readonly Row[] = []): unknown {
	const sent = rows.filter(({ isNew }) => isNew).length;
	const open = rows.filter(({ standing }) => standing === 'notConfirmed').length;
	if (sent + open === 0 || !(error instanceof Failure) || error.details.submission !== undefined) return error;
	const counts = `${rowsOf(sent)} submitted before${open === 0 ? '' : `, ${open} not confirmed`}.`;
	return new Failure(error.message, {
		...error.details,
		submission: open > 0 ? 'unknown' : 'partial',
		description: `${error.details.description ?? ''} ${counts} Run the same import again later: these rows are matched.`,
	});
}

export function remarkOnSheet({ plan, rows, good }: SheetReport, service: Service): void {
	if (plan.ignored.length > 0) service.remark(`Columns not sent: ${few(plan.ignored)}.`);
	for (const { target, used, unused } of plan.ambiguous) {
		service.remark(`'${labelNamed(target)}' was read from '${used}'. Not sent: ${few(unused)}.`);
	}
	for (const refused of plan.refused) service.remark(refusalOf(refused));
	const blank = rows.filter(({ isBlank }) => isBlank);
	if (blank.length > 0)
		service.remark(`Rows skipped, blank or a header: ${blank.length}, the first is row ${blank[0].number}.`);
	for (const remark of remarksIn(good)) service.remark(remark);
}

function remarksIn(rows: readonly Row[]): string[] {
	const doubtful = new Map<string, Row[]>();
	for (const row of rows) for (const remark of remarksOn(row.item)) orMade(doubtful, remark, () => []).push(row);
	const owned = rows.filter((row) => sharesIn(row).length > 0);
	if (owned.length > 0 && owned.every((row) => Math.max(...sharesIn(row)) <= 1))
		doubtful.set("'Ownership Percentage' is never above 1, as spreadsheets store 25%. It is sent as entered.", owned);
	return [...doubtful].map(([remark, those]) => `${rowsOf(those.length)}, first row ${those[0].number}: ${remark}`);
}

const isRefusal = (failure: Failure) => ['rejected', 'nameTaken'].includes(fateOf(failure));

/** Excel and Google Sheets store 25% as 0.25. */
const sharesIn = ({ item: { principals = [] } }: Row): number[] =>
	principals.map(({ ownershipPercentage }) => Number(ownershipPercentage ?? 0)).filter((share) => share > 0);

/** Beside the output, because one in a thousand items would not be found. */
export function remarkOnRows({ rows, good }: SheetReport, { service }: Submitted): void {
	const standing = (...wanted: Standing[]) => rows.filter((row) => wanted.includes(row.standing));
	const submitted = standing('inBatch');
	const sent = submitted.filter(({ isNew }) => isNew);
	const reused = submitted.length - sent.length;
	const unknown = standing('notConfirmed').length;
	const failed = standing('bad', 'refused');
	const batches = new Set(sent.map((row) => row.batches[0].batchId));
	const counts = [
		sent.length + unknown === 0
			? 'Nothing sent or billed'
			: `${rowsOf(sent.length)} sent in ${batchesSaid(batches.size)}`,
	];
	if (reused > 0) counts.push(`${reused} already submitted`);
	if (unknown > 0) counts.push(`${unknown} not confirmed`);
	if (failed.length > 0) counts.push(`${failed.length} not sent`);
	service.remark(`${counts.join(', ')}.`);
	const refused = good.find(({ failure }) => failure && isRefusal(failure))?.failure?.details.description;
	if (refused !== undefined && submitted.length > 0) service.remark(refused);
	const doubled = submitted.filter(({ batches }) => batches.length > 1).flatMap(({ batches }) => batches);
	const twice = new Set(doubled.map(({ batchId }) => batchId));
	if (twice.size > 0) service.remark(`Rows were submitted twice, in these batches: ${few([...twice])}.`);
	if (submitted.length > 0)
		service.advise(
			"'Wait for batch' with a batchId waits for the results.",
			"'Get inquiries of batch' with a batchId lists the inquiries.",
		);
	const numbers = failed.map(({ number }) => String(number));
	if (failed.length > 0)
		service.advise(
			`Not sent: rows ${few(numbers, ', ', 20)}. 'verificationProblem' says why. Correct these rows and submit only them.`,
		);
	if (unknown > 0)
		service.advise(
			"For some rows the service did not confirm the submission ('not confirmed'). Do not submit them again: tell the user.",
		);
}
