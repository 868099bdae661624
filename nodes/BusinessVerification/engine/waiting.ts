import { Failure, type Json, type Request, type Watch, type Watched } from '../kit/service';
import { type ListPage, pageSize, readPage } from './paging';
import { readAnswer } from './answers';

/** Something that is waited for: when it is looked at, and what was seen of it last. */
export class Pending {
	readonly deadline: number;
	nextLook: number;
	isLastLook = false;
	/** Looks in a row that brought no answer. */
	failures = 0;
	last: Json | undefined;
	private looks = 0;

	constructor(
		readonly watch: Watch,
		now: number,
		readonly settle: (result: Watched) => void,
		readonly fail: (error: unknown) => void,
	) {
		this.deadline = now + watch.maxWaitMs;
		this.nextLook = now;
	}

	/** The last look is at the deadline: what ended since the one before is not given up. */
	isLookedAt(now: number): void {
		const { pollIntervalMs, earlyLookMs = 0 } = this.watch;
		const isEarly = this.looks++ === 0 && earlyLookMs > 0;
		this.isLastLook = now >= this.deadline;
		this.nextLook = Math.min(now + (isEarly ? Math.min(earlyLookMs, pollIntervalMs) : pollIntervalMs), this.deadline);
	}
}

interface ListTools {
	send(request: Request): Promise<unknown>;
	itemsField: string;
}

/** Pages of a list tell of many things at once; where the list does not help, each is read by itself. */
export class WaitingList {
	private isRefused = false;

	constructor(private readonly tools: ListTools) {}

	/** The rows of those that wait, as far as the list has them. */
	async rowsOf(waiting: Watch[]): Promise<Map<string, Json>> {
		if (this.isRefused) return new Map();
		try {
			return await this.read(waiting);
		} catch (error) {
			const { httpCode = 0 } = error instanceof Failure ? error.details : {};
			// Trouble passes; a refusal, or an answer that is no list, does not.
			this.isRefused = httpCode < 500 && httpCode !== 429;
			return new Map();
		}
	}

	/** The list rows of all that wait, if pages are cheaper than reading each. */
	private async read(waiting: Watch[]): Promise<Map<string, Json>> {
		const [{ list }] = waiting;
		const wanted = new Set(waiting.map(({ id }) => id));
		const query = list.query(createdBetween(waiting));
		const found = new Map<string, Json>();
		for (let offset = 0, page: ListPage; found.size < wanted.size; offset += page.rows.length) {
			page = await readPage((request) => this.tools.send(request), this.tools.itemsField, list.path, {
				...query,
				limit: pageSize,
				offset,
			});
			for (const row of page.rows) {
				const id = list.idOf(row);
				if (id !== undefined && wanted.has(id)) found.set(id, row);
			}
			if (page.rows.length < pageSize) break;
			if (page.total !== undefined && page.total / pageSize > waiting.length) break;
		}
		for (const watch of waiting) {
			const row = found.get(watch.id);
			if (row !== undefined) watch.createdAt ??= list.createdAtOf?.(row);
		}
		return found;
	}
}

const isZoned = (time: string) => /(z|[+-]\d\d:?\d\d)$/i.test(time);

/** The span in which all were created, written as the service writes it: without a zone if it names none. */
function createdBetween(waiting: Watch[]): { from: string; to: string } | undefined {
	const times = waiting.map(({ createdAt = '' }) => createdAt);
	const zoned = times.filter(isZoned).length;
	if (zoned !== 0 && zoned !== times.length) return undefined;
	const moments = times.map((time) => Date.parse(zoned === 0 ? `${time}Z` : time));
	if (moments.some(Number.isNaN)) return undefined;
	// The document does not say whether the bounds belong to the range.
	const at = (ms: number) => new Date(ms).toISOString().slice(0, zoned === 0 ? -1 : undefined);
	return {
		from: at(moments.reduce((a, b) => Math.min(a, b)) - 1000),
		to: at(moments.reduce((a, b) => Math.max(a, b)) + 1000),
	};
}

interface WatcherTools {
	send(request: Request): Promise<unknown>;
	itemsField: string;
	pause(ms: number): Promise<void>;
	isCancelled(): boolean;
	now(): number;
}

/** Below this many, reading each costs no more than a page. */
const few = 3;
/** One bad answer must not end a wait of minutes. */
const failuresAllowed = 3;

/** Waits for many things of one list together. Polls first, then at the interval; each keeps its own deadline. */
export class Watcher {
	private readonly pending = new Set<Pending>();
	private readonly list: WaitingList;
	private isRunning = false;

	constructor(private readonly tools: WatcherTools) {
		this.list = new WaitingList(tools);
	}

	wait(watch: Watch): Promise<Watched> {
		return new Promise((settle, fail) => {
			this.pending.add(new Pending(watch, this.tools.now(), settle, fail));
			if (!this.isRunning) void this.rounds();
		});
	}

	private async rounds(): Promise<void> {
		this.isRunning = true;
		try {
			// Everything that starts to wait in the same moment shares the first round.
			await this.tools.pause(1);
			await this.roundsUntilEmpty();
		} catch (error) {
			this.failAll(error);
		}
		this.isRunning = false;
		// Whoever came between the last look and this line would wait for ever.
		if (this.pending.size > 0) void this.rounds();
	}

	private async roundsUntilEmpty(): Promise<void> {
		while (this.pending.size > 0) {
			if (this.tools.isCancelled()) throw new Failure('The execution was cancelled');
			await this.round();
			if (this.pending.size > 0) await this.tools.pause(this.untilNextRound());
		}
	}

	private async round(): Promise<void> {
		const now = this.tools.now();
		// What is due soon comes along, so that things that began apart are soon looked at together.
		const due = [...this.pending].filter(({ watch, nextLook }) => nextLook <= now + watch.pollIntervalMs / 4);
		for (const one of due) one.isLookedAt(now);
		const rows = due.length > few ? await this.list.rowsOf(due.map(({ watch }) => watch)) : new Map<string, Json>();
		await Promise.all(due.map((one) => this.look(one, rows.get(one.watch.id))));
	}

	private async look(one: Pending, row: Json | undefined): Promise<void> {
		const { watch } = one;
		try {
			const isFarFromDone = row !== undefined && !watch.mayBeDone(row);
			const record = isFarFromDone ? row : readAnswer(watch.read, await this.tools.send(watch.read));
			one.last = record;
			one.failures = 0;
			watch.note?.(record);
			if (!isFarFromDone && watch.isDone(record)) return this.settle(one, { record, timedOut: false });
		} catch (error) {
			if (isGone(error, watch) || ++one.failures >= failuresAllowed) return this.failOne(one, error);
		}
		if (one.isLastLook) this.settle(one, { record: one.last ?? { id: watch.id }, timedOut: true });
	}

	private untilNextRound(): number {
		let next = Infinity;
		for (const { nextLook } of this.pending) next = Math.min(next, nextLook);
		return Math.max(0, next - this.tools.now());
	}

	private settle(one: Pending, result: Watched): void {
		this.pending.delete(one);
		one.settle(result);
	}

	private failOne(one: Pending, error: unknown): void {
		this.pending.delete(one);
		one.fail(error);
	}

	private failAll(error: unknown): void {
		for (const one of this.pending) this.failOne(one, error);
	}
}

/** What does not exist will not finish; but a record that was answered before may be shown late. */
const isGone = (error: unknown, { isKnown }: Watch) =>
	error instanceof Failure && error.details.httpCode === 404 && !isKnown;
