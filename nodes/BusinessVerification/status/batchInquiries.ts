import { entered } from './entry';
import { Ledger } from './ledger';
import { type Memory, print } from './memory';
import { judged, type PollOptions, type PollResult } from './poll';
import { type Row, seconds, type StatusSource } from './source';
import { openList, readRows } from './wholeList';

/** Everything is known by itself, and nothing by a level. */
const noLevel = -1;

/**
 * Follows the inquiries of one batch. Their list has no filter and no documented order, so each poll reads it whole: one
 * request per page, and every change of a row is noticed. What a batch holds bounds what is remembered.
 */
export async function pollBatchInquiries(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const opened = await openList(source, saved, options);
	const { budget, limits, memory, reason, silent, clock } = opened;
	const { wanted = () => true } = options;
	const looking = { limits, dated: false, isCurrent: () => true, clock, wanted };
	const { rows, whole } = await readRows(opened);
	if (reason) {
		memory.steps = [{ from: 0, level: noLevel }];
		memory.floor = clock().now - Math.floor((reason.lookBackMs ?? 0) / 1_000);
		const isOld = (row: Row) => Math.max(seconds(row.completedAt), seconds(row.createdAt)) <= memory.floor;
		const before = new Ledger(memory, { ...looking, silent: true });
		for (const row of rows) {
			const created = seconds(row.createdAt);
			if (silent || isOld(row)) before.see(row);
			else if (created <= memory.floor) memory.known.set(print(row.id), entered(created, noLevel));
		}
	}
	const ledger = new Ledger(memory, { ...looking, silent });
	for (const row of rows) ledger.see(row);
	const present = new Set(rows.map(({ id }) => print(id)));
	for (const [id, { running }] of memory.known) if (whole && running && !present.has(id)) ledger.remove(id);
	const events = await judged(ledger, options, budget);
	memory.strained = whole ? 0 : memory.strained + 1;
	return { events, next: memory, notice: reason?.notice };
}
