import { mayStillFill } from '../inquiry/record';
import type { StatusEvent } from './ledger';
import { inFull, isZoneless, type ListedRow, type PageQuery, type ReadPage, secondsOf } from './rows';
import { readRows } from './walk';

/** The row with which an event is reported, or null, which rejects it. */
export type Verdicts = Map<StatusEvent, ListedRow | null>;

export interface JudgeSource {
	page(query: PageQuery): Promise<ReadPage | undefined>;
	read(id: string): Promise<ListedRow | 'gone' | undefined>;
}

/** Minutes after it was first postponed in which a completion may still begin to pass. */
const resultsMayComeFor = 15;

/**
 * Only the service can apply result filters. So the list is requested with them, for the creation times of the finished
 * inquiries: those returned pass, and the others are requested again for `resultsMayComeFor` minutes, as results arrive after
 * completion.
 */
export async function judgeByResults(events: StatusEvent[], filters: Partial<PageQuery>, source: JudgeSource) {
	const isFiltered = Object.keys(filters).length > 0;
	const passing = events.filter(({ kind }) => !isFiltered || kind !== 'ended');
	const verdicts: Verdicts = new Map(passing.map((event) => [event, event.row]));
	let waiting = events.filter((event) => !verdicts.has(event)).sort((a, b) => createdAt(a) - createdAt(b));
	const zoneless = waiting.some(({ row }) => isZoneless(row));
	while (waiting.length > 0) {
		const matching = new Set<string>();
		const from = createdAt(waiting[0]);
		const to = createdAt(waiting[waiting.length - 1]) + 1;
		const readPage = async (query: PageQuery) => {
			const page = await source.page({ ...filters, ...query });
			for (const { id } of page?.rows ?? []) matching.add(id);
			return page;
		};
		// Each walk reads one page from an event on, as many rows may follow before the next event.
		const reached = await readRows(from, to, { readPage, zoneless, pages: 1 });
		for (const event of waiting) {
			if (matching.has(event.row.id)) verdicts.set(event, event.row);
			else if (createdAt(event) < reached && event.waited >= resultsMayComeFor) verdicts.set(event, null);
		}
		if (reached <= from) break;
		waiting = waiting.filter((event) => !verdicts.has(event) && createdAt(event) >= reached);
	}
	return verdicts;
}

const createdAt = ({ row }: StatusEvent) => secondsOf(row.createdAt);

const lacksResults = ({ json, status }: ListedRow) => mayStillFill({ ...json, status });

/**
 * Reads the records of events, as rows may be summaries. A completion whose record cannot be read is left to the next poll, as
 * is one that waits for its results; other events are reported as listed.
 */
export async function readInFull(
	verdicts: Verdicts,
	source: JudgeSource,
	{ waitMinutes = 0, only }: { waitMinutes?: number; only?: StatusEvent['kind'] } = {},
): Promise<void> {
	const isEnough = (row: ListedRow) => row.detail === 'full' && (waitMinutes === 0 || !lacksResults(row));
	for (const [event, row] of [...verdicts]) {
		if (row === null || isEnough(row) || (only && event.kind !== only)) continue;
		const record = await source.read(row.id);
		const full = record === 'gone' ? row : record && inFull(row, record);
		const mayWait = event.kind === 'ended' && event.waited < waitMinutes;
		if (full && !(mayWait && lacksResults(full))) verdicts.set(event, full);
		else verdicts.delete(event);
	}
}
