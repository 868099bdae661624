import type { IPollFunctions } from 'n8n-workflow';
import { Bounded } from '../kit/objects';
import { hasDurableCursor, hasShortPolls } from '../engine/host';
import { day } from './ledger';
import { recall, save, type State, type WatchMemory } from './memory';

/**
 * The memory of a trigger between polls, as n8n stores it. The usual scheduler stores a node's data under the node's
 * name, together with the execution; a second copy under the node's ID, saved at the same time, survives renaming the
 * node. The durable scheduler identifies the node by its ID, but has no data until its first commit.
 */

/** The state of the triggers of this process. n8n loads this file once, so overlapping polls share it. */
const holders = new Map<string, { since: number }>();
const latestPolls = new Bounded<LatestPoll>(1_000);
/** Polls that came while another had the turn, by n8n's static data: each activation has its own object. */
const rivals = new Map<string, object>();

interface LatestPoll {
	/** Where to go on if n8n discarded the events: the memory from before them, or of this poll if it had none. */
	fallback?: State;
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
	const node = context.getWorkflowStaticData('node') as { state?: State & { id?: string } };
	const mine = { since: performance.now() };
	const holder = holders.get(key);
	// Both polls would read and write the same memory. One that never returns loses its turn.
	if (holder && mine.since - holder.since < longestMs) {
		rivals.set(key, node);
		return null;
	}
	holders.set(key, mine);
	rivals.delete(key);
	const isMine = () => holders.get(key) === mine;
	const end = () => void (isMine() && holders.delete(key));
	const shared = (hasDurableCursor(context) ? {} : context.getWorkflowStaticData('global')) as Record<string, unknown>;
	const latest = latestPolls.get(key);
	// A node that was replaced leaves its data to the next one of its name, and what is older is no news to that.
	const { state: named } = node;
	const isMineByName = (named?.id ?? id) === id || Date.now() - named!.at < day * 1_000;
	const stored = newestFirst(isMineByName ? named : undefined, shared[`businessVerification ${id}`]);
	const isUnsaved =
		latest?.reported &&
		(stored[0]?.at ?? 0) < latest.reported.at &&
		performance.now() - latest.reported.handedOver < handOverMs;
	if (isUnsaved) {
		end();
		return null;
	}
	const copies = newestFirst(...stored, latest?.fallback);
	// A damaged copy still tells the time of the last poll, so it is used if no other copy can be read.
	const base = copies.find((copy) => recall(copy) !== undefined);
	return {
		saved: recall(base),
		lastPollAt: base === undefined ? copies[0]?.at : undefined,
		isFirstOfProcess: latest === undefined,
		/** Stores the memory after the poll. Returns false if n8n will not use the events of this poll. */
		keep(next: WatchMemory, hasReport: boolean): boolean {
			// Published again during this poll: some hosts discard its events, so they are left to the next poll. Where n8n
			// gives each poll data of its own, another object says nothing.
			const isReplaced = !hasShortPolls(context) && (rivals.get(key) ?? node) !== node;
			if (!isMine() || (hasReport && isReplaced)) return false;
			const state = save(next);
			// Written last and all at once, so that an error before leaves the stored memory unchanged.
			node.state = { ...state, id };
			shared[`businessVerification ${id}`] = state;
			latestPolls.set(key, {
				fallback: hasReport ? base : state,
				reported: hasReport ? { at: state.at, handedOver: performance.now() } : latest?.reported,
			});
			return true;
		},
		end,
	};
}

/** What n8n stored may be anything, for example after someone edited its database. */
const newestFirst = (...copies: unknown[]): State[] =>
	(copies as State[]).filter((copy) => typeof copy?.at === 'number').sort((a, b) => b.at - a.at);
