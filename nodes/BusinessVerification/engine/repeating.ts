import { jsonParse, type Logger } from 'n8n-workflow';
import { Failure, type Request } from '../definition';
import { type Answer, asksForLess, isGood, mayRepeat, retryAfterMs } from './answer';
import { failureOf } from './answerFailure';
import { tellLog } from './host';
import type { Lost } from './lost';
import { pause } from './pause';
import type { Gate } from './pool';
import { shortened } from './reason';
import { redact } from './redaction';
import { Refusals } from './refusals';

interface Tools {
	exchange(request: Request, bytes: boolean): Promise<Answer | Lost>;
	/** What no message may repeat. */
	secrets(): string[];
	logger: Logger;
	gate: Gate;
	repeats: number;
	stopped: AbortSignal | undefined;
}

const longestPause = 60_000;

/** Sends until there is a good answer, or one after which the request must not or need not go out again. */
export class Repeating {
	private quietSince = 0;
	private quietUntil = 0;
	private readonly refusals = new Refusals();

	constructor(private readonly tools: Tools) {}

	exchange = async (request: Request, bytes: boolean): Promise<Answer> => {
		const { gate, repeats, stopped, secrets } = this.tools;
		if (request.kind === 'write') gate.growNoMore();
		for (let attempt = 1; ; attempt++) {
			const result = await gate.run(() => this.attempt(request, bytes, attempt), copes);
			if ('status' in result && isGood(result)) return result;
			const asked = 'headers' in result ? retryAfterMs(result.headers) : undefined;
			const wait = asked ?? 250 * 2 ** attempt * (0.5 + Math.random() / 2);
			if (attempt > repeats || !mayRepeat(request, result) || wait > longestPause) {
				const failure = failureOf(request, decoded(result), (said) => shortened(redact(said, request, secrets())));
				this.refusals.note(result, failure);
				throw failure;
			}
			if (asked !== undefined && asksForLess(result)) this.keepQuiet(asked);
			await pause(wait, stopped);
		}
	};

	/** Nothing is sent while it is quiet, so who complains then was under way with the first, and asks for the same. */
	private keepQuiet(asked: number): void {
		const now = Date.now();
		if (now >= this.quietUntil) this.quietSince = now;
		this.quietUntil = Math.max(this.quietUntil, this.quietSince + asked);
	}

	private async attempt(request: Request, bytes: boolean, attempt: number): Promise<Answer | Lost> {
		const { exchange, logger, stopped } = this.tools;
		// A service that names a time to come back means all requests, not only the one it told.
		await pause(this.quietUntil - Date.now(), stopped);
		if (stopped?.aborted) throw new Failure('The execution was cancelled');
		this.refusals.check();
		const sentAt = Date.now();
		const result = await exchange(request, bytes);
		this.refusals.note(result);
		const outcome = 'status' in result ? { status: result.status } : { code: result.code };
		const [path] = request.path.split('?');
		tellLog(logger, `${request.method} ${path}`, { ...outcome, attempt, milliseconds: Date.now() - sentAt });
		return result;
	}
}

const copes = (result: Answer | Lost) =>
	'status' in result && isGood(result) ? true : asksForLess(result) ? false : undefined;

/** A refused download still says why, in bytes. */
function decoded(result: Answer | Lost): Answer | Lost {
	if (!('body' in result) || !(result.body instanceof Uint8Array)) return result;
	const text = Buffer.from(result.body).toString('utf8');
	return { ...result, body: jsonParse<unknown>(text, { fallbackValue: text }) };
}
