import { activeStatuses, endStatuses, isKnownStatus } from '../document/inquiries';
import { Budget, Clock, defaultLimits, type Limits, newestOf } from './clock';
import { Ledger } from './ledger';
import { Lists } from './lists';
import { isAged, type Known } from './occurrence';
import { isIn, levelAt, type Memory, raise, type CreationRange, type Stage, stages, start } from './memory';
import { beginningOf, judgedEvents, lateness, type PollOptions, type PollResult, recheck, startFrom } from './poll';
import { inFull, type ListedRow, type StatusSource } from './source';

interface Looking {
	memory: Memory;
	ledger: Ledger;
	lists: Lists;
	budget: Budget;
	clock: Clock;
}

interface Missing {
	id: number;
	created: number;
}

const share = 0.85;
/** For so many minutes what is nowhere is looked for, and where it must stay in memory, for so many. */
const longestAbsence = 5;
const longestSearch = 60;
const failuresAtMost = 3;

/** Looks for what was unfinished and is not among the unfinished ones any more: it ended, vanished, or was overlooked. */
export async function readMissing(looking: Looking, active: readonly CreationRange[]): Promise<void> {
	const { memory, ledger, clock } = looking;
	const missing = [...memory.known]
		.filter(([id, { open, waits, created }]) => open + waits > 0 && !ledger.seen.has(id) && isIn(active, created))
		.filter(
			([, { status, astray }]) => (status === '' || isKnownStatus(status)) && clock.since(astray) <= longestSearch,
		)
		.map(([id, { created, astray }]) => ({ id, created, astray }))
		.sort((a, b) => a.created - b.created);
	// What was looked for in vain before must not keep the others waiting.
	await resolve(
		looking,
		missing.filter(({ astray }) => astray === 0),
	);
	await resolve(
		looking,
		missing.filter(({ astray }) => astray > 0),
	);
	const trouble = await readRecords(looking);
	if (trouble !== undefined) throw trouble;
}

/** By pages of ended ones as long as a page settles several, else by all rows of one creation time. */
async function resolve(looking: Looking, missing: Missing[]): Promise<void> {
	const { ledger, lists } = looking;
	let queue = missing;
	while (queue.length > 2 && lists.mayAsk(share)) {
		const from = queue[0].created;
		const to = queue[queue.length - 1].created + 1;
		const { next } = await lists.read({ at: from, offset: 0 }, { status: endStatuses, to, pages: 1, share });
		const reached = next?.at ?? to;
		const passed = queue.filter(({ created }) => created < reached);
		const open = passed.filter(({ id }) => !ledger.seen.has(id));
		queue = queue.filter(({ id, created }) => created >= reached && !ledger.seen.has(id));
		await resolveSingly(looking, open);
		if (reached <= from) break;
		if (passed.length - open.length > 2) continue;
		await resolveSingly(looking, queue.slice(0, 8));
		queue = queue.slice(8).filter(({ id }) => !ledger.seen.has(id));
	}
	await resolveSingly(looking, queue);
}

async function resolveSingly({ memory, ledger, lists, clock }: Looking, missing: Missing[]): Promise<void> {
	for (const { id, created } of missing) {
		if (ledger.seen.has(id)) continue;
		if (!lists.mayAsk(share)) return;
		const { covered } = await lists.read({ at: created, offset: 0 }, { to: created + 1, share });
		const entry = memory.known.get(id);
		if (!entry || ledger.seen.has(id) || !isIn(covered, created)) continue;
		const astray = entry.astray || clock.now;
		// What no level covers yet would count as new if it came back. Where all lists are empty, nothing is known to be gone.
		const mayLeave = ledger.seen.size > 0 && created <= levelAt(memory.steps, created);
		if (clock.since(astray) >= longestAbsence && mayLeave) ledger.remove(id);
		else ledger.put(id, { ...entry, astray });
	}
}

/** Rows that do not show enough are judged by their records; what cannot be read stays for the next poll. */
export async function readRecords({ ledger, lists, budget }: Looking): Promise<unknown> {
	let failures = 0;
	let trouble: unknown;
	for (const row of [...ledger.unread.values()]) {
		if (failures >= failuresAtMost || !lists.mayAsk(share)) break;
		try {
			const record = await budget.read(row.id);
			if (record === 'gone') continue;
			// In another status it is of another time than the row.
			ledger.see(record.status === row.status ? inFull(row, record) : { ...record, isFull: true });
		} catch (error) {
			failures++;
			trouble ??= error;
		}
	}
	return trouble;
}

/** A page that lets so many known ends go is worth its request. */
const worthwhile = 250;

/** No old copy can make it look like another run. */
const isOver = ({ open, told }: Known, { now }: Clock) => open === 0 && isAged(told, now);

/** Creation times, in order, of the ends that memory could let go if their range were looked at. */
const forgettable = ({ known }: Memory, clock: Clock, looked: readonly CreationRange[]): number[] =>
	[...known.values()]
		.filter((entry) => isOver(entry, clock) && clock.lastOf(entry) <= clock.settled && !isIn(looked, entry.created))
		.map(({ created }) => created)
		.sort((a, b) => a - b);

/**
 * Reads what lets memory forget most, then goes on with the round over everything, a page for each minute that passed.
 * Adds the creation times it looked at whole.
 */
export async function sweep(
	memory: Memory,
	lists: Lists,
	clock: Clock,
	limits: Limits,
	looked: CreationRange[],
): Promise<void> {
	memory.debt += clock.minutes;
	let load = forgettable(memory, clock, looked);
	let paid = 0;
	for (; lists.mayAsk() && paid < limits.sweepPages / 2; paid++) {
		const { from, count } = densest(load, memory.width);
		if (count < worthwhile) break;
		const { next, covered } = await lists.read({ at: from, offset: 0 }, { pages: 1 });
		if (next) memory.width = Math.max(1, next.at - from);
		if (covered.length === 0) break;
		looked.push(...covered);
		load = load.filter((created) => !isIn(covered, created));
	}
	const pressure = Math.ceil((limits.sweepPages * load.length) / limits.ended);
	const pages = Math.min(limits.sweepPages, Math.max(memory.debt, pressure));
	if (pages < 1 || memory.top === 0 || !lists.mayAsk()) return;
	const { cursors, top } = memory;
	const before = lists.pages;
	const from = cursors.sweep.at < top ? cursors.sweep : start();
	const { next, covered } = await lists.read(from, { pages, to: top });
	looked.push(...covered);
	cursors.sweep = next ?? start();
	memory.debt = next ? Math.max(0, memory.debt - (lists.pages - before)) : 0;
}

/** The stretch of creation time, one page wide, that holds most of them. */
function densest(times: number[], width: number): { from: number; count: number } {
	let best = { from: 0, count: 0 };
	for (let low = 0, high = 0; high < times.length; high++) {
		while (times[high] - times[low] > width) low++;
		if (high - low + 1 > best.count) best = { from: times[low], count: high - low + 1 };
	}
	return best;
}

/** Lifts the level of what was looked at, except for what was put off, and lets go of the ends that it covers. */
export function forget({ memory, ledger, clock }: Looking, looked: readonly CreationRange[]): void {
	for (const { from, to } of looked)
		memory.steps = raise(memory.steps, from, Math.min(to, ledger.postponed), clock.settled);
	for (const [id, entry] of memory.known) {
		const level = Math.min(clock.settled, levelAt(memory.steps, entry.created));
		if (isOver(entry, clock) && clock.lastOf(entry) <= level && !ledger.unread.has(id)) memory.known.delete(id);
	}
}

/** The missing ones are known by the list of unfinished ones, so that comes before. */
export function inOrder(order: readonly Stage[]): Stage[] {
	const rest = order.filter((stage) => stage !== 'active');
	return order.indexOf('active') < order.indexOf('missing')
		? [...order]
		: rest.flatMap((stage): Stage[] => (stage === 'missing' ? ['active', 'missing'] : [stage]));
}

/** What had no turn is first next time; only the missing ones, which need another list before, let others pass. */
export function nextOrder(order: readonly Stage[], served: readonly Stage[]): Stage[] {
	const denied = order.filter((stage) => !served.includes(stage));
	if (denied[0] === 'missing' && served.length === 1) denied.push(denied.shift()!);
	return [...denied, ...stages.filter((stage) => served.includes(stage))];
}

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
	private readonly looked: CreationRange[] = [];
	private active: CreationRange[] = [];
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
		this.ledger = new Ledger(memory, { limits, isInFull: true, isCurrent: () => false, silent, clock, wanted });
		this.lists = new Lists(budget, memory, this.ledger, limits, options.judge ? 1 : 0);
	}

	async run(rows: ListedRow[]): Promise<Omit<PollResult, 'notice'>> {
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
		const unread = await readRecords(this.looking);
		this.trouble ??= unread;
		if (this.budget.answers === 0) throw this.trouble ?? new Error('The poll had no time to read anything');
		memory.order = nextOrder(memory.order, served);
		ledger.settleUnread();
		const isStrange = this.freshIsWhole && ledger.isStrange;
		const events = await judgedEvents(ledger, this.options, this.budget);
		// What could not be looked at in the first poll is taken for known.
		if (this.silent)
			for (const { from, to } of this.unlooked()) memory.steps = raise(memory.steps, from, to, this.last);
		memory.last = this.last;
		forget(this.looking, this.looked);
		const isBehind = this.trouble !== undefined || served.length < stages.length || this.isCut || ledger.isFull;
		memory.strained = isBehind ? memory.strained + 1 : 0;
		return { events, next: memory, isStrange, trouble: this.trouble };
	}

	/** The service's time, as far as this poll has shown it. */
	private get last(): number {
		const { newest } = this.clock;
		return beginningOf(this.budget, [newest], this.memory);
	}

	/** Creation times above the oldest new one of which not everything was looked at. */
	private unlooked(): CreationRange[] {
		const { top } = this.memory;
		const edges = [...this.looked].sort((a, b) => a.from - b.from);
		const holes: CreationRange[] = [];
		let from = Math.min(top, edges[0]?.from ?? top);
		for (const range of edges) {
			if (range.from > from) holes.push({ from, to: range.from });
			from = Math.max(from, range.to);
		}
		return from === Infinity ? holes : [...holes, { from, to: Infinity }];
	}

	private get looking() {
		const { memory, ledger, lists, budget, clock } = this;
		return { memory, ledger, lists, budget, clock };
	}

	private get clock(): Clock {
		return (this.time ??= new Clock(this.memory, this.budget, this.limits.ended));
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
			([, { open, status }]) => open > 0 && status !== '' && !isKnownStatus(status),
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
