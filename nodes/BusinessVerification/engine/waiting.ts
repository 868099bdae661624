import { Failure, type Json, type Request, type Watch, type Watched } from '../definition';
import { Pending } from './pending';
import { readAnswer } from './reading';
import { WaitingList } from './waitingList';

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
const isGone = (error: unknown, { createdAt }: Watch) =>
	error instanceof Failure && error.details.httpCode === 404 && createdAt === undefined;
