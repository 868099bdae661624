import { hasFailed } from '../document/inquiries';
import { withoutTags } from '../engine/runErrors';
import { failedChecks, inquiryIdOf, isFinal, isWhole, withFinality } from '../inquiry/record';
import { few } from '../kit/objects';
import type { Outcome } from '../kit/operation';
import { Failure, type Json, tried } from '../kit/service';
import { untilDone } from './batches';
import type { SheetReport } from './check';
import type { ImportInput } from './importFields';
import { type Batch, fateOf, type Row, type Standing } from './row';
import type { Submitted } from './submitted';

/** Makes the output of an import: one item for each row, in the order of the sheet. */

/** Why the results of a batch could not be read, by its ID. */
type Unread = ReadonlyMap<string, string>;

/** A dry run, perhaps of a run that would be refused, returns the rows as a run that does not wait. */
export async function outcomes(
	submitted: Submitted,
	{ rows }: SheetReport,
	input: ImportInput,
	refusal?: Failure,
): Promise<Outcome[]> {
	const isThere = ({ standing }: Row) => standing === 'inBatch';
	const waits = input.waitForCompletion && !input.dryRun;
	const unread = waits ? await waitFor(submitted, rows.filter(isThere), input) : undefined;
	return rows.map((row) => (isThere(row) ? rowInBatch(row, unread, input) : unsentRow(row, waits, input, refusal)));
}

/** A row of a flat table: the result, then the cells, and the ID, which is long, last. `details` nests everything else. */
function rowOutcome(
	{ index, number, cells }: Row,
	result: Json,
	inquiryId: string | undefined,
	details?: Json,
): Outcome {
	// The result twice, because the sheet may have columns of these names from an earlier run. Not by two spreads, which
	// take V8 a hundred times as long. Empty texts, because they clear such a column.
	const output: Json = Object.assign(
		{},
		result,
		cells,
		result,
		{ inquiryId: inquiryId ?? '' },
		details && { verification: { row: number, ...details } },
	);
	return { kind: 'output', item: index, output };
}

const statuses: Record<Standing, string> = {
	blank: 'skipped',
	bad: 'not sent',
	new: 'would be sent',
	inBatch: 'already sent',
	notConfirmed: 'not confirmed',
	refused: 'not sent',
};

function unsentRow(row: Row, waits: boolean, { options }: ImportInput, refusal: Failure | undefined): Outcome {
	const { index, number, place, failure, standing, reason, item } = row;
	// A failure of the service, the credential, or a setting. Otherwise, the row is returned with its problem.
	if (failure !== undefined && fateOf(failure) === 'failed') {
		const { message, details } = failure;
		return {
			kind: 'failure',
			item: index,
			failure: new Failure(`${message} (${place})`, { ...details, row: number }),
		};
	}
	const stopped = standing === 'new' ? refusal : undefined;
	const result = {
		verificationStatus: stopped === undefined ? statuses[standing] : 'not sent',
		...(waits && { verificationScore: null }),
		verificationProblem: stopped?.message ?? reason ?? '',
		...(waits && { verificationSubmittedAt: '' }),
	};
	return rowOutcome(row, result, undefined, options.includeDetails ? { externalId: item.externalId } : undefined);
}

/**
 * Waits for the batches of the rows and reads their results. What cannot be read is a warning, not a failure: the rows are
 * submitted and billed all the same.
 */
async function waitFor(submitted: Submitted, rows: readonly Row[], { waitingOptions }: ImportInput): Promise<Unread> {
	const unread = new Map<string, string>();
	const orWarning = async (those: readonly Batch[], asked: Promise<unknown>): Promise<void> => {
		const result = await tried(asked);
		if (!(result instanceof Failure)) return;
		const problem = `Sent, but the results could not be read (${withoutTags(result.message)}). Read them later with 'Batch: Get Inquiries'.`;
		for (const { batchId } of those) unread.set(batchId, problem);
	};
	const batchesOf = (those: readonly Row[]) => [
		...new Map(those.map(({ batches: [batch] }) => [batch.batchId, batch])).values(),
	];
	const waits = { ...waitingOptions, onTimeout: 'lastState' as const };
	const open = batchesOf(rows.filter(({ inquiry }) => inquiry === undefined || !isFinal(inquiry)));
	await Promise.all(open.map((batch) => orWarning([batch], untilDone(submitted.service, batch.batchId, waits))));
	await orWarning(open, submitted.readRows(open.filter(({ batchId }) => !unread.has(batchId))));
	const all = batchesOf(rows);
	const inquiries = rows.flatMap(({ inquiry }) => (inquiry === undefined ? [] : [inquiry]));
	await orWarning(all, submitted.complete(inquiries, all, lacksResult));
	return unread;
}

/** A null counts as lacking, unless the row is the whole inquiry. */
const lacksResult = (inquiry: Json): boolean =>
	!isWhole(inquiry) && ((inquiry.scorecardScore ?? null) === null || (inquiry.processStatuses ?? null) === null);

/** `unread` is undefined if the node did not wait. */
function rowInBatch(row: Row, unread: Unread | undefined, { rowsJson, options }: ImportInput): Outcome {
	const { isNew, key, otherName, reason, batches } = row;
	const [{ batchId, batchName }, ...others] = batches;
	const waits = unread !== undefined;
	// Without waiting, only the rows of the first new batch were read, so those of new batches are not shown.
	const inquiry = waits || !isNew ? row.inquiry : undefined;
	const failed = inquiry && (failedChecks(inquiry) ?? (hasFailed(inquiry.status) && 'The checks gave no result'));
	const isFinished = inquiry !== undefined && isFinal(inquiry);
	const whyUnread = unread?.get(batchId);
	const again = 'Not finished: run the same import again to wait longer. Nothing is submitted twice.';
	const shown = inquiry === undefined ? 'The service shows no inquiry with its external ID.' : again;
	const open = row.warning === undefined ? shown : inquiry && 'Not finished.';
	const problems = [
		row.warning,
		failed && `${failed}.`,
		hasFailed(inquiry?.status) && 'This says nothing about the business.',
		isFinished && !lacksResult(inquiry) ? undefined : (whyUnread ?? (waits && !isFinished && open)),
		otherName &&
			`Under this External ID the service shows '${otherName}', and this is its result. If the row is another business, give it another External ID, which is billed.`,
		others.length > 0 && `Also submitted in ${few(others.map((batch) => batch.batchId))}.`,
		row.problems.length > 0 && `Submitted before. Now wrong in the sheet: ${reason}.`,
	].filter(Boolean);
	const result: Json = {
		verificationStatus: inquiry?.status ?? (isNew ? 'sent' : 'already sent'),
		...(waits && { verificationScore: inquiry?.scorecardScore ?? null }),
		verificationProblem: problems.join(' '),
		// A row of an earlier run is told by its age.
		...(waits && { verificationSubmittedAt: inquiry?.createdAt ?? '' }),
		// A model waits for a batch, or reads it, by its ID.
		...(rowsJson !== undefined && { batchId }),
	};
	const id = inquiry && inquiryIdOf(inquiry);
	if (!options.includeDetails) return rowOutcome(row, result, id);
	return rowOutcome(row, result, id, {
		batchId,
		batchName,
		externalId: key,
		reused: !isNew,
		...(inquiry && { ...inquiry, ...withFinality(inquiry) }),
	});
}
