import type { IExecuteFunctions } from 'n8n-workflow';
import { answered } from '../agents/toolAnswers';
import { intentionOf } from '../agents/intention';
import type { Question, Request } from '../definition';
import { sharedExecution } from './host';
import { WriteMemory } from './writeMemory';
import { asObject } from './outputs';
import { readAnswer } from './reading';

interface Ways {
	read(request: Request): Promise<unknown>;
	write(request: Request): Promise<unknown>;
	scoped(key: string): string;
	exclusive<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** One call of a tool by an agent: what it has submitted before is answered with that, marked, and not submitted again. */
export class AgentCall {
	/** Nothing but the data tells whether the same was called for before. */
	readonly isAlone: boolean;
	private readonly beganAt = Date.now();
	private readonly intentions: WriteMemory;
	private isRepeated = false;

	constructor(
		context: IExecuteFunctions,
		private readonly submitsOnce: boolean,
	) {
		this.intentions = new WriteMemory(context, true);
		this.isAlone = submitsOnce && sharedExecution(context) === undefined;
	}

	/** Undefined where to submit once more is meant. */
	submit<T>(question: Question<T>, { read, write, scoped, exclusive }: Ways): Promise<T> | undefined {
		const intention = this.submitsOnce ? intentionOf(question) : undefined;
		if (intention === undefined) return undefined;
		const place = scoped(intention);
		return exclusive(intention, async () => {
			const isRepeated = this.intentions.knows(place);
			const answer = readAnswer(question, await this.intentions.once(place, () => write(question)));
			if (!isRepeated) return answer;
			this.isRepeated = true;
			const now = question.again?.(answer);
			if (now === undefined) return answer;
			// What was made exists, also where a read does not show it yet.
			return await read(now)
				.then((body) => readAnswer(now, body))
				.catch(() => answer);
		});
	}

	/** Whoever calls a tool waits for all of the call. */
	left = (maxWaitMs: number): number => Math.max(0, maxWaitMs - (Date.now() - this.beganAt));

	/** What an operation returned, as the model reads it. */
	answered(result: unknown, limit: unknown): unknown {
		return answered(this.isRepeated ? marked(result) : result, limit);
	}
}

const marked = (result: unknown): unknown =>
	Array.isArray(result) ? result.map(marked) : { ...asObject(result), repeated: true };
