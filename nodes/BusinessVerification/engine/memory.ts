import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../definition/failure';
import type { Request } from '../definition/service';
import { Bounded } from './holder';

const digest = ({ method, query, body }: Request) =>
	createHash('sha256')
		.update(JSON.stringify([method, query, body]))
		.digest('base64');

/** Enough for the largest runs; only runs that ended with a failed item, and that n8n will try again, leave any behind. */
const answers = new Bounded<Promise<unknown>>(50_000);

/**
 * n8n's "Retry On Fail" runs the whole node again with all its items. What a write of the same execution, node, run and
 * item answered is therefore remembered and returned instead of being sent, and billed, again.
 */
export class WriteMemory {
	/** Undefined where n8n will not run the node again, or does not say which execution this is. */
	private readonly run: string | undefined;
	private readonly mine = new Set<string>();

	constructor(context: IExecuteFunctions) {
		const { id, retryOnFail } = context.getNode();
		const execution = context.getExecutionId();
		if (!retryOnFail || !execution) return;
		this.run = `${execution}/${id}/${String(context.evaluateExpression('{{ $runIndex }}', 0))}`;
	}

	async once(item: number, request: Request, send: () => Promise<unknown>): Promise<unknown> {
		if (request.kind === 'read' || this.run === undefined) return send();
		const key = `${this.run} ${item} ${request.path} ${request.place ?? request.name ?? digest(request)}`;
		this.mine.add(key);
		const before = answers.get(key);
		if (before !== undefined) return before;
		const answer = send();
		answers.set(key, answer);
		try {
			return await answer;
		} catch (error) {
			// What the service surely did not process may be tried again; an unknown outcome may not.
			if (!(error instanceof Failure && error.details.submission === 'unknown')) answers.delete(key);
			return Promise.reject(error);
		}
	}

	/** Nothing failed, so nothing will be tried again. */
	forget(): void {
		for (const key of this.mine) answers.delete(key);
	}
}
