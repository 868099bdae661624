import { isEnd } from '../document/statuses';
import type { Budget } from './budget';
import { clocksOf, newestOf, serviceTime } from './clock';
import { Ledger } from './ledger';
import type { Limits } from './limits';
import { type Memory, print, start } from './memory';
import { judged, type PollOptions, type PollResult } from './poll';
import { type Row, seconds, type StatusSource } from './source';
import { type Opened, openList, readRows } from './wholeList';

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
	const first = reason && (await readRows(opened));
	if (first) beginAt(opened, first.rows, first.whole);
	const ledger = new Ledger(memory, { limits, dated: false, isCurrent: (direct) => direct, silent, clock, wanted });
	for (const row of first?.rows ?? []) show(memory, ledger, row);
	const trouble = first ? undefined : await new BatchPoll(budget, memory, ledger, limits).run();
	const events = await judged(ledger, options, budget);
	forgetOldest(memory, Math.min(remembered, limits.ended));
	for (const id of Object.keys(memory.names))
		if (!memory.known.get(Number(id))?.running) delete memory.names[Number(id)];
	memory.strained = trouble === undefined ? 0 : memory.strained + 1;
	return { events, next: memory, isStrange: ledger.isStrange, trouble, notice: reason?.notice };
}

/** Batches created before count as told, those that could not be looked at too. */
function beginAt({ budget, memory, reason, silent }: Opened, rows: Row[], whole: boolean): void {
	const stamp = newestOf(
		rows.map((row) => seconds(row.createdAt)),
		1,
	);
	const clocks = clocksOf(budget);
	const now = serviceTime(clocks, stamp);
	memory.at = now * 1_000;
	memory.host = clocks.host;
	memory.floor = now - Math.floor((reason?.lookBackMs ?? 0) / 1_000);
	memory.steps = [{ from: 0, level: whole || !silent ? memory.floor : Math.max(now, stamp) }];
}

function show(memory: Memory, ledger: Ledger, row: Row): void {
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
			.filter(([id, { running, sure }]) => running && (!ledger.seen.has(id) || !sure))
			.sort(([a, { created: x }], [b, { created: y }]) => x - y || a - b);
		const from = waiting.findIndex(([, { created }]) => created > memory.cursors.active.at);
		let trouble: unknown;
		for (const [id] of from > 0 ? [...waiting.slice(from), ...waiting.slice(0, from)] : waiting) {
			if (!budget.allows()) return trouble;
			memory.cursors.active.at = memory.known.get(id)?.created ?? 0;
			const name = memory.names[id];
			if (name === undefined) continue;
			const row = await budget.read(name).catch((error: unknown) => void (trouble ??= error));
			if (row && row !== 'gone') ledger.see(row, true);
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
	const ended = [...memory.known.values()].filter(({ running }) => !running).map(({ created }) => created);
	const excess = ended.length - most;
	if (excess <= 0) return;
	const level = ended.sort((a, b) => a - b)[excess - 1];
	memory.steps = memory.steps.map((step) => ({ ...step, level: Math.max(step.level, level) }));
	for (const [id, { running, created }] of memory.known) if (!running && created <= level) memory.known.delete(id);
}
