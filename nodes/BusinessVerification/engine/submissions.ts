import type { IExecuteFunctions } from 'n8n-workflow';
import { few, orMade, sentences } from '../kit/objects';
import { Failure, type Json, notAgain, type Request, unknownOutcome } from '../kit/service';
import { calledByAgent } from './host';

/**
 * What a run has submitted, in all its tries: "Retry On Fail" runs the node again with all items, and a later try may
 * fail before it comes to what an earlier one has submitted. Invariant: an error of an item that was submitted, or that
 * is not confirmed, says so, whatever went wrong later. The results ask here for every failure of every operation.
 */

/** Rows of a sheet are submitted together, so they are the run's and no item's. */
export type Whose = number | 'rows';

class Run {
	/** By their place among the writes of the item, not by their bodies, which may contain the time. Refused ones leave a gap. */
	readonly writes = new Map<Whose, Array<Kept | undefined>>();
	/** Who bills nothing if the node runs again, because what was submitted is found. */
	readonly foundAgain = new Set<Whose>();
	made?: object;
}

/** n8n passes the same item objects to all tries of a run and to no other node, so they serve as weak keys. */
const runs = new WeakMap<object, Run>();

/** In a minute, because lists may show a submission late. */
const runAgain = 'Run the node again in a minute: what was submitted is found, and nothing is billed twice.';
const mostListed = 50;

export class Submissions {
	/** Whether the operation bills something. */
	bills = false;
	private readonly isAlone: boolean;
	private readonly run: Run;
	/** How many writes this try has come to. */
	private readonly counts = new Map<Whose, number>();

	constructor(context: IExecuteFunctions) {
		const items = context.getInputData();
		const [first] = items;
		this.isAlone = items.length === 1;
		// All tool calls of an agent share the agent's items, so items cannot identify a run.
		const isTriedAgain = context.getNode().retryOnFail === true && first !== undefined && !calledByAgent(context);
		this.run = isTriedAgain ? orMade(runs, first, () => new Run()) : new Run();
	}

	/** Keeps the value of the first try, because expressions may have other values in the next one. */
	ofRun = <T extends object>(make: () => T): T => (this.run.made ??= make()) as T;

	/** Whether an earlier try has sent the next write of this item. */
	knows = (item: number): boolean => this.keptOf(item)[this.counts.get(item) ?? 0] !== undefined;

	/** An operation that sends rows remembers them itself, so theirs are never those of an earlier try. */
	async once(owner: Whose, { foundBy }: Pick<Request, 'foundBy'>, send: () => Promise<unknown>): Promise<unknown> {
		const kept = this.keptOf(owner);
		const place = this.counts.get(owner) ?? (owner === 'rows' ? kept.length : 0);
		this.counts.set(owner, place + 1);
		if (owner === 'rows' || foundBy !== undefined) this.run.foundAgain.add(owner);
		return await once(kept[place], (one) => void (kept[place] = one), send);
	}

	/** The answer of the item's last write was lost, and this is what it made. Later tries get it, too. */
	found(item: number, record: Json): void {
		this.keptOf(item)[(this.counts.get(item) ?? 1) - 1] = { kind: 'answer', answer: record };
	}

	private keptOf = (owner: Whose) => orMade(this.run.writes, owner, (): Array<Kept | undefined> => []);

	/** IDs that the service returned. A batch of which it accepted no row bills nothing. */
	private acceptedOf(owner: Whose): string[] {
		const answers = this.keptOf(owner).flatMap((one) => (one?.kind === 'answer' ? [one.answer as Json] : []));
		return [...new Set(answers.filter(({ total }) => total !== 0).map(identifierOf))];
	}

	private notConfirmedOf(owner: Whose): Failure | undefined {
		return this.keptOf(owner).flatMap((one) => (one?.kind === 'failure' ? one.failure : []))[0];
	}

	/** The failure of an item, with what any try has submitted for it. */
	told(owner: Whose, failure: Failure, nothing = 'Nothing was submitted for it.'): Failure {
		const { foundAgain } = this.run;
		const { message, details } = failure;
		if (details.submission !== undefined) return failure;
		const ids = this.acceptedOf(owner);
		if (ids.length === 0) return this.notConfirmedOf(owner) ?? this.withoutSubmission(failure, nothing);
		const unnamed = ids.filter((id) => !message.includes(id));
		const { description } = details;
		const instead = foundAgain.has(owner) ? runAgain : `${notAgain}: read its status later.`;
		// An import that failed goes on where it stopped when it runs again.
		const besides = owner === 'rows' ? runAgain : `${notAgain}.`;
		return new Failure(message, {
			...details,
			submission: 'accepted',
			facts: sentences(
				`It was submitted and billed${unnamed.length > 0 ? ` (${few(unnamed, ' + ', mostListed)})` : ''}.`,
				details.facts,
			),
			description: sentences(description ?? instead, !description?.includes(notAgain) && description && besides),
		});
	}

	/**
	 * The failure that stops the run drops the output of all items, so it says which of them were submitted. Its advice
	 * begins with how to find out about a lost answer, or else with what to correct.
	 */
	toldForAll(owner: Whose, thrown: Failure, nameOf: (item: number) => string | undefined): Failure {
		const { writes, foundAgain } = this.run;
		const accepted = [...writes.keys()].filter((one) => this.acceptedOf(one).length > 0);
		const notConfirmed = [...writes.keys()].filter((one) => this.notConfirmedOf(one) !== undefined);
		const submitted = [...accepted, ...notConfirmed];
		// An operation on all items together fails for no item, also if there is one.
		if (this.isAlone && submitted.length === 1) return this.told(submitted[0], thrown);
		const failure = this.told(owner, thrown, submitted.length === 0 ? 'Nothing was submitted.' : undefined);
		if (submitted.every((one) => one === owner)) return failure;
		const listed = (title: string, owners: Whose[]) => {
			const said = owners.sort(inOrder).map((one) => whoSaid(one, nameOf, this.acceptedOf(one)));
			return said.length > 0 && `${title}: ${few(said, ', ', mostListed)}`;
		};
		const lists = [listed('submitted', accepted), listed('not confirmed', notConfirmed)];
		const list = lists.filter(Boolean).join('; ');
		const twice = submitted.filter((one) => !foundAgain.has(one));
		const lost = twice.map((one) => this.notConfirmedOf(one)).find((one) => one !== undefined);
		const { description } = (lost ?? (thrown.details.submission === undefined ? thrown : undefined))?.details ?? {};
		// Then it would contradict the advice for all.
		const isForOne = twice.length === 0 && description?.startsWith(notAgain);
		return new Failure(failure.message, {
			...failure.details,
			submission: failure.details.submission ?? 'partial',
			facts: `${list.charAt(0).toUpperCase()}${list.slice(1)}.`,
			description: sentences(
				!isForOne && description,
				twice.length === 0
					? runAgain
					: `Before you run the node again, take ${itemsSaid(twice)} out of its input, or what was submitted is billed twice.`,
			),
		});
	}

	/** Whoever reads why an item failed wants to know whether anything was billed. */
	private withoutSubmission(failure: Failure, nothing: string): Failure {
		const { message, details } = failure;
		const said = [details.facts, details.description];
		const isSaid =
			details.row !== undefined || said.some((text) => /^(Nothing |Do not submit|Reused)/.test(text ?? ''));
		if (!this.bills || isSaid) return failure;
		return new Failure(message, { ...details, facts: sentences(nothing, details.facts) });
	}
}

const inOrder = (one: Whose, other: Whose) => Number(one) - Number(other);

/** Such as `item 3 (Acme Trading LLC, 3f0c9a52-…)`. */
function whoSaid(owner: Whose, nameOf: (item: number) => string | undefined, ids: string[]): string {
	if (owner === 'rows') return ids.join(' + ');
	const known = [nameOf(owner), ids.join(' + ')].filter(Boolean);
	return `item ${owner + 1}${known.length > 0 ? ` (${known.join(', ')})` : ''}`;
}

/** Such as `items 1-150, 152-158`. */
function itemsSaid(owners: readonly Whose[]): string {
	const sorted = owners.filter((owner) => owner !== 'rows').sort(inOrder);
	const spans: string[] = [];
	for (let start = 0, index = 1; index <= sorted.length; index++) {
		if (sorted[index] === sorted[index - 1] + 1) continue;
		const [first, last] = [sorted[start] + 1, sorted[index - 1] + 1];
		spans.push(first === last ? `${first}` : `${first}-${last}`);
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

/** Whatever is thrown while the response of a write is read, the service may have processed it. */
export const orNotConfirmed = <T>({ ifUnknown }: Request, send: () => Promise<T>): Promise<T> =>
	send().catch((error: unknown) => {
		if (error instanceof Failure) throw error;
		throw unknownOutcome(`The response cannot be read: ${(error as Error).message}`, {}, ifUnknown);
	});

/** `foundBy`: see `Request`. */
export type Kept = { kind: 'answer'; answer: unknown } | { kind: 'failure'; failure: Failure; foundBy?: string };

/**
 * Sends a write unless it was `kept`: neither another try of the run nor an agent that repeats a call sends it again. A
 * write that is not confirmed counts as sent; one that the service certainly refused does not.
 */
export async function once(kept: Kept | undefined, keep: (kept: Kept) => void, send: () => Promise<unknown>) {
	if (kept?.kind === 'failure') throw kept.failure;
	if (kept?.kind === 'answer') return kept.answer;
	try {
		const answer = await send();
		keep({ kind: 'answer', answer });
		return answer;
	} catch (error) {
		if (error instanceof Failure && error.details.submission === 'unknown') keep({ kind: 'failure', failure: error });
		return Promise.reject(error);
	}
}
