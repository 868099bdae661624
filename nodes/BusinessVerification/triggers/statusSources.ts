import { outcomeOf } from '../document/batchStatus';
import { routes } from '../document/routes';
import { Failure } from '../definition/failure';
import { at } from '../definition/route';
import type { Json } from '../definition/service';
import { readRows } from '../engine/reading';
import type { Sender } from '../engine/request';
import { idOf } from '../operations/inquiry/inquiryRecord';
import type { Page, PageQuery, Row, StatusSource } from '../status';

/** How the lists are asked for, within the time that n8n gives one poll. */
export interface Asking extends Pick<Sender, 'exchange' | 'settings'> {
	remainingMs(): number;
}

/** Filters fixed at creation go on every request; what depends on results does not. */
export interface CreationFilters {
	tags?: string;
	search?: string;
}

type Path = { method: 'GET' | 'POST'; path: string };

export const inquirySource = (asking: Asking, filters: CreationFilters): StatusSource =>
	sourceOf(asking, at(routes.inquiries), inquiryAt, inquiryRow, filters);

export const batchSource = (asking: Asking): StatusSource =>
	sourceOf(asking, at(routes.batches), (id) => at(routes.batch, { batch_id: id }), batchRow);

export const batchInquirySource = (asking: Asking, batchId: string): StatusSource =>
	sourceOf(asking, at(routes.batchInquiries, { batch_id: batchId }), inquiryAt, inquiryRow);

const inquiryAt = (id: string) => at(routes.inquiry, { inquiry_id: id });

function sourceOf(
	{ exchange, settings, remainingMs }: Asking,
	list: Path,
	one: (id: string) => Path,
	rowOf: (record: Json) => Row,
	filters: CreationFilters = {},
): StatusSource {
	return {
		async page(query: PageQuery): Promise<Page> {
			const { body, headers } = await exchange({ ...list, query: { ...filters, ...query }, kind: 'read' });
			const total = (body as Json | null)?.total;
			const date = Date.parse(String(headers.date));
			return {
				rows: readRows(body, settings.listItemsField).map(rowOf),
				...(typeof total === 'number' ? { total } : {}),
				...(Number.isNaN(date) ? {} : { date }),
			};
		},
		read: (id: string) =>
			exchange({ ...one(id), kind: 'read' }).then(
				({ body }) => rowOf(body as Json),
				(error: unknown) => (isUnknownRecord(error) ? 'gone' : Promise.reject(error)),
			),
		remainingMs,
		hostTime: () => Date.now(),
	};
}

const isUnknownRecord = (error: unknown) => error instanceof Failure && error.details.httpCode === 404;

function inquiryRow(record: Json): Row {
	const id = idOf(record);
	const status = textOf(record.status);
	if (id === undefined || status === undefined) {
		throw new Failure(`A row carries no ${id === undefined ? 'ID' : 'status'}, so it cannot be followed`, {
			description: `It has the fields ${Object.keys(record).join(', ')}.`,
		});
	}
	const { createdAt, completedAt } = record as Pick<Row, 'createdAt' | 'completedAt'>;
	return { id, status: status.trim().toUpperCase(), createdAt, completedAt, record: { ...record, id } };
}

function batchRow(record: Json): Row {
	const id = textOf(record.batchId);
	if (id === undefined) throw new Failure('A batch carries no batchId, so it cannot be followed');
	return { id, status: outcomeOf(record), createdAt: textOf(record.createdAt), record };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
