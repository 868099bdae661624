import { failedChecks, inquiryIdOf, isFinal, isWhole, withFinality } from '../inquiry/record';
import { few, orMade } from '../kit/objects';
import type { Outcome } from '../kit/operation';
import { Failure, type Json, tried } from '../kit/service';
import { counted, untilDone } from './batches';
import type { SheetReport } from './check';
import type { ImportInput } from './fields';
import type { Batch, Row } from './rows';
import { isOfRows } from './sending';
import type { Submitted } from './submitted';

/** Makes the output of an import: one item for each row in the order of the sheet, or one for each batch. */

/** The last state of a batch if the node waited for it, and why its results could not be read. */
interface Waited {
	state?: Json;
	isLate: boolean;
	unread: string[];
}

const notWaitedFor: Waited = { isLate: false, unread: [] };

export async function outcomes(submitted: Submitted, sheet: SheetReport, input: ImportInput): Promise<Outcome[]> {
	const isPerRow = input.outputPer === 'row';
	const unsent = [
		...badRows(sheet, input),
		...(isPerRow ? sheet.blankRows.map((row) => withoutBatch(row, 'skipped', 'the row is blank', input)) : []),
		...sheet.good.filter(({ standing }) => standing !== 'inBatch').map((row) => unsentRow(row, input)),
	];
	const batches = new Map<string, Row[]>();
	for (const row of sheet.good)
		if (row.inBatch !== undefined) orMade(batches, row.inBatch.batch.batchId, () => []).push(row);
	const all = [...batches.values()];
	const waited = input.waitForCompletion ? await waitFor(submitted, all, input) : all.map(() => notWaitedFor);
	const sent = all.map((rows, index) =>
		isPerRow ? rows.map((row) => rowInBatch(row, input, waited[index])) : [batchOf(rows, submitted, waited[index])],
	);
	return [...unsent, ...sent.flat()].sort((one, other) => one.items[0] - other.items[0]);
}

/** A row of a flat table: the result first, then the cells. `details` nests everything else. */
function rowOutcome({ index, number, cells }: Row, result: Json, details?: Json): Outcome {
	// Starts with one key: V8 makes a hash table of an object made of two spreads, which takes ten times as long.
	const output: Json = { verificationStatus: undefined, ...result, ...cells };
	// The result once more, because the sheet may have columns of these names from an earlier run.
	Object.assign(output, result, details && { verification: { row: number, ...details } });
	return { kind: 'output', items: [index], output };
}

function withoutBatch(row: Row, verificationStatus: string, problem: string, input: ImportInput): Outcome {
	const score = input.waitForCompletion && { verificationScore: null };
	const result = { verificationStatus, ...score, inquiryId: null, verificationProblem: problem };
	return rowOutcome(row, result, input.options.includeDetails ? { externalId: row.item.externalId } : undefined);
}

function badRows({ problems }: SheetReport, input: ImportInput): Outcome[] {
	const reasons = new Map<Row, string[]>();
	for (const { row, column, reason } of problems) orMade(reasons, row, () => []).push(`${column} ${reason}`);
	return [...reasons].map(([row, those]) => withoutBatch(row, 'not sent', few(those, '; '), input));
}

/** Whether the row is returned with its problem. Other failures are those of the service, the credential, or a setting. */
export const isReturned = (failure: Failure): boolean => failure.details.submission === 'unknown' || isOfRows(failure);

function unsentRow(row: Row, input: ImportInput): Outcome {
	const { message, details } = row.failure!;
	if (!isReturned(row.failure!)) {
		const failure = new Failure(`Row ${row.number}: ${message}`, { ...details, row: row.number });
		return { kind: 'failure', items: [row.index], failure };
	}
	return withoutBatch(row, row.standing === 'notConfirmed' ? 'not confirmed' : 'not sent', message, input);
}

/** Waits for the batches and reads the results of their rows. */
async function waitFor(submitted: Submitted, batches: Row[][], input: ImportInput): Promise<Waited[]> {
	const { outputPer, waitingOptions } = input;
	const all = batches.map((): Waited => ({ isLate: false, unread: [] }));
	/** A warning, not a failure: the rows are submitted and billed even if their results cannot be read. */
	const orWarning = async (those: readonly Waited[], asked: Promise<unknown>): Promise<void> => {
		const result = await tried(asked);
		if (!(result instanceof Failure)) return;
		const problem = `Sent, but the results could not be read (${result.message}). Run the same import again to read them; nothing is sent twice.`;
		for (const { unread } of those) unread.push(problem);
	};
	const waits = { ...waitingOptions, onTimeout: 'lastState' as const };
	const until = async ({ batchId }: Batch, waited: Waited) => {
		const { batch, extra } = await untilDone(submitted.service, batchId, waits);
		Object.assign(waited, { state: batch, isLate: extra.timedOut === true });
	};
	const isRead = ({ inBatch }: Row) => inBatch!.inquiry !== undefined && isFinal(inBatch!.inquiry);
	await Promise.all(
		batches.map(async (rows, index) => {
			if (outputPer === 'row' && rows.every(isRead)) return;
			await orWarning([all[index]], until(rows[0].inBatch!.batch, all[index]));
		}),
	);
	if (outputPer === 'batch') return all;
	const waitedFor = batches.filter((_, index) => all[index].state !== undefined);
	const batchesOf = (those: Row[][]) => those.map(([{ inBatch }]) => inBatch!.batch);
	await orWarning(all, submitted.readRows(batchesOf(waitedFor)));
	const inquiries = batches.flat().flatMap(({ inBatch: { inquiry } = {} }) => (inquiry === undefined ? [] : [inquiry]));
	await orWarning(all, submitted.complete(inquiries, batchesOf(batches), lacksResult));
	return all;
}

/** A null counts as lacking, unless the row is the whole inquiry. */
const lacksResult = (inquiry: Json): boolean =>
	!isWhole(inquiry) && ((inquiry.scorecardScore ?? null) === null || (inquiry.processStatuses ?? null) === null);

const otherBatches = ({ inBatches, inBatch }: Row) =>
	[...inBatches.keys()].filter((id) => id !== inBatch!.batch.batchId);

function batchOf(rows: readonly Row[], { batches }: Submitted, { state, isLate, unread }: Waited): Outcome {
	const { batch, isNew } = rows[0].inBatch!;
	const also = [...new Set(rows.flatMap(otherBatches))];
	const output = {
		total: batches.get(batch.batchId)?.total,
		...(state && counted(state, isLate ? { isFinal: false, timedOut: true } : {})),
		...batch,
		reused: !isNew,
		...(also.length > 0 && { alsoSentAs: also }),
		...(unread.length > 0 && { warnings: unread }),
		rows: rows.length,
		firstRow: rows[0].number,
		lastRow: rows.at(-1)!.number,
	};
	return { kind: 'output', items: rows.map(({ index }) => index), output };
}

function rowInBatch(row: Row, input: ImportInput, waited: Waited): Outcome {
	const { waitForCompletion: waits, options } = input;
	const { batch, inquiry: read, isNew } = row.inBatch!;
	// Without waiting, only the rows of the first new batch were read, so those of new batches are not shown.
	const inquiry = waits || !isNew ? read : undefined;
	const also = otherBatches(row);
	const result: Json = {
		verificationStatus: inquiry?.status ?? (isNew ? 'sent' : 'already sent'),
		...(waits && { verificationScore: inquiry?.scorecardScore ?? null }),
		inquiryId: (inquiry && inquiryIdOf(inquiry)) ?? null,
		verificationProblem: (waits && problemsOf(inquiry, waited)) || null,
	};
	if (also.length > 0)
		result.verificationProblem = [result.verificationProblem, `Also submitted in ${few(also)}.`]
			.filter(Boolean)
			.join(' ');
	// A model waits for a batch, or reads it, by its ID.
	if (input.rowsJson !== undefined) result.batchId = batch.batchId;
	if (!options.includeDetails) return rowOutcome(row, result);
	return rowOutcome(row, result, {
		...batch,
		externalId: row.key,
		reused: !isNew,
		...(also.length > 0 && { alsoSentAs: also }),
		...(inquiry && { ...inquiry, ...withFinality(inquiry) }),
	});
}

/** Why a row has no result yet, or which of its checks failed. */
function problemsOf(inquiry: Json | undefined, { state, isLate, unread }: Waited): string {
	const failed = inquiry && failedChecks(inquiry);
	const isOpen = isLate && !(inquiry && isFinal(inquiry));
	const problems = [
		state !== undefined && inquiry === undefined && 'The service shows no inquiry with its external ID.',
		failed && `${failed}.`,
		isOpen && 'Not finished: run the same import again to wait longer. Nothing is submitted twice.',
		...unread,
	];
	return problems.filter(Boolean).join(' ');
}
