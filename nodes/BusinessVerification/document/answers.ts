import { type DocumentField, entriesIn, isObject, type Item } from './vocabulary';
import { z } from 'zod';
import { activeStatuses, endStatuses, type inquiryStatuses } from './inquiries';

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

export const commaSeparated = (values: readonly string[]): string => values.join(',');
export const predicate = (source: string, value: string): string => `${source}:${value}`;

const usualNames = ['items', 'results', 'data', 'inquiries', 'batches'];

/**
 * The rows of a list answer, or nothing if none can be found. The API documentation does not name the field with
 * them: it is the one given, else one of the usual names, else the only list there is.
 */
export function rowsIn(answer: unknown, itemsField = ''): Item[] | undefined {
	const named = rowsNamed(answer, itemsField === '' ? usualNames : [itemsField]);
	if (named !== undefined || !isObject(answer)) return named;
	// Some services return an empty page without a list.
	if (answer.total === 0 && !Object.values(answer).some(Array.isArray)) return [];
	if (itemsField !== '') return undefined;
	const [list, ...others] = entriesIn(answer).flatMap(([, value]) => (isRows(value) ? [value] : []));
	return others.length === 0 ? list : undefined;
}

function rowsNamed(answer: unknown, names: readonly string[]): Item[] | undefined {
	if (isRows(answer)) return answer;
	return isObject(answer) ? names.map((name) => answer[name]).find(isRows) : undefined;
}

/** Some services return more than was asked for. Of still more, n8n would stand still, so they are not looked at. */
export const mostRowsOfPage = 10_000;

const isRows = (value: unknown): value is Item[] =>
	Array.isArray(value) && (value.length > mostRowsOfPage || value.every(isObject));

/**
 * The fields that each response must have. All others are returned unread, because the API documentation leaves many
 * shapes open, and a service may return more fields than it shows.
 */

type FieldReader = (value: unknown) => string | undefined;

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);
/** The API documentation shows UUIDs, but a service may use numbers. */
const id = (value: unknown) => (typeof value === 'number' ? String(value) : textIn(value)?.trim() || undefined);

export const readId = (record: unknown, name: string): string | undefined =>
	isObject(record) ? id(record[name]) : undefined;

/** The API documentation does not show the keys of a list row. */
export const batchIdOf = (row: unknown): string | undefined =>
	['batchId', 'batch_id', 'id'].map((name) => readId(row, name)).find(Boolean);

/** Neither z.object nor z.record, which copy the whole response: with ten thousand items, that takes too long. */
const record = <K extends string>(needed: Record<K, FieldReader>) =>
	z.unknown().transform((answer, context) => {
		const said: Item = isObject(answer) ? answer : {};
		let read = said;
		for (const name in needed) {
			const value = needed[name](said[name]);
			if (value === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is needed' });
			else if (value !== said[name]) read = { ...read, [name]: value };
		}
		return read as Item & Record<K, string>;
	});

/** A created record needs only its ID, by which everything else can be read. */
export const createdInquiry = record({ id });
export const inquiry = record({ id, status: (value) => (id(textIn(value)) ? textIn(value) : undefined) });
export const addedPrincipal = record({ id });
export const addedLicense = record({ licenseId: id });
export const processRecord = record({ id });
export const submittedBatch = record({ batchId: id });
export const batch = record({ batchId: id });
export const profile = record({ id });
export const apiKeyRecord = record({ apiKey: textIn });
export const sellerSearch = record({ request_id: id });
export const sellerStatus = record({ status: textIn });
export const sellerReport = z.custom<Item>(isObject, 'JSON object');

const usualForVerifications = ['verifications', 'payloads', ...usualNames.slice(0, 3)];

/**
 * One payload for each license: a list, a list in a field with one of the usual names or the given one, or a single
 * payload. Unlike in `rowsIn`, no other list counts, because a payload may itself contain lists.
 */
export const verifications = (itemsField: string) =>
	z.unknown().transform((answer, context) => {
		const named = rowsNamed(answer, itemsField === '' ? usualForVerifications : [itemsField, ...usualForVerifications]);
		const rows = named ?? (isObject(answer) && Object.keys(answer).length > 0 ? [answer] : undefined);
		if (rows !== undefined) return rows;
		context.addIssue({ code: 'custom', message: 'list of verification payloads' });
		return z.NEVER;
	});

/** "The body of the response is not shown", so no field is required. */
export const anything = z
	.unknown()
	.transform((answer) =>
		isObject(answer) ? answer : answer === undefined || answer === null || answer === '' ? {} : { result: answer },
	);

export type CreatedInquiry = z.infer<typeof createdInquiry>;
export type SellerSearch = z.infer<typeof sellerSearch>;

const lender = record({ id });

export const lenderIn = (value: unknown): { id: string; name?: unknown } | undefined => lender.safeParse(value).data;

const [started, underWay] = activeStatuses;

const [completed, partialSuccess, failed] = endStatuses;

/** Counts of inquiries by status. The API documentation has none for ENRICHING. */
type Count = 'planning' | 'running' | 'completed' | 'partialSuccess' | 'failed';

export const countOf = (batch: Item, name: Count | 'total'): number => {
	const value = batch[name];
	return typeof value === 'number' ? value : 0;
};

export const endedIn = (batch: Item): number =>
	countOf(batch, 'completed') + countOf(batch, 'partialSuccess') + countOf(batch, 'failed');

/**
 * The finished inquiries must add up to the total. "None planned or running" is not enough, because inquiries that are
 * ENRICHING are not counted. A batch with a total of 0 never counts as done.
 */
export const isBatchDone = (batch: Item): boolean =>
	countOf(batch, 'total') > 0 && endedIn(batch) >= countOf(batch, 'total');

/** Status of a batch in the values for inquiries, because the API documentation does not list those of its `status`. */
export function outcomeOf(batch: Item): (typeof inquiryStatuses)[number] {
	const total = countOf(batch, 'total');
	if (!isBatchDone(batch)) return total > 0 && countOf(batch, 'planning') >= total ? started : underWay;
	if (countOf(batch, 'completed') >= total) return completed;
	return countOf(batch, 'failed') >= total ? failed : partialSuccess;
}

/**
 * Errors name a row of a list by its place in what was sent, as in `inquiries.17.ein`. This adds how people know the row:
 * a sheet was perhaps sent in parts, and without its bad rows.
 */
export function withRowNames(message: string, listField: string, names: readonly string[]): string {
	const [before, ...named] = message.split(listField);
	const known = named.map((text) =>
		text.replace(/^(?:\.(\d+)|\[(\d+)\])/, (place, dotted, bracketed) => {
			const name = names[Number(dotted ?? bracketed)];
			return name === undefined ? place : `${place} (${name})`;
		}),
	);
	return [before, ...known].join(listField);
}
