import { at, type Service } from '../../definition';
import { routes } from '../../document';
import type { GoodRows } from '../../import/goodRows';
import { joinRows, type JoinedRow } from '../../import/join';
import { idOf } from '../inquiry/inquiryRecord';
import { readInquiry } from '../inquiry/inquiryEnd';
import type { Sent } from './posting';

/**
 * The inquiry of each row. The rows of a batch need not tell them apart (only status, progress and a count are promised),
 * so those that no row was found for are read one by one: the inquiry itself carries its external ID.
 */
export async function joined(service: Service, rows: GoodRows, { places, batchId }: Sent): Promise<JoinedRow[]> {
	const items = places.map((place) => ({ row: rows.numbers[place], item: rows.item(place) }));
	const listed = await service.list({ ...at(routes.batchInquiries, { batch_id: batchId }), idOf });
	const first = joinRows(items, listed);
	const isTold = first.rows.every((row) => 'inquiry' in row);
	if (isTold || !first.unmatched.some((inquiry) => idOf(inquiry) !== undefined)) return first.rows;
	const unmatched = new Set(first.unmatched);
	const read = await service.forEach(listed, async (inquiry) => {
		const id = idOf(inquiry);
		if (id === undefined || !unmatched.has(inquiry)) return inquiry;
		return { ...inquiry, ...(await service.send(readInquiry(id))) };
	});
	return joinRows(items, read).rows;
}

/** The score of each row: what the list tells of it, else what the inquiry itself says, at one read a row. */
export const scoresOf = (service: Service, rows: readonly JoinedRow[]): Promise<unknown[]> =>
	service.forEach(rows, async (row) => {
		if ('notJoinable' in row) return null;
		const id = idOf(row.inquiry);
		const isTold = 'scorecardScore' in row.inquiry || id === undefined;
		const { scorecardScore } = isTold ? row.inquiry : await service.send(readInquiry(id));
		return scorecardScore ?? null;
	});
