import { withoutTags } from '../engine/runErrors';
import { checksUnlockedBy } from '../inquiry/newInquiry';
import { failedChecks, inquiryIdOf, isFinal, isWhole, withFinality } from '../inquiry/record';
import { few, orMade } from '../kit/objects';
import type { Outcome } from '../kit/operation';
import { Failure, type Json, tried } from '../kit/service';
import { counted, untilDone } from './batches';
import type { SheetReport } from './check';
import type { ImportInput } from './importFields';
import { type Batch, fateOf, type Row, type Standing } from './row';
import type { Submitted } from './submitted';

/** Makes the output of an import: one item for each row in the order of the sheet, or one for each batch. */

/** The rows of a batch. */
interface Group {
	batch: Batch;
	rows: Row[];
	/** The last state of the batch, if the node waited for it. */
	state?: Json;
	isLate: boolean;
	/** Why its results could not be read. */
	unread: string[];
}

export async function outcomes(submitted: Submitted, sheet: SheetReport, input: ImportInput): Promise<Outcome[]> {
	const groups = new Map<string, Group>();
	const groupOf = ({ batches: [batch] }: Row) =>
		orMade(groups, batch.batchId, () => ({ batch, rows: [], isLate: false, unread: [] }));
	for (const row of sheet.rows) if (row.standing === 'inBatch') groupOf(row).rows.push(row);
	if (input.waitForCompletion) await waitFor(submitted, [...groups.values()], input);
	if (input.outputPer === 'row')
		return sheet.rows.map((row) =>
			row.standing === 'inBatch' ? rowInBatch(row, groupOf(row), input) : unsentRow(row, input),
		);
	const unsent = sheet.rows.filter(({ standing }) => standing !== 'inBatch' && standing !== 'blank');
	return [
		...unsent.map((row) => unsentRow(row, input)),
		...[...groups.values()].map((group) => batchOf(group, submitted)),
	].sort((one, other) => one.items[0] - other.items[0]);
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
	return { kind: 'output', items: [index], output };
}

const statuses: Record<Standing, string> = {
	blank: 'skipped',
	bad: 'not sent',
	new: 'would be sent',
	inBatch: 'already sent',
	notConfirmed: 'not confirmed',
	refused: 'not sent',
};

function unsentRow(row: Row, input: ImportInput): Outcome {
	const { index, number, place, failure, standing, reason, item } = row;
	// A failure of the service, the credential, or a setting. Otherwise, the row is returned with its problem.
	if (failure !== undefined && fateOf(failure) === 'failed') {
		const { message, details } = failure;
		return {
			kind: 'failure',
			items: [index],
			failure: new Failure(`${message} (${place})`, { ...details, row: number }),
		};
	}
	const result = {
		verificationStatus: statuses[standing],
		...(input.waitForCompletion && { verificationScore: null }),
		verificationProblem: reason,
	};
	return rowOutcome(row, result, undefined, input.options.includeDetails ? { externalId: item.externalId } : undefined);
}

/** What would become of a row in a run, which is refused or not. */
export function foreseenRow(row: Row, refusal: Failure | undefined, hasDetails: boolean): Outcome {
	const { standing, inquiry, item } = row;
	const isStopped = standing === 'new' && refusal !== undefined;
	const result = {
		verificationStatus: isStopped ? 'not sent' : statuses[standing],
		verificationProblem: isStopped
			? refusal.message
			: standing === 'inBatch'
				? besidesResult(row).join(' ')
				: (row.reason ?? ''),
	};
	const { externalId, ...data } = item;
	const details = hasDetails ? { externalId, unlocks: checksUnlockedBy(item), data } : undefined;
	return rowOutcome(row, result, standing === 'inBatch' && inquiry ? inquiryIdOf(inquiry) : undefined, details);
}

/** Waits for the batches and reads the results of their rows. */
async function waitFor(submitted: Submitted, groups: readonly Group[], input: ImportInput): Promise<void> {
	const { outputPer, waitingOptions, options } = input;
	const readLater =
		options.ifUncertain === 'send'
			? "Read them with 'Batch: Get Inquiries'."
			: 'Run the same import again to read them; nothing is sent twice.';
	/** A warning, not a failure: the rows are submitted and billed even if their results cannot be read. */
	const orWarning = async (those: readonly Group[], asked: Promise<unknown>): Promise<void> => {
		const result = await tried(asked);
		if (!(result instanceof Failure)) return;
		const problem = `Sent, but the results could not be read (${withoutTags(result.message)}). ${readLater}`;
		for (const { unread } of those) unread.push(problem);
	};
	const waits = { ...waitingOptions, onTimeout: 'lastState' as const };
	const until = async (group: Group) => {
		const { batch, extra } = await untilDone(submitted.service, group.batch.batchId, waits);
		Object.assign(group, { state: batch, isLate: extra.timedOut === true });
	};
	const isRead = ({ inquiry }: Row) => inquiry !== undefined && isFinal(inquiry);
	const open = groups.filter(({ rows }) => outputPer === 'batch' || !rows.every(isRead));
	await Promise.all(open.map((group) => orWarning([group], until(group))));
	if (outputPer === 'batch') return;
	const batchesOf = (those: readonly Group[]) => those.map(({ batch }) => batch);
	await orWarning(groups, submitted.readRows(batchesOf(groups.filter(({ state }) => state !== undefined))));
	const inquiries = groups.flatMap(({ rows }) =>
		rows.flatMap(({ inquiry }) => (inquiry === undefined ? [] : [inquiry])),
	);
	await orWarning(groups, submitted.complete(inquiries, batchesOf(groups), lacksResult));
}

/** A null counts as lacking, unless the row is the whole inquiry. */
const lacksResult = (inquiry: Json): boolean =>
	!isWhole(inquiry) && ((inquiry.scorecardScore ?? null) === null || (inquiry.processStatuses ?? null) === null);

const otherBatches = ({ batches }: Row) => batches.slice(1).map(({ batchId }) => batchId);

function batchOf(
	{ batch: { batchId, batchName }, rows, state, isLate, unread }: Group,
	{ batches }: Submitted,
): Outcome {
	const also = [...new Set(rows.flatMap(otherBatches))];
	const output = {
		total: batches.get(batchId)?.total,
		...(state && counted(state, isLate ? { isFinal: false, timedOut: true } : {})),
		batchId,
		batchName,
		reused: !rows[0].isNew,
		...(also.length > 0 && { alsoSentAs: also }),
		...(unread.length > 0 && { warnings: unread }),
		rows: rows.length,
		firstRow: rows[0].number,
		lastRow: rows.at(-1)!.number,
	};
	return { kind: 'output', items: rows.map(({ index }) => index), output };
}

/** What a status says if the inquiry does not show its checks. */
const failedStatuses: Record<string, string> = {
	FAILED: 'The checks gave no result',
	PARTIAL_SUCCESS: 'Some checks did not finish',
};

/** What is to be said of a row that was submitted, whatever its result. */
function besidesResult(row: Row): string[] {
	const { otherName, problems, reason } = row;
	const also = otherBatches(row);
	return [
		...(otherName === undefined
			? []
			: [
					`Under this External ID the service shows '${otherName}', and this is its result. If the row is another business, give it another External ID, which is billed.`,
				]),
		...(also.length > 0 ? [`Also submitted in ${few(also)}.`] : []),
		...(problems.length > 0 ? [`Submitted before. Now wrong in the sheet: ${reason}.`] : []),
	];
}

function rowInBatch(row: Row, group: Group, input: ImportInput): Outcome {
	const { waitForCompletion: waits, options } = input;
	const { batchId, batchName } = group.batch;
	const { isNew } = row;
	// Without waiting, only the rows of the first new batch were read, so those of new batches are not shown.
	const inquiry = waits || !isNew ? row.inquiry : undefined;
	const also = otherBatches(row);
	const failed = inquiry && (failedChecks(inquiry) ?? failedStatuses[String(inquiry.status).toUpperCase()]);
	const isFinished = inquiry !== undefined && isFinal(inquiry);
	const problems = [
		group.state !== undefined && inquiry === undefined
			? 'The service shows no inquiry with its external ID.'
			: row.warning,
		failed && `${failed}.`,
		group.state !== undefined &&
			inquiry !== undefined &&
			!isFinished &&
			'Not finished: run the same import again to wait longer. Nothing is submitted twice.',
		...(isFinished && !lacksResult(inquiry) ? [] : group.unread),
		...besidesResult(row),
	].filter(Boolean);
	const result: Json = {
		verificationStatus: inquiry?.status ?? (isNew ? 'sent' : 'already sent'),
		...(waits && { verificationScore: inquiry?.scorecardScore ?? null }),
		verificationProblem: problems.join(' '),
		// A model waits for a batch, or reads it, by its ID.
		...(input.rowsJson !== undefined && { batchId }),
	};
	const id = inquiry && inquiryIdOf(inquiry);
	if (!options.includeDetails) return rowOutcome(row, result, id);
	return rowOutcome(row, result, id, {
		batchId,
		batchName,
		externalId: row.key,
		reused: !isNew,
		...(also.length > 0 && { alsoSentAs: also }),
		...(inquiry && { ...inquiry, ...withFinality(inquiry) }),
	});
}
