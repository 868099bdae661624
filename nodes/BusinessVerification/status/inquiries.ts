import { activeStatuses, isKnownStatus } from '../document/statuses';
import { Budget } from './budget';
import { Clock, newestOf } from './clock';
import { Ledger } from './ledger';
import { defaultLimits, type Limits } from './limits';
import { Lists } from './lists';
import { levelAt, type Memory, raise, type Stage, stages, start } from './memory';
import { readDates, readMissing } from './missing';
import { inOrder, nextOrder } from './order';
import { judged, type PollOptions, type PollResult } from './poll';
import { recheck } from './recheck';
import type { Row, StatusSource } from './source';
import { lateness, startFrom } from './start';
import { forget, sweep } from './sweep';
import type { Range } from './ranges';

/** Minutes that an inquiry in an unknown status is followed closely; after that the sweep finds its end. */
const longestUnknown = 60;
/** The part of a page that the newest rows may fill before fewer of them are looked at again. */
const fresh = 0.8;

/**
 * Tells of every end of every inquiry once, from a service that knows no "updated since".
 *
 * What is remembered. `known`: inquiries seen unfinished, and ends told lately, each with the date of the end told last.
 * `steps`: for creation times, a level; of an inquiry that is not known, ends dated up to the level were told or are not
 * ours, and none dated after it was told. So an end is told only if a known inquiry owes it, or if it is dated after
 * what was told last, or after the level; it is known from then on, and nothing is told twice. The level of a range of
 * creation times rises only after all its rows were looked at, and only to a date that no end still to be seen is
 * dated before; a known end leaves the memory only when the level and that date have passed it: nothing falls between.
 *
 * What a poll asks: (1) the unfinished ones, (2) the newest ones, (3) what was unfinished and is not in 1, (4) a page of
 * a sweep over everything, for what ran again unseen. Each of them may be cut by the budget and goes on next time;
 * what was cut is not covered, and so nothing is believed of it.
 */
export async function pollInquiries(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const limits = { ...defaultLimits, ...options.limits };
	const budget = new Budget(source, limits);
	const { memory, silent, rows, notice } = await startFrom(budget, saved, options);
	if (options.recheckMs !== undefined && !silent) recheck(memory, options.recheckMs);
	const result = await new InquiryPoll(budget, memory, limits, options, silent).run(rows);
	return { ...result, notice };
}

class InquiryPoll {
	private readonly ledger: Ledger;
	private readonly lists: Lists;
	/** Creation times of which everything was looked at. */
	private readonly looked: Range[] = [];
	private active: Range[] = [];
	private freshIsWhole = false;
	private isCut = false;
	private trouble: unknown;
	private time: Clock | undefined;

	constructor(
		private readonly budget: Budget,
		private readonly memory: Memory,
		private readonly limits: Limits,
		private readonly options: PollOptions,
		private readonly silent: boolean,
	) {
		const clock = () => this.clock;
		const { wanted = () => true } = options;
		this.ledger = new Ledger(memory, { limits, dated: true, isCurrent: () => false, silent, clock, wanted });
		this.lists = new Lists(budget, memory, this.ledger, limits, options.judge ? 1 : 0);
	}

	async run(rows: Row[]): Promise<Omit<PollResult, 'notice'>> {
		const { memory, ledger, lists } = this;
		for (const row of rows) ledger.see(row);
		const turns: Record<Stage, () => Promise<void>> = {
			active: () => this.readActive(),
			fresh: () => this.readFresh(),
			missing: () => readMissing(this.looking, this.active),
			sweep: () => sweep(memory, lists, this.clock, this.limits, this.looked),
		};
		const served: Stage[] = [];
		for (const stage of inOrder(memory.order)) {
			if (!lists.mayAsk()) break;
			served.push(stage);
			await turns[stage]().catch((error: unknown) => (this.trouble ??= error));
			this.trouble ??= lists.trouble;
		}
		const unread = await readDates(this.looking);
		this.trouble ??= unread;
		if (this.budget.answers === 0) throw this.trouble ?? new Error('The poll had no time to read anything');
		memory.order = nextOrder(memory.order, served);
		ledger.settleUndated();
		const isStrange = this.freshIsWhole && ledger.isStrange;
		const events = await judged(ledger, this.options, this.budget);
		// What could not be looked at in the first poll is taken for known.
		if (this.silent && !this.freshIsWhole) memory.steps = raise(memory.steps, 0, Infinity, this.clock.now);
		forget(memory, this.looked, ledger.postponed, this.clock);
		const isBehind = this.trouble !== undefined || served.length < stages.length || this.isCut || ledger.isFull;
		memory.strained = isBehind ? memory.strained + 1 : 0;
		return { events, next: memory, isStrange, trouble: this.trouble };
	}

	private get looking() {
		const { memory, ledger, lists, budget, clock } = this;
		return { memory, ledger, lists, budget, clock };
	}

	private get clock(): Clock {
		const clock = this.time ?? new Clock(this.memory, this.budget, this.limits.ended);
		if (this.budget.answers > 0) this.time = clock;
		return clock;
	}

	private async readActive(): Promise<void> {
		const { memory, lists } = this;
		const { next, covered } = await lists.read(memory.cursors.active, { status: activeStatuses, share: 0.4 });
		memory.cursors.active = next ?? start();
		this.isCut ||= next !== null;
		this.active = covered;
		await this.readUnknown();
	}

	/** What is in a status that the document does not list is asked for by that status, for an hour. */
	private async readUnknown(): Promise<void> {
		const { memory, ledger, lists } = this;
		const unknown = [...memory.known].filter(
			([, { running, status }]) => running && status !== '' && !isKnownStatus(status),
		);
		if (unknown.length === 0 || !lists.mayAsk(0.5)) return;
		const status = [...new Set(unknown.map(([, entry]) => entry.status))];
		const at = Math.min(...unknown.map(([, { created }]) => created));
		await lists.read({ at, offset: 0 }, { status, share: 0.5 });
		for (const [id, { created, astray }] of unknown) {
			const isLong = this.clock.since(astray) >= longestUnknown;
			if (isLong && created <= levelAt(memory.steps, created)) ledger.remove(id);
		}
	}

	private async readFresh(): Promise<void> {
		const { memory, lists, limits } = this;
		const { cursors, top } = memory;
		const { next, covered, times } = await lists.read(cursors.fresh.at > 0 ? cursors.fresh : { at: top, offset: 0 }, {
			share: 0.65,
		});
		// There were so many rows above it that they cannot all be gone.
		if (times.length === 0 && top > 0)
			throw new Error('The inquiry list is empty, though it has shown inquiries before');
		cursors.fresh = next ?? start();
		this.isCut ||= next !== null;
		this.freshIsWhole = next === null;
		this.looked.push(...covered);
		if (next) return;
		// Also of rows that were shown by former readings, where this one only went on.
		const newest = newestOf([...memory.known.values()].map((entry) => entry.created));
		const onOnePage = times.sort((a, b) => b - a)[Math.floor(fresh * limits.page) - 1] ?? 0;
		memory.top = Math.max(top, Math.min(newest - lateness, onOnePage));
	}
}
