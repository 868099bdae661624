import { joinableText, list } from '../definition/field';
import { collection, filledRows } from '../definition/groups';
import { choice, choices, named } from '../definition/options';
import { defaultSort, listFilters, sortKeys, sortOrders } from '../document/lists';
import { inquiryStatuses } from '../document/statuses';
import { form } from './form';

const single = form(listFilters, {
	search: { description: 'Matches business name, DBA, EIN and external ID', placeholder: 'e.g. Acme' },
	created_at_from: { description: 'Only inquiries created after this time' },
	created_at_to: { description: 'Only inquiries created before this time' },
	scorecard_score_min: { description: 'Any scorecard score at or above' },
	scorecard_score_max: { description: 'Any scorecard score at or below' },
});

export const tagsFilter = list('Tags', {
	description:
		'Comma-separated tags; an inquiry with any of them matches. The service cannot be asked for a tag that holds a comma.',
});

export const sourceFilters = filledRows('Source Filters', 'Source Filter', {
	source: joinableText('Source', { description: "Source in the service's own words" }),
	value: joinableText('Value', { description: 'Value that the source must show' }),
});

/** The query parameters of the inquiry list but for limit, offset and the two that sort. */
export const inquiryFilters = collection(
	'Filters',
	{
		...single,
		source_filters: sourceFilters,
		status: choices('Statuses', named(inquiryStatuses), { description: 'Only inquiries in one of these statuses' }),
		tags: tagsFilter,
	},
	'Add Filter',
);

export const sort = collection(
	'Sort',
	{
		sort_by: choice('Sort By', named(sortKeys), { default: defaultSort.sort_by }),
		sort_order: choice('Sort Order', named(sortOrders, { asc: 'Ascending', desc: 'Descending' }), {
			default: defaultSort.sort_order,
		}),
	},
	'Add Sort',
);
