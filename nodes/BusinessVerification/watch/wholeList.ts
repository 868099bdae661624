import { Budget, Clock, defaultLimits, type Limits } from './clock';
import { emptyMemory, type Memory, print, start } from './memory';
import { entered } from './occurrence';
import {
	beginningOf,
	type Break,
	breakOf,
	judgedEvents,
	type PollOptions,
	type PollResult,
	recheck,
	timeFor,
} from './poll';
import { isEnd } from '../document/inquiries';
import { Ledger } from './ledger';
import { type ListedRow, secondsOf, type StatusSource } from './source';

/** A poll of a list that knows no filter and no documented order. */
export interface Opened {
	budget: Budget;
	limits: Limits;
	memory: Memory;
	/** Why it starts anew; undefined where it goes on. */
	reason: Break | undefined;
	/** Whether what is seen for the first time is entered without being told. */
	silent: boolean;
	clock(): Clock;
}

export async function openList(source: StatusSource, saved: Memory | undefined, options: PollOptions): Promise<Opened> {
	const limits = { ...defaultLimits, ...options.limits };
	const budget = new Budget(source, limits);
	const reason = breakOf(saved, options, await timeFor(budget, saved));
	const { organisation, account, filters, recheckMs } = options;
	const memory = saved && !reason ? saved : emptyMemory(organisation, account, filters);
	if (!reason && recheckMs !== undefined) recheck(memory, recheckMs);
	let time: Clock | undefined;
	const silent = reason !== undefined && reason.lookBackMs === undefined;
	return { budget, limits, memory, reason, silent, clock: () => (time ??= new Clock(memory, budget)) };
}

/** `whole`: the list was read from its first row to its last, and none was skipped by rows that moved meanwhile. */
export async function readWholeList({
	budget,
	memory,
	limits,
}: Opened): Promise<{ rows: ListedRow[]; whole: boolean }> {
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

/** Ended batches in memory; older ones count as told. */
const remembered = 3_000;

/**
 * Follows the list of batches, which knows no filter and no documented order. A poll reads the first page, the last one
 * where there are several, one more of a slow round, and each unfinished batch that was on none of them. A batch has no
 * date of its end: a list that shows it unfinished again is believed when the batch, read by itself, says so too.
 */
export async function pollBatches(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const opened = await openList(source, saved, options);
	const { budget, limits, memory, reason, silent, clock } = opened;
	const { wanted = () => true } = options;
	const first = reason && (await readWholeList(opened));
	if (first) beginAt(opened, first.rows);
	const ledger = new Ledger(memory, {
		limits,
		isInFull: false,
		isCurrent: ({ isFull }) => isFull === true,
		silent,
		clock,
		wanted,
	});
	for (const row of first?.rows ?? []) show(memory, ledger, row);
	const trouble = first ? undefined : await new BatchPoll(budget, memory, ledger, limits).run();
	const events = await judgedEvents(ledger, options, budget);
	forgetOldest(memory, Math.min(remembered, limits.ended));
	for (const id of Object.keys(memory.names)) if (!memory.known.get(Number(id))?.open) delete memory.names[Number(id)];
	memory.strained = trouble === undefined ? 0 : memory.strained + 1;
	return { events, next: memory, isStrange: ledger.isStrange, trouble, notice: reason?.notice };
}

/** Batches created before count as told, those that could not be looked at too. */
function beginAt({ budget, memory, reason }: Opened, rows: ListedRow[]): void {
	const stamps = rows.map((row) => secondsOf(row.createdAt));
	memory.floor = beginningOf(budget, stamps, { lookBackMs: reason?.lookBackMs });
	memory.steps = [{ from: 0, level: memory.floor }];
}

function show(memory: Memory, ledger: Ledger, row: ListedRow): void {
	ledger.see(row);
	if (!isEnd(row.status)) memory.names[print(row.id)] = row.id;
}

class BatchPoll {
	constructor(
		private readonly budget: Budget,
		private readonly memory: Memory,
		private readonly ledger: Ledger,
		private readonly limits: Limits,
	) {}

	/** Returns what went wrong after the first page. */
	async run(): Promise<unknown> {
		const total = await this.readPage(0);
		const lastPage = Math.max(0, total - this.limits.page);
		try {
			if (lastPage > 0 && this.budget.allows(0.5)) await this.readPage(lastPage);
			await this.sweep(lastPage);
		} catch (error) {
			return (await this.readUnfinished()) ?? error;
		}
		return this.readUnfinished();
	}

	private async readPage(offset: number): Promise<number> {
		const { rows, total } = await this.budget.page({ limit: this.limits.page, offset });
		for (const row of rows) show(this.memory, this.ledger, row);
		return total ?? offset + rows.length + (rows.length < this.limits.page ? 0 : 1);
	}

	/** The pages between the first and the last one, one per poll. */
	private async sweep(lastPage: number): Promise<void> {
		const { sweep } = this.memory.cursors;
		const offset = sweep.offset + this.limits.page;
		sweep.offset = offset < lastPage ? offset : 0;
		if (sweep.offset > 0 && this.budget.allows(0.5)) await this.readPage(offset);
	}

	/** In turn, so that neither a budget too small for all nor one that cannot be read keeps the others waiting. */
	private async readUnfinished(): Promise<unknown> {
		const { memory, ledger, budget } = this;
		const waiting = [...memory.known]
			.filter(([id, { open }]) => ledger.unread.has(id) || (open > 0 && !ledger.seen.has(id)))
			.sort(([a, { created: x }], [b, { created: y }]) => x - y || a - b);
		const from = waiting.findIndex(([, { created }]) => created > memory.cursors.active.at);
		let trouble: unknown;
		for (const [id] of from > 0 ? [...waiting.slice(from), ...waiting.slice(0, from)] : waiting) {
			if (!budget.allows()) return trouble;
			memory.cursors.active.at = memory.known.get(id)?.created ?? 0;
			const name = memory.names[id] ?? ledger.unread.get(id)?.id;
			if (name === undefined) continue;
			const row = await budget.read(name).catch((error: unknown) => void (trouble ??= error));
			if (row && row !== 'gone') ledger.see({ ...row, isFull: true });
			else if (row === 'gone') this.leave(id);
		}
		memory.cursors.active = start();
		return trouble;
	}

	/** Twice in a row means that it is gone. */
	private leave(id: number): void {
		const entry = this.memory.known.get(id)!;
		if (entry.astray > 0) this.ledger.remove(id);
		else this.ledger.put(id, { ...entry, astray: Math.floor(this.memory.at / 1_000) });
	}
}

/** Batches up to the level count as told, so that what is remembered stays bounded. */
function forgetOldest(memory: Memory, most: number): void {
	const ended = [...memory.known.values()].filter(({ open }) => open === 0).map(({ created }) => created);
	const excess = ended.length - most;
	if (excess <= 0) return;
	const level = ended.sort((a, b) => a - b)[excess - 1];
	memory.steps = memory.steps.map((step) => ({ ...step, level: Math.max(step.level, level) }));
	for (const [id, { open, created }] of memory.known) if (open === 0 && created <= level) memory.known.delete(id);
}

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
	const present = new Set(rows.map(({ id }) => print(id)));
	for (const [id, { open }] of memory.known) if (whole && open > 0 && !present.has(id)) ledger.remove(id);
	const events = await judgedEvents(ledger, options, budget);
	memory.strained = whole ? 0 : memory.strained + 1;
	return { events, next: memory, notice: reason?.notice };
}
