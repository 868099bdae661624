import { Raw, type Call } from './endpoint';
import { Refusal } from './refusal';
import type { Service } from './service';
import { stale } from './stale';
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
interface Found {
	total: number;
	rows: object[];
}

interface List {
	field: string;
	found(page: Page): Found;
	/** What the document prints beside the rows of this list alone. */
	more?: object;
}

/** "each return total (integer), limit (integer) and offset (integer), all required, plus the page of items" */
export function listAnswer(service: Service, call: Call, { field, found, more }: List): unknown {
	return stale(service, call, () => {
		const { switches } = service;
		service.listsRead += 1;
		const asked = { limit: Number(call.query.limit ?? 100), offset: Number(call.query.offset ?? 0) };
		const page = pageOf(switches, call.query);
		const { total, rows } = switches.hiddenRows ? everySecond(found, page) : found(page);
		const limit = switches.overPageCap === 'shortened' ? page.limit : asked.limit;
		const beside = { ...more, ...totalOf(switches, total, rows), limit, offset: asked.offset };
		if (total === 0 && switches.emptyList !== 'list') return empty(switches, beside, field);
		return around(switches, call, beside, field, rows);
	});
}

function pageOf({ pageCap, overPageCap, offsetCounts }: Switches, query: Query): Page {
	const asked = Number(query.limit ?? 100);
	const offset = Number(query.offset ?? 0);
	const isOver = pageCap > 0 && asked > pageCap;
	if (isOver && overPageCap === 'refused') throw new Refusal(422, `limit must be ${pageCap} or less`);
	const limit = isOver ? pageCap : asked;
	return { limit, offset: { rows: offset, pages: offset * limit, nothing: 0 }[offsetCounts] };
}

/** Each row stands behind one that this caller may not see. */
function everySecond(found: List['found'], { limit, offset }: Page): Found {
	const [from, to] = [Math.floor(offset / 2), Math.floor((offset + limit) / 2)];
	const { total, rows } = found({ offset: from, limit: Math.max(to - from, 1) });
	return { total: total * 2, rows: rows.slice(0, to - from) };
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

function around(
	{ listForm, listBeside }: Switches,
	call: Call,
	beside: object,
	field: string,
	rows: object[],
): unknown {
	const { id, name } = call.organization;
	const others = {
		nothing: {},
		emptyList: { errors: [] },
		words: { tags: ['a', 'b'] },
		records: { lenders: [{ id, name }] },
	};
	const before = { ...beside, ...others[listBeside] };
	switch (listForm) {
		case 'named':
			return { ...before, [field]: rows };
		case 'bare':
			return rows;
		case 'inData':
			return { ...before, data: { [field]: rows } };
		case 'keyed':
			return { ...before, [field]: Object.fromEntries(rows.map((row, index) => [`row-${index + 1}`, row])) };
	}
}

function empty({ emptyList }: Switches, beside: object, field: string): unknown {
	if (emptyList === 'notFound') throw new Refusal(404, 'Nothing matches');
	if (emptyList === 'noContent') return new Raw('application/json; charset=utf-8', '', {}, 204);
	return emptyList === 'null' ? { ...beside, [field]: null } : beside;
}
