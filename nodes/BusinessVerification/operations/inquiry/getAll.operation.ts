import { operation } from '../../definition/operation';
import type { Json } from '../../definition/service';
import { inquiryFilters, sort } from '../../fields/filters';
import { sendingOptions } from '../../fields/options';
import { outputFields, simple } from '../../fields/output';
import { limitOf, paging } from '../../fields/paging';
import { inquiryExample } from './example';
import { idOf, shaped } from './record';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many inquiries',
	description: 'Retrieve a list of inquiries',
	endpoint: 'GET /v1/inquiries/',
	fields: { ...paging, simple, filters: inquiryFilters, sort, options: sendingOptions({ outputFields }) },
	run: async ({ filters, sort, simple, options, ...page }, service) => {
		const limit = limitOf(page);
		const rows = await service.list({
			path: '/v1/inquiries/',
			query: { ...queryOf(filters), ...order(sort, limit) },
			limit,
			idOf,
		});
		return rows.map((row) => shaped(row, { simple, outputFields: options.outputFields }));
	},
	example: { input: { returnAll: false, limit: 50 }, output: inquiryExample },
});

/** Filters as the document wants them on the wire: lists joined by commas, absent where blank. */
function queryOf({ status, tags, source_filters, ...others }: Json): Json {
	const filters = source_filters as Array<{ source?: string; value?: string }> | undefined;
	const joined: Json = {
		status: (status as string[] | undefined)?.join(','),
		tags: (tags as string[] | undefined)?.join(','),
		source_filters: filters
			?.filter(({ source, value }) => source && value)
			.map(({ source, value }) => `${source}:${value}`)
			.join(','),
	};
	return Object.fromEntries(
		Object.entries({ ...others, ...joined }).filter(([, value]) => value !== undefined && value !== ''),
	);
}

/** Ascending by creation, what is created while a long list is read comes at its end and moves nothing. */
function order(sort: { sort_by?: string; sort_order?: string }, limit: number | undefined): Json {
	if (sort.sort_by !== undefined || sort.sort_order !== undefined) return sort;
	return limit === undefined ? { sort_by: 'created_at', sort_order: 'asc' } : {};
}
