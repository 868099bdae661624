import { operation } from '../../definition';
import { defaultSort, routes } from '../../document';
import { inquiryFilters, queryOf, sort } from '../../fields/filters';
import { outputs } from '../../fields/output';
import { limitOf, paging } from '../../fields/pageLimit';
import { inquiryExample } from '../examples';
import { idOf, shapedList } from './inquiryRecord';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many inquiries',
	description: 'Retrieve a list of inquiries',
	endpoint: routes.inquiries,
	asks: ['filters.search', 'filters.created_at_from', 'filters.created_at_to'],
	fields: { ...paging, ...outputs, filters: inquiryFilters, sort },
	run: async (input, service, own) => {
		const { filters, sort } = input;
		const limit = limitOf(input);
		const fromOldest = limit === undefined && Object.keys(sort).length === 0;
		const order = fromOldest ? oldestFirst : sort;
		const rows = await service.list({ ...own(), query: { ...queryOf(filters), ...order }, limit, idOf });
		if (fromOldest) rows.reverse();
		return shapedList(rows, input);
	},
	example: inquiryExample,
});

/** What is created while a long list is read then comes at its end and moves nothing; it is handed on newest first all the same. */
const oldestFirst = { ...defaultSort, sort_order: 'asc' };
