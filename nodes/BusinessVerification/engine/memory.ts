import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../definition/failure';
import type { Request } from '../definition/service';
import { Bounded } from './holder';

const digest = ({ method, query, body }: Request) =>
	createHash('sha256').update(JSON.stringify([method, query, body])).digest('base64');

type Writes = Map<string, Promise<unknown>>;

/** Twenty runs are many: only those that ended with a failed item are kept, for n8n to try again. */
const runs = new Bounded<Writes>(20);

/**
 * n8n's "Retry On Fail" runs the whole node again with all its items. What a write of the same execution, node, run and
 * item answered is therefore remembered and returned instead of being sent, and billed, again.
 */
export class WriteMemory {
	private readonly key: string;
	private readonly writes: Writes;

	constructor(context: IExecuteFunctions) {
		const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
		this.key = `${context.getExecutionId()}/${context.getNode().id}/${run}`;
		this.writes = runs.get(this.key) ?? new Map();
		runs.set(this.key, this.writes);
	}

	async once(item: number, request: Request, send: () => Promise<unknown>): Promise<unknown> {
		if (request.kind === 'read') return send();
		const key = `${item} ${request.path} ${request.name ?? digest(request)}`;
		const before = this.writes.get(key);
		if (before !== undefined) return before;
		const answer = send();
		this.writes.set(key, answer);
		try {
			return await answer;
		} catch (error) {
			// What the service surely did not process may be tried again; an unknown outcome may not.
			if (!(error instanceof Failure && error.details.submission === 'unknown')) this.writes.delete(key);
			return Promise.reject(error);
		}
	}

	/** Nothing failed, so nothing will be tried again. */
	forget(): void {
		runs.delete(this.key);
	}
}
