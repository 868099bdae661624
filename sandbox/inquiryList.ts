import { firstAfter, type Inquiry } from './inquiries';
import type { Call } from './endpoint';
import { conditions, visible, type Condition } from './listConditions';
import type { Organization } from './organizations';
import { pageShape, type Page } from './pages';
import type { Service } from './service';
import { statuses } from './statuses';
import { commaSeparated, dateTime, oneOf, optional, text, wholeNumber, type Kind, type Shape } from './validation';

type Query = Call['query'];

const predicate: Kind = (value) =>
	/^[^:,]+:[^:,]+$/.test(String(value)) ? undefined : 'must be "predicates of the form SOURCE:VALUE"';

/** "List query parameters (all optional)", in the order of the document. */
export const listShape: Shape = {
	...pageShape,
	search: optional(text),
	tags: optional(commaSeparated(text)),
	status: optional(commaSeparated(oneOf(statuses))),
	created_at_from: optional(dateTime),
	created_at_to: optional(dateTime),
	sort_by: optional(oneOf(['business_name', 'status', 'created_at', 'submitted_by'])),
	sort_order: optional(oneOf(['asc', 'desc'])),
	source_filters: optional(commaSeparated(predicate)),
	scorecard_score_min: optional(wholeNumber()),
	scorecard_score_max: optional(wholeNumber()),
};

export function listInquiries(service: Service, organization: Organization, query: Query, { limit, offset }: Page) {
	const { switches, inquiries } = service;
	const { sort_by: sortBy = 'created_at', sort_order: sortOrder = 'desc' } = query;
	const alternating = switches.sortTies === 'alternating';
	const ordered = inquiries.of(organization.id);
	const [first, end] = createdBetween(ordered, query);
	const matches = [...conditions(query, switches), ...visible(service, query)];
	const found = { first, end, matches, descending: sortOrder === 'desc' };
	if (switches.listOrder === 'byId') {
		const rows = pageInOrder(ordered, found).rows.sort((a, b) => (a.id < b.id ? -1 : 1));
		return { total: rows.length, rows: rows.slice(offset, offset + limit) };
	}
	if (sortBy === 'created_at' && !alternating) return pageInOrder(ordered, found, offset, limit);
	const sorted = sort(pageInOrder(ordered, { ...found, descending: false }).rows, sortBy);
	if (found.descending) sorted.reverse();
	if (alternating && service.listsRead % 2 === 0) reverseTies(sorted, sortBy);
	return { total: sorted.length, rows: sorted.slice(offset, offset + limit) };
}

interface Wanted {
	first: number;
	end: number;
	matches: Condition[];
	descending: boolean;
}

/** One page of what matches, and how many match: the whole is counted but never copied. */
function pageInOrder(ordered: readonly Inquiry[], found: Wanted, offset = 0, limit = Infinity) {
	const { first, end, matches, descending } = found;
	const rows: Inquiry[] = [];
	let total = 0;
	if (matches.length === 0 && limit !== Infinity) {
		const [from, to] = descending ? [end - offset - limit, end - offset] : [first + offset, first + offset + limit];
		const page = ordered.slice(Math.max(from, first), Math.max(Math.min(to, end), first));
		return { total: end - first, rows: descending ? page.reverse() : page };
	}
	for (let step = 0; step < end - first; step += 1) {
		const inquiry = ordered[descending ? end - 1 - step : first + step];
		if (!matches.every((matched) => matched(inquiry))) continue;
		if (total >= offset && rows.length < limit) rows.push(inquiry);
		total += 1;
	}
	return { total, rows };
}

/** Where the wanted creation times begin and end: "created after this time", "created before this time". */
function createdBetween(ordered: readonly Inquiry[], query: Query): [first: number, end: number] {
	const { created_at_from: from, created_at_to: to } = query;
	const first = from === undefined ? 0 : firstAfter(ordered, Date.parse(from));
	// Timestamps are whole milliseconds here, so one less turns "after" into "at or after".
	const end = to === undefined ? ordered.length : firstAfter(ordered, Date.parse(to) - 1);
	return [first, end];
}

const sortKeys: Record<string, (inquiry: Inquiry) => string | number> = {
	created_at: ({ createdAt }) => createdAt,
	business_name: ({ submitted }) => submitted.businessName ?? submitted.businessDba ?? '',
	status: ({ status }) => status,
	submitted_by: ({ submittedBy }) => submittedBy,
};

function sort(inquiries: Inquiry[], by: string): Inquiry[] {
	if (by === 'created_at') return inquiries;
	const key = sortKeys[by];
	return inquiries.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** The order of equal rows is not promised: each run of them is turned around. */
function reverseTies(sorted: Inquiry[], by: string): void {
	const key = sortKeys[by];
	for (let start = 0, end = 0; start < sorted.length; start = end) {
		while (end < sorted.length && key(sorted[end]) === key(sorted[start])) end += 1;
		const tied = sorted.slice(start, end).reverse();
		for (const [index, inquiry] of tied.entries()) sorted[start + index] = inquiry;
	}
}
