import type { IPollFunctions } from 'n8n-workflow';
import { Bounded } from '../kit/objects';
import { hasDurableCursor, hasShortPolls } from '../engine/host';
import { recall, save, type SavedMemory, type WatchMemory } from './memory';
import { tolerated } from './rows';

/**
 * The memory of a trigger between polls, as n8n stores it. The usual scheduler stores a node's data under the node's
 * name, together with the execution; a second copy under the node's ID, saved at the same time, survives renaming the
 * node. The durable scheduler identifies the node by its ID, but has no data until its first commit.
 */
function storeOf(context: IPollFunctions) {
	const { id } = context.getNode();
	const byName = context.getWorkflowStaticData('node') as { state?: SavedMemory & { id?: string } };
	const shared = (hasDurableCursor(context) ? {} : context.getWorkflowStaticData('global')) as Record<string, unknown>;
	const idKey = `businessVerification ${id}`;
	return {
		byName,
		copies(): SavedMemory[] {
			const named = byName.state;
			// A node that was replaced leaves its data to the next one of its name, and what is older is no news to that.
			const isOwn = (named?.id ?? id) === id || Date.now() - named!.at < tolerated.day * 1_000;
			return newestFirst(isOwn ? named : undefined, shared[idKey]);
		},
		write(state: SavedMemory): void {
			byName.state = { ...state, id };
			shared[idKey] = state;
		},
	};
}

/** What n8n stored may be anything, for example after someone edited its database. */
const newestFirst = (...copies: unknown[]): SavedMemory[] =>
	(copies as SavedMemory[]).filter((copy) => typeof copy?.at === 'number').sort((a, b) => b.at - a.at);

/** Whether a damaged copy can be of that time, in milliseconds. */
const isBelievable = (at: number): boolean => at > Date.UTC(2020) && at < Date.now() + tolerated.day * 1_000;

interface LatestPoll {
	/** To go on with if n8n has saved none newer: the last memory, but after events, which n8n may discard, the one before. */
	processCopy?: SavedMemory;
	/** The last poll with events: the time of its memory, and when n8n received the events. */
	reported?: { at: number; handedOver: number };
}

/** Milliseconds that n8n may take to save a poll's events. Events not saved by then were discarded. */
const handOverMs = 30_000;

/** Whether n8n may still save the last events, and memory with them. Without events, only `processCopy` has the memory. */
const isSaving = ({ reported }: LatestPoll, [stored]: SavedMemory[]): boolean =>
	reported !== undefined && (stored?.at ?? 0) < reported.at && performance.now() - reported.handedOver < handOverMs;

// By node. n8n loads this file once, so all polls of the process share these.
/** The poll that has the turn. */
const holders = new Map<string, { since: number }>();
const latestPolls = new Bounded<LatestPoll>(1_000);
/** n8n's data object of a poll that came while another had the turn: a new one if the workflow was published meanwhile. */
const rivals = new Map<string, object>();

export type PollTurn = NonNullable<ReturnType<typeof takeTurn>>;

/** Null while another poll of this node has the turn, or while n8n has not yet saved the events of the last poll. */
export function takeTurn(context: IPollFunctions, longestMs: number) {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const store = storeOf(context);
	const mine = { since: performance.now() };
	const holder = holders.get(key);
	// Both polls would read and write the same memory. One that never returns loses its turn.
	if (holder && mine.since - holder.since < longestMs) {
		rivals.set(key, store.byName);
		return null;
	}
	const latest = latestPolls.get(key);
	const stored = store.copies();
	if (latest && isSaving(latest, stored)) return null;
	holders.set(key, mine);
	rivals.delete(key);
	const hasTurn = () => holders.get(key) === mine;
	const copies = newestFirst(...stored, latest?.processCopy);
	let saved: WatchMemory | undefined;
	const readCopy = copies.find((copy) => (saved = recall(copy)) !== undefined);
	return {
		saved,
		isFirstOfProcess: latest === undefined,
		/** Of a memory that cannot be read, the time of its last poll, or that even this cannot. */
		damaged:
			readCopy || copies.length === 0 ? undefined : { lastPollAt: copies.map(({ at }) => at).find(isBelievable) },
		/** Stores the memory after the poll. Returns false if n8n will not use the events of this poll. */
		keep(next: WatchMemory, hasReport: boolean): boolean {
			// Published again during this poll: some hosts discard its events, so they are left to the next poll. Where n8n
			// gives each poll data of its own, another object says nothing.
			const isReplaced = !hasShortPolls(context) && (rivals.get(key) ?? store.byName) !== store.byName;
			if (!hasTurn() || (hasReport && isReplaced)) return false;
			// Written last and all at once, so that an error before leaves the stored memory unchanged.
			const state = save(next);
			store.write(state);
			latestPolls.set(key, {
				processCopy: hasReport ? readCopy : state,
				reported: hasReport ? { at: state.at, handedOver: performance.now() } : latest?.reported,
			});
			return true;
		},
		end: () => void (hasTurn() && holders.delete(key)),
	};
}
