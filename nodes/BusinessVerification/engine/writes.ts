import type { IExecuteFunctions } from 'n8n-workflow';
import { Bounded } from '../../../credentials/tokens';
import { intentionOf } from '../agents/calls';
import { orMade } from '../kit/objects';
import { Failure, type Intentions, type Json, type Question, type Request } from '../kit/service';
import { sharedExecution } from './host';
import { asObject } from './results';
import { readAnswer } from './answers';

/**
 * What was sent, so that it is not sent again: by the tries of one run, and by an agent that repeats itself. A write whose
 * outcome is unknown counts as sent; one that the service surely refused does not.
 */

type Kept = { answer: unknown } | { failure: Failure };

interface Memory {
	get(key: string): Kept | undefined;
	set(key: string, kept: Kept): unknown;
}

async function once(memory: Memory, key: string, send: () => Promise<unknown>): Promise<unknown> {
	const before = memory.get(key);
	if (before !== undefined) {
		if ('failure' in before) throw before.failure;
		return before.answer;
	}
	try {
		const answer = await send();
		memory.set(key, { answer });
		return answer;
	} catch (error) {
		if (error instanceof Failure && error.details.submission === 'unknown') memory.set(key, { failure: error });
		return Promise.reject(error);
	}
}

/** Of a larger run only so much of the later answers is kept as their records are found again by. */
const mostWhole = 2_000;

class Run extends Map<string, Kept> {
	made?: object;

	override set(key: string, kept: Kept): this {
		return super.set(key, this.size >= mostWhole && 'answer' in kept ? { answer: identifying(kept.answer) } : kept);
	}
}

/** n8n makes the items of a node once for all tries of a run, for no other node, and lets go of them with the execution. */
const runs = new WeakMap<object, Run>();

/**
 * n8n's "Retry On Fail" runs the whole node again with all its items. A write is known by its item, and by which write of
 * that item it is. It is never known by its body, which may hold the time.
 */
export class RunMemory {
	private readonly isTriedAgain: boolean;
	private readonly run: Run;
	private readonly writesOf = new Map<number, number>();
	private readonly underWay = new Set<Promise<unknown>>();

	constructor(context: IExecuteFunctions, ofAgent: boolean) {
		const [first] = context.getInputData();
		// All calls of an agent's tools share the items of the agent.
		this.isTriedAgain = context.getNode().retryOnFail === true && !ofAgent && first !== undefined;
		this.run = this.isTriedAgain ? orMade(runs, first, () => new Run()) : new Run();
	}

	/** What the first try has made of its input: for the next one the expressions in it may have other values. */
	ofRun = <T extends object>(make: () => T): T => (this.run.made ??= make()) as T;

	/** Whether an earlier try has made the next write of this item. */
	knows = (item: number): boolean => this.run.has(this.keyOf(item));

	async once(item: number, send: () => Promise<unknown>): Promise<unknown> {
		const key = this.keyOf(item);
		this.writesOf.set(item, (this.writesOf.get(item) ?? 0) + 1);
		return await this.awaited(this.isTriedAgain ? once(this.run, key, send) : send());
	}

	/** A write that waits here holds back the end of this try. */
	async awaited(write: Promise<unknown>): Promise<unknown> {
		this.underWay.add(write);
		return await write.finally(() => this.underWay.delete(write));
	}

	/** The next try must not begin while a write of this one has no answer yet. */
	async settled(): Promise<void> {
		while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
	}

	private readonly keyOf = (item: number) => `${item} ${this.writesOf.get(item) ?? 0}`;
}

/** For calls that have no execution in common: what is repeated later is meant. */
const intentionMs = 24 * 3_600_000;
const intentions = new Bounded<{ kept: Kept; at: number }>(4_000);

interface Ways {
	read(request: Request): Promise<unknown>;
	write(request: Request): Promise<unknown>;
	scoped(key: string): string;
	exclusive<T>(key: string, task: () => Promise<T>): Promise<T>;
	/** The same was called for before. */
	repeated(): void;
}

/** One call of a tool by an agent: what it has submitted before is answered with that, marked, and not submitted again. */
export class AgentCall {
	private readonly beganAt = performance.now();
	private readonly execution: string | undefined;

	constructor(
		context: IExecuteFunctions,
		private readonly submitsOnce: boolean,
	) {
		this.execution = sharedExecution(context);
	}

	/** What the calls of this agent have submitted, by what they intended. */
	private readonly submitted: Memory = {
		get: (key) => {
			const before = intentions.get(this.keyOf(key));
			const isOld = this.execution === undefined && performance.now() - (before?.at ?? 0) >= intentionMs;
			return isOld ? undefined : before?.kept;
		},
		set: (key, kept) => intentions.set(this.keyOf(key), { kept, at: performance.now() }),
	};

	/** Undefined where to submit once more is meant. */
	submit<T>(question: Question<T>, { read, write, scoped, exclusive, repeated }: Ways): Promise<T> | undefined {
		const intention = this.submitsOnce ? intentionOf(question) : undefined;
		if (intention === undefined) return undefined;
		const key = scoped(intention);
		return exclusive(intention, async () => {
			const isRepeated = this.submitted.get(key) !== undefined;
			let whole: unknown;
			// What an answer says of people is not kept.
			const kept = await once(this.submitted, key, async () => identifying((whole = await write(question))));
			const made = readAnswer(question, whole ?? kept);
			if (!isRepeated) return made;
			repeated();
			const now = question.again?.(made);
			if (now === undefined) return made;
			// What was made exists, also where a read does not show it yet.
			return await read(now)
				.then((body) => readAnswer(now, body))
				.catch(() => made);
		});
	}

	/** The same memory, for an operation that submits many things together. */
	intentions(scoped: (key: string) => string): Intentions | undefined {
		if (!this.submitsOnce) return undefined;
		return {
			get: (key) => (this.submitted.get(scoped(key)) as { answer: Json } | undefined)?.answer,
			set: (key, answer) => void this.submitted.set(scoped(key), { answer }),
		};
	}

	/** Whoever calls a tool waits for all of the call. */
	left = (maxWaitMs: number): number => Math.max(0, maxWaitMs - (performance.now() - this.beganAt));

	private readonly keyOf = (key: string) => `${this.execution ?? ''} ${key}`;
}

const longestIdentifier = 200;

/** By its IDs and its status a record is found again. */
function identifying(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.slice(0, 10).map((entry) => identifying(entry));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, entry]) => [name, identifying(entry, name)] as const);
		return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
	}
	const identifies = /(^|_)(id|status)$|[a-z]I[dD]$|^(message|submission|httpCode)$/.test(key);
	return identifies && String(value).length <= longestIdentifier ? value : undefined;
}

const mostListed = 50;

/** What the service has accepted in this run of the node. Nothing of it may be lost, whatever fails afterwards. */
export class Submissions {
	/** Of the items that are not done yet: what is known of what they submitted. */
	private readonly records = new Map<number, Json>();
	private readonly ids: string[] = [];
	/** Items with a submission; one that stands for rows is of none. */
	private readonly items = new Set<number>();
	/** Items whose outcome is unknown, beside the one whose error ends the run. */
	private readonly open: number[] = [];

	accept(item: number, answer: unknown): void {
		if (item >= 0) this.items.add(item);
		this.ids.push(identifierOf(answer));
		this.describe(item, asObject(answer));
	}

	/** How the item shall leave if something fails from now on. */
	describe(item: number, record: Json): void {
		this.records.set(item, record);
	}

	recordOf(item: number): Json | undefined {
		return this.records.get(item);
	}

	close(item: number): void {
		this.records.delete(item);
	}

	leaveOpen(item: number): void {
		this.open.push(item);
	}

	/** A failure that was asked for, such as that of a wait that took too long: the item was paid for all the same. */
	named(failure: Failure, record: Json): Failure {
		const said = `It was submitted and accepted (${identifierOf(record)}), so do not submit it again.`;
		const description = [failure.details.description, said].filter(Boolean).join(' ');
		return new Failure(failure.message, { ...failure.details, submission: 'accepted', description });
	}

	/** For the error that ends the run: what was paid for, and how to go on without paying twice. */
	get summary(): string | undefined {
		return [this.acceptedSummary, this.openSummary].filter(Boolean).join(' ') || undefined;
	}

	private get openSummary(): string | undefined {
		if (this.open.length === 0) return undefined;
		return `Whether the service processed what ${this.open.length} more submitted is unknown too (${itemsSaid(this.open)}): look for it before you run them again.`;
	}

	private get acceptedSummary(): string | undefined {
		const { ids } = this;
		if (ids.length === 0) return undefined;
		const from = this.items.size === 0 ? '' : ` (${itemsSaid([...this.items])})`;
		const more = ids.length > mostListed ? ` and ${ids.length - mostListed} more` : '';
		return (
			`${ids.length} submissions were accepted in this run and are not in its output${from}: ${ids.slice(0, mostListed).join(', ')}${more}. ` +
			"Running the workflow again would submit them again: run it with the other items only. With 'On Error' set to " +
			"'Continue (using error output)', or with 'Retry On Fail', nothing that was accepted is lost or sent twice."
		);
	}
}

/** `items 0-149, 151-157`: all of them, however many. */
function itemsSaid(items: readonly number[]): string {
	const sorted = [...items].sort((a, b) => a - b);
	const spans: string[] = [];
	for (let start = 0, index = 1; index <= sorted.length; index++) {
		if (sorted[index] === sorted[index - 1] + 1) continue;
		const [first, last] = [sorted[start], sorted[index - 1]];
		spans.push(first === last ? `${first}` : `${first}-${last}`);
		start = index;
	}
	return `${sorted.length === 1 ? 'item' : 'items'} ${spans.join(', ')}`;
}

/** The first ID of an answer; the document gives each kind of record another name for it. */
function identifierOf(answer: unknown): string {
	const records = Array.isArray(answer) ? answer : [answer];
	const ids = records.map((record) =>
		Object.entries(asObject(record)).find(([name, value]) => /(^|_)id$|[a-z]Id$/.test(name) && isShort(value)),
	);
	return ids.flatMap((found) => (found === undefined ? [] : [String(found[1])])).join(' + ') || 'without an ID';
}

const isShort = (value: unknown) =>
	(typeof value === 'string' && value !== '' && value.length <= 100) || typeof value === 'number';
