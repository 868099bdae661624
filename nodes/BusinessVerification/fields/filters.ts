import {
	choice,
	choices,
	collection,
	filledRows,
	type Input,
	joinableText,
	type Json,
	list,
	named,
	present,
} from '../definition';
import { defaultSort, inquiryStatuses, joined, listFilters, predicate, sortKeys, sortOrders } from '../document';
import { form } from './form';

const { search, ...others } = form(listFilters, {
	search: { description: 'Matches business name, DBA, EIN and external ID', placeholder: 'e.g. Acme' },
	created_at_from: { description: 'Only inquiries created after this time' },
	created_at_to: { description: 'Only inquiries created before this time' },
	scorecard_score_min: { description: 'Any scorecard score at or above' },
	scorecard_score_max: { description: 'Any scorecard score at or below' },
});

const tags = list('Tags', {
	description:
		'Comma-separated tags; an inquiry with any of them matches. The service cannot be asked for a tag that holds a comma.',
	placeholder: 'e.g. priority, partner',
});

const source_filters = filledRows('Source Filters', 'Source Filter', {
	source: joinableText('Source', { description: "Source in the service's own words", placeholder: 'e.g. WATCHLISTS' }),
	value: joinableText('Value', { description: 'Value that the source must show', placeholder: 'e.g. CLEAR' }),
});

/** The query parameters of the inquiry list but for limit, offset and the two that sort. */
export const filterFields = {
	search,
	status: choices('Statuses', named(inquiryStatuses), { description: 'Only inquiries in one of these statuses' }),
	tags,
	...others,
	source_filters,
};

export const inquiryFilters = collection('Filters', filterFields, 'Add Filter');

/** Filters as the document wants them on the wire: lists joined, absent where nothing was chosen. */
export function queryOf({ status, tags, source_filters, ...others }: Partial<Input<typeof filterFields>>): Json {
	return present({
		...others,
		status: joinedOrAbsent(status),
		tags: joinedOrAbsent(tags),
		source_filters: joinedOrAbsent(source_filters?.map(({ source, value }) => predicate(source, value))),
	});
}

const joinedOrAbsent = (values: string[] = []) => (values.length > 0 ? joined(values) : undefined);

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
