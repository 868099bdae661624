import { momentOf, timeText } from '../document/vocabulary';
import { remarksOn } from '../inquiry/newInquiry';
import { onOneLine } from '../inquiry/record';
import { few, orMade, sentences } from '../kit/objects';
import { Failure, kindOf, type Service } from '../kit/service';
import type { SheetReport } from './check';
import { refusalOf } from './columns';
import { labelNamed } from './targets';
import { fateOf, placesOf, type Row, type Standing } from './row';
import type { Submitted } from './submitted';

const those = (rows: readonly Row[], ...standings: Standing[]) =>
	rows.filter(({ standing }) => standings.includes(standing));

const rowsOf = (rows: number) => (rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`);
const batchesOf = (batches: number) => (batches === 1 ? '1 batch' : `${batches} batches`);

export function sheetTooLong(rows: number, maxRows: number): Failure | undefined {
	if (maxRows === 0 || rows <= maxRows) return undefined;
	return new Failure(`The sheet has ${rows} rows, more than 'Maximum Rows' allows (${maxRows})`, {
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
	const unknown = those(rows, 'notConfirmed').length;
	const isNothingThere = unsent.length === rows.length;
	const worst = unsent.find((failure) => fateOf(failure) === 'failed') ?? (isNothingThere ? unsent[0] : undefined);
	const concernsAll = isNothingThere && [0, rows.length].includes(unknown);
	if (worst === undefined || (!concernsAll && !service.stopsOnFailure)) return;
	const { message, details } = worst;
	const submission = unknown > 0 ? 'unknown' : isNothingThere ? details.submission : (details.submission ?? 'partial');
	const open = unknown === 0 ? '' : `, and ${unknown} perhaps`;
	// What stands in the way has to be changed first, which a model cannot.
	const isModel = service.intentions !== undefined;
	const mayPass = isModel ? kindOf({ cause: details.cause }) === 'service' : details.cause !== 'configuration-invalid';
	const next = isModel && unknown > 0 ? askFirst : mayPass && sendRest;
	const there = those(rows, 'inBatch').length;
	const description = sentences(details.description, `${there} of ${rows.length} rows were submitted${open}.`, next);
	throw new Failure(message, { ...details, submission, description });
}

const sendRest = 'Run the same import again in a minute to submit the missing rows.';
const askFirst = 'Do not submit again what was not confirmed: tell the user.';

/** New rows, by what is likely a typing error in them. */
type Doubts = ReadonlyMap<string, Row[]>;

/** What a person should know of the sheet, and of the rows that are new to the service. */
export function remarkOnSheet({ plan }: SheetReport, doubts: Doubts, service: Service): void {
	for (const refused of plan.refused) service.remark(refusalOf(refused));
	if (plan.ignored.length > 0) service.remark(`Columns not sent: ${few(plan.ignored)}.`);
	for (const { target, used, unused } of plan.ambiguous)
		service.remark(`'${labelNamed(target)}' was read from '${used}'. Not sent: ${few(unused)}.`);
	for (const [remark, rows] of doubts) service.remark(`In ${placesOf(rows)}: ${remark}`);
}

export function* doubtsIn(fresh: readonly Row[]): Generator<void, Doubts> {
	const doubts = new Map<string, Row[]>();
	for (const row of fresh) {
		yield;
		for (const remark of remarksOn(row.item)) orMade(doubts, remark, () => []).push(row);
	}
	return doubts;
}

const isRefusal = (failure: Failure) => ['rejected', 'nameTaken'].includes(fateOf(failure));

/** `5 COMPLETED, 1 RUNNING`, as their column says, of rows that were waited for. */
function resultsOf(rows: readonly Row[]): string {
	const counts = new Map<string, number>();
	for (const { inquiry } of rows) {
		const status = onOneLine(String(inquiry?.status ?? 'without a status'));
		counts.set(status, (counts.get(status) ?? 0) + 1);
	}
	return few(Array.from(counts, ([status, count]) => `${count} ${status}`));
}

const were = (rows: readonly Row[]) => `${rowsOf(rows.length)} ${rows.length === 1 ? 'was' : 'were'}`;

/** Each row has the result of the one that has its ID there, whatever else is in it. */
const whoseResults = (before: readonly Row[]) =>
	before.some(({ hasOwnId }) => hasOwnId) &&
	'Their results are those of the data submitted then: a row that has changed, or names another business, needs another External ID, which is billed';

/** Where the IDs of new rows come from, unless the header says so, and how many have none. */
function sourceOfIds({ mapped }: SheetReport['plan'], fresh: readonly Row[]): Array<string | false> {
	const without = fresh.filter(({ hasOwnId }) => !hasOwnId).length;
	const { header, label } = mapped.find(({ name }) => name === 'externalId') ?? {};
	const billed = 'billed again whenever the data change';
	if (header === undefined) return [without > 0 && `No column was read as External ID, so a row is ${billed}`];
	return [
		fresh.length > 0 && header !== label && `External ID is read from '${header}'`,
		without > 0 && `Without External ID: ${rowsOf(without)}, ${billed}`,
	];
}

const asHint = (sentences: Array<string | false>): string =>
	sentences.flatMap((sentence) => (sentence === false ? [] : `${sentence}.`)).join(' ');

/** With the age of their results: `4 rows were already submitted under 'March leads' (first on 2026-03-02)`. */
function submittedBefore({ importName, listed }: Submitted, rows: readonly Row[]): string {
	const ids = new Set(rows.map(({ batches: [{ batchId }] }) => batchId));
	const times = [...ids].flatMap((id) => momentOf(String(listed.get(id)?.createdAt)) || []);
	const first = times.length === 0 ? '' : ` (first on ${timeText(Math.min(...times)).slice(0, 10)})`;
	return `${were(rows)} already submitted under '${importName}'${first}`;
}

/**
 * What became of the rows and was billed, in one hint: one row in a thousand would not be found. With a warning, or with
 * 'Send Them', another run may bill again, so it is not advised.
 */
export function remarkOnRows(
	submitted: Submitted,
	{ plan, rows, good }: SheetReport,
	{ areRead, isWarned }: { areRead: boolean; isWarned: boolean },
): void {
	const { service } = submitted;
	const there = those(rows, 'inBatch');
	const [sent, before] = [true, false].map((isNew) => there.filter((row) => row.isNew === isNew));
	const open = those(rows, 'notConfirmed');
	const unsent = those(rows, 'bad', 'refused');
	const inBatches = `, in ${batchesOf(new Set(sent.map((row) => row.batches[0].batchId)).size)}`;
	const sentences = [
		sent.length + open.length === 0 && 'Nothing was sent or billed',
		sent.length > 0 && `${were(sent)} sent and billed${areRead ? `: ${resultsOf(sent)}` : inBatches}`,
		open.length > 0 && `${were(open)} not confirmed: run the same import again to check`,
		before.length > 0 && `${submittedBefore(submitted, before)}${areRead ? `: ${resultsOf(before)}` : ''}`,
		whoseResults(before),
		unsent.length > 0 && `Not sent: ${placesOf(unsent)}. Each says why`,
		...sourceOfIds(plan, sent),
		sent.length > 0 &&
			!areRead &&
			!isWarned &&
			"For the results, run the same import again with 'Wait for Completion': what was sent is not billed again",
	];
	service.remark(asHint(sentences));
	// What to correct, as the service said.
	const refused = good.find(({ failure }) => failure && isRefusal(failure))?.failure?.details.description;
	if (refused !== undefined) service.remark(refused);
	const doubled = there.filter((row) => row.batches.length > 1).flatMap((row) => row.batches);
	const twice = new Set(doubled.map(({ batchId }) => batchId));
	if (twice.size > 0) service.remark(`Rows were submitted twice, in these batches: ${few([...twice])}.`);
}

/** What a run would do, as the hint of a dry run. */
export function foreseen(
	submitted: Submitted,
	{ plan, rows, good }: SheetReport,
	{ refusal, unread, chunkSize }: { refusal?: Failure; unread: Failure | void; chunkSize: number },
): string {
	const fresh = good.filter(({ isMissing }) => isMissing);
	const before = those(rows, 'inBatch');
	const { importName, batches } = submitted;
	const bad = those(rows, 'bad').length;
	const inBatches = fresh.length === 0 ? '' : `, in ${batchesOf(Math.ceil(fresh.length / chunkSize))}`;
	const counted = `${fresh.length.toLocaleString('en-US')} of ${rowsOf(rows.length)} would be`;
	const sentences = [
		refusal === undefined
			? `${counted} sent and billed${inBatches}`
			: `The run would be refused: ${refusal.message}. ${refusal.details.description} If sent anyway, ${counted} billed${inBatches}`,
		unread instanceof Failure
			? `What was submitted before could not be read (${unread.message}), so every row counts as new`
			: before.length > 0
				? submittedBefore(submitted, before)
				: `${batches.size > 0 ? 'None is matched to the rows' : 'None was'} submitted before under '${importName}'`,
		whoseResults(before),
		bad > 0 && `${rowsOf(bad)} cannot be sent`,
		...sourceOfIds(plan, fresh),
	];
	return asHint(sentences);
}

export function adviseOnRows({ rows }: SheetReport, service: Service): void {
	if (those(rows, 'inBatch').length > 0)
		service.advise(
			"'Wait for batch' with a batchId waits for the results.",
			"'Get inquiries of batch' with a batchId lists the inquiries.",
		);
	const isTheirs = ({ failure }: Row) => failure === undefined || fateOf(failure) === 'rejected';
	const numbers = those(rows, 'bad', 'refused')
		.filter(isTheirs)
		.map(({ number }) => String(number));
	if (numbers.length > 0)
		service.advise(
			`Not sent: rows ${few(numbers, ', ', 20)}. 'verificationProblem' says why. Correct these rows and submit only them.`,
		);
	if (those(rows, 'notConfirmed').length > 0)
		service.advise(`For some rows the service did not confirm the submission ('not confirmed'). ${askFirst}`);
}
