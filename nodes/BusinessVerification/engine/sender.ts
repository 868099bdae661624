import { type Account, addressOf, identityOf } from './account';
import { Connection, credentialId, type HttpContext, secretsOf, settingsOf } from './request';
import { type Download, Failure, type Request, type Settings } from '../kit/service';
import { type Answer, asksForLess, failureOf, isGood, type Lost, mayRepeat, retryAfterMs, shortened } from './answers';
import { redact } from './redaction';
import { type ICredentialDataDecryptedObject, jsonParse, type Logger } from 'n8n-workflow';
import { routes } from '../document/routes';
import { at, concurrencyBounds, credentialType, keyType, timeoutBounds, within } from '../kit/operation';
import { cancelSignal, tellLog } from './host';
import { Gate, pause } from './turns';
import { TokenRenewal, tokenSource } from './renewal';

/** So many refusals in a row end the asking where the credential had been good before, or where 403 may mean a right. */
const doubtful = 3;

/** A credential that is refused once would be refused for every item: the later ones fail unsent, with the same reason. */
export class Refusals {
	private wasGood = false;
	private inRow = 0;
	private reason: Failure | undefined;
	private asked: Promise<boolean> | undefined;

	/** `isRefused` asks whether the service refuses the credential itself, and not only a right or a record. */
	constructor(private readonly isRefused: () => Promise<boolean>) {}

	check(): void {
		if (this.reason === undefined) return;
		const { message, details } = this.reason;
		const description = `${details.description ?? ''} Nothing was sent: an earlier request was refused for the same reason.`;
		throw new Failure(message, { ...details, description: description.trim() });
	}

	/** What every request came to: whoever is answered once is not refused. */
	note(result: Answer | Lost): void {
		if (!('status' in result) || !isGood(result)) return;
		this.wasGood = true;
		this.inRow = 0;
		this.reason = undefined;
	}

	/** What a request came to that is not repeated. */
	async judge(result: Answer | Lost, failure: Failure): Promise<void> {
		if (++this.inRow < this.allowed(result)) return;
		if ('status' in result && result.status === 403 && !(await (this.asked ??= this.isRefused()))) return;
		this.reason = failure;
	}

	private allowed(result: Answer | Lost): number {
		if ('sent' in result) return result.refusedBy === undefined ? Infinity : 1;
		if (result.status === 401) return this.wasGood ? doubtful : 1;
		return result.status === 403 && !this.wasGood ? doubtful : Infinity;
	}
}

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
	private readonly refusals = new Refusals(async () => {
		const profile = await this.tools.exchange({ ...at(routes.profile), kind: 'read' }, false);
		return 'status' in profile && [401, 403].includes(profile.status);
	});

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
				await this.refusals.judge(result, failure);
				throw failure;
			}
			if (asked !== undefined && asksForLess(result)) this.keepQuiet(asked);
			await pause(wait, stopped);
		}
	};

	/** Nothing is sent while it is quiet, so who complains then was under way with the first, and asks for the same. */
	private keepQuiet(asked: number): void {
		const now = performance.now();
		if (now >= this.quietUntil) this.quietSince = now;
		this.quietUntil = Math.max(this.quietUntil, this.quietSince + asked);
	}

	private async attempt(request: Request, bytes: boolean, attempt: number): Promise<Answer | Lost> {
		const { exchange, logger, stopped } = this.tools;
		// A service that names a time to come back means all requests, not only the one it told.
		await pause(this.quietUntil - performance.now(), stopped);
		if (stopped?.aborted) throw new Failure('The execution was cancelled');
		this.refusals.check();
		const sentAt = performance.now();
		const result = await exchange(request, bytes);
		this.refusals.note(result);
		const outcome = 'status' in result ? { status: result.status } : { code: result.code };
		const [path] = request.path.split('?');
		tellLog(logger, `${request.method} ${path}`, {
			...outcome,
			attempt,
			milliseconds: Math.round(performance.now() - sentAt),
		});
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

export interface Sender extends Account {
	readonly settings: Settings;
	readonly send: (request: Request) => Promise<unknown>;
	download(request: Request): Promise<Download>;
	/** The answer with its headers, for callers that need the service's clock. */
	exchange(request: Request): Promise<Answer>;
}

export interface SenderOptions {
	/** Read already; the context is asked for it unless given. */
	credential?: ICredentialDataDecryptedObject;
	/** Requests in flight at most, or the gate that counts them for several senders. */
	concurrency?: number;
	gate?: Gate;
	timeout?: number;
	/** Repeats of a read; a poll that must end soon allows fewer. */
	repeats?: number;
	/** Ends pauses and refuses further requests; the host's own cancel signal unless given. */
	stopped?: AbortSignal;
}

const readCredential = (context: HttpContext): Promise<ICredentialDataDecryptedObject> =>
	context.getCredentials(credentialType(context));

export const gateOf = (chosen?: number) =>
	chosen === undefined
		? new Gate(concurrencyBounds.default, concurrencyBounds.max)
		: new Gate(within(concurrencyBounds, chosen));

export async function createSender(context: HttpContext, options: SenderOptions = {}): Promise<Sender> {
	const { concurrency, gate = gateOf(concurrency), timeout = timeoutBounds.default * 1000, repeats = 4 } = options;
	const { stopped = cancelSignal(context) } = options;
	const credential = options.credential ?? (await readCredential(context));
	const identity = identityOf(credential, credentialId(context));
	const connection = new Connection(context, timeout);
	const tokens = credentialType(context) === keyType ? undefined : tokenSource(context, credential);
	const renewal = tokens && new TokenRenewal(connection, tokens, credential, identity);
	const { exchange } = new Repeating({
		exchange: (request, bytes) => renewal?.exchange(request, bytes) ?? connection.exchange(request, bytes, credential),
		secrets: () => [...secretsOf(credential), ...(renewal?.used ?? [])],
		logger: context.logger,
		gate,
		repeats,
		stopped,
	});
	return {
		settings: settingsOf(credential),
		identity,
		address: () => addressOf(credential),
		exchange: (request) => exchange(request, false),
		send: async (request) => (await exchange(request, false)).body,
		download: async (request) => {
			const { body, headers } = await exchange(request, true);
			const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as ArrayBuffer);
			return { bytes, contentType: String(headers['content-type'] ?? '') };
		},
	};
}
