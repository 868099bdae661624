import type { IPollFunctions } from 'n8n-workflow';
import { Bounded } from '../kit/objects';
import { hasDurableCursor, hasShortPolls } from '../engine/host';
import { recall, save, type SavedMemory, type WatchMemory } from './memory';
import { tolerated } from './rows';

/**
 * Where n8n stores the memory. The usual scheduler stores a node's data under its name, together with the execution; a second
 * copy under its ID, in the data of the workflow, survives renaming. Durable cursors know nodes by their ID alone.
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
			// Another node of that name counts, as a deployment may replace all IDs; but for a day, as a trigger that is added months
			// after another one was deleted must not report these months.
			const isOwn = (named?.id ?? id) === id || Date.now() - named!.at < tolerated.day * 1_000;
			return newestFirst(isOwn ? named : undefined, shared[idKey]);
		},
		write(state: SavedMemory): void {
			byName.state = { ...state, id };
			shared[idKey] = state;
		},
	};
}

/** What is stored may be anything, as databases can be edited. */
const newestFirst = (...copies: unknown[]): SavedMemory[] =>
	(copies as SavedMemory[]).filter((copy) => typeof copy?.at === 'number').sort((a, b) => b.at - a.at);

interface LatestPoll {
	/** To go on with if n8n has saved none newer: the last memory, or after events, which n8n may discard, the one before. */
	processCopy?: SavedMemory;
	/** Of the last poll with events: the time of its memory, and when n8n got them. */
	reported?: { at: number; handedOver: number };
}

/** Milliseconds in which n8n saves the events of a poll, and memory with them, or else discards both. */
const handOverMs = 30_000;

/** Whether n8n may still save the last events. It need not save polls without events. */
const isSaving = ({ reported }: LatestPoll, [stored]: SavedMemory[]): boolean =>
	reported !== undefined && (stored?.at ?? 0) < reported.at && performance.now() - reported.handedOver < handOverMs;

// By node, for all polls of the process, as n8n loads this file once.
const turnHolders = new Map<string, { since: number }>();
const latestPolls = new Bounded<LatestPoll>(1_000);
/** n8n's data object in a poll that found the turn taken: a new one if the workflow was published meanwhile. */
const rivals = new Map<string, object>();

export type PollTurn = NonNullable<ReturnType<typeof takeTurn>>;

/** Null while another poll of this node has the turn, or n8n may still save the events of the last one. */
export function takeTurn(context: IPollFunctions, longestMs: number) {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const store = storeOf(context);
	const mine = { since: performance.now() };
	const holder = turnHolders.get(key);
	// Both polls would read and write the same memory. One that never returns loses its turn.
	if (holder && mine.since - holder.since < longestMs) {
		rivals.set(key, store.byName);
		return null;
	}
	const latest = latestPolls.get(key);
	const stored = store.copies();
	if (latest && isSaving(latest, stored)) return null;
	turnHolders.set(key, mine);
	rivals.delete(key);
	const hasTurn = () => turnHolders.get(key) === mine;
	const copies = newestFirst(...stored, latest?.processCopy);
	let saved: WatchMemory | undefined;
	const readCopy = copies.find((copy) => (saved = recall(copy)) !== undefined);
	return {
		saved,
		isFirstOfProcess: latest === undefined,
		/** When the last poll was, if nothing else of the memory can be read. */
		lastPollAt: readCopy ? undefined : copies[0]?.at,
		/** Returns false if n8n will not use the events of this poll. */
		keep(next: WatchMemory, hasReport: boolean): boolean {
			// With another data object, the workflow was published during this poll, and n8n may discard its events: they are left
			// to the next one. With short polls, each poll may have its own.
			const isReplaced = !hasShortPolls(context) && (rivals.get(key) ?? store.byName) !== store.byName;
			if (!hasTurn() || (hasReport && isReplaced)) return false;
			// Last and all at once, so that an error before leaves the stored memory unchanged.
			const state = save(next);
			store.write(state);
			latestPolls.set(key, {
				processCopy: hasReport ? readCopy : state,
				reported: hasReport ? { at: state.at, handedOver: performance.now() } : latest?.reported,
			});
			return true;
		},
		end: () => void (hasTurn() && turnHolders.delete(key)),
	};
}
