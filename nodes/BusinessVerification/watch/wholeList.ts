import { Budget, Clock, defaultLimits, type Limits } from './clock';
import { emptyMemory, type Memory, print } from './memory';
import { entered } from './occurrence';
import {
	beginningOf,
	type Break,
	breakOf,
	continued,
	judgedEvents,
	type PollOptions,
	type PollResult,
	recheck,
	timeFor,
} from './poll';
import { Ledger } from './ledger';
import { isLastPage } from './lists';
import { type ListedRow, secondsOf, type StatusSource } from './source';

/**
 * Follows a list that has no filter and no documented order, so each poll reads all of it: the batches, with one request
 * for each page of them, or the inquiries of one batch.
 */

/** What distinguishes the two lists. */
interface Kind {
	/** Whether a row cannot be an outdated copy. */
	isCurrent(row: ListedRow): boolean;
	/** What counts as reported when the trigger starts. */
	begin(poll: Poll, rows: ListedRow[], reason: Break): void;
	/** Finished entries in memory. Older ones count as reported. */
	remembered: number;
}

interface Poll {
	budget: Budget;
	limits: Limits;
	memory: Memory;
	/** Whether rows seen for the first time are stored without being reported. */
	silent: boolean;
	ledgerOf(silent: boolean): Ledger;
}

const pollOf =
	({ isCurrent, begin, remembered }: Kind) =>
	async (source: StatusSource, saved: Memory | undefined, options: PollOptions): Promise<PollResult> => {
		const { organisation, account, filters, recheckMs, wanted = () => true } = options;
		const limits = { ...defaultLimits, ...options.limits };
		const budget = new Budget(source, limits);
		const now = await timeFor(budget, saved);
		const reason = breakOf(saved, options, now);
		const memory = saved && !reason ? continued(saved, options, now) : emptyMemory(organisation, account, filters);
		if (!reason && recheckMs !== undefined) recheck(memory, recheckMs);
		let time: Clock | undefined;
		const clock = () => (time ??= new Clock(memory, budget));
		const ledgerOf = (silent: boolean) =>
			new Ledger(memory, { limits, isInFull: false, isCurrent, silent, clock, wanted });
		const silent = reason !== undefined && reason.lookBackMs === undefined;
		const poll = { budget, limits, memory, silent, ledgerOf };
		const { rows, whole } = await readWholeList(poll);
		if (reason) begin(poll, rows, reason);
		const ledger = ledgerOf(silent);
		for (const row of rows) ledger.see(row);
		const trouble = reason ? undefined : await readUnread(ledger, budget);
		if (whole && rows.length > 0) leaveMissing(ledger);
		const events = await judgedEvents(ledger, options, budget);
		forgetOldest(memory, Math.min(remembered, limits.ended));
		memory.strained = whole && trouble === undefined ? 0 : memory.strained + 1;
		return { events, next: memory, isStrange: ledger.isStrange, trouble, notice: reason?.notice };
	};

/**
 * A batch shows no completion date, so a finished batch that the list shows as unfinished is believed only if its record
 * says so too.
 */
export const pollBatches = pollOf({
	isCurrent: ({ isFull }) => isFull === true,
	begin({ budget, memory }, rows, { lookBackMs }) {
		memory.floor = beginningOf(budget, rows, { lookBackMs });
		memory.steps = [{ from: 0, level: memory.floor }];
	},
	remembered: 3_000,
});

/** Each inquiry of the batch is in memory, so none needs a level. */
const noLevel = -1;

/** Notices every change. The size of the batch bounds the memory. */
export const pollBatchInquiries = pollOf({
	isCurrent: () => true,
	begin({ budget, memory, silent, ledgerOf }, rows, { lookBackMs }) {
		memory.steps = [{ from: 0, level: noLevel }];
		memory.floor = beginningOf(budget, rows, { lookBackMs });
		const isOld = (row: ListedRow) => Math.max(secondsOf(row.completedAt), secondsOf(row.createdAt)) <= memory.floor;
		const before = ledgerOf(true);
		for (const row of rows) {
			const created = secondsOf(row.createdAt);
			if (silent || isOld(row)) before.see(row);
			else if (created <= memory.floor) memory.known.set(print(row.id), { ...entered(created, noLevel), open: 1 });
		}
	},
	remembered: Infinity,
});

/** `whole` is true if the list was read from its first to its last row, and rows that moved meanwhile hid none. */
async function readWholeList({ budget, memory, limits }: Poll): Promise<{ rows: ListedRow[]; whole: boolean }> {
	const rows = new Map<string, ListedRow>();
	const { sweep } = memory.cursors;
	const limit = limits.page;
	const begin = sweep.offset;
	let offset = begin;
	for (;;) {
		const page = await budget.page({ limit, offset });
		for (const row of page.rows) rows.set(row.id, row);
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
		if (row && row !== 'gone') ledger.see({ ...row, isFull: true });
	}
	return trouble;
}

/** An unfinished entry that two complete lists in a row do not show is gone. */
function leaveMissing(ledger: Ledger): void {
	const { memory, seen } = ledger;
	for (const [id, entry] of memory.known) {
		if (entry.open === 0 || seen.has(id)) continue;
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
