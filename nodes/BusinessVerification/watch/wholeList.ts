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
import { type ListedRow, secondsOf, type StatusSource } from './source';

/** A poll of a list without filters and without a documented order. */
export interface Opened {
	budget: Budget;
	limits: Limits;
	memory: Memory;
	/** Why the poll starts over; undefined if it continues. */
	reason: Break | undefined;
	/** Whether rows seen for the first time are stored without being reported. */
	silent: boolean;
	clock(): Clock;
}

async function openList(source: StatusSource, saved: Memory | undefined, options: PollOptions): Promise<Opened> {
	const limits = { ...defaultLimits, ...options.limits };
	const budget = new Budget(source, limits);
	const now = await timeFor(budget, saved);
	const reason = breakOf(saved, options, now);
	const { organisation, account, filters, recheckMs } = options;
	const memory = saved && !reason ? continued(saved, options, now) : emptyMemory(organisation, account, filters);
	if (!reason && recheckMs !== undefined) recheck(memory, recheckMs);
	let time: Clock | undefined;
	const silent = reason !== undefined && reason.lookBackMs === undefined;
	return { budget, limits, memory, reason, silent, clock: () => (time ??= new Clock(memory, budget)) };
}

/** `whole` is true if the list was read from its first to its last row, and rows that moved meanwhile hid none. */
async function readWholeList({ budget, memory, limits }: Opened): Promise<{ rows: ListedRow[]; whole: boolean }> {
	const rows = new Map<string, ListedRow>();
	const { sweep } = memory.cursors;
	const limit = limits.page;
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

/** Finished batches in memory. Older ones count as reported. */
const remembered = 3_000;

/**
 * Follows the list of batches. It has no filter and no documented order, so each poll reads all of it. A batch shows no
 * completion date, so a finished batch that the list shows as unfinished is believed only if its record says so too.
 */
export async function pollBatches(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const opened = await openList(source, saved, options);
	const { budget, limits, memory, reason, silent, clock } = opened;
	const { wanted = () => true } = options;
	const { rows, whole } = await readWholeList(opened);
	if (reason) {
		const stamps = rows.map((row) => secondsOf(row.createdAt));
		memory.floor = beginningOf(budget, stamps, { lookBackMs: reason.lookBackMs });
		memory.steps = [{ from: 0, level: memory.floor }];
	}
	const isCurrent = ({ isFull }: ListedRow) => isFull === true;
	const ledger = new Ledger(memory, { limits, isInFull: false, isCurrent, silent, clock, wanted });
	for (const row of rows) ledger.see(row);
	const trouble = reason ? undefined : await readUnread(ledger, budget);
	if (whole && rows.length > 0) leaveMissing(ledger);
	const events = await judgedEvents(ledger, options, budget);
	forgetOldest(memory, Math.min(remembered, limits.ended));
	memory.strained = whole && trouble === undefined ? 0 : memory.strained + 1;
	return { events, next: memory, isStrange: ledger.isStrange, trouble, notice: reason?.notice };
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

/** Each inquiry of the batch is in memory, so none needs a level. */
const noLevel = -1;

/**
 * Follows the inquiries of one batch. Their list has no filter and no documented order, so each poll reads all of it,
 * with one request per page, and notices every change. The size of the batch bounds the memory.
 */
export async function pollBatchInquiries(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const opened = await openList(source, saved, options);
	const { budget, limits, memory, reason, silent, clock } = opened;
	const { wanted = () => true } = options;
	const looking = { limits, isInFull: false, isCurrent: () => true, clock, wanted };
	const { rows, whole } = await readWholeList(opened);
	if (reason) {
		memory.steps = [{ from: 0, level: noLevel }];
		memory.floor = beginningOf(
			budget,
			rows.flatMap((row) => [row.createdAt, row.completedAt].map(secondsOf)),
			reason,
		);
		const isOld = (row: ListedRow) => Math.max(secondsOf(row.completedAt), secondsOf(row.createdAt)) <= memory.floor;
		const before = new Ledger(memory, { ...looking, silent: true });
		for (const row of rows) {
			const created = secondsOf(row.createdAt);
			if (silent || isOld(row)) before.see(row);
			else if (created <= memory.floor) memory.known.set(print(row.id), { ...entered(created, noLevel), open: 1 });
		}
	}
	const ledger = new Ledger(memory, { ...looking, silent });
	for (const row of rows) ledger.see(row);
	if (whole && rows.length > 0) leaveMissing(ledger);
	const events = await judgedEvents(ledger, options, budget);
	memory.strained = whole ? 0 : memory.strained + 1;
	return { events, next: memory, notice: reason?.notice };
}
