import type { Budget } from './budget';
import type { Limits } from './limits';
import type { StatusEvent } from './event';
import type { Ledger } from './ledger';
import type { Memory } from './memory';
import type { Row, StatusSource } from './source';

export type Verdicts = ReadonlyMap<StatusEvent, Row | null>;

export interface PollOptions {
	/** Whose inquiries are read; memory of another organisation is not used. */
	organisation: string;
	/** What the caller wants to find again in the memory, to know the organisation without asking. */
	account: string;
	/** What is watched and with which filters, as a short text. */
	filters: string;
	/** At the first activation, report what happened in this many milliseconds before it. */
	lookBackMs?: number;
	/** After a pause, report at most what happened in this many milliseconds. */
	catchUpMs?: number;
	/** Report again, under the same keys, what happened in this many milliseconds. */
	recheckMs?: number;
	/** Which events the caller will use; the others are followed but not judged. */
	wanted?(event: StatusEvent): boolean;
	/**
	 * Replaces an event's row, rejects it with null, or leaves it out: then it is found again by the next poll.
	 * Its requests go through `source`, and before each of them it asks `mayGoOn`.
	 */
	judge?(events: StatusEvent[], source: StatusSource, mayGoOn: () => boolean): Promise<Verdicts>;
	limits?: Partial<Limits>;
}

export interface PollResult {
	events: StatusEvent[];
	next: Memory;
	/** A failure that cost nothing but time: what it kept from being seen is found by a later poll. */
	trouble?: unknown;
	/** Nothing that was known was shown again: the lists may be another organisation's. */
	isStrange?: boolean;
	/** What the user must know: reading started anew, or has not kept up for a while. */
	notice?: string;
}

/** What a poll tells of what it found. */
export async function judged(ledger: Ledger, { judge }: PollOptions, budget: Budget): Promise<StatusEvent[]> {
	if (!judge || ledger.events.length === 0) return ledger.events;
	return settle(ledger, await judge(ledger.events, budget, () => budget.allows()));
}

/** Replaces, rejects and puts off events as the judge said. Later events of an inquiry wait with its earlier ones. */
function settle(ledger: Ledger, verdicts: Verdicts): StatusEvent[] {
	const undecided = new Set<string>();
	const put: StatusEvent[] = [];
	const back: StatusEvent[] = [];
	for (const event of ledger.events) {
		const verdict = verdicts.get(event);
		if (verdict === undefined || undecided.has(event.row.id)) {
			undecided.add(event.row.id);
			back.push(event);
		} else if (verdict) {
			put.push({ ...event, row: verdict });
		}
	}
	for (const event of back.reverse()) ledger.postpone(event);
	return put;
}
