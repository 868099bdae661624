import type { IExecuteFunctions } from 'n8n-workflow';
import { Bounded } from '../../../credentials/tokens';
import { Failure } from '../kit/service';
import { sharedExecution } from './host';

const hourMs = 3_600_000;

/** Billed submissions by agents, whichever of our tools made them. */
const made = new Bounded<number>(10_000);

/**
 * What the agents of one execution may still submit. Over MCP the calls have no execution in common: there it is what the
 * clients of one credential may submit in an hour, counted from the start of this process.
 */
export class Spending {
	private readonly execution: string | undefined;

	constructor(
		context: IExecuteFunctions,
		private readonly account: string,
		/** 0 sets none. */
		private readonly limit: number,
	) {
		this.execution = sharedExecution(context);
	}

	/** Before anything is submitted. */
	refuseBeyond(submissions: number): void {
		const before = made.get(this.key) ?? 0;
		if (this.limit === 0 || before + submissions <= this.limit) return;
		const span = this.execution === undefined ? 'this hour' : 'this execution';
		throw new Failure(`The spending limit of ${this.limit} submissions is reached: ${before} were made in ${span}`, {
			description: "Nothing was submitted. A person can raise 'Spending Limit' in the options of the tool.",
			parameter: 'options.spendingLimit',
			cause: 'configuration-invalid',
		});
	}

	/** Counts what is sent, but for what the service surely did not process. */
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
