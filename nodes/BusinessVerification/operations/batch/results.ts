import { Failure } from '../../definition/failure';
import type { Outcome } from '../../definition/operation';
import type { Json, Service } from '../../definition/service';
import type { RowProblem } from '../../import/findings';
import { joinChunk } from '../../import/join';
import { chunkItems, type ImportSettings } from '../../import/sheet';
import { idOf, isFinal, statusKnown } from '../inquiry/record';
import type { WaitingOptions } from '../inquiry/watching';
import { batchInquiriesPath } from './getInquiries';
import { counted } from './record';
import type { Sent } from './sending';
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
		failure: new Failure(`Row ${row}: ${reasons.join('; ')}`, { parameter: 'columns', description: 'The row was not sent. Correct it in the sheet and run the import again.' }),
	}));
}

/** A chunk that was sent, as one item or as one for each of its rows. */
export async function sentChunk(
	service: Service,
	sheet: Sheet,
	settings: ImportSettings,
	sent: Sent,
	{ perRow, waits, waiting }: { perRow: boolean; waits: boolean; waiting: WaitingOptions },
): Promise<Outcome[]> {
	const { chunk, batchId, batchName, reused } = sent;
	const about = { batchId, batchName, reused };
	const ended = waits ? await untilDone(service, batchId, waiting) : undefined;
	if (!perRow) {
		const state = ended === undefined ? { total: sent.total } : counted(ended.batch, ended.extra);
		return [{ items: chunk.rows.map(itemOf), output: { ...state, ...about, rows: chunk.rows.length, firstRow: chunk.rows[0], lastRow: chunk.rows.at(-1) } }];
	}
	if (ended === undefined) {
		return chunk.rows.map((row) => ({ items: [itemOf(row)], output: { ...sheet.rows[itemOf(row)], verification: { row, ...about } } }));
	}
	const items = chunkItems(sheet.rows, sheet.plan, settings, chunk).map((item, index) => ({ row: chunk.rows[index], item }));
	const inquiries = await service.list({ path: batchInquiriesPath(batchId), idOf });
	return joinChunk(items, inquiries).rows.map((joined) => {
		const result: Json =
			'inquiry' in joined
				? { ...joined.inquiry, isFinal: isFinal(joined.inquiry), statusKnown: statusKnown(joined.inquiry), joinedBy: joined.joinedBy }
				: { notJoinable: joined.notJoinable };
		const verification = { row: joined.row, ...about, ...result, ...ended.extra };
		return { items: [itemOf(joined.row)], output: { ...sheet.rows[itemOf(joined.row)], verification } };
	});
}

/** A chunk that was refused, or whose outcome is unknown: each of its rows says so. */
export const failedChunk = (rows: readonly number[], failure: Failure): Outcome[] =>
	rows.map((row) => ({ items: [itemOf(row)], failure }));
