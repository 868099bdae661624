import type { IExecuteFunctions } from 'n8n-workflow';
import { few, orMade } from '../kit/objects';
import { Failure, type Json, type Request, unknownOutcome } from '../kit/service';
import { sentences } from './answers';

/** Whatever is thrown while the response of a write is read, the service may have processed it. */
export const orNotConfirmed = <T>({ ifUnknown }: Request, send: () => Promise<T>): Promise<T> =>
	send().catch((error: unknown) => {
		if (error instanceof Failure) throw error;
		throw unknownOutcome(`The response cannot be read: ${(error as Error).message}`, {}, ifUnknown);
	});

/**
 * Remembers writes so that they are not sent again, neither by another try of the same run nor by an agent that repeats
 * a call. A write that is not confirmed counts as sent; one that the service certainly refused does not.
 */

export type Kept = { kind: 'answer'; answer: unknown } | { kind: 'failure'; failure: Failure; foundBy?: string };

export interface Memory {
	get(key: string): Kept | undefined;
	set(key: string, kept: Kept): unknown;
}

/** `foundBy`: see `Request`. */
export async function once(memory: Memory, key: string, send: () => Promise<unknown>, foundBy?: string) {
	const before = memory.get(key);
	if (before?.kind === 'failure') throw before.failure;
	if (before?.kind === 'answer') return before.answer;
	try {
		const answer = await send();
		memory.set(key, { kind: 'answer', answer });
		return answer;
	} catch (error) {
		if (error instanceof Failure && error.details.submission === 'unknown')
			memory.set(key, { kind: 'failure', failure: error, foundBy });
		return Promise.reject(error);
	}
}

class WritesOfRun extends Map<string, Kept> {
	made?: object;
}

/** n8n passes the same item objects to all tries of a run and to no other node, so they serve as weak keys. */
const runs = new WeakMap<object, WritesOfRun>();

/**
 * "Retry On Fail" runs the node again with all items. A write is identified by its item and its number within the item,
 * not by its body, which may contain the time.
 */
export class RunMemory {
	private readonly isTriedAgain: boolean;
	private readonly run: WritesOfRun;
	private readonly writesOf = new Map<number, number>();

	constructor(context: IExecuteFunctions, ofAgent: boolean) {
		const [first] = context.getInputData();
		// All tool calls of an agent share the agent's items, so items cannot identify a run.
		this.isTriedAgain = context.getNode().retryOnFail === true && !ofAgent && first !== undefined;
		this.run = this.isTriedAgain ? orMade(runs, first, () => new WritesOfRun()) : new WritesOfRun();
	}

	/** Keeps the value of the first try, because expressions may have other values in the next one. */
	ofRun = <T extends object>(make: () => T): T => (this.run.made ??= make()) as T;

	/** Whether an earlier try has sent the next write of this item. */
	knows = (item: number): boolean => this.run.has(this.keyOf(item));

	async once(item: number, send: () => Promise<unknown>): Promise<unknown> {
		const key = this.keyOf(item);
		this.writesOf.set(item, (this.writesOf.get(item) ?? 0) + 1);
		return await (this.isTriedAgain ? once(this.run, key, send) : send());
	}

	/** The last write of the item has this answer after all, so later tries get it. */
	settle(item: number, answer: unknown): void {
		this.run.set(`${item} ${this.writesOf.get(item)! - 1}`, { kind: 'answer', answer });
	}

	private readonly keyOf = (item: number) => `${item} ${this.writesOf.get(item) ?? 0}`;
}

const mostListed = 50;

/** Submissions that the service accepted in this run. None may be lost if something fails later. */
export class Submissions {
	/** By unfinished item: the record to return if something fails later. */
	readonly records = new Map<number, Json>();
	/** Items that are not confirmed, except for the one whose error stops the run. */
	readonly open: number[] = [];
	/** Items that bill nothing if they run again, because what they submitted is found. */
	readonly foundAgain = new Set<number>();
	private readonly ids: string[] = [];
	private readonly items = new Set<number>();
	private areRows = false;

	/** `ofRows`: the answer is about many rows, so no item has it as its record. */
	accept(item: number, answer: Json | Json[], ofRows = false): void {
		this.items.add(item);
		this.ids.push(identifierOf(answer));
		this.areRows ||= ofRows;
		if (!ofRows) this.records.set(item, Array.isArray(answer) ? { result: answer } : answer);
	}

	/** For the error that stops the run: what was billed, and how to continue without paying twice. */
	get summary(): string | undefined {
		const { ids, open } = this;
		if (ids.length + open.length === 0) return undefined;
		const billed = this.billedAgain([...this.items]);
		const unclear = this.billedAgain(open);
		return sentences(
			ids.length > 0 && `Accepted, but not in the output (${ids.length}): ${few(ids, ', ', mostListed)}.`,
			billed.length > 0 &&
				`Run only the other items again, because ${itemsSaid(billed)} would be billed twice. 'On Error' set to 'Continue (using error output)' prevents this.`,
			open.length > 0 && `Not confirmed (${open.length}): ${itemsSaid(open)}.`,
			unclear.length > 0 && `Check the service before you run ${itemsSaid(unclear)} again.`,
			!this.areRows &&
				billed.length + unclear.length === 0 &&
				'Run the node again: these submissions are found, and nothing is billed twice.',
		);
	}

	private readonly billedAgain = (items: readonly number[]) => items.filter((item) => !this.foundAgain.has(item));
}

/** Whatever fails after an accepted write, the failure says what was accepted. */
export function withSubmission({ message, details }: Failure, record: Json): Failure {
	const said = `It was accepted (${identifierOf(record)}): do not submit it again. Read its status later.`;
	return new Failure(message, {
		...details,
		submission: 'accepted',
		description: sentences(said, details.description),
	});
}

/** Such as `items 0-149, 151-157`. */
function itemsSaid(items: readonly number[]): string {
	const sorted = [...items].sort((a, b) => a - b);
	const spans: string[] = [];
	for (let start = 0, index = 1; index <= sorted.length; index++) {
		if (sorted[index] === sorted[index - 1] + 1) continue;
		const [first, last] = [sorted[start], sorted[index - 1]];
		spans.push(first === last ? `${first + 1}` : `${first + 1}-${last + 1}`);
		start = index;
	}
	return `${sorted.length === 1 ? 'item' : 'items'} ${spans.join(', ')}`;
}

/** `id`, or else the first ID in an answer: each kind of record has another name for its ID. */
function identifierOf(answer: Json | Json[]): string {
	const isId = ([name, value]: [string, unknown]) => /(^|_)id$|[a-z]Id$/.test(name) && isShort(value);
	const ids = [answer]
		.flat()
		.map((record) => (isShort(record.id) ? record.id : Object.entries(record).find(isId)?.[1]));
	return ids.filter((id) => id !== undefined).join(' + ') || 'without an ID';
}

const isShort = (value: unknown) =>
	(typeof value === 'string' && value !== '' && value.length <= 100) || typeof value === 'number';
