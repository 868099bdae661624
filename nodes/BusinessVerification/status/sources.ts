import type { Page, PageQuery, Row, StatusSource } from './source';

type Json = Record<string, unknown>;

/** How the lists are asked. The caller knows how requests travel and where an answer holds its rows. */
export interface Asking {
	get(path: string, query?: object): Promise<{ body: unknown; headers: Record<string, unknown> }>;
	rowsIn(body: unknown): Json[];
	/** Undefined where the service knows no such record. */
	find(path: string): Promise<unknown>;
	remainingMs(): number;
}

/** Filters fixed at creation go on every request; what depends on results does not. */
export interface CreationFilters {
	tags?: string;
	search?: string;
}

export function inquirySource(asking: Asking, filters: CreationFilters = {}): StatusSource {
	return sourceOf(asking, '/v1/inquiries/', inquiryPath, inquiryRow, filters);
}

export function batchSource(asking: Asking): StatusSource {
	return sourceOf(asking, '/v1/batch-inquiries/', (id) => `/v1/batch-inquiries/${encodeURIComponent(id)}`, batchRow);
}

export function batchInquirySource(asking: Asking, batchId: string): StatusSource {
	return sourceOf(asking, `/v1/batch-inquiries/${encodeURIComponent(batchId)}/inquiries`, inquiryPath, inquiryRow);
}

export const inquiryPath = (id: string) => `/v1/inquiries/${encodeURIComponent(id)}`;

function sourceOf(
	asking: Asking,
	listPath: string,
	pathOf: (id: string) => string,
	rowOf: (record: Json) => Row,
	filters: CreationFilters = {},
): StatusSource {
	return {
		async page(query: PageQuery): Promise<Page> {
			const { body, headers } = await asking.get(listPath, { ...filters, ...query });
			const rows = asking.rowsIn(body).map(rowOf);
			const total = (body as Json | null)?.total;
			return {
				rows,
				total: typeof total === 'number' ? total : query.offset + rows.length + (rows.length < query.limit ? 0 : 1),
				serviceNow: Date.parse(String(headers.date)) || Date.now(),
			};
		},
		async read(id: string): Promise<Row | 'gone'> {
			const body = await asking.find(pathOf(id));
			return body === undefined ? 'gone' : rowOf(body as Json);
		},
		remainingMs: () => asking.remainingMs(),
	};
}

/** The document does not show under which key the rows of a batch carry the inquiry's ID. */
function inquiryRow(record: Json): Row {
	const id = textOf(record.id) ?? textOf(record.inquiryId);
	const status = textOf(record.status);
	if (id === undefined || status === undefined) {
		throw new Error(
			`A row carries no ${id === undefined ? 'ID' : 'status'}, so it cannot be followed. It has the fields ${Object.keys(record).join(', ')}.`,
		);
	}
	const { createdAt, startedAt, completedAt } = record as Pick<Row, 'createdAt' | 'startedAt' | 'completedAt'>;
	return { id, status: status.toUpperCase(), createdAt, startedAt, completedAt, record };
}

function batchRow(record: Json): Row {
	const id = textOf(record.batchId);
	if (id === undefined) throw new Error('A batch carries no batchId, so it cannot be followed.');
	return { id, status: outcomeOf(record), createdAt: textOf(record.createdAt), record };
}

/**
 * What a batch comes to, in the words for inquiries. Its own `status` has values the document does not show, and the
 * counts have no place for ENRICHING, so only ended inquiries that add up to the total make an end.
 */
export function outcomeOf(batch: Json): string {
	const count = (name: string) => (typeof batch[name] === 'number' ? (batch[name] as number) : 0);
	const total = typeof batch.total === 'number' ? batch.total : Infinity;
	const [completed, failed, planning] = [count('completed'), count('failed'), count('planning')];
	if (completed + count('partialSuccess') + failed < total) return planning >= total ? 'PLANNING' : 'RUNNING';
	if (failed === 0 && count('partialSuccess') === 0) return 'COMPLETED';
	return failed >= total ? 'FAILED' : 'PARTIAL_SUCCESS';
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
