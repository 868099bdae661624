import { choice, choices, type Input, list, named, text } from '../kit/field';
import { collection, filledRows, filters } from '../kit/collections';
import type { Json } from '../kit/service';
import { present } from '../kit/objects';
import { inquiryStatuses } from '../document/inquiries';
import { commaSeparated, listFilters, predicate, sortKeys, sortOrders } from '../document/answers';
import { form } from '../fields/form';

const zone = "Without a time zone, the workflow's is used.";

const { search, ...createdOrScored } = form(listFilters, {
	search: { description: 'Matches business name, DBA, EIN and external ID', placeholder: 'e.g. Acme' },
	created_at_from: { description: `Only inquiries created after this time. ${zone}` },
	created_at_to: { description: `Only inquiries created before this time. ${zone}` },
	scorecard_score_min: { description: 'Only inquiries with this score or higher', placeholder: 'e.g. 40' },
	scorecard_score_max: { description: 'Only inquiries with this score or lower', placeholder: 'e.g. 70' },
});

const tags = list('Tags', {
	description:
		'Only inquiries with any of these tags, separated by commas. A tag that contains a comma cannot be searched for.',
	placeholder: 'e.g. priority, partner',
});

const source_filters = filledRows('Source Filters', {
	source: text('Source', {
		description: 'Name of the source, as the service spells it',
		placeholder: 'e.g. WATCHLISTS',
	}),
	value: text('Value', {
		description: 'Result of the source, as the service spells it',
		placeholder: 'e.g. CLEAR',
	}),
});

/** The query parameters of the inquiry list, without paging and sorting. */
export const filterFields = {
	search,
	status: choices('Statuses', named(inquiryStatuses), { description: 'Only inquiries in one of these statuses' }),
	tags,
	...createdOrScored,
	source_filters,
};

export const inquiryFilters = filters(filterFields);

/** Joins lists with commas, as in the API documentation, and leaves out empty ones. */
export function queryOf({ status, tags, source_filters, ...others }: Partial<Input<typeof filterFields>>): Json {
	return present({
		...others,
		status: joinedOrAbsent(status),
		tags: joinedOrAbsent(tags),
		source_filters: joinedOrAbsent(source_filters?.map(({ source, value }) => predicate(source, value))),
	});
}

const joinedOrAbsent = (values: string[] = []) => (values.length > 0 ? commaSeparated(values) : undefined);

export const sort = collection('Sort', {
	sort_by: choice('Sort By', named(sortKeys), 'Field to sort by'),
	sort_order: choice('Sort Order', named(sortOrders, { asc: 'Ascending', desc: 'Descending' }), 'Direction to sort in'),
});
