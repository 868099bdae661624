import type { IPollFunctions } from 'n8n-workflow';
import { Failure } from '../definition/failure';
import { timeoutBounds } from '../definition/sending';
import { pollBudgetMs } from '../engine/host';
import { createSender } from '../engine/request';
import type { Asking } from './statusSources';

/** A poll that takes longer than the interval delays the next one, whatever the host allows. */
export const longestPollMs = 240_000;

export async function askingFor(context: IPollFunctions) {
	const started = Date.now();
	const budget = Math.min(longestPollMs, pollBudgetMs(context));
	// A scheduler that grants little time repeats failed polls by itself, and sooner than we could.
	const repeats = budget > 120_000 ? 2 : 0;
	const sender = await createSender(context, {
		concurrency: 1,
		timeout: Math.min(timeoutBounds.default * 1000, budget * 0.8),
		repeats,
	});
	let isOver = false;
	const exchange: typeof sender.exchange = (request) =>
		sender.exchange(request).catch((error: unknown) => {
			isOver ||= concernsScheduler(error);
			throw error;
		});
	// Who is told to come later, or is not let in, asks for nothing more in this poll.
	const remainingMs = () => (isOver ? 0 : started + budget - Date.now());
	return { ...sender, exchange, remainingMs } satisfies Asking;
}

/** Causes on which n8n's scheduler should wait longer before it polls again. */
export const concernsScheduler = (error: unknown) =>
	error instanceof Failure && ['rate-limited', 'credential-invalid'].includes(error.details.cause ?? '');
