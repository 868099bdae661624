import type { IPollFunctions } from 'n8n-workflow';
import { pollBudgetMs } from '../engine/host';
import type { Memory } from './memory';
import { recall, save, type State } from './packing';

/** n8n may start a poll while the one before is still running; both would read and write the same memory. */
export class Turns {
	private readonly holders = new Map<string, { since: number }>();

	/** Null while somebody else has the turn. A poll that never came back loses its turn after a while. */
	take(key: string, now: number, longestMs: number): Hold | null {
		const holder = this.holders.get(key);
		if (holder && now - holder.since < longestMs) return null;
		const mine = { since: now };
		this.holders.set(key, mine);
		return {
			isMine: () => this.holders.get(key) === mine,
			end: () => {
				if (this.holders.get(key) === mine) this.holders.delete(key);
			},
		};
	}
}

export interface Hold {
	/** Whether what the poll found may still be used. */
	isMine(): boolean;
	end(): void;
}

/**
 * What n8n keeps between polls, and what it lost. Its usual scheduler keeps a node's memory under the node's name and
 * saves it together with a report; so a copy under the node's ID, saved at the same moment, outlives a new name. The
 * durable one knows the node by its ID, but has nothing until its first commit.
 */

/** What this process knows of its triggers; n8n loads this file once, so overlapping polls meet here. */
const turns = new Turns();
const latest = new Map<string, Latest>();
/** Whose poll came while another had the turn, by the memory that n8n gave it: each activation has its own. */
const rivals = new Map<string, object>();

interface Latest {
	/** The newest memory with which no report is lost if n8n dropped the last one. */
	quiet?: State;
	/** The last poll that reported something: its memory's time, and when n8n was given it. */
	reported?: { at: number; handedOver: number };
}

/** So long n8n may take to save what a poll has reported; after that it has thrown the report away. */
const handOverMs = 30_000;
/** Only the durable scheduler grants a poll less time than this. */
const shortBudgetMs = 120_000;

export interface PollTurn {
	saved: Memory | undefined;
	/** The time of the last poll, where no more can be read: the memory is damaged, or of a version that wrote it otherwise. */
	lastPollAt?: number;
	isFirstOfProcess: boolean;
	/** Keeps what the poll has learned; false where n8n will not use what it found. */
	keep(next: Memory, hasReport: boolean): boolean;
	end(): void;
}

/** Null while another poll of this node has the turn, or n8n has not saved yet what the last one reported. */
export function takeTurn(context: IPollFunctions, longestMs: number): PollTurn | null {
	const id = context.getNode().id;
	const key = `${context.getWorkflow().id} ${id}`;
	const node = context.getWorkflowStaticData('node') as { state?: State };
	const turn = turns.take(key, performance.now(), longestMs);
	if (turn === null) {
		rivals.set(key, node);
		return null;
	}
	rivals.delete(key);
	const isDurable = pollBudgetMs(context) < shortBudgetMs;
	const shared = (isDurable ? {} : context.getWorkflowStaticData('global')) as Record<string, State | undefined>;
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
	// Published again while it ran: some hosts drop its report, others do not, and the next poll finds it again.
	const isReplaced = () => !isDurable && rivals.has(key) && rivals.get(key) !== node;
	return {
		saved,
		...(base !== undefined && saved === undefined ? { lastPollAt: timeOf(base) } : {}),
		isFirstOfProcess: last === undefined,
		keep(next, hasReport) {
			if (!turn.isMine() || (hasReport && isReplaced())) return false;
			const state = save(next);
			// Only now, and at one go: an error before leaves the memory as it was.
			node.state = state;
			shared[`businessVerification ${id}`] = state;
			remember(key, {
				quiet: hasReport ? base : state,
				reported: hasReport ? { at: state.at, handedOver: performance.now() } : last?.reported,
			});
			return true;
		},
		end: () => turn.end(),
	};
}

/** A damaged copy is only of use where there is no other. */
function readable(...copies: Array<State | undefined>): Array<State | undefined> {
	const whole = copies.filter((copy) => recall(copy) !== undefined);
	return whole.length > 0 ? whole : copies;
}

/** Every version says when it polled last, and nobody polled in the future. */
const timeOf = ({ at }: State): number => (Number.isFinite(at) ? Math.min(at, Date.now()) : Date.now());

const newer = (a?: State, b?: State) => (b !== undefined && !((a?.at ?? -1) >= b.at) ? b : a);

function remember(key: string, memory: Latest): void {
	latest.delete(key);
	latest.set(key, memory);
	if (latest.size > 1_000) latest.delete(latest.keys().next().value as string);
}
