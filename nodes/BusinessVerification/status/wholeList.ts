import { Budget } from './budget';
import { Clock } from './clock';
import { defaultLimits, type Limits } from './limits';
import { emptyMemory, type Memory } from './memory';
import type { PollOptions } from './poll';
import { recheck } from './recheck';
import type { Row, StatusSource } from './source';
import { type Break, breakOf, timeFor } from './start';

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
export async function readRows({ budget, memory, limits }: Opened): Promise<{ rows: Row[]; whole: boolean }> {
	const rows = new Map<string, Row>();
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
