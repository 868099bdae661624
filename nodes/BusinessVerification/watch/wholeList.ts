import type { Budget } from './clock';
import { type Memory, print } from './memory';
import { entered } from './occurrence';
import { beginningOf, beginPoll, judgedEvents, type Poll, type PollOptions, type PollResult } from './poll';
import { Ledger } from './ledger';
import { isLastPage } from './lists';
import { type ListedRow, secondsOf, type StatusSource } from './source';

/**
 * Follows a list that has no filter and no documented order, so each poll reads all of it: the batches, with one request
 * for each page of them, or the inquiries of one batch.
 */

/** What distinguishes the two lists. */
interface Kind {
	/** Whether its rows cannot be outdated copies. */
	isCurrent: boolean;
	/** What counts as reported when the trigger starts, besides what is older than `memory.floor`. */
	begin(poll: Poll, rows: ListedRow[]): void;
	/** Finished entries in memory. Older ones count as reported. */
	remembered: number;
}

const pollOf =
	({ isCurrent, begin, remembered }: Kind) =>
	async (source: StatusSource, saved: Memory | undefined, options: PollOptions): Promise<PollResult> => {
		const poll = await beginPoll(source, saved, options);
		const { budget, limits, memory, reason } = poll;
		const { rows, whole } = await readWholeList(poll, isCurrent);
		if (reason) {
			memory.floor = beginningOf(budget, rows, reason);
			begin(poll, rows);
		}
		const ledger = new Ledger(poll, false);
		for (const row of rows) ledger.see(row);
		const trouble = reason ? undefined : await readUnread(ledger, budget);
		if (whole && rows.length > 0) leaveMissing(memory, ledger);
		const events = await judgedEvents(ledger, poll);
		forgetOldest(memory, Math.min(remembered, limits.ended));
		memory.strained = whole && trouble === undefined ? 0 : memory.strained + 1;
		return { events, next: memory, isStrange: ledger.isStrange, trouble, notice: reason?.notice };
	};

/**
 * A batch shows no completion date, so a finished batch that the list shows as unfinished is believed only if its record
 * says so too.
 */
export const pollBatches = pollOf({
	isCurrent: false,
	begin({ memory }) {
		memory.steps = [{ from: 0, level: memory.floor }];
	},
	remembered: 3_000,
});

/** Each inquiry of the batch is in memory, so none needs a level. */
const noLevel = -1;

/** Notices every change. The size of the batch bounds the memory. */
export const pollBatchInquiries = pollOf({
	isCurrent: true,
	begin(poll, rows) {
		const { memory, silent } = poll;
		memory.steps = [{ from: 0, level: noLevel }];
		const isOld = (row: ListedRow) => Math.max(secondsOf(row.completedAt), secondsOf(row.createdAt)) <= memory.floor;
		const before = new Ledger({ ...poll, silent: true }, false);
		for (const row of rows) {
			const created = secondsOf(row.createdAt);
			if (silent || isOld(row)) before.see(row);
			else if (created <= memory.floor) memory.known.set(print(row.id), { ...entered(created, noLevel), open: 1 });
		}
	},
	remembered: Infinity,
});

/** `whole` is true if the list was read from its first to its last row, and rows that moved meanwhile hid none. */
async function readWholeList({ budget, memory, limits }: Poll, isCurrent: boolean) {
	const rows = new Map<string, ListedRow>();
	const { sweep } = memory.cursors;
	const limit = limits.page;
	const begin = sweep.offset;
	let offset = begin;
	for (;;) {
		const page = await budget.page({ limit, offset });
		for (const row of page.rows) rows.set(row.id, { ...row, isCurrent });
		const atEnd = isLastPage(page, offset, true);
		offset += page.rows.length;
		if (!atEnd && budget.allows(0.9)) continue;
		sweep.offset = atEnd ? 0 : offset;
		return { rows: [...rows.values()], whole: begin === 0 && atEnd && rows.size >= (page.total ?? 0) };
	}
}

/** Batches that cannot be read now are requested by the next poll. */
async function readUnread(ledger: Ledger, budget: Budget): Promise<unknown> {
	let trouble: unknown;
	for (const { id } of [...ledger.unread.values()]) {
		if (!budget.allows()) break;
		const row = await budget.read(id).catch((error: unknown) => void (trouble ??= error));
		if (row && row !== 'gone') ledger.see({ ...row, isFull: true, isCurrent: true });
	}
	return trouble;
}

/** An unfinished entry that two complete lists in a row do not show is gone. */
function leaveMissing(memory: Memory, ledger: Ledger): void {
	for (const [id, entry] of memory.known) {
		if (entry.open === 0 || ledger.seen.has(id)) continue;
		if (entry.astray > 0) ledger.remove(id);
		else ledger.put(id, { ...entry, astray: Math.floor(memory.at / 1_000) });
	}
}

/** Drops the oldest finished batches and raises the level to them, so that memory stays bounded. */
function forgetOldest(memory: Memory, most: number): void {
	const ended = [...memory.known.values()].filter(({ open }) => open === 0).map(({ created }) => created);
	const excess = ended.length - most;
	if (excess <= 0) return;
	const level = ended.sort((a, b) => a - b)[excess - 1];
	memory.steps = memory.steps.map((step) => ({ ...step, level: Math.max(step.level, level) }));
	for (const [id, { open, created }] of memory.known) if (open === 0 && created <= level) memory.known.delete(id);
}
