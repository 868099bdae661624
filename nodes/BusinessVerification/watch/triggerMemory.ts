import type { IPollFunctions } from 'n8n-workflow';
import { isDurable } from '../engine/host';
import type { Memory } from './memory';
import { isIntact, recall, save, type State } from './packing';

/** n8n may start a poll during another, and both would read and write the same memory. */
export class Turns {
	private readonly holders = new Map<string, { since: number }>();

	/** Null while another poll has the turn. A poll that never returns loses its turn after `longestMs`. */
	take(key: string, now: number, longestMs: number) {
		const holder = this.holders.get(key);
		if (holder && now - holder.since < longestMs) return null;
		const mine = { since: now };
		this.holders.set(key, mine);
		/** Whether the poll still has the turn, so that its events may be used. */
		const isMine = () => this.holders.get(key) === mine;
		const end = () => {
			if (isMine()) this.holders.delete(key);
		};
		return { isMine, end };
	}
}

/**
 * The memory of a trigger between polls, as n8n stores it. The usual scheduler stores a node's data under the node's
 * name, together with the execution; a second copy under the node's ID, saved at the same time, survives renaming the
 * node. The durable scheduler identifies the node by its ID, but has no data until its first commit.
 */

/** The state of the triggers of this process. n8n loads this file once, so overlapping polls share it. */
const turns = new Turns();
const latest = new Map<string, Latest>();
/** Polls that came while another had the turn, by n8n's static data: each activation has its own object. */
const rivals = new Map<string, object>();

interface Latest {
	/** The newest memory that loses no report if n8n discarded the last one. */
	quiet?: State;
	/** The last poll with events: the time of its memory, and when n8n received the events. */
	reported?: { at: number; handedOver: number };
}

/** Milliseconds that n8n may take to save a poll's events. Events not saved by then were discarded. */
const handOverMs = 30_000;

export type PollTurn = NonNullable<ReturnType<typeof takeTurn>>;

/** Null while another poll of this node has the turn, or while n8n has not yet saved the events of the last poll. */
export function takeTurn(context: IPollFunctions, longestMs: number) {
	const id = context.getNode().id;
	const key = `${context.getWorkflow().id} ${id}`;
	const node = context.getWorkflowStaticData('node') as { state?: State };
	const turn = turns.take(key, performance.now(), longestMs);
	if (turn === null) {
		rivals.set(key, node);
		return null;
	}
	rivals.delete(key);
	const hasShared = !isDurable(context);
	const shared = (hasShared ? context.getWorkflowStaticData('global') : {}) as Record<string, State | undefined>;
	const copy = shared[`businessVerification ${id}`];
	const last = latest.get(key);
	const stored = newer(...readable(node.state, copy));
	if (
		last?.reported &&
		(stored?.at ?? 0) < last.reported.at &&
		performance.now() - last.reported.handedOver < handOverMs
	) {
		turn.end();
		return null;
	}
	const base = newer(stored, last?.quiet);
	const saved = recall(base);
	return {
		saved,
		/** The time of the last poll, if the rest of the memory is damaged or from another version. */
		lastPollAt: base && !saved ? timeOf(base) : undefined,
		isFirstOfProcess: last === undefined,
		/** Stores the memory after the poll. Returns false if n8n will not use the events of this poll. */
		keep(next: Memory, hasReport: boolean): boolean {
			// Published again during this poll: some hosts discard its events, so they are left to the next poll.
			const isReplaced = hasShared && (rivals.get(key) ?? node) !== node;
			if (!turn.isMine() || (hasReport && isReplaced)) return false;
			const state = save(next);
			// Written last and all at once, so that an error before leaves the stored memory unchanged.
			node.state = state;
			shared[`businessVerification ${id}`] = state;
			remember(key, {
				quiet: hasReport ? base : state,
				reported: hasReport ? { at: state.at, handedOver: performance.now() } : last?.reported,
			});
			return true;
		},
		end: turn.end,
	};
}

/** A damaged copy still tells the time of the last poll, so it is used if no other copy exists. */
function readable(...copies: Array<State | undefined>): Array<State | undefined> {
	const whole = copies.filter(isIntact);
	return whole.length > 0 ? whole : copies;
}

/** Every version stores the time of its last poll. A time in the future is wrong. */
const timeOf = ({ at }: State): number => (Number.isFinite(at) ? Math.min(at, Date.now()) : Date.now());

const newer = (a?: State, b?: State) => (b !== undefined && !((a?.at ?? -1) >= b.at) ? b : a);

function remember(key: string, memory: Latest): void {
	latest.delete(key);
	latest.set(key, memory);
	if (latest.size > 1_000) latest.delete(latest.keys().next().value as string);
}
