import type { IExecuteFunctions } from 'n8n-workflow';
import { Bounded } from '../../../credentials/tokens';
import { Failure } from '../kit/service';
import { sharedExecution } from './host';

const hourMs = 3_600_000;

/** Billed submissions by agents, from all tools of this node. */
const made = new Bounded<number>(10_000);

/**
 * Limits the submissions of the agents of one execution. Calls over MCP share no execution, so they are limited for
 * each credential and hour, counted from the start of this process.
 */
export class Spending {
	private readonly execution: string | undefined;

	constructor(
		context: IExecuteFunctions,
		private readonly account: string,
		/** 0 means no limit. */
		private readonly limit: number,
	) {
		this.execution = sharedExecution(context);
	}

	/** Throws before anything is submitted. */
	refuseBeyond(submissions: number): void {
		const before = made.get(this.key) ?? 0;
		if (this.limit === 0 || before + submissions <= this.limit) return;
		const span = this.execution === undefined ? 'this hour' : 'this execution';
		throw new Failure(`The spending limit of ${this.limit} submissions is reached (${before} made in ${span})`, {
			description: "Nothing was submitted. A person can raise 'Spending Limit' in the options of the tool.",
			parameter: 'options.spendingLimit',
			cause: 'configuration-invalid',
		});
	}

	/** Counts submissions, except those that the service certainly did not process. */
	async count<T>(submissions: number, send: () => Promise<T>): Promise<T> {
		this.refuseBeyond(submissions);
		const { key } = this;
		made.set(key, (made.get(key) ?? 0) + submissions);
		try {
			return await send();
		} catch (error) {
			const isUnknown = error instanceof Failure && error.details.submission !== undefined;
			if (!isUnknown) made.set(key, (made.get(key) ?? 0) - submissions);
			return Promise.reject(error);
		}
	}

	private get key(): string {
		if (this.execution !== undefined) return `execution ${this.execution}`;
		return `${this.account} hour ${Math.floor(performance.now() / hourMs)}`;
	}
}
