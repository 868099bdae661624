import { Allowance } from './allowance';
import { defaultLimits, type Limits } from './limits';
import { emptyMemory, type Memory, recall, save } from './memory';
import type { PollOptions, PollResult } from './poll';
import { forgetSince, prune } from './prune';
import { activeStatuses, finalStatuses, instant, type Page, type Row, type StatusSource } from './source';
import { type Bounds, created, second, walk } from './walk';
import { type Rules, Watch } from './watch';

const active = activeStatuses.join(',');
const final = finalStatuses.join(',');

/** So many single reads may fail in one poll before the service as a whole is taken to be in trouble. */
const failedReadsAtMost = 10;

const rules: Rules = { stampOf: ({ completedAt }) => instant(completedAt), datesEnds: true, readUndated: true };

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
		if (options.recheckMs !== undefined) forgetSince(memory, memory.at - options.recheckMs, limits);
	} else {
		memory = await startBefore(allowance, options.scope, limits, known?.since, options.lookBackMs ?? 0);
	}
	return new InquiryPoll(allowance, memory, limits, options).run();
}

/** Everything there is counts as known. */
async function startFromNow(allowance: Allowance, scope: string, limits: Limits): Promise<Memory> {
	const { memory, watch } = await followActive(allowance, scope, limits);
	const from = memory.at - limits.slack - limits.lateness;
	const stopped = await walk(
		{
			page: (bounds) => listPage(allowance, limits, bounds),
			mayGoOn: () => allowance.left(1),
			see: (row) => watch.see(row),
		},
		from,
	);
	const newestEnd = Math.max(0, ...[...memory.ended.values()].map(({ stamp }) => stamp));
	memory.resume = stopped ?? 0;
	memory.mark = Math.max(memory.at - limits.slack, Math.min(watch.newest, memory.at + limits.slack));
	memory.horizon = Math.max(memory.at, newestEnd);
	return memory;
}

/** Everything after a time is to be reported. */
async function startBefore(
	allowance: Allowance,
	scope: string,
	limits: Limits,
	since: number | undefined,
	lookBackMs: number,
): Promise<Memory> {
	const { memory } = await followActive(allowance, scope, limits);
	const start = since ?? memory.at - lookBackMs;
	memory.mark = memory.horizon = Infinity;
	forgetSince(memory, start, limits);
	return memory;
}

async function followActive(allowance: Allowance, scope: string, limits: Limits) {
	const memory = emptyMemory(scope, 0);
	const watch = new Watch(memory, limits, { ...rules, readUndated: false }, () => false);
	const page = async (bounds: Bounds) => {
		const answer = await listPage(allowance, limits, bounds, active);
		memory.at = answer.serviceNow;
		return answer;
	};
	const stopped = await walk({ page, mayGoOn: () => allowance.left(0.6), see: (row) => void watch.see(row) }, 0);
	memory.activeFrom = stopped ?? 0;
	return { memory, watch };
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
		this.watch = new Watch(memory, limits, rules, options.wanted ?? (() => true));
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
		const page = async (bounds: Bounds) =>
			this.timed(await listPage(this.allowance, this.limits, bounds, active));
		const stopped = await walk({ page, mayGoOn: (inCrowd) => this.left(inCrowd ? 0.9 : 0.4), see: (row) => void watch.see(row) }, from);
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
		while (waiting.length > 0 && this.left(0.95)) {
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
				if (!this.left(0.95)) return;
				await this.readOne(id, failed);
			}
			waiting = waiting.filter(({ id }) => !watch.isSettled(id) && !failed.has(id));
		}
	}

	/** An inquiry that cannot be read stays tracked and does not keep the others from being read. */
	private async readOne(id: string, failed: Set<string>): Promise<void> {
		try {
			const row = await this.allowance.read(id);
			if (row === 'gone') this.watch.seeNothing(id);
			else this.watch.see(row, true);
		} catch (error) {
			if (failed.size >= failedReadsAtMost) throw error;
			failed.add(id);
			this.trouble ??= error;
		}
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
		return this.watch.judge((events) => judge(events, () => this.allowance.left(1)));
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

function listPage(allowance: Allowance, { page: limit }: Limits, bounds: Bounds, status?: string): Promise<Page> {
	return allowance.page({
		...(status === undefined ? {} : { status }),
		...created(bounds),
		sort_by: 'created_at',
		sort_order: 'asc',
		limit,
		offset: bounds.offset,
	});
}
