import { Allowance } from './allowance';
import { defaultLimits, type Limits } from './limits';
import { emptyMemory, type Memory, recall, recheckedFrom, save } from './memory';
import type { PollOptions, PollResult } from './poll';
import { instant, type StatusSource } from './source';
import { type Rules, Watch } from './watch';

/** A batch has no end date. Its creation date takes that place: a second end is told from the first by its outcome. */
const rules: Rules = { stampOf: ({ createdAt }) => instant(createdAt), datesEnds: false, readUndated: false };

/** Pages the first poll may read to learn what there is. */
const firstLookPages = 100;

/**
 * Follows the list of batches, which knows no filter and no documented order. A poll reads the first page, the last one
 * where there are several, one more page of a slow round, and each unfinished batch that was on none of them.
 */
export async function pollBatches(source: StatusSource, saved: unknown, options: PollOptions): Promise<PollResult> {
	const limits = { ...defaultLimits, ...options.limits };
	const allowance = new Allowance(source, limits.requests);
	const known = recall(saved, options.scope);
	if (known && 'tracked' in known) {
		if (options.recheckMs !== undefined) reportAgain(known, recheckedFrom(known, options.recheckMs));
		return new BatchPoll(allowance, known, limits, options).run();
	}
	const memory = await firstLook(allowance, limits, options.scope);
	if (!known && options.lookBackMs === undefined) return { events: [], next: save(memory) };
	memory.own = known?.since ?? memory.at - (options.lookBackMs ?? 0);
	reportAgain(memory, memory.own);
	return new BatchPoll(allowance, memory, limits, options).run();
}

/** Everything there is counts as known. */
async function firstLook(allowance: Allowance, limits: Limits, scope: string): Promise<Memory> {
	const memory = emptyMemory(scope, 0);
	const watch = new Watch(memory, limits, rules, () => false);
	let offset = 0;
	let total = Infinity;
	for (let pages = 0; offset < total && pages < firstLookPages && (pages === 0 || allowance.left(0.8)); pages++) {
		const page = await allowance.page({ limit: limits.page, offset });
		memory.at = page.serviceNow;
		for (const row of page.rows) watch.see(row);
		total = page.rows.length === 0 ? offset : page.total;
		offset += page.rows.length;
	}
	memory.mark = memory.horizon = offset < total ? memory.at : watch.newest;
	memory.own = memory.at;
	forgetOldest(memory, limits);
	return memory;
}

class BatchPoll {
	private readonly watch: Watch;
	private trouble: unknown;

	constructor(
		private readonly allowance: Allowance,
		private readonly memory: Memory,
		private readonly limits: Limits,
		private readonly options: PollOptions,
	) {
		// Nothing is created late within a mark that stands still: what is unknown and younger is new.
		this.watch = new Watch(memory, { ...limits, lateness: 0 }, rules, options.wanted ?? (() => true));
	}

	async run(): Promise<PollResult> {
		const { memory, watch, limits, options } = this;
		const total = await this.readPage(0);
		const lastPage = Math.max(0, total - limits.page);
		try {
			if (lastPage > 0) await this.readPage(lastPage);
			await this.sweep(lastPage);
			await this.readUnfinished();
		} catch (error) {
			this.trouble = error;
		}
		const { judge } = options;
		const events =
			judge && watch.eventCount > 0
				? await watch.judge((all) => judge(all, this.allowance, () => this.allowance.left(1)))
				: watch.events;
		memory.mark = memory.horizon = watch.markAfter(memory.horizon);
		forgetOldest(memory, limits);
		return { events, next: save(memory), ...(this.trouble === undefined ? {} : { trouble: this.trouble }) };
	}

	private async readPage(offset: number): Promise<number> {
		const page = await this.allowance.page({ limit: this.limits.page, offset });
		this.memory.at = page.serviceNow;
		for (const row of page.rows) this.watch.see(row);
		return page.total;
	}

	/** The pages between the first and the last one, a few per poll. */
	private async sweep(lastPage: number): Promise<void> {
		const { memory, limits } = this;
		for (let pages = 0; pages < limits.sweepPages && this.allowance.left(0.5); pages++) {
			const offset = memory.sweepFrom + limits.page;
			memory.sweepFrom = offset < lastPage ? offset : 0;
			if (memory.sweepFrom === 0) return;
			await this.readPage(offset);
		}
	}

	private async readUnfinished(): Promise<void> {
		// The longest unread first, so that a budget too small for all of them serves them in turn.
		const waiting = this.watch.unsettled(() => true);
		const start = waiting.findIndex(({ createdAt }) => createdAt >= this.memory.activeFrom);
		const ordered = start > 0 ? [...waiting.slice(start), ...waiting.slice(0, start)] : waiting;
		this.memory.activeFrom = 0;
		for (const { id, createdAt } of ordered) {
			if (!this.allowance.left(1)) {
				this.memory.activeFrom = createdAt;
				return;
			}
			const row = await this.allowance.read(id);
			if (row === 'gone') this.watch.seeNothing(id);
			else this.watch.see(row, true);
		}
	}
}

/** Batches up to the horizon count as reported, so that what is remembered stays bounded. */
function forgetOldest(memory: Memory, limits: Limits): void {
	const { ended } = memory;
	if (ended.size <= limits.ended) return;
	const oldestFirst = [...ended].sort(([, a], [, b]) => a.stamp - b.stamp);
	for (const [print, { stamp }] of oldestFirst.slice(0, ended.size - limits.ended)) {
		ended.delete(print);
		memory.mark = memory.horizon = Math.max(memory.horizon, stamp);
	}
}

/** Batches carry no end date: what was created since a time is reported again. */
function reportAgain(memory: Memory, since: number): void {
	for (const [print, { stamp }] of memory.ended) if (stamp > since) memory.ended.delete(print);
	for (const [id, { createdAt }] of memory.tracked) if (createdAt > since) memory.tracked.delete(id);
	memory.mark = memory.horizon = Math.min(memory.horizon, since);
}
