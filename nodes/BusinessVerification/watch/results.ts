import { mayStillFill } from '../inquiry/record';
import type { Json } from '../kit/service';
import type { StatusEvent } from './ledger';
import { defaultLimits } from './clock';
import type { Verdicts } from './poll';
import { isIn, start } from './memory';
import { oldestFirst, walk } from './lists';
import { inFull, isZoneless, type PageQuery, type ListedRow, secondsOf, type StatusSource } from './source';

type ResultFilters = Pick<PageQuery, 'source_filters' | 'scorecard_score_min' | 'scorecard_score_max'>;

/** Minutes after completion in which an inquiry may still begin to pass the result filters. */
const resultsMayComeFor = 15;

interface Judging {
	source: StatusSource;
	mayGoOn(): boolean;
	/** Rows per page. */
	limit?: number;
}

/**
 * Only the service can apply result filters, and only after completion. So the list is requested with the filters, for
 * the creation times of the finished inquiries: those returned pass, and the others are requested again for
 * `resultsMayComeFor` minutes, because results arrive after completion. All other events pass without a request.
 */
export async function judgeByResults(
	events: StatusEvent[],
	filters: ResultFilters,
	{ source, mayGoOn, limit = defaultLimits.page }: Judging,
): Promise<Verdicts> {
	const verdicts: Verdicts = new Map();
	let waiting = [...events].sort((a, b) => createdAt(a) - createdAt(b));
	for (const event of waiting) if (event.kind !== 'ended') verdicts.set(event, event.row);
	waiting = waiting.filter((event) => !verdicts.has(event));
	for (let cursor = start(); waiting.length > 0 && mayGoOn();) {
		const matching = new Set<string>();
		const from = cursor.offset > 0 ? cursor : start(createdAt(waiting[0]));
		const to = createdAt(waiting[waiting.length - 1]) + 1;
		const zoneless = waiting.some(({ row }) => isZoneless(row));
		const { next, covered } = await walk(
			{
				...{ counts: false, size: limit, zoneless },
				page: (bounds) => source.page({ ...filters, ...oldestFirst(bounds, limit, zoneless) }),
				// One page per walk, because between two events there may be many rows that do not matter.
				mayGoOn: (inCrowd) => inCrowd && mayGoOn(),
				see: ({ id }) => Boolean(matching.add(id)),
			},
			from,
			to,
		);
		for (const event of waiting) {
			const { row, waited } = event;
			if (matching.has(row.id)) verdicts.set(event, row);
			else if (isIn(covered, createdAt(event)) && waited >= resultsMayComeFor) verdicts.set(event, null);
		}
		if (next === null) break;
		waiting = waiting.filter((event) => !verdicts.has(event) && createdAt(event) >= next.at);
		cursor = next;
	}
	return verdicts;
}

const createdAt = ({ row }: StatusEvent) => secondsOf(row.createdAt);

const lacksResults = ({ record, status }: ListedRow) => mayStillFill({ ...(record as Json), status });

/**
 * Reads the records of events whose rows may be summaries. A record that cannot be read leaves its event to the next
 * poll; after three of them, so do the rest. With `waitMinutes`, a completion waits that long for its results.
 */
export async function readInFull(
	verdicts: Verdicts,
	{ source, mayGoOn }: Judging,
	{ waitMinutes = 0, only }: { waitMinutes?: number; only?: StatusEvent['kind'] } = {},
): Promise<void> {
	let failures = 0;
	for (const [event, row] of [...verdicts]) {
		if (row === null || (only && event.kind !== only)) continue;
		if (row.isFull && (waitMinutes === 0 || !lacksResults(row))) continue;
		const read = failures < 3 && mayGoOn() ? await source.read(row.id).catch(() => undefined) : undefined;
		const full = read === 'gone' ? row : read && inFull(row, read);
		const mayWait = event.kind === 'ended' && event.waited < waitMinutes;
		if (full === undefined) failures++;
		if (full === undefined || (mayWait && lacksResults(full))) verdicts.delete(event);
		else verdicts.set(event, full);
	}
}
