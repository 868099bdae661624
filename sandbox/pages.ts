import { Raw, type Call } from './endpoint';
import { Refusal } from './refusal';
import type { Service } from './service';
import type { Switches } from './switches';
import { optional, wholeNumber, type Shape } from './validation';

type Query = Call['query'];

/** "integer, 1 to 500, default 100" and "results skipped, default 0": the same for all lists here. */
export const pageShape: Shape = { limit: optional(wholeNumber(1, 500)), offset: optional(wholeNumber(0)) };

/** Which rows are wanted, counted among those that show. */
export interface Page {
	limit: number;
	offset: number;
}

interface List {
	field: string;
	found(page: Page): { total: number; rows: object[] };
	/** What the document prints beside the rows of this list alone. */
	more?: object;
}

/** "each return total (integer), limit (integer) and offset (integer), all required, plus the page of items" */
export function listAnswer(service: Service, call: Call, { field, found, more }: List): unknown {
	const { switches } = service;
	service.listsRead += 1;
	const page = pageOf(switches, call.query);
	const { total, rows } = found(page);
	const beside = { ...more, ...totalOf(switches, total, rows), ...page };
	if (total === 0 && switches.emptyList !== 'list') return empty(switches, beside, field);
	return { ...beside, [field]: rows };
}

function pageOf({ pageCap }: Switches, query: Query): Page {
	const asked = Number(query.limit ?? 100);
	return { limit: pageCap > 0 ? Math.min(asked, pageCap) : asked, offset: Number(query.offset ?? 0) };
}

function totalOf({ listTotal }: Switches, total: number, rows: object[]) {
	switch (listTotal) {
		case 'exact':
			return { total };
		case 'absent':
			return {};
		case 'text':
			return { total: String(total) };
		case 'ofPage':
			return { total: rows.length };
		case 'tooLow':
			return { total: Math.max(total - 1, 0) };
		case 'tooHigh':
			return { total: total + 3 };
	}
}

function empty({ emptyList }: Switches, beside: object, field: string): unknown {
	if (emptyList === 'notFound') throw new Refusal(404, 'Nothing matches');
	if (emptyList === 'noContent') return new Raw('application/json; charset=utf-8', '', {}, 204);
	return emptyList === 'null' ? { ...beside, [field]: null } : beside;
}
