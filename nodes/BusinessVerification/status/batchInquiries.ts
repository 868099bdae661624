import { Allowance } from './allowance';
import { defaultLimits, type Limits } from './limits';
import { emptyMemory, type Memory, recall, recheckedFrom, save } from './memory';
import type { PollOptions, PollResult } from './poll';
import { instant, type Row, type StatusSource } from './source';
import { type Rules, Watch } from './watch';

const rules: Rules = { stampOf: ({ completedAt }) => instant(completedAt), datesEnds: true, readUndated: false };

/**
 * Follows the inquiries of one batch. Their list has no filter and no documented order, so each poll reads it whole:
 * one request per 500 inquiries, and every change of a row is noticed. What a batch holds bounds what is remembered.
 */
export async function pollBatchInquiries(
	source: StatusSource,
	saved: unknown,
	options: PollOptions,
): Promise<PollResult> {
	const limits = { ...defaultLimits, ...options.limits };
	const allowance = new Allowance(source, limits.requests);
	const known = recall(saved, options.scope);
	const resumed = known && 'tracked' in known ? known : undefined;
	const memory = resumed ?? emptyMemory(options.scope, 0);
	const lastPoll = memory.at;
	const { rows, whole } = await readRows(allowance, memory, limits);
	const since =
		known && 'since' in known
			? known.since
			: options.lookBackMs === undefined
				? undefined
				: memory.at - options.lookBackMs;
	// Nothing but what is remembered counts as known.
	memory.mark = memory.horizon = 0;
	if (!resumed) {
		const silent = new Watch(memory, limits, rules, () => false);
		for (const row of rows) silent.see(row);
		memory.own = since ?? memory.at;
		if (since === undefined) return { events: [], next: save(memory) };
		reportAgain(memory, since);
		memory.mark = since + limits.lateness;
	} else if (options.recheckMs !== undefined) {
		reportAgain(memory, recheckedFrom({ ...memory, at: lastPoll }, options.recheckMs));
	}
	const watch = new Watch(memory, limits, rules, options.wanted ?? (() => true));
	for (const row of rows) watch.see(row);
	const present = new Set(rows.map(({ id }) => id));
	for (const id of memory.tracked.keys()) if (whole && !present.has(id)) memory.tracked.delete(id);
	const { judge } = options;
	const events =
		judge && watch.eventCount > 0
			? await watch.judge((all) => judge(all, allowance, () => allowance.left(1)))
			: watch.events;
	return { events, next: save(memory) };
}

/** `whole`: the list was read from its first row to its last, and none was skipped by rows that moved meanwhile. */
async function readRows(
	allowance: Allowance,
	memory: Memory,
	limits: Limits,
): Promise<{ rows: Row[]; whole: boolean }> {
	const rows = new Map<string, Row>();
	const start = memory.sweepFrom;
	let offset = start;
	let total: number;
	do {
		const page = await allowance.page({ limit: limits.page, offset });
		memory.at = page.serviceNow;
		for (const row of page.rows) rows.set(row.id, row);
		offset += page.rows.length;
		total = page.rows.length === 0 ? offset : page.total;
	} while (offset < total && allowance.left(0.9));
	memory.sweepFrom = offset < total ? offset : 0;
	return { rows: [...rows.values()], whole: start === 0 && offset >= total && rows.size >= total };
}

function reportAgain({ ended, tracked }: Memory, since: number): void {
	for (const [print, { stamp }] of ended) if (stamp > since) ended.delete(print);
	for (const [id, { createdAt }] of tracked) if (createdAt > since) tracked.delete(id);
}
