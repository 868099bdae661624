import { defaultLimits } from './limits';
import type { Verdicts } from './poll';
import { instant, isFinal, type PageQuery, type Row, type StatusSource } from './source';
import { created, second, walk } from './walk';
import type { StatusEvent } from './watch';

export type ResultFilters = Pick<PageQuery, 'source_filters' | 'scorecard_score_min' | 'scorecard_score_max'>;

/**
 * Filters that look at results can be judged by the service alone, and only after the end. The list is asked for the
 * creation times of the ended inquiries: what it returns passes. Events of unfinished inquiries pass unasked.
 */
export async function judgeByResults(
	source: StatusSource,
	filters: ResultFilters,
	events: StatusEvent[],
	mayGoOn: () => boolean,
	limit = defaultLimits.page,
): Promise<Verdicts> {
	const verdicts = new Map<StatusEvent, Row | null>();
	let waiting = [...events].sort((a, b) => createdAt(a) - createdAt(b));
	const ask = (bounds: Parameters<typeof created>[0]) =>
		source.page({
			sort_by: 'created_at',
			sort_order: 'asc',
			limit,
			...filters,
			...created(bounds),
			offset: bounds.offset,
		});
	for (const event of waiting) if (!isFinal(event.row.status)) verdicts.set(event, event.row);
	waiting = waiting.filter((event) => !verdicts.has(event));
	let stuck = false;
	while (waiting.length > 0 && mayGoOn()) {
		const matching = new Set<string>();
		const first = createdAt(waiting[0]);
		const last = createdAt(waiting[waiting.length - 1]);
		const upTo = await walk(
			{
				page: (bounds) => ask({ to: last + second + 1, ...bounds }),
				// Page by page, because between two events there may be many rows of no interest; a crowd is walked through.
				mayGoOn: () => stuck && mayGoOn(),
				see: ({ id }) => void matching.add(id),
			},
			first,
		);
		const decided = waiting.filter((event) => upTo === null || createdAt(event) < upTo);
		for (const event of decided) verdicts.set(event, matching.has(event.row.id) ? event.row : null);
		waiting = waiting.filter((event) => !verdicts.has(event));
		stuck = decided.length === 0;
	}
	return verdicts;
}

const createdAt = ({ row }: StatusEvent) => instant(row.createdAt);

/** List rows may be summaries. What cannot be read now is left to the next poll; a few such must not stop the others. */
export async function readInFull(
	source: StatusSource,
	verdicts: Map<StatusEvent, Row | null>,
	mayGoOn: () => boolean,
): Promise<void> {
	let failures = 0;
	for (const [event, row] of [...verdicts]) {
		if (row === null) continue;
		const full = failures < 3 && mayGoOn() ? await source.read(row.id).catch(() => undefined) : undefined;
		if (full === undefined) {
			failures++;
			verdicts.delete(event);
		} else if (full !== 'gone') {
			// It may have moved on meanwhile; the item tells of the status that was noticed.
			const { status, completedAt } = row.record as Record<string, unknown>;
			const record = {
				...(full.record as Record<string, unknown>),
				status,
				...(completedAt === undefined ? {} : { completedAt }),
			};
			verdicts.set(event, { ...row, record });
		}
	}
}
