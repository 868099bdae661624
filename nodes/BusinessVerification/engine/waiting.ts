import { Failure, type Json, type Request, type Watch, type Watched } from '../kit/service';
import { readAnswer } from './answers';
import { type ListPage, pageSize, readPage } from './paging';

/** Waits for many things of one list together: checks come soon at first, then at the interval, the last at the deadline. */

/** Milliseconds after which a wait is checked before its interval begins: a verification may take seconds. */
const soon = [2000, 4000, 8000, 16_000];
/** Up to so many, reading each costs no more than a page. */
const few = 3;
/** Rounds of more than a few within one interval: early checks of things that began apart must not add up. */
const roundsAtMost = soon.length;
/** One bad answer must not end a wait of minutes. */
const failuresAllowed = 3;
/** Whoever begins to wait meanwhile is noticed after this at the latest. */
const longestPauseMs = soon[0];

interface Tools {
	send(request: Request): Promise<unknown>;
	itemsField: string;
	pause(ms: number): Promise<void>;
	isCancelled(): boolean;
	now(): number;
}

interface Pending {
	readonly watch: Watch;
	readonly since: number;
	readonly deadline: number;
	readonly settle: (result: Watched) => void;
	readonly fail: (error: unknown) => void;
	nextCheck: number;
	/** A check that is due within this comes along with others, so that things that began apart are soon checked together. */
	tolerance: number;
	/** Checks in a row that brought no answer. */
	failures: number;
	last?: Json;
}

export class Watcher {
	private readonly pending = new Set<Pending>();
	private readonly list: WaitingList;
	private isRunning = false;
	/** When the latest rounds of more than a few began. */
	private latest: number[] = [];

	constructor(private readonly tools: Tools) {
		this.list = new WaitingList(tools);
	}

	wait(watch: Watch): Promise<Watched> {
		return new Promise((settle, fail) => {
			const since = this.tools.now();
			const deadline = since + watch.maxWaitMs;
			const first = since + (watch.isFresh ? Math.min(soon[0], watch.pollIntervalMs) : 0);
			const nextCheck = Math.min(first, deadline);
			this.pending.add({ watch, since, deadline, settle, fail, nextCheck, tolerance: 0, failures: 0 });
			if (!this.isRunning) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			// Everything that starts to wait in the same moment shares the first round.
			await this.tools.pause(1);
			while (this.pending.size > 0) {
				if (this.tools.isCancelled()) throw new Failure('The execution was cancelled');
				const due = this.due(this.tools.now());
				if (due.length > 0) await this.round(due);
				else await this.tools.pause(this.untilNextRound());
			}
		} catch (error) {
			for (const one of this.pending) this.end(one, () => one.fail(error));
		}
		this.isRunning = false;
		// Whoever came between the last check and this line would wait for ever.
		if (this.pending.size > 0) void this.run();
	}

	private due(now: number): Pending[] {
		const all = [...this.pending];
		if (!all.some((one) => this.dueAt(one) <= now)) return [];
		return all.filter(
			(one) => this.dueAt(one) <= now || (this.freeAt(one) <= now && one.nextCheck - one.tolerance <= now),
		);
	}

	private dueAt = (one: Pending): number => Math.min(Math.max(one.nextCheck, this.freeAt(one)), one.deadline);

	/** When there may be another round. */
	private freeAt({ watch }: Pending): number {
		const first = this.pending.size > few ? this.latest.at(-roundsAtMost) : undefined;
		return first === undefined ? 0 : first + watch.pollIntervalMs;
	}

	private untilNextRound(): number {
		let next = this.tools.now() + longestPauseMs;
		for (const one of this.pending) next = Math.min(next, this.dueAt(one));
		return Math.max(1, next - this.tools.now());
	}

	private async round(due: Pending[]): Promise<void> {
		const now = this.tools.now();
		if (this.pending.size > few) this.latest = [...this.latest, now].slice(-roundsAtMost);
		const rows = due.length > few ? await this.list.rowsOf(due.map(({ watch }) => watch)) : new Map<string, Json>();
		const isCheap = this.pending.size <= few || this.list.helps;
		for (const one of due) {
			const { since, deadline, watch } = one;
			const early = isCheap ? soon.find((ms) => ms > (now - since) * 1.25) : undefined;
			const gap = Math.min(early === undefined ? Infinity : since + early - now, watch.pollIntervalMs);
			Object.assign(one, { nextCheck: Math.min(now + gap, deadline), tolerance: gap / 4 });
		}
		await Promise.all(due.map((one) => this.check(one, rows.get(one.watch.id), now >= one.deadline)));
	}

	private async check(one: Pending, row: Json | undefined, isLast: boolean): Promise<void> {
		const { watch } = one;
		try {
			const isFarFromDone = row !== undefined && !watch.mayBeDone(row);
			const record = isFarFromDone ? row : readAnswer(watch.read, await this.tools.send(watch.read));
			one.last = record;
			one.failures = 0;
			watch.createdAt ??= watch.list.createdAtOf?.(record);
			watch.note?.(record);
			if (!isFarFromDone && watch.isDone(record)) return this.end(one, () => one.settle({ record, timedOut: false }));
		} catch (error) {
			if (isGone(error, watch) || ++one.failures >= failuresAllowed) return this.end(one, () => one.fail(error));
		}
		if (isLast) this.end(one, () => one.settle({ record: one.last ?? { id: watch.id }, timedOut: true }));
	}

	private end(one: Pending, tell: () => void): void {
		this.pending.delete(one);
		tell();
	}
}

/** What does not exist will not finish; but a record that was answered before may be shown late. */
const isGone = (error: unknown, { isKnown }: Watch) => statusOf(error) === 404 && !isKnown;

const statusOf = (error: unknown) => (error instanceof Failure ? (error.details.httpCode ?? 0) : 0);

/** Trouble passes; a refusal, or an answer that is no list, does not. */
const isRefusal = (status: number) => status < 500 && status !== 429;

/** Pages of a list tell of many things at once; where the list does not help, each is read by itself. */
class WaitingList {
	/** Whether it showed all that it was last asked for. */
	helps = true;
	private isRefused = false;
	private takesBounds = true;

	constructor(private readonly tools: Pick<Tools, 'send' | 'itemsField'>) {}

	/** The rows of those that wait, as far as the list has them. */
	async rowsOf(waiting: Watch[]): Promise<Map<string, Json>> {
		const bounds = this.takesBounds ? createdBetween(waiting) : undefined;
		const rows = this.isRefused ? new Map<string, Json>() : await this.read(waiting, bounds);
		this.helps = rows.size === waiting.length;
		return rows;
	}

	private async read(waiting: Watch[], bounds: Bounds | undefined): Promise<Map<string, Json>> {
		try {
			return await this.pages(waiting, bounds);
		} catch (error) {
			if (bounds !== undefined && statusOf(error) >= 400 && isRefusal(statusOf(error))) {
				// How times are written here may be what is refused.
				this.takesBounds = false;
				return await this.read(waiting, undefined);
			}
			this.isRefused = isRefusal(statusOf(error));
			return new Map();
		}
	}

	private async pages(waiting: Watch[], bounds: Bounds | undefined): Promise<Map<string, Json>> {
		const [{ list }] = waiting;
		const wanted = new Map(waiting.map((watch) => [watch.id, watch]));
		const query = list.query(bounds);
		const found = new Map<string, Json>();
		const { send, itemsField } = this.tools;
		for (let offset = 0, page: ListPage; found.size < wanted.size; offset += page.rows.length) {
			page = await readPage(send, itemsField, list.path, { ...query, limit: pageSize, offset });
			for (const row of page.rows) {
				const watch = wanted.get(list.idOf(row) ?? '');
				if (watch === undefined) continue;
				found.set(watch.id, row);
				watch.createdAt ??= list.createdAtOf?.(row);
			}
			if (page.rows.length < pageSize) break;
			// More pages than single reads.
			if (page.total !== undefined && page.total / pageSize > waiting.length) break;
		}
		return found;
	}
}

interface Bounds {
	from: string;
	to: string;
}

const isZoned = (time: string) => /(z|[+-]\d\d:?\d\d)$/i.test(time);

/** The span in which all were created, written as the service writes it: without a zone if it names none. */
function createdBetween(waiting: Watch[]): Bounds | undefined {
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
