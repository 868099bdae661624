import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure, type FailureDetails, type Json, type Question, type Request } from '../kit/service';
import { sharedExecution } from './host';
import { answered, intentionOf } from '../agents/calls';
import { asObject } from './results';
import { readAnswer } from './answers';

/**
 * What a process keeps of the answers to writes, as JSON, bounded by its length. When there is too much, the oldest lose
 * first what does not identify them, and only then go: a place whose answer is shortened is still never sent to again.
 */
export class KeptAnswers {
	private readonly whole = new Map<string, string>();
	private readonly shortened = new Map<string, string>();
	private size = 0;

	constructor(private readonly limit: number) {}

	get(key: string): unknown {
		const json = this.whole.get(key) ?? this.shortened.get(key);
		return json === undefined ? undefined : JSON.parse(json);
	}

	set(key: string, value: object): void {
		this.delete(key);
		this.put(this.whole, key, JSON.stringify(value));
		while (this.size > this.limit) this.shrink();
	}

	delete(key: string): void {
		this.take(this.whole, key);
		this.take(this.shortened, key);
	}

	private shrink(): void {
		const [key] = this.whole.keys();
		if (key === undefined) {
			const [oldest] = this.shortened.keys();
			this.take(this.shortened, oldest);
			return;
		}
		const json = this.take(this.whole, key);
		this.put(this.shortened, key, JSON.stringify(identifying(JSON.parse(json))));
	}

	private put(entries: Map<string, string>, key: string, json: string): void {
		entries.set(key, json);
		this.size += key.length + json.length;
	}

	private take(entries: Map<string, string>, key: string): string {
		const json = entries.get(key);
		if (json === undefined) return '';
		entries.delete(key);
		this.size -= key.length + json.length;
		return json;
	}
}

const longestIdentifier = 200;

/** By its IDs and its status a record is found again. */
function identifying(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.slice(0, 10).map((entry) => identifying(entry));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, entry]) => [name, identifying(entry, name)] as const);
		return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
	}
	const identifies = /(^|_)(id|status)$|[a-z]I[dD]$|^(message|submission|httpCode|at)$/.test(key);
	return identifies && String(value).length <= longestIdentifier ? value : undefined;
}

interface Kept {
	answer?: unknown;
	failure?: { message: string; details: FailureDetails };
	at: number;
}

/** For calls that have no execution in common: what is repeated later is meant. */
const intentionMs = 24 * 3_600_000;

/** Characters of JSON. Only runs that n8n may try again leave any behind, and the calls of agents. */
const kept = new KeptAnswers(8 * 1024 * 1024);

/**
 * n8n's "Retry On Fail" runs the whole node again with all its items. A write is known by its place: execution, node, run,
 * the item or the rows it stands for, and which write of those it is. It is never known by its body, which may hold the
 * time. What was answered at a place is returned to the next try instead of being sent, and billed, again.
 *
 * An agent repeats itself in other runs: what it submitted is known, as long as the process lives, by what it intended.
 */
export class WriteMemory {
	/** Undefined where n8n will not run the node again, or does not say which execution this is. */
	private readonly run: string | undefined;
	private readonly lastsMs: number = Infinity;
	private readonly writesAt = new Map<string, number>();
	private readonly keys = new Set<string>();
	private readonly underWay = new Set<Promise<unknown>>();

	constructor(context: IExecuteFunctions, ofAgent = false) {
		const { id, retryOnFail } = context.getNode();
		const execution = context.getExecutionId();
		if (ofAgent) {
			const shared = sharedExecution(context);
			this.run = `agent ${shared ?? ''}`;
			if (shared === undefined) this.lastsMs = intentionMs;
		} else if (retryOnFail && execution) {
			this.run = `${execution}/${id}/${String(context.evaluateExpression('{{ $runIndex }}', 0))}`;
		}
	}

	/** Whether an earlier try has made the next write of this place. */
	knows(place: string): boolean {
		return this.before(this.keyOf(place)) !== undefined;
	}

	async once(place: string, send: () => Promise<unknown>): Promise<unknown> {
		const key = this.keyOf(place);
		this.writesAt.set(place, this.writesOf(place) + 1);
		this.keys.add(key);
		const before = this.before(key);
		if (before?.failure !== undefined) throw new Failure(before.failure.message, before.failure.details);
		if (before !== undefined) return before.answer;
		const sending = this.run === undefined ? send() : this.kept(key, send);
		this.underWay.add(sending);
		try {
			return await sending;
		} finally {
			this.underWay.delete(sending);
		}
	}

	/** The next try must not begin while a write of this one has no answer yet. */
	async settled(): Promise<void> {
		while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
	}

	/** n8n will not run the node again. */
	forget(): void {
		for (const key of this.keys) kept.delete(key);
	}

	private async kept(key: string, send: () => Promise<unknown>): Promise<unknown> {
		try {
			const answer = await send();
			kept.set(key, { answer, at: Date.now() } satisfies Kept);
			return answer;
		} catch (error) {
			// What the service surely did not process may be tried again; an unknown outcome may not.
			if (error instanceof Failure && error.details.submission === 'unknown') {
				const failure = { message: error.message, details: error.details };
				kept.set(key, { failure, at: Date.now() } satisfies Kept);
			}
			return Promise.reject(error);
		}
	}

	private before(key: string): Kept | undefined {
		const before = this.run === undefined ? undefined : (kept.get(key) as Kept | undefined);
		return before !== undefined && Date.now() - before.at < this.lastsMs ? before : undefined;
	}

	private readonly writesOf = (place: string) => this.writesAt.get(place) ?? 0;
	private readonly keyOf = (place: string) => `${this.run} ${place} ${this.writesOf(place)}`;
}

interface Ways {
	read(request: Request): Promise<unknown>;
	write(request: Request): Promise<unknown>;
	scoped(key: string): string;
	exclusive<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** One call of a tool by an agent: what it has submitted before is answered with that, marked, and not submitted again. */
export class AgentCall {
	/** Nothing but the data tells whether the same was called for before. */
	readonly isAlone: boolean;
	private readonly beganAt = Date.now();
	private readonly intentions: WriteMemory;
	private isRepeated = false;

	constructor(
		context: IExecuteFunctions,
		private readonly submitsOnce: boolean,
	) {
		this.intentions = new WriteMemory(context, true);
		this.isAlone = submitsOnce && sharedExecution(context) === undefined;
	}

	/** Undefined where to submit once more is meant. */
	submit<T>(question: Question<T>, { read, write, scoped, exclusive }: Ways): Promise<T> | undefined {
		const intention = this.submitsOnce ? intentionOf(question) : undefined;
		if (intention === undefined) return undefined;
		const place = scoped(intention);
		return exclusive(intention, async () => {
			const isRepeated = this.intentions.knows(place);
			const answer = readAnswer(question, await this.intentions.once(place, () => write(question)));
			if (!isRepeated) return answer;
			this.isRepeated = true;
			const now = question.again?.(answer);
			if (now === undefined) return answer;
			// What was made exists, also where a read does not show it yet.
			return await read(now)
				.then((body) => readAnswer(now, body))
				.catch(() => answer);
		});
	}

	/** Whoever calls a tool waits for all of the call. */
	left = (maxWaitMs: number): number => Math.max(0, maxWaitMs - (Date.now() - this.beganAt));

	/** What an operation returned, as the model reads it. */
	answered(result: unknown, limit: unknown): unknown {
		return answered(this.isRepeated ? marked(result) : result, limit);
	}
}

const marked = (result: unknown): unknown =>
	Array.isArray(result) ? result.map(marked) : { ...asObject(result), repeated: true };

const mostListed = 50;

/** What the service has accepted in this run of the node. Nothing of it may be lost, whatever fails afterwards. */
export class Submissions {
	/** Of the items that are not done yet: what is known of what they submitted. */
	private readonly records = new Map<number, Json>();
	private readonly listed: string[] = [];
	private count = 0;
	/** Items whose outcome is unknown, beside the one whose error ends the run. */
	private readonly open: number[] = [];

	accept(item: number, answer: unknown): void {
		this.count++;
		const id = identifierOf(answer);
		if (this.listed.length < mostListed) this.listed.push(item < 0 ? id : `${id} (item ${item})`);
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
		const items = this.open.slice(0, mostListed).join(', ');
		return `Whether the service processed what ${this.open.length} more submitted is unknown too (item ${items}): look for it before you run them again.`;
	}

	private get acceptedSummary(): string | undefined {
		if (this.count === 0) return undefined;
		const more = this.count > this.listed.length ? ` and ${this.count - this.listed.length} more` : '';
		return (
			`${this.count} submissions were accepted in this run and are not in its output: ${this.listed.join(', ')}${more}. ` +
			"Running the workflow again would submit them again: run it with the other items only. With 'On Error' set to " +
			"'Continue (using error output)', or with 'Retry On Fail', nothing that was accepted is lost or sent twice."
		);
	}
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
