import { routes } from '../document/routes';
import { type Address, Failure, isUnknownRecord, type Json } from '../kit/service';
import { at, timeoutBounds } from '../kit/operation';
import { pageIn } from '../engine/answers';
import { inquiryIn } from '../inquiry/record';
import type { IPollFunctions } from 'n8n-workflow';
import { isDurable, pollBudgetMs } from '../engine/host';
import { outcomeOf, readId } from '../document/answers';
import { createSender, gateOf, type Sender } from '../engine/sender';
import type { Page, PageQuery, ListedRow, StatusSource } from './source';

/** Sends requests within the time that n8n allows one poll. */
interface Asking extends Pick<Sender, 'exchange' | 'settings'> {
	remainingMs(): number;
}

/** `filters` are sent with every request, so they must never change. Result filters would hide unfinished inquiries. */
export const inquirySource = (asking: Asking, filters: Json): StatusSource =>
	sourceOf(asking, at(routes.inquiries), inquiryAt, inquiryRow, filters);

export const batchSource = (asking: Asking): StatusSource =>
	sourceOf(asking, at(routes.batches), (id) => at(routes.batch, { batch_id: id }), batchRow);

export const batchInquirySource = (asking: Asking, batchId: string): StatusSource =>
	sourceOf(asking, at(routes.batchInquiries, { batch_id: batchId }), inquiryAt, inquiryRow);

const inquiryAt = (id: string) => at(routes.inquiry, { inquiry_id: id });

function sourceOf(
	{ exchange, settings, remainingMs }: Asking,
	list: Address,
	one: (id: string) => Address,
	rowOf: (record: Json) => ListedRow,
	filters: Json = {},
): StatusSource {
	return {
		async page(query: PageQuery): Promise<Page> {
			const { body, headers } = await exchange({ ...list, query: { ...filters, ...query }, kind: 'read' });
			const page = pageIn(body, settings.listItemsField);
			const date = Date.parse(String(headers.date));
			return { ...page, rows: page.rows.map(rowOf), ...(Number.isNaN(date) ? {} : { date }) };
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

function inquiryRow(row: Json): ListedRow {
	const record = inquiryIn(row);
	const [id, status] = [record.id, record.status].map(textOf);
	if (id === undefined || status === undefined) {
		throw new Failure(`A row carries no ${id === undefined ? 'ID' : 'status'}, so it cannot be followed`, {
			description: `It has the fields ${Object.keys(row).join(', ')}.`,
		});
	}
	const { createdAt, startedAt, completedAt } = record as Pick<ListedRow, 'createdAt' | 'startedAt' | 'completedAt'>;
	return { id, status: status.trim().toUpperCase(), createdAt, startedAt, completedAt, record };
}

function batchRow(record: Json): ListedRow {
	const id = readId(record, 'batchId');
	if (id === undefined) throw new Failure('A batch carries no batchId, so it cannot be followed');
	return { id, status: outcomeOf(record), createdAt: textOf(record.createdAt), record };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A longer poll would delay the next ones, whatever the host allows. */
export const longestPollMs = 240_000;

export async function askingFor(context: IPollFunctions) {
	const started = performance.now();
	const budget = Math.min(longestPollMs, pollBudgetMs(context));
	// The durable scheduler repeats failed polls itself, sooner than the node could.
	const repeats = isDurable(context) ? 0 : 2;
	const sender = await createSender(context, {
		gate: gateOf(1),
		timeout: Math.min(timeoutBounds.default * 1000, budget * 0.8),
		repeats,
	});
	let isOver = false;
	const exchange: typeof sender.exchange = (request) =>
		sender.exchange(request).catch((error: unknown) => {
			isOver ||= concernsScheduler(error);
			throw error;
		});
	// After a rate limit or a refused credential, no further request of this poll can succeed.
	const remainingMs = () => (isOver ? 0 : started + budget - performance.now());
	return { ...sender, exchange, remainingMs } satisfies Asking;
}

/** Causes that n8n's scheduler should know, so that it waits longer before the next poll. */
export const concernsScheduler = (error: unknown) =>
	error instanceof Failure && ['rate-limited', 'credential-invalid'].includes(error.details.cause ?? '');
