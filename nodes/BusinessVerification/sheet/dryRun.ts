import { checksUnlockedBy } from '../inquiry/newInquiry';
import { inquiryIdOf } from '../inquiry/record';
import type { Outcome } from '../kit/operation';
import { Failure, tried } from '../kit/service';
import type { SheetReport } from './check';
import type { ImportInput } from './importFields';
import { batchesOf, remarkOnSheet, rowsOf, sheetTooLong } from './summary';
import { rowOutcome } from './verdicts';
import type { Row } from './row';
import { unclearIn } from './sending';
import type { askForBatches, Submitted } from './submitted';

/** What a run would do: it reads what was submitted, and returns each row with what would become of it. */
export async function dryRun(
	submitted: Submitted,
	sheet: SheetReport,
	input: ImportInput,
	asked: ReturnType<typeof askForBatches>,
): Promise<Outcome[]> {
	const { options, sheetOptions } = input;
	// One reading is enough where nothing is sent. Without an answer, the sheet can be checked all the same.
	const unread = await tried(submitted.read(asked.batches));
	const fresh = sheet.good.filter(({ isMissing }) => isMissing);
	const isAsked = fresh.length > 0 && options.ifUncertain !== 'send' && !(unread instanceof Failure);
	const refusal =
		sheetTooLong(sheet.rows.length, sheetOptions.maxRows) ??
		(isAsked ? unclearIn(submitted, options.chunkSize) : undefined);
	submitted.service.remark(foreseen(submitted, sheet, fresh, { refusal, unread, chunkSize: options.chunkSize }));
	remarkOnSheet(sheet, submitted.service, fresh);
	return sheet.rows.map((row) => {
		const [status, problem] = fateIn(row, refusal);
		const { externalId, ...data } = row.item;
		const details = { externalId, unlocks: checksUnlockedBy(row.item), data };
		const result = { verificationStatus: status, verificationProblem: problem };
		return rowOutcome(
			row,
			result,
			row.inquiry && inquiryIdOf(row.inquiry),
			options.includeDetails ? details : undefined,
		);
	});
}

function fateIn(row: Row, refusal: Failure | undefined): [status: string, problem: string] {
	const { standing, reason = '' } = row;
	if (standing === 'inBatch') return ['already sent', reason];
	if (standing === 'blank') return ['skipped', reason];
	if (standing === 'bad') return ['not sent', reason];
	return refusal === undefined ? ['would be sent', ''] : ['not sent', refusal.message];
}

function foreseen(
	{ importName }: Submitted,
	{ rows }: SheetReport,
	fresh: readonly Row[],
	{ refusal, unread, chunkSize }: { refusal?: Failure; unread: Failure | void; chunkSize: number },
): string {
	const count = (wanted: Row['standing']) => rows.filter(({ standing }) => standing === wanted).length;
	const before = count('inBatch');
	const bad = count('bad');
	const unnamed = fresh.filter(({ hasOwnId }) => !hasOwnId).length;
	const inBatches = fresh.length === 0 ? '' : `, in ${batchesOf(Math.ceil(fresh.length / chunkSize))}`;
	return [
		`${fresh.length.toLocaleString('en-US')} of ${rowsOf(rows.length)} would be sent and billed${inBatches}.`,
		...(refusal === undefined
			? []
			: [`But the run would be refused: ${refusal.message}. ${refusal.details.description}`]),
		unread instanceof Failure
			? `What was submitted before could not be read (${unread.message}), so every row counts as new.`
			: `${before === 0 ? 'None was' : rowsOf(before)} ${before === 0 ? 'submitted before' : 'already submitted'} under '${importName}'.`,
		...(bad === 0 ? [] : [`${rowsOf(bad)} cannot be sent.`]),
		...(unnamed === 0 ? [] : [`Without External ID: ${rowsOf(unnamed)}, billed again whenever the data change.`]),
	].join(' ');
}
