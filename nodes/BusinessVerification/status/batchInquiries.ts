import { Budget } from './budget';
import { Clock } from './clock';
import { entered } from './entry';
import { Ledger } from './ledger';
import { defaultLimits } from './limits';
import { emptyMemory, type Memory, print } from './memory';
import { type PollOptions, type PollResult, settle } from './poll';
import { recheck } from './recheck';
import { type Row, seconds, type StatusSource } from './source';
import { breakOf, timeFor } from './start';

/** Everything is known by itself, and nothing by a level. */
const noLevel = [{ from: 0, level: -1 }];

/**
 * Follows the inquiries of one batch. Their list has no filter and no documented order, so each poll reads it whole: one
 * request per page, and every change of a row is noticed. What a batch holds bounds what is remembered.
 */
export async function pollBatchInquiries(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const limits = { ...defaultLimits, ...options.limits };
	const budget = new Budget(source, limits);
	const reason = breakOf(saved, options, await timeFor(budget, saved));
	const { organisation, account, filters, wanted = () => true } = options;
	const memory = saved && !reason ? saved : { ...emptyMemory(organisation, account, filters), steps: noLevel };
	if (!reason && options.recheckMs !== undefined) recheck(memory, options.recheckMs);
	let time: Clock | undefined;
	const clock = () => (time ??= new Clock(memory, budget));
	const looking = { limits, dated: false, isCurrent: () => true, clock, wanted };
	const { rows, whole } = await readRows(budget, memory, limits.page);
	const now = clock().now;
	const since = reason ? now - Math.floor((reason.lookBackMs ?? 0) / 1_000) : -1;
	const isOld = (row: Row) =>
		reason !== undefined && Math.max(seconds(row.completedAt), seconds(row.createdAt)) <= since;
	if (reason) {
		memory.floor = since;
		const silent = new Ledger(memory, { ...looking, silent: true });
		for (const row of rows) {
			if (isOld(row) || reason.lookBackMs === undefined) silent.see(row);
			else if (seconds(row.createdAt) <= since) memory.known.set(print(row.id), entered(seconds(row.createdAt), -1));
		}
	}
	const ledger = new Ledger(memory, { ...looking, silent: reason !== undefined && reason.lookBackMs === undefined });
	for (const row of rows) ledger.see(row);
	const present = new Set(rows.map(({ id }) => print(id)));
	for (const [id, { running }] of memory.known) if (whole && running && !present.has(id)) ledger.remove(id);
	const { judge } = options;
	const events =
		judge && ledger.events.length > 0
			? settle(ledger, await judge(ledger.events, budget, () => budget.allows()))
			: ledger.events;
	memory.strained = whole ? 0 : memory.strained + 1;
	return { events, next: memory, ...(reason?.notice ? { notice: reason.notice } : {}) };
}

/** `whole`: the list was read from its first row to its last, and none was skipped by rows that moved meanwhile. */
async function readRows(budget: Budget, memory: Memory, limit: number): Promise<{ rows: Row[]; whole: boolean }> {
	const rows = new Map<string, Row>();
	const { sweep } = memory.cursors;
	const begin = sweep.offset;
	let offset = begin;
	for (;;) {
		const page = await budget.page({ limit, offset });
		for (const row of page.rows) rows.set(row.id, row);
		offset += page.rows.length;
		const atEnd = page.rows.length === 0 || offset >= (page.total ?? (page.rows.length < limit ? offset : Infinity));
		if (!atEnd && budget.allows(0.9)) continue;
		sweep.offset = atEnd ? 0 : offset;
		return { rows: [...rows.values()], whole: begin === 0 && atEnd && rows.size >= (page.total ?? 0) };
	}
}
