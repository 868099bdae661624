import { operation } from '../../kit/operation';
import { defaultSort } from '../../document/answers';
import { routes } from '../../document/routes';
import { inquiryFilters, queryOf, sort } from '../../inquiry/list';
import { limitOf, page, paging } from '../../fields/shared';
import { outputs } from '../../fields/outputs';
import { inquiryIdOf, inquiryOutput } from '../../inquiry/record';
import { get } from './get.operation';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many inquiries',
	description: 'Retrieve a list of inquiries',
	endpoint: routes.inquiries,
	forModels:
		'Finds inquiries by business name, EIN, external ID, status or date, newest first; says how many there are. For those of a batch, use Get inquiries of batch.',
	asks: ['filters.search', 'filters.status', 'filters.created_at_from', 'filters.created_at_to', 'page'],
	fields: { page, ...paging, ...outputs, filters: inquiryFilters, sort },
	run: async (input, service, own) => {
		const { filters, sort, page = 1 } = input;
		const limit = limitOf(input);
		const fromOldest = limit === undefined && Object.keys(sort).length === 0;
		const query = { ...queryOf(filters), ...(fromOldest ? sortedByAge : sort) };
		const rows = await service.list({ ...own(), query, limit, page, idOf: inquiryIdOf });
		if (fromOldest) rows.reverse();
		return rows.map((row) => inquiryOutput(row, input));
	},
	example: get.example,
});

/** Oldest first, so that an inquiry created during paging shifts no page. Output newest first. */
const sortedByAge = { ...defaultSort, sort_order: 'asc' };
