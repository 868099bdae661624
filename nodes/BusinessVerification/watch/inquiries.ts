import { activeStatuses, endStatuses, isKnownStatus } from '../document/inquiries';
import { type Clock, newestOf } from './clock';
import { Ledger } from './ledger';
import { Lists } from './lists';
import { isAged, type Known } from './occurrence';
import { isIn, levelAt, type Memory, raise, type CreationRange, type Stage, stages, start } from './memory';
import { beginPoll, judgedEvents, lateness, type Poll, type PollOptions, type PollResult, startOver } from './poll';
import { inFull, type StatusSource } from './source';

/**
 * Reports every completion of every inquiry once, although the service cannot list what changed since a time.
 *
 * Memory holds two things. `known` has the inquiries seen unfinished and the completions reported lately, each with the
 * date of the completion reported last. `steps` gives a level for each creation time: for an inquiry that is not in
 * `known`, completions dated up to the level were reported or must not be, and none dated after it was reported. So a
 * completion is reported only if a known inquiry was unfinished, or if it is later than the one reported last or the
 * level. It is known from then on, so it is not reported twice.
 *
 * A level rises only after all rows of its creation times were read, and only to `Clock.settled`. A known completion is
 * dropped from memory only when both have passed its date, so no completion falls between `known` and `steps`.
 *
 * Each poll reads (1) the unfinished inquiries, (2) the newest ones, (3) those that were unfinished and are missing
 * from (1), and (4) a page of a sweep over all, for runs that no poll has seen unfinished. The budget may cut each of
 * them, and the next poll continues there. Creation times that were not read completely change no level.
 */

/** How far a poll has come. */
interface Reading extends Poll {
	ledger: Ledger;
	lists: Lists;
	/** Creation times of which every row was read. */
	looked: CreationRange[];
	/** Creation times of which every unfinished inquiry was read. */
	active: readonly CreationRange[];
	/** Whether all rows created lately were read. */
	freshIsWhole: boolean;
	/** Whether a list was left for the next poll. */
	isCut: boolean;
}

const turns: Record<Stage, (reading: Reading) => Promise<void>> = {
	active: readActive,
	fresh: readFresh,
	missing: readMissing,
	sweep,
};

export async function pollInquiries(
	source: StatusSource,
	saved: Memory | undefined,
	options: PollOptions,
): Promise<PollResult> {
	const poll = await beginPoll(source, saved, options);
	const { memory, silent, reason } = poll;
	const started = reason && (await startOver(poll, reason));
	const ledger = new Ledger(poll, true);
	const lists = new Lists(poll, ledger);
	const reading: Reading = { ...poll, ledger, lists, looked: [], active: [], freshIsWhole: false, isCut: false };
	for (const row of started?.rows ?? []) ledger.see(row);
	const served: Stage[] = [];
	let trouble: unknown;
	for (const stage of inOrder(memory.order)) {
		if (!lists.mayAsk()) break;
		served.push(stage);
		await turns[stage](reading).catch((error: unknown) => (trouble ??= error));
		trouble ??= lists.trouble;
	}
	const unread = await readRecords(reading);
	trouble ??= unread;
	if (poll.budget.answers === 0) throw trouble ?? new Error('The poll had no time to read anything');
	memory.order = nextOrder(memory.order, served);
	ledger.settleUnread();
	const isStrange = reading.freshIsWhole && ledger.isStrange;
	const events = await judgedEvents(ledger, poll);
	if (silent) passOver(reading);
	forget(reading);
	const isBehind = trouble !== undefined || served.length < stages.length || reading.isCut || ledger.isFull;
	memory.strained = isBehind ? memory.strained + 1 : 0;
	return { events, next: memory, isStrange, trouble, notice: reason?.notice ?? started?.notice };
}

/** 'missing' compares memory with the active list, so 'active' runs first. */
function inOrder(order: readonly Stage[]): Stage[] {
	const rest = order.filter((stage) => stage !== 'active');
	return order.indexOf('active') < order.indexOf('missing')
		? [...order]
		: rest.flatMap((stage): Stage[] => (stage === 'missing' ? ['active', 'missing'] : [stage]));
}

/** Stages that had no turn come first. 'missing' gives way, because it needs a turn of 'active' before it. */
function nextOrder(order: readonly Stage[], served: readonly Stage[]): Stage[] {
	const denied = order.filter((stage) => !served.includes(stage));
	if (denied[0] === 'missing' && served.length === 1) denied.push(denied.shift()!);
	return [...denied, ...stages.filter((stage) => served.includes(stage))];
}

async function readActive(reading: Reading): Promise<void> {
	const { memory, lists } = reading;
	const { next, covered } = await lists.read(memory.cursors.active, { status: activeStatuses, share: 0.4 });
	memory.cursors.active = next ?? start();
	reading.isCut ||= next !== null;
	reading.active = covered;
	await readUnknown(reading);
}

/** Minutes that an unknown status is polled by its name. After that, the sweep finds the completion. */
const longestUnknown = 60;

/** The active list lacks statuses that the API documentation does not list, so they are polled by name. */
async function readUnknown({ memory, ledger, lists, clock }: Reading): Promise<void> {
	const unknown = [...memory.known].filter(
		([, { open, status }]) => open > 0 && status !== '' && !isKnownStatus(status),
	);
	if (unknown.length === 0 || !lists.mayAsk(0.5)) return;
	const status = [...new Set(unknown.map(([, entry]) => entry.status))];
	const at = Math.min(...unknown.map(([, { created }]) => created));
	await lists.read(start(at), { status, share: 0.5 });
	for (const [id, { created, astray }] of unknown) {
		const isLong = clock().since(astray) >= longestUnknown;
		if (isLong && created <= levelAt(memory.steps, created)) ledger.remove(id);
	}
}

/** Part of a page that the newest rows fill when they are read again: `memory.top` stays below them. */
const fresh = 0.8;

async function readFresh(reading: Reading): Promise<void> {
	const { memory, limits, lists, looked } = reading;
	const { cursors, top } = memory;
	const { next, covered, times } = await lists.read(cursors.fresh.at > 0 ? cursors.fresh : start(top), { share: 0.65 });
	// `top` leaves most of a page of rows above it, and they cannot all have been deleted.
	if (times.length === 0 && top > 0) throw new Error('The inquiry list is empty, though it has shown inquiries before');
	cursors.fresh = next ?? start();
	reading.isCut ||= next !== null;
	reading.freshIsWhole = next === null;
	looked.push(...covered);
	if (next) return;
	// From memory rather than `times`, because a continued reading does not show the first rows again.
	const newest = newestOf([...memory.known.values()].map((entry) => entry.created));
	const onOnePage = times.sort((a, b) => b - a)[Math.floor(fresh * limits.page) - 1] ?? 0;
	memory.top = Math.max(top, Math.min(newest - lateness, onOnePage));
}

type Missing = [id: string, entry: Known];

const share = 0.85;
/** Minutes until an inquiry in no list is forgotten, or no longer searched for where it cannot be forgotten. */
const longestAbsence = 5;
const longestSearch = 60;
const failuresAtMost = 3;

/** Searches for unfinished inquiries that the active list lacks: finished, deleted, or missed. */
async function readMissing(reading: Reading): Promise<void> {
	const { memory, ledger, active } = reading;
	const clock = reading.clock();
	const missing = [...memory.known]
		.filter(([id, { open, waits, created }]) => open + waits > 0 && !ledger.seen.has(id) && isIn(active, created))
		.filter(
			([, { status, astray }]) => (status === '' || isKnownStatus(status)) && clock.since(astray) <= longestSearch,
		)
		.sort(([, a], [, b]) => a.created - b.created);
	const isSearched = ([, { astray }]: Missing) => astray > 0;
	// First those not searched for yet, so that inquiries that cannot be found do not use up every poll's budget.
	const firstTime = missing.filter((one) => !isSearched(one));
	await resolve(reading, firstTime);
	await resolve(reading, missing.filter(isSearched));
	const trouble = await readRecords(reading);
	if (trouble !== undefined) throw trouble;
}

/** Reads pages as long as a page resolves several, otherwise all rows of one creation time. */
async function resolve(reading: Reading, missing: Missing[]): Promise<void> {
	const { ledger, lists } = reading;
	const isUnseen = ([id]: Missing) => !ledger.seen.has(id);
	let queue = missing;
	while (queue.length > 2 && lists.mayAsk(share)) {
		const from = queue[0][1].created;
		const to = queue[queue.length - 1][1].created + 1;
		const { next } = isMostlyOver(reading.memory, from)
			? await readWhole(reading, from, { to, share })
			: await lists.read(start(from), { status: endStatuses, to, pages: 1, share });
		const reached = next?.at ?? to;
		const passed = queue.filter(([, { created }]) => created < reached);
		const open = passed.filter(isUnseen);
		queue = queue.slice(passed.length).filter(isUnseen);
		await resolveSingly(reading, open);
		if (reached <= from) break;
		if (passed.length - open.length > 2) continue;
		await resolveSingly(reading, queue.slice(0, 8));
		queue = queue.slice(8).filter(isUnseen);
	}
	await resolveSingly(reading, queue);
}

/** Unfinished inquiries on a page that is worth reading in every status. */
const fewOpen = 100;

/** Whether a page from there on shows hardly any unfinished inquiry. Read whole, it lets memory drop the others besides. */
function isMostlyOver({ known, width }: Memory, from: number): boolean {
	const isOpenThere = ({ open, created }: Known) => open > 0 && created >= from && created <= from + width;
	return [...known.values()].filter(isOpenThere).length <= fewOpen;
}

/** Reads a page of inquiries in whatever status. */
async function readWhole(
	{ memory, lists, looked }: Reading,
	from: number,
	bounds: { to?: number; share?: number } = {},
) {
	const read = await lists.read(start(from), { ...bounds, pages: 1 });
	if (read.next) memory.width = Math.max(1, read.next.at - from);
	looked.push(...read.covered);
	return read;
}

async function resolveSingly({ memory, ledger, lists, clock }: Reading, missing: Missing[]): Promise<void> {
	for (const [id, { created }] of missing) {
		if (ledger.seen.has(id)) continue;
		if (!lists.mayAsk(share)) return;
		const { covered } = await lists.read(start(created), { to: created + 1, share });
		const entry = memory.known.get(id);
		if (!entry || ledger.seen.has(id) || !isIn(covered, created)) continue;
		const astray = entry.astray || clock().now;
		// Without a level above it, it would be new if it returned. If no list shows anything, nothing counts as gone.
		const mayLeave = ledger.seen.size > 0 && created <= levelAt(memory.steps, created);
		if (clock().since(astray) >= longestAbsence && mayLeave) ledger.remove(id);
		else ledger.put(id, { ...entry, astray });
	}
}

/** Rows that show too little are judged by their records. A record that cannot be read stays for the next poll. */
async function readRecords({ ledger, lists, budget }: Reading): Promise<unknown> {
	let failures = 0;
	let trouble: unknown;
	for (const row of ledger.inOrder) {
		if (failures >= failuresAtMost || !lists.mayAsk(share)) break;
		try {
			const record = await budget.read(row.id);
			if (record === 'gone') continue;
			// With another status the record is newer or older than the row, so the two must not be combined.
			ledger.see(record.status === row.status ? inFull(row, record) : { ...record, isFull: true });
		} catch (error) {
			failures++;
			trouble ??= error;
		}
	}
	return trouble;
}

/** Known completions that a page must let memory drop to be worth its request. */
const worthwhile = 60;

/** Every copy now shows the reported completion, so the inquiry cannot appear to be in another run. */
const isOver = ({ open, told }: Known, { now }: Clock) => open === 0 && isAged(told, now);

/** Sorted creation times of the completions that memory could drop if their range were read. */
const forgettable = ({ known }: Memory, clock: Clock, looked: readonly CreationRange[]): number[] =>
	[...known.values()]
		.filter((entry) => isOver(entry, clock) && clock.lastOf(entry) <= clock.settled && !isIn(looked, entry.created))
		.map(({ created }) => created)
		.sort((a, b) => a - b);

/**
 * First reads the oldest page that lets memory drop enough, and so on. Then continues the round over all inquiries, one
 * page per minute passed.
 */
async function sweep(reading: Reading): Promise<void> {
	const { memory, limits, lists, looked } = reading;
	const clock = reading.clock();
	memory.debt += clock.minutes;
	let load = forgettable(memory, clock, looked);
	for (let paid = 0; lists.mayAsk() && paid < limits.sweepPages / 2; paid++) {
		const from = load.find((created, place) => load[place + worthwhile - 1] <= created + memory.width);
		if (from === undefined) break;
		const { covered } = await readWhole(reading, from);
		if (covered.length === 0) break;
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

/**
 * Raises the levels of the ranges read, except for postponed events, and drops the completions they cover. If no list
 * shows anything, none was read.
 */
function forget(reading: Reading): void {
	const { memory, ledger, looked } = reading;
	const clock = reading.clock();
	for (const { from, to } of ledger.seen.size > 0 ? looked : [])
		memory.steps = raise(memory.steps, from, Math.min(to, ledger.postponed), clock.settled);
	for (const [id, entry] of memory.known) {
		const level = Math.min(clock.settled, levelAt(memory.steps, entry.created));
		if (isOver(entry, clock) && clock.lastOf(entry) <= level && !ledger.unread.has(id)) memory.known.delete(id);
	}
}

/** What the first poll could not read, from the oldest new inquiry on, counts as reported. */
function passOver({ memory, looked }: Reading): void {
	let from = Math.min(memory.top, ...looked.map((range) => range.from));
	for (const range of [...looked, { from: Infinity, to: Infinity }].sort((a, b) => a.from - b.from)) {
		memory.steps = raise(memory.steps, from, range.from, memory.last);
		from = Math.max(from, range.to);
	}
}
