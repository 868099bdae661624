import type { Limits } from './limits';
import type { State } from './memory';
import type { StatusEvent } from './watch';
import type { Row, StatusSource } from './source';

export type Verdicts = ReadonlyMap<StatusEvent, Row | null>;

export interface PollOptions {
	/** What is watched and with which filters, as a short text. Another scope goes on from the last poll's time. */
	scope: string;
	/** At the first activation, report what happened in this many milliseconds before it. */
	lookBackMs?: number;
	/** Forget what was reported in this many milliseconds, so that it is reported again under the same keys. */
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
	next: State;
	/** A failure that cost nothing but time: what it kept from being seen is found by a later poll. */
	trouble?: unknown;
}
