import { type DocumentField, isObject } from './vocabulary';

type Row = Record<string, unknown>;

/** Query parameters of the inquiry list that take one value; `tags`, `status` and `source_filters` join several. */
export const listFilters = [
	{ name: 'search', kind: 'text', label: 'Search' },
	{ name: 'created_at_from', kind: 'time', label: 'Created After' },
	{ name: 'created_at_to', kind: 'time', label: 'Created Before' },
	{ name: 'scorecard_score_min', kind: 'integer', label: 'Scorecard Score Minimum' },
	{ name: 'scorecard_score_max', kind: 'integer', label: 'Scorecard Score Maximum' },
] as const satisfies readonly DocumentField[];

/** The first of each is the default: "The list is ordered by creation date by default." */
export const sortKeys = ['created_at', 'business_name', 'status', 'submitted_by'] as const;
export const sortOrders = ['desc', 'asc'] as const;
export const defaultSort = { sort_by: sortKeys[0], sort_order: sortOrders[0] } as const;

/** Several values of one query parameter. A value cannot hold what separates them. */
export const separator = ',';
export const joined = (values: readonly string[]): string => values.join(separator);
export const predicate = (source: string, value: string): string => `${source}:${value}`;

const usualNames = ['items', 'results', 'data', 'inquiries', 'batches'];

/**
 * The rows of a list answer, or nothing where none can be recognised. The document does not name the field that holds
 * them: it is the one given, else one of the usual names, else the only list there is.
 */
export function rowsIn(answer: unknown, itemsField = ''): Row[] | undefined {
	if (isRows(answer)) return answer;
	if (!isObject(answer)) return undefined;
	if (itemsField !== '') return asRows(answer[itemsField]);
	const known = usualNames.find((name) => isRows(answer[name]));
	if (known !== undefined) return asRows(answer[known]);
	const lists = Object.values(answer).filter(isRows);
	return lists.length === 1 ? lists[0] : undefined;
}

const asRows = (value: unknown) => (isRows(value) ? value : undefined);

const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isObject);
