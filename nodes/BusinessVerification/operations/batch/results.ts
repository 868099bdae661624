import { Failure } from '../../definition/failure';
import type { Outcome } from '../../definition/operation';
import { at } from '../../definition/route';
import type { Json, Service } from '../../definition/service';
import { routes } from '../../document/routes';
import { isKnownStatus } from '../../document/statuses';
import type { WaitingOptions } from '../../fields/waiting';
import type { RowProblem } from '../../import/findings';
import { joinChunk } from '../../import/join';
import { idOf, isFinal } from '../inquiry/record';
import { counted } from './record';
import type { Sent, Unsent } from './sending';
import type { Sheet } from './sheet';
import { untilDone } from './watching';

/** Rows are numbered as people count them, items from 0. */
const itemOf = (row: number) => row - 1;

/** One failure for each bad row, with all that is wrong with it. */
export function badRows(problems: readonly RowProblem[]): Outcome[] {
	const byRow = new Map<number, string[]>();
	for (const { row, column, reason } of problems) byRow.set(row, [...(byRow.get(row) ?? []), `'${column}' ${reason}`]);
	return [...byRow].map(([row, reasons]) => ({
		items: [itemOf(row)],
		failure: new Failure(`Row ${row}: ${reasons.join('; ')}`, {
			parameter: 'columns',
			description:
				'The row was not sent. Correct it and import the corrected rows alone: the others would be sent again.',
		}),
	}));
}

export const blankRow = (sheet: Sheet, row: number): Outcome => ({
	items: [itemOf(row)],
	output: { ...sheet.rows[itemOf(row)], verification: { row, skipped: 'the row is blank' } },
});

/** A chunk that was refused, or whose outcome is unknown: each of its rows says so. */
export const failedRows = ({ chunk, failure: { message, details } }: Unsent): Outcome[] =>
	chunk.rows.map((row) => ({
		items: [itemOf(row)],
		failure: new Failure(`Row ${row}, batch '${chunk.name}': ${message}`, details),
	}));

export interface Wanted {
	perRow: boolean;
	waits: boolean;
	waiting: WaitingOptions;
}

/** A chunk that is with the service, as one item or as one for each of its rows. */
export async function sentChunk(
	service: Service,
	sheet: Sheet,
	{ chunk, batchId, total, reused, alsoSentAs }: Sent,
	{ perRow, waits, waiting }: Wanted,
): Promise<Outcome[]> {
	const about = { batchId, batchName: chunk.name, reused, ...(alsoSentAs.length > 0 && { alsoSentAs }) };
	const ended = waits ? await untilDone(service, batchId, waiting) : undefined;
	if (!perRow) {
		const state = ended === undefined ? { total } : counted(ended.batch, ended.extra);
		const rows = { rows: chunk.rows.length, firstRow: chunk.rows[0], lastRow: chunk.rows.at(-1) };
		return [{ items: chunk.rows.map(itemOf), output: { ...state, ...about, ...rows } }];
	}
	const rowOutput = (row: number, result: Json): Outcome => ({
		items: [itemOf(row)],
		output: { ...sheet.rows[itemOf(row)], verification: { row, ...about, ...result } },
	});
	if (ended === undefined) return chunk.rows.map((row) => rowOutput(row, {}));

	const items = chunk.items().map((item, index) => ({ row: chunk.rows[index], item }));
	const inquiries = await service.list({ ...at(routes.batchInquiries, { batch_id: batchId }), idOf });
	return joinChunk(items, inquiries).rows.map((joined) => {
		if ('notJoinable' in joined) return rowOutput(joined.row, { notJoinable: joined.notJoinable, ...ended.extra });
		const { inquiry, joinedBy } = joined;
		return rowOutput(joined.row, {
			...inquiry,
			isFinal: isFinal(inquiry),
			statusKnown: isKnownStatus(inquiry.status),
			joinedBy,
			...ended.extra,
		});
	});
}

/** The rows are with the service, only their results are not here. */
export function withoutResult({ chunk, batchId }: Sent, { message, details }: Failure): Unsent {
	const description = `The rows were sent as batch ${batchId}. Running the same import again sends nothing and waits for them once more. ${details.description ?? ''}`;
	return { chunk, failure: new Failure(message, { ...details, description: description.trim() }) };
}
