import { firstAfter, statuses, type Inquiry } from './inquiries';
import type { Organisation } from './organisations';
import type { Service } from './service';
import type { Switches } from './switches';
import { commaSeparated, dateTime, oneOf, optional, text, wholeNumber, type Kind, type Shape } from './validation';

export type Query = Record<string, string | undefined>;

/** "integer, 1 to 500, default 100" and "results skipped, default 0": the same for all lists here. */
export const pageShape: Shape = { limit: optional(wholeNumber(1, 500)), offset: optional(wholeNumber(0)) };

export const pageOf = (query: Query) => ({
	limit: Number(query.limit ?? 100),
	offset: Number(query.offset ?? 0),
});

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

export function listInquiries(service: Service, organisation: Organisation, query: Query) {
	const { switches, inquiries, clock } = service;
	const { limit, offset } = pageOf(query);
	const matches = conditions(query, switches, clock.now());
	const found = createdBetween(inquiries.of(organisation.id), query, switches.dateBounds).filter((inquiry) =>
		matches.every((matched) => matched(inquiry)),
	);
	const sorted = sort(found, query.sort_by ?? 'created_at');
	if ((query.sort_order ?? 'desc') === 'desc') sorted.reverse();
	service.listsRead += 1;
	if (switches.sortTies === 'alternating' && service.listsRead % 2 === 0) reverseTies(sorted, query.sort_by);
	return { total: sorted.length, limit, offset, rows: sorted.slice(offset, offset + limit) };
}

/** "created after this time", "created before this time": whether the bound itself counts is not said. */
function createdBetween(ordered: readonly Inquiry[], query: Query, bounds: Switches['dateBounds']): Inquiry[] {
	const inclusive = bounds === 'inclusive';
	const from = Date.parse(query.created_at_from ?? '0000-01-01T00:00:00Z');
	const to = Date.parse(query.created_at_to ?? '9999-01-01T00:00:00Z');
	// Timestamps are whole milliseconds here, so one less turns "after" into "at or after".
	const first = firstAfter(ordered, inclusive ? from - 1 : from);
	const end = firstAfter(ordered, inclusive ? to : to - 1);
	return ordered.slice(first, end);
}

type Condition = (inquiry: Inquiry) => boolean;

function conditions(query: Query, switches: Switches, now: number): Condition[] {
	const list: Condition[] = [({ listedAt }) => listedAt <= now];
	const parts = (value: string) => value.split(',').map((part) => part.trim());
	if (query.status) {
		const wanted = new Set(parts(query.status));
		list.push(({ status }) => wanted.has(status));
	}
	if (query.tags) {
		// "comma-separated merchant tags; OR semantics"
		const wanted = new Set(parts(query.tags));
		list.push(({ submitted }) => submitted.tags?.some((tag) => wanted.has(tag)) ?? false);
	}
	if (query.search) list.push(searching(query.search, switches.searchMatch));
	for (const filter of query.source_filters ? parts(query.source_filters) : []) {
		const [source, value] = filter.split(':');
		list.push(({ sourceValues }) => sourceValues[source] === value);
	}
	const { scorecard_score_min: least, scorecard_score_max: most } = query;
	if (least) list.push(({ scorecardScore }) => scorecardScore !== null && scorecardScore >= Number(least));
	if (most) list.push(({ scorecardScore }) => scorecardScore !== null && scorecardScore <= Number(most));
	return list;
}

/** "matches business name, DBA, EIN, external id" */
function searching(given: string, match: Switches['searchMatch']): Condition {
	const wanted = given.toLowerCase();
	return ({ submitted, externalId }) =>
		[submitted.businessName, submitted.businessDba, submitted.businessEin, externalId].some((value) => {
			const found = value?.toLowerCase();
			return match === 'whole' ? found === wanted : found?.includes(wanted);
		});
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
function reverseTies(sorted: Inquiry[], by = 'created_at'): void {
	const key = sortKeys[by];
	for (let start = 0, end = 0; start < sorted.length; start = end) {
		while (end < sorted.length && key(sorted[end]) === key(sorted[start])) end += 1;
		const tied = sorted.slice(start, end).reverse();
		for (const [index, inquiry] of tied.entries()) sorted[start + index] = inquiry;
	}
}
