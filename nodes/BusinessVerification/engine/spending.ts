import type { IExecuteFunctions } from 'n8n-workflow';
import { Bounded } from '../../../credentials/tokens';
import { Failure } from '../kit/service';
import { sharedExecution } from './host';

const periodMs = 3_600_000;

/** Billed submissions by agents, from all tools of this node. */
const made = new Bounded<number>(10_000);

/**
 * Limits the submissions of the agents of one execution. Calls over MCP share no execution, so they are limited for
 * each credential and hour, counted from the start of this process. A `limit` of 0 means no limit.
 */
export function spendingOf(context: IExecuteFunctions, account: string, limit: number) {
	const execution = sharedExecution(context);
	const keyNow = () =>
		execution === undefined ? `${account} hour ${Math.floor(performance.now() / periodMs)}` : `execution ${execution}`;
	const madeBy = (key: string) => made.get(key) ?? 0;

	/** Throws before anything is submitted. */
	const refuseBeyond = (submissions: number): void => {
		const before = madeBy(keyNow());
		if (limit === 0 || before + submissions <= limit) return;
		const span = execution === undefined ? 'this hour' : 'this execution';
		throw new Failure(`The spending limit of ${limit} submissions is reached (${before} made in ${span})`, {
			description: "Nothing was submitted. A person can raise 'Spending Limit' in the options of the tool.",
			parameter: 'options.spendingLimit',
			cause: 'configuration-invalid',
		});
	};

	/** Counts submissions, except those that the service certainly did not process. */
	const count = async <T>(submissions: number, send: () => Promise<T>): Promise<T> => {
		refuseBeyond(submissions);
		const key = keyNow();
		made.set(key, madeBy(key) + submissions);
		try {
			return await send();
		} catch (error) {
			const isUnknown = error instanceof Failure && error.details.submission !== undefined;
			if (!isUnknown) made.set(key, madeBy(key) - submissions);
			return Promise.reject(error);
		}
	};

	return { refuseBeyond, count };
}
