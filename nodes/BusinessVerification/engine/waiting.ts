import { Failure } from '../definition/failure';
import type { Json, Request, Watch, Watched } from '../definition/service';
import { type Page, pageSize, readPage } from './paging';
import { readAnswer } from './reading';

export interface WatcherTools {
	send(request: Request): Promise<unknown>;
	itemsField: string;
	pause(ms: number): Promise<void>;
	isCancelled(): boolean;
	now(): number;
}

interface Pending {
	watch: Watch;
	deadline: number;
	nextLook: number;
	last: Json | undefined;
	settle(result: Watched): void;
	fail(error: unknown): void;
}

/** Below this many, reading each costs no more than a page. */
const few = 3;
const failedRoundsAllowed = 3;

/** Waits for many things of one list together. Polls first, then at the interval; each keeps its own deadline. */
export class Watcher {
	private readonly pending = new Set<Pending>();
	private isRunning = false;

	constructor(private readonly tools: WatcherTools) {}

	wait(watch: Watch): Promise<Watched> {
		return new Promise((settle, fail) => {
			const now = this.tools.now();
			this.pending.add({ watch, deadline: now + watch.maxWaitMs, nextLook: now, last: undefined, settle, fail });
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
		let failed = 0;
		while (this.pending.size > 0) {
			if (this.tools.isCancelled()) throw new Failure('The execution was cancelled');
			try {
				await this.round();
				failed = 0;
			} catch (error) {
				// One bad answer must not end a wait of minutes.
				if (++failed >= failedRoundsAllowed) return Promise.reject(error);
			}
			this.expire();
			if (this.pending.size > 0) await this.tools.pause(this.untilNextRound());
		}
	}

	private async round(): Promise<void> {
		const now = this.tools.now();
		// What is due soon comes along, so that things that began apart are soon looked at together.
		const waiting = [...this.pending].filter(({ watch, nextLook }) => nextLook <= now + watch.pollIntervalMs / 4);
		for (const one of waiting) one.nextLook = now + one.watch.pollIntervalMs;
		const rows = waiting.length > few ? await this.rowsOf(waiting) : new Map<string, Json>();
		const results = await Promise.allSettled(
			waiting.map(async (one) => {
				const row = rows.get(one.watch.id);
				if (row !== undefined && !one.watch.mayBeDone(row)) {
					one.watch.isDone(row);
					one.last = row;
					return;
				}
				await this.look(one);
			}),
		);
		const failures = results.filter((result) => result.status === 'rejected');
		if (failures.length > 0 && failures.length === waiting.length) throw failures[0].reason;
	}

	private async look(one: Pending): Promise<void> {
		try {
			const record = readAnswer(one.watch.read, await this.tools.send(one.watch.read));
			one.last = record;
			if (one.watch.isDone(record)) this.settle(one, { record, timedOut: false });
		} catch (error) {
			// What does not exist will not finish; anything else may pass.
			if (error instanceof Failure && error.details.httpCode === 404) this.failOne(one, error);
			else return Promise.reject(error);
		}
	}

	/** The list rows of all that wait, if pages are cheaper than reading each. */
	private async rowsOf(waiting: Pending[]): Promise<Map<string, Json>> {
		const { list } = waiting[0].watch;
		const wanted = new Set(waiting.map(({ watch }) => watch.id));
		const query = list.query(createdBetween(waiting));
		const found = new Map<string, Json>();
		for (let offset = 0, page: Page; found.size < wanted.size; offset += page.rows.length) {
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
		for (const { watch } of waiting) {
			const row = found.get(watch.id);
			if (row !== undefined) watch.createdAt ??= list.createdAtOf?.(row);
		}
		return found;
	}

	private expire(): void {
		for (const one of this.pending) {
			if (this.tools.now() >= one.deadline)
				this.settle(one, { record: one.last ?? { id: one.watch.id }, timedOut: true });
		}
	}

	private untilNextRound(): number {
		let next = Infinity;
		for (const { nextLook, deadline } of this.pending) next = Math.min(next, nextLook, deadline);
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

function createdBetween(waiting: Pending[]): { from: string; to: string } | undefined {
	const times = waiting.map(({ watch }) => Date.parse(watch.createdAt ?? ''));
	if (times.some(Number.isNaN)) return undefined;
	// The document does not say whether the bounds belong to the range.
	const at = (ms: number) => new Date(ms).toISOString();
	return {
		from: at(times.reduce((a, b) => Math.min(a, b)) - 1000),
		to: at(times.reduce((a, b) => Math.max(a, b)) + 1000),
	};
}
