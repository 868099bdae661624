import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure, type FailureDetails } from '../definition';
import { sharedExecution } from './host';
import { KeptAnswers } from './keptAnswers';

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
