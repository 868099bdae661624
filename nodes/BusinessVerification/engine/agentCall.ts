import type { IExecuteFunctions } from 'n8n-workflow';
import type { CallResults } from '../agents/toolAnswer';
import { intentionOf } from '../agents/calls';
import { Failure, type Intentions, type Json, type Request } from '../kit/service';
import { sharedExecution } from './host';
import { Bounded } from '../kit/objects';
import { exclusive } from './turns';
import { type Kept, once } from './submissions';

/** Without a shared execution, a call that is repeated after this time is meant as a new one. */
const intentionMs = 24 * 3_600_000;
const intentions = new Bounded<{ kept: Kept; at: number }>(4_000);

const limitedForMs = 3_600_000;

/** Billed submissions by agents, from all tools of this node. */
const billed = new Bounded<number>(10_000);

/**
 * A tool call by an agent. A repeated submission returns the earlier one, marked as repeated, and is not sent. The
 * others are counted against a limit: for the execution that the calls of an agent share, or over MCP, which has none,
 * for each credential and hour since this process started.
 */
export class AgentCall {
	private readonly beganAt = performance.now();
	private readonly execution: string | undefined;
	/** Submissions of one period are counted together. */
	private readonly period: string;

	constructor(
		context: IExecuteFunctions,
		/** Makes a key one of the credential. */
		private readonly scoped: (key: string) => string,
		private readonly submitsOnce: boolean,
		/** In billed submissions; Infinity is no limit. All writes of tools are billed. */
		private readonly spendingLimit: number,
	) {
		this.execution = sharedExecution(context);
		this.period = this.execution ?? scoped(`hour ${Math.floor(performance.now() / limitedForMs)}`);
	}

	private keptFor(key: string): Kept | undefined {
		const before = intentions.get(this.keyOf(key));
		const isOld = this.execution === undefined && performance.now() - (before?.at ?? 0) >= intentionMs;
		return isOld ? undefined : before?.kept;
	}

	private keep(key: string, kept: Kept): void {
		intentions.set(this.keyOf(key), { kept, at: performance.now() });
	}

	/** Undefined if the option to submit again is on, or the request has no data to compare. */
	submit(request: Request, write: () => Promise<unknown>, called: CallResults): Promise<unknown> | undefined {
		const key = this.submitsOnce ? intentionOf(request) : undefined;
		if (key === undefined) return undefined;
		const { foundBy } = request;
		return exclusive(this.keyOf(key), async () => {
			const last = this.keptFor(key);
			// It was searched for by this ID before this call, and is not there: it was not processed.
			const wasLost = last?.kind === 'failure' && foundBy !== undefined && last.foundBy === foundBy;
			if (wasLost) intentions.delete(this.keyOf(key));
			const before = wasLost ? undefined : last;
			// Only IDs and statuses are kept, because the rest may be personal.
			const keep = (kept: Kept) =>
				this.keep(key, kept.kind === 'answer' ? { ...kept, answer: identifying(kept.answer) } : { ...kept, foundBy });
			const answer = await once(before, keep, write);
			called.isRepeated ||= before !== undefined;
			return answer;
		});
	}

	/** The same memory, for operations that submit many rows together and choose themselves what is kept. */
	get intentions(): Intentions | undefined {
		if (!this.submitsOnce) return undefined;
		return {
			get: (key) => {
				const kept = this.keptFor(key);
				return kept?.kind === 'answer' ? (kept.answer as Json) : undefined;
			},
			set: (key, answer) => this.keep(key, { kind: 'answer', answer }),
		};
	}

	/** Throws before anything is submitted. */
	refuseOverspending(submissions: number): void {
		const { spendingLimit: limit } = this;
		// A tool with a higher limit may have made more.
		const left = Math.max(0, limit - (billed.get(this.period) ?? 0));
		if (submissions <= left) return;
		const span = this.execution === undefined ? 'this hour' : 'this execution';
		throw new Failure(`${left} of ${limit} submissions are left in ${span}, and this call would make ${submissions}`, {
			description: `Nothing more was submitted. ${left > 0 ? 'Submit less. A' : 'A'} person can raise 'Spending Limit' in the options of the tool.`,
			parameter: 'options.spendingLimit',
			cause: left > 0 ? undefined : 'configuration-invalid',
		});
	}

	/** Counts submissions, except those that the service certainly did not process. */
	async counted<T>(submissions: number, send: () => Promise<T>): Promise<T> {
		this.refuseOverspending(submissions);
		const add = (more: number) => billed.set(this.period, (billed.get(this.period) ?? 0) + more);
		add(submissions);
		try {
			return await send();
		} catch (error) {
			const mayBeBilled = error instanceof Failure && error.details.submission !== undefined;
			if (!mayBeBilled) add(-submissions);
			return Promise.reject(error);
		}
	}

	/** The caller of a tool waits for the whole call, so time already used is deducted. */
	left = (maxWaitMs: number): number => Math.max(0, maxWaitMs - (performance.now() - this.beganAt));

	private readonly keyOf = (key: string) => `${this.execution ?? ''} ${this.scoped(key)}`;
}

const longestIdentifier = 200;

/** Reduces a record to its IDs and statuses. Deeper ones would fill the stack, and the answer would count as lost. */
function identifying(value: unknown, key = '', levels = 10): unknown {
	if (levels === 0) return undefined;
	if (Array.isArray(value)) return value.slice(0, 10).map((entry) => identifying(entry, '', levels - 1));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, entry]) => [name, identifying(entry, name, levels - 1)] as const);
		return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
	}
	const identifies = /(^|_)(id|status)$|[a-z]I[dD]$|^(message|submission|httpCode)$/.test(key);
	return identifies && String(value).length <= longestIdentifier ? value : undefined;
}
