import { dateTime } from '../definition/dates';
import { list, number, text } from '../definition/field';
import { collection, rows } from '../definition/groups';
import { choice, choices } from '../definition/options';

export const inquiryStatuses = ['PLANNING', 'RUNNING', 'ENRICHING', 'COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'];

const statusOptions = [
	{ name: 'Completed', value: 'COMPLETED' },
	{ name: 'Enriching', value: 'ENRICHING' },
	{ name: 'Failed', value: 'FAILED' },
	{ name: 'Partial Success', value: 'PARTIAL_SUCCESS' },
	{ name: 'Planning', value: 'PLANNING' },
	{ name: 'Running', value: 'RUNNING' },
];

/** The twelve query parameters of the inquiry list but for limit, offset and the two that sort. */
export const inquiryFilters = collection(
	'Filters',
	{
		created_at_from: dateTime('Created After', { description: 'Only inquiries created after this time' }),
		created_at_to: dateTime('Created Before', { description: 'Only inquiries created before this time' }),
		scorecard_score_max: number('Scorecard Score Maximum', {
			default: 0,
			description: 'Any scorecard score at or below',
		}),
		scorecard_score_min: number('Scorecard Score Minimum', {
			default: 0,
			description: 'Any scorecard score at or above',
		}),
		search: text('Search', {
			description: 'Matches business name, DBA, EIN and external ID',
			placeholder: 'e.g. Acme',
		}),
		source_filters: rows('Source Filters', 'Source Filter', {
			source: text('Source', { description: "Source in the service's own words" }),
			value: text('Value', { description: 'Value that the source must show' }),
		}),
		status: choices('Statuses', statusOptions, { description: 'Only inquiries in one of these statuses' }),
		tags: list('Tags', { description: 'Comma-separated tags; an inquiry with any of them matches' }),
	},
	'Add Filter',
);

export const sort = collection(
	'Sort',
	{
		sort_by: choice(
			'Sort By',
			[
				{ name: 'Business Name', value: 'business_name' },
				{ name: 'Created At', value: 'created_at' },
				{ name: 'Status', value: 'status' },
				{ name: 'Submitted By', value: 'submitted_by' },
			],
			{ default: 'created_at' },
		),
		sort_order: choice(
			'Sort Order',
			[
				{ name: 'Ascending', value: 'asc' },
				{ name: 'Descending', value: 'desc' },
			],
			{ default: 'desc' },
		),
	},
	'Add Sort',
);
