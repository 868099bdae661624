import { Allowance } from './allowance';
import { defaultLimits, type Limits } from './limits';
import { active, final, inquiryRules, listPage } from './lists';
import { type Memory, recall, recheckedFrom, save } from './memory';
import type { PollOptions, PollResult } from './poll';
import { forgetSince, prune } from './prune';
import { instant, type Page, type Row, type StatusSource } from './source';
import { startBefore, startFromNow } from './starting';
import { type Bounds, second, walk } from './walk';
import { Watch } from './watch';

/** So many single reads may fail in one poll before the service as a whole is taken to be in trouble. */
const failedReadsAtMost = 10;

/**
 * Follows all inquiries of a list. The service has no "updated since", so a poll asks for
 * 1. the unfinished ones, which also shows finished ones that run again,
 * 2. the ones created since the last poll,
 * 3. the tracked ones missing from 1: they finished or vanished,
 * 4. one page of a slow sweep over everything finished, for re-runs that began and ended between two polls.
 * `saved` is left as it is; a failure in 1 or 2 throws and the next poll starts from the same memory.
 */
export async function pollInquiries(source: StatusSource, saved: unknown, options: PollOptions): Promise<PollResult> {
	const limits = { ...defaultLimits, ...options.limits };
	const allowance = new Allowance(source, limits.requests);
	const known = recall(saved, options.scope);
	if (!known && options.lookBackMs === undefined) {
		return { events: [], next: save(await startFromNow(allowance, options.scope, limits)) };
	}
	let memory: Memory;
	if (known && 'tracked' in known) {
		memory = known;
		if (options.recheckMs !== undefined) forgetSince(memory, recheckedFrom(memory, options.recheckMs), limits);
	} else {
		memory = await startBefore(allowance, options.scope, limits, known?.since, options.lookBackMs ?? 0);
	}
	return new InquiryPoll(allowance, memory, limits, options).run();
}

class InquiryPoll {
	private readonly watch: Watch;
	private trouble: unknown;

	constructor(
		private readonly allowance: Allowance,
		private readonly memory: Memory,
		private readonly limits: Limits,
		private readonly options: PollOptions,
	) {
		this.watch = new Watch(memory, limits, inquiryRules, options.wanted ?? (() => true));
	}

	async run(): Promise<PollResult> {
		const { memory, watch } = this;
		const covered = await this.readActive();
		const reached = await this.readNew();
		await this.forgive(() => this.resolve(covered));
		await this.forgive(() => this.sweep());
		const events = await this.judged();
		memory.mark = watch.markAfter(reached.mark);
		memory.resume = reached.resume && watch.markAfter(reached.resume);
		prune(memory, this.limits);
		return { events, next: save(memory), ...(this.trouble === undefined ? {} : { trouble: this.trouble }) };
	}

	private left(share: number): boolean {
		return this.watch.eventCount < this.limits.events && this.allowance.left(share);
	}

	private async readActive(): Promise<(createdAt: number) => boolean> {
		const { memory, watch } = this;
		const from = memory.activeFrom;
		const page = async (bounds: Bounds) => this.timed(await listPage(this.allowance, this.limits, bounds, active));
		const stopped = await walk(
			{ page, mayGoOn: (inCrowd) => this.left(inCrowd ? 0.9 : 0.4), see: (row) => void watch.see(row) },
			from,
		);
		memory.activeFrom = stopped ?? 0;
		return (createdAt) => createdAt >= from && (stopped === null || createdAt < stopped);
	}

	private async readNew(): Promise<{ mark: number; resume: number }> {
		const { memory, watch, limits } = this;
		const from = memory.resume || Math.max(1, memory.mark - limits.lateness);
		const { at } = memory;
		let newest = memory.mark;
		const see = (row: Row) => {
			const room = watch.see(row);
			if (room) newest = Math.max(newest, instant(row.createdAt));
			return room;
		};
		const page = (bounds: Bounds) => listPage(this.allowance, limits, bounds);
		const stopped = await walk({ page, mayGoOn: (inCrowd) => this.left(inCrowd ? 0.9 : 0.65), see }, from);
		// A single wrong date in the future must not hide what is created until then.
		const mark = Math.max(memory.mark, Math.min(newest, at + limits.slack));
		return stopped === null ? { mark: Math.max(mark, at - limits.slack), resume: 0 } : { mark, resume: stopped };
	}

	private async resolve(covered: (createdAt: number) => boolean): Promise<void> {
		const { watch } = this;
		let waiting = watch.unsettled(covered);
		const failed = new Set<string>();
		let pagesPay = true;
		while (waiting.length > 0 && failed.size < failedReadsAtMost && this.left(0.95)) {
			const dated = waiting.filter(({ id }) => !watch.isUndated(id));
			let reads: typeof waiting;
			if (pagesPay && dated.length > 1) {
				const upTo = await this.readEnds(dated[0].createdAt, dated[dated.length - 1].createdAt);
				const passed = dated.filter(({ createdAt }) => createdAt < upTo);
				reads = passed.filter(({ id }) => !watch.isSettled(id));
				pagesPay = passed.length - reads.length > 2;
			} else {
				reads = waiting.slice(0, 8);
				pagesPay = true;
			}
			for (const { id } of reads) {
				if (failed.size >= failedReadsAtMost || !this.left(0.95)) return;
				await this.readOne(id, failed);
			}
			waiting = waiting.filter(({ id }) => !watch.isSettled(id) && !failed.has(id));
		}
	}

	/** An inquiry that cannot be read stays tracked and does not keep the others from being read. */
	private async readOne(id: string, failed: Set<string>): Promise<void> {
		const row = await this.allowance.read(id).catch((error: unknown) => {
			this.trouble ??= error;
			return undefined;
		});
		if (row === undefined) failed.add(id);
		else if (row === 'gone') this.watch.seeNothing(id);
		else this.watch.see(row, true);
	}

	/** One page of ends in a range of creation times, or a whole crowd. Returns up to where it is complete. */
	private async readEnds(from: number, to: number): Promise<number> {
		const page = (bounds: Bounds) => listPage(this.allowance, this.limits, { to: to + second + 1, ...bounds }, final);
		const mayGoOn = (inCrowd: boolean) => inCrowd && this.left(0.95);
		const stopped = await walk({ page, mayGoOn, see: (row) => void this.watch.see(row) }, from);
		return stopped ?? Infinity;
	}

	private async sweep(): Promise<void> {
		const { memory, limits } = this;
		if (memory.sweepFrom === 0) memory.sweepStart = memory.at;
		let pages = 0;
		const page = (bounds: Bounds) => {
			pages++;
			return listPage(this.allowance, limits, bounds, final);
		};
		const mayGoOn = (inCrowd: boolean) => (inCrowd || pages < limits.sweepPages) && this.left(1);
		const stopped = await walk({ page, mayGoOn, see: (row) => void this.watch.see(row) }, memory.sweepFrom);
		memory.sweepFrom = stopped ?? 0;
		if (stopped === null) {
			const swept = Math.min(memory.sweepStart - limits.slack, memory.mark - limits.lateness);
			memory.horizon = Math.max(memory.horizon, swept);
		}
	}

	private async judged() {
		const { judge } = this.options;
		if (!judge || this.watch.eventCount === 0) return this.watch.events;
		return this.watch.judge((events) => judge(events, this.allowance, () => this.allowance.left(1)));
	}

	/** From here on a failure leaves things tracked instead of undoing what is already proven. */
	private async forgive(step: () => Promise<void>): Promise<void> {
		try {
			await step();
		} catch (error) {
			this.trouble ??= error;
		}
	}

	private timed(page: Page): Page {
		this.memory.at = page.serviceNow;
		return page;
	}
}
