import { addressOf, identityOf, profileRequest } from './account';
import { connection, credentialId, type HttpContext, secretsOf, settingsOf } from './request';
import { type Download, Failure, type Request } from '../kit/service';
import {
	type Answer,
	asksForLess,
	failureOf,
	isForbidden,
	isGood,
	mayRepeat,
	retryAfterMs,
	sentences,
	shortened,
	unanswered,
} from './answers';
import { redact } from './redaction';
import { refusesCredential } from '../../../credentials/sending';
import { type ICredentialDataDecryptedObject, jsonParse, type Logger } from 'n8n-workflow';
import { concurrencyBounds, credentialType, keyType, timeoutBounds, within } from '../kit/operation';
import { cancelSignal, tellLog } from './host';
import { Gate, pause } from './turns';
import { Renewal, tokenSource } from './renewal';

/** Refusals in a row that stop a run, if the credential worked before or if 403 may mean a missing permission. */
const doubtful = 3;

/** A refused credential would be refused for every item, so later items fail without a request. */
class Refusals {
	private wasGood = false;
	private inRow = 0;
	/** With this, requests fail that would be refused too. */
	reason: Failure | undefined;
	private asked: Promise<boolean> | undefined;

	/** `isRefused` checks whether the service refuses the credential itself rather than a permission or a record. */
	constructor(private readonly isRefused: () => Promise<boolean>) {}

	/** Called for every response: a good one shows that the credential is accepted. */
	note(answer: Answer): void {
		if (!isGood(answer)) return;
		this.wasGood = true;
		this.inRow = 0;
		this.reason = undefined;
	}

	/** Called for the final result of a failed request. */
	async judge(answer: Answer, { message, details }: Failure): Promise<void> {
		if (++this.inRow < this.allowed(answer)) return;
		if (answer.status === 403 && !(await (this.asked ??= this.isRefused()))) return;
		const again = 'Nothing was sent: an earlier request was refused for the same reason.';
		this.reason = new Failure(message, { ...details, description: sentences(details.description, again) });
	}

	private allowed(answer: Answer): number {
		if (isForbidden(answer)) return 1;
		if (answer.status === 401) return this.wasGood ? doubtful : 1;
		return answer.status === 403 && !this.wasGood ? doubtful : Infinity;
	}
}

interface Tools {
	exchange(request: Request, bytes: boolean): Promise<Answer>;
	/** Undefined for a credential that cannot be renewed. */
	renewal: Renewal | undefined;
	/** To redact from messages. */
	secrets: readonly string[];
	logger: Logger;
	gate: Gate;
	repeats: number;
	stopped: AbortSignal | undefined;
}

const longestPause = 60_000;

/** Sends a request until it succeeds or must not be repeated: the only place that sends a request again. */
export class Repeating {
	private quietSince = 0;
	private quietUntil = 0;
	private readonly refusals = new Refusals(async () => {
		const { status } = await this.tools.exchange(profileRequest, false);
		return refusesCredential(status);
	});

	constructor(private readonly tools: Tools) {}

	exchange = async (request: Request, bytes: boolean): Promise<Answer> => {
		const { gate, repeats, stopped, renewal } = this.tools;
		if (request.kind === 'write') gate.growNoMore();
		for (let attempt = 1, isRenewed = false; ; attempt++) {
			const first = await gate.run(() => this.attempt(request, bytes, attempt), copes);
			if (isGood(first)) return first;
			const renewed: true | Answer | undefined = await renewal?.after(request, first, isRenewed);
			isRenewed = renewed === true;
			if (renewed === true) continue;
			const answer = renewed ?? first;
			const asked = retryAfterMs(answer.headers);
			const wait = asked ?? 250 * 2 ** attempt * (0.5 + Math.random() / 2);
			if (attempt > repeats || !mayRepeat(request, answer) || wait > longestPause) {
				const secrets = [...this.tools.secrets, first.token ?? ''];
				const failure = failureOf(request, decoded(answer), (said) => shortened(redact(said, request, secrets)));
				await this.refusals.judge(answer, failure);
				throw failure;
			}
			if (asked !== undefined && asksForLess(answer)) this.keepQuiet(asked);
			await pause(wait, stopped);
		}
	};

	/** Requests refused during a pause were sent before it, so the pause counts from its start and is not added up. */
	private keepQuiet(asked: number): void {
		const now = performance.now();
		if (now >= this.quietUntil) this.quietSince = now;
		this.quietUntil = Math.max(this.quietUntil, this.quietSince + asked);
	}

	private async attempt(request: Request, bytes: boolean, attempt: number): Promise<Answer> {
		const { exchange, logger, stopped } = this.tools;
		// `Retry-After` applies to all requests, not only to the one that received it.
		await pause(this.quietUntil - performance.now(), stopped);
		if (stopped?.aborted) throw new Failure('The execution was canceled');
		if (this.refusals.reason !== undefined) throw this.refusals.reason;
		const sentAt = performance.now();
		const answer = await exchange(request, bytes);
		this.refusals.note(answer);
		const { status, lost } = answer;
		const [path] = request.path.split('?');
		tellLog(logger, `${request.method} ${path}`, {
			...(lost ? { code: lost.code } : { status }),
			attempt,
			milliseconds: Math.round(performance.now() - sentAt),
		});
		return answer;
	}
}

const copes = (answer: Answer) => (isGood(answer) ? true : asksForLess(answer) ? false : undefined);

/** An error response to a download arrives as bytes. */
function decoded(answer: Answer): Answer {
	if (!(answer.body instanceof Uint8Array)) return answer;
	const text = Buffer.from(answer.body).toString('utf8');
	return { ...answer, body: jsonParse<unknown>(text, { fallbackValue: text }) };
}

export type Sender = Awaited<ReturnType<typeof createSender>>;

export interface SenderOptions {
	/** Read from the context if not given. */
	credential?: ICredentialDataDecryptedObject;
	/** Limits the requests in flight. Several senders may share it. */
	gate?: Gate;
	timeout?: number;
	/** Repeats of a read. A poll has little time, so it allows fewer. */
	repeats?: number;
	/** Ends pauses and refuses further requests. The default is the host's cancel signal. */
	stopped?: AbortSignal;
}

export const gateOf = (chosen?: number) =>
	chosen === undefined
		? new Gate(concurrencyBounds.default, concurrencyBounds.max)
		: new Gate(within(concurrencyBounds, chosen));

export async function createSender(context: HttpContext, options: SenderOptions = {}) {
	const { gate = gateOf(), timeout = timeoutBounds.default * 1000, repeats = 4 } = options;
	const { stopped = cancelSignal(context) } = options;
	const type = credentialType(context);
	const credential = options.credential ?? (await context.getCredentials<ICredentialDataDecryptedObject>(type));
	const identity = identityOf(credential, credentialId(context));
	const sendAs = connection(context, timeout);
	const tokens = type === keyType ? undefined : tokenSource(context, credential);
	// Like a pasted token, so that n8n neither renews it nor repeats the request itself.
	const sendWith = (request: Request, accessToken: string, bytes = false) =>
		sendAs({ ...credential, tokenSource: 'pasted', accessToken }, request, bytes);
	const { exchange } = new Repeating({
		exchange: async (request, bytes) => {
			if (tokens === undefined) return await sendAs(credential, request, bytes);
			const token = await tokens.current().catch(unanswered);
			return typeof token === 'string' ? { ...(await sendWith(request, token, bytes)), token } : token;
		},
		renewal: tokens && new Renewal(tokens, identity, sendWith),
		secrets: secretsOf(credential),
		logger: context.logger,
		gate,
		repeats,
		stopped,
	});
	return {
		settings: settingsOf(credential),
		identity,
		address: () => addressOf(credential),
		/** Returns headers too, for callers that need the service's clock. */
		exchange: (request: Request) => exchange(request, false),
		send: async (request: Request) => (await exchange(request, false)).body,
		download: async (request: Request): Promise<Download> => {
			const { body, headers } = await exchange(request, true);
			const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as ArrayBuffer);
			return { bytes, contentType: String(headers['content-type'] ?? '') };
		},
	};
}
