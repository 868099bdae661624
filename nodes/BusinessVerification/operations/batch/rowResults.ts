import { Failure, type Outcome, type Service, tried } from '../../definition';
import type { WaitingOptions } from '../../fields/waitingOptions';
import type { RowProblem } from '../../import/findings';
import type { GoodRows } from '../../import/goodRows';
import { capitalised, numberOf, rowNamed } from '../../import/rowNumbers';
import { joined, scoresOf } from './joining';
import { counted } from './batchRecord';
import { itemOf, resultOf, rowOutput, statusOf } from './rowOutput';
import { shortened } from './refusal';
import type { Sent, Unsent } from './posting';
import type { Sheet } from './sheet';
import { untilDone } from './batchEnd';

/** One failure for each bad row, with all that is wrong with it. */
export function badRows({ rows }: Sheet, problems: readonly RowProblem[]): Outcome[] {
	const byRow = new Map<number, string[]>();
	for (const { row, column, reason } of problems) byRow.set(row, [...(byRow.get(row) ?? []), `'${column}' ${reason}`]);
	return [...byRow].map(([row, reasons]) => ({
		items: [itemOf(row)],
		failure: new Failure(`${capitalised(rowNamed(rows, row))}: ${reasons.join('; ')}`, {
			parameter: 'columns',
			description:
				"The row was not sent. Correct it and import the corrected rows under another 'Batch Name'; where the import is kept in step with its sheet, correct it there.",
		}),
	}));
}

export const blankRow = (sheet: Sheet, row: number): Outcome => ({
	items: [itemOf(row)],
	output: rowOutput(sheet, row, { status: 'skipped' }, { skipped: 'the row is blank' }),
});

/** Rows that were refused, or whose outcome is unknown: each says so. */
export const failedRows = (
	{ places, batchName, failure: { message, details } }: Unsent,
	sheet: Sheet,
	rows: GoodRows,
): Outcome[] =>
	places.map((place) => {
		const row = rows.numbers[place];
		return {
			items: [itemOf(row)],
			failure: new Failure(
				`${capitalised(rowNamed(sheet.rows, row))}, batch '${shortened(batchName)}': ${message}`,
				details,
			),
		};
	});

export interface Wanted {
	perRow: boolean;
	waits: boolean;
	waiting: WaitingOptions & { readScores: boolean };
}

/** Rows that are with the service, as one item for their batch or as one for each of them. */
export async function sentRows(
	service: Service,
	sheet: Sheet,
	rows: GoodRows,
	sent: Sent,
	{ perRow, waits, waiting }: Wanted,
): Promise<Outcome[]> {
	const { places, batchId, batchName, total, reused, alsoSentAs } = sent;
	const warnings = [...sent.warnings];
	const numbers = places.map((place) => rows.numbers[place]);
	const about = () => ({
		batchId,
		batchName,
		reused,
		...(alsoSentAs.length > 0 && { alsoSentAs }),
		...(warnings.length > 0 && { warnings }),
	});
	/** The rows are paid for: what cannot be found out afterwards is said, and they leave as sent. */
	const orSaid = async <T>(asked: Promise<T>): Promise<T | undefined> => {
		const told = await tried(asked);
		if (!(told instanceof Failure)) return told;
		warnings.push(
			`The rows are sent, but their results could not be read (${told.message}). Running the same import again sends nothing and reads them.`,
		);
		return undefined;
	};

	const ended = waits ? await orSaid(untilDone(service, batchId, { ...waiting, onTimeout: 'lastState' })) : undefined;
	if (ended?.extra.timedOut === true && waiting.onTimeout !== 'lastState') return late(sent, sheet, rows, waiting);
	if (!perRow) {
		const state = ended === undefined ? { total } : counted(ended.batch, ended.extra);
		const span = {
			rows: numbers.length,
			firstRow: numberOf(sheet.rows, numbers[0]),
			lastRow: numberOf(sheet.rows, numbers.at(-1)!),
		};
		return [{ items: numbers.map(itemOf), output: { ...state, ...about(), ...span } }];
	}
	const results = ended && (await orSaid(joined(service, rows, sent)));
	if (results?.some((row) => 'notJoinable' in row)) service.remark(notMatched);
	const scores = results && waiting.readScores ? await orSaid(scoresOf(service, results)) : undefined;
	return numbers.map((row, index) => {
		const result = results?.[index];
		const first = {
			...(result === undefined ? { status: reused ? 'already sent' : 'sent' } : statusOf(result)),
			...(waits && waiting.readScores && { score: scores?.[index] ?? null }),
		};
		const details = result === undefined ? {} : { ...resultOf(result), ...ended?.extra };
		return { items: [itemOf(row)], output: rowOutput(sheet, row, first, { ...about(), ...details }) };
	});
}

const notMatched =
	"Some rows were sent, but which inquiries are theirs is not known, so their results are missing. An 'External ID' in every row tells them apart.";

/** The user wants those that take too long by the error output; they are with the service all the same. */
const late = (
	{ places, batchId, batchName }: Sent,
	sheet: Sheet,
	rows: GoodRows,
	{ maxWait }: WaitingOptions,
): Outcome[] =>
	failedRows(
		{
			places,
			batchName,
			failure: new Failure(`Batch ${batchId} is not done within ${maxWait} minutes`, {
				submission: 'accepted',
				description: `The rows were sent as batch ${batchId}. Running the same import again sends nothing and waits for them once more; or raise 'Max Wait', or choose another 'On Timeout'.`,
			}),
		},
		sheet,
		rows,
	);
