import type { IPollFunctions } from 'n8n-workflow';
import { batchIdOf, inquiry, outcomeOf } from '../document/answers';
import { routes } from '../document/routes';
import { pageIn, readAnswer } from '../engine/checkedAnswer';
import { hasShortPolls, pollBudgetMs } from '../engine/host';
import { createSender } from '../engine/sender';
import { inquiryIn } from '../inquiry/record';
import { at, timeoutBounds } from '../kit/operation';
import { type Address, Failure, isUnknownRecord, type Json } from '../kit/service';
import type { ListedRow, Page, PageQuery, StatusSource } from './rows';

type Asking = Awaited<ReturnType<typeof askingFor>>;

const inquiryAt = (id: string) => at(routes.inquiry, { inquiry_id: id });

/** By the values of 'Watch'. */
export const sources = {
	inquiry: (asking: Asking, { filters }: { filters: Json }) =>
		sourceOf(asking, at(routes.inquiries), inquiryAt, inquiryRow, filters),
	batch: (asking: Asking) => sourceOf(asking, at(routes.batches), (id) => at(routes.batch, { batch_id: id }), batchRow),
	batchInquiry: (asking: Asking, { batchId }: { batchId: string }) =>
		sourceOf(asking, at(routes.batchInquiries, { batch_id: batchId }), inquiryAt, inquiryRow),
};

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
	const json = readAnswer({ answer: inquiry, kind: 'read' }, inquiryIn(row));
	const { createdAt, startedAt, completedAt } = json as Pick<ListedRow, 'createdAt' | 'startedAt' | 'completedAt'>;
	const status = json.status.trim().toUpperCase().slice(0, longestStatus);
	return { id: json.id, status, createdAt, startedAt, completedAt, json };
}

/** A status is part of the stored memory. */
const longestStatus = 50;

function batchRow(json: Json): ListedRow {
	const id = batchIdOf(json);
	if (id === undefined) throw new Failure('A batch carries no batchId, so it cannot be followed');
	// Without its counts, a batch would seem to run for ever.
	if (typeof json.total !== 'number')
		throw new Failure('The list of batches shows no counts: use Batch: Wait for each batch instead');
	return { id, status: outcomeOf(json), createdAt: json.createdAt as ListedRow['createdAt'], json };
}

/** A longer poll would delay the next ones, whatever n8n allows. */
export const longestPollMs = 240_000;

export async function askingFor(context: IPollFunctions) {
	const started = performance.now();
	const budget = Math.min(longestPollMs, pollBudgetMs(context));
	// Such a scheduler repeats failed polls itself, sooner than the node could.
	const repeats = hasShortPolls(context) ? 0 : 2;
	const sender = await createSender(context, {
		concurrency: 1,
		timeout: Math.min(timeoutBounds.default * 1000, budget * 0.8),
		repeats,
	});
	let isOver = false;
	const exchange: typeof sender.exchange = (request) =>
		sender.exchange(request).catch((error: unknown) => {
			isOver ||= concernsScheduler(error);
			throw error;
		});
	// After such an error, no further request of this poll can succeed.
	const remainingMs = () => (isOver ? 0 : started + budget - performance.now());
	return { ...sender, exchange, remainingMs };
}

/** A rate limit or a refused credential: then the scheduler should wait longer. A 403 is about one request alone. */
export const concernsScheduler = (error: unknown) =>
	error instanceof Failure && [401, 429].includes(error.details.httpCode ?? 0);
