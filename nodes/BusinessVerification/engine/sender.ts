import { hashOf, identityOf, profileRequest } from './account';
import { connection, credentialId, type HttpContext, secretsOf, settingsOf } from './request';
import { type Download, Failure, type Request, type Settings } from '../kit/service';
import { type Answer, asksForLess, failureOf, isGood, sentences, unanswered } from './answers';
import { whatNext } from './whatNext';
import { redact } from './redaction';
import { baseOf, refusesCredential, unlessAborted } from '../../../credentials/sending';
import { type ICredentialDataDecryptedObject, jsonParse } from 'n8n-workflow';
import { credentialType, keyType } from '../../../credentials/credentialFields';
import { concurrencyBounds, timeoutBounds, within } from '../kit/operation';
import { cancelSignal } from './host';
import { Gate, pause } from './turns';
import { type TokenSource, tokenSource } from './renewal';
import { Attempts } from '../../../credentials/tokens';

interface Parts {
	exchange(request: Request, bytes: boolean): Promise<Answer>;
	/** Undefined for a credential that cannot be renewed. */
	tokens: TokenSource | undefined;
	/** To redact from messages. */
	secrets: readonly string[];
	gate: Gate;
	repeats: number;
	stopped: AbortSignal | undefined;
}

/** What became of a credential that was refused for a request: `replaced` if its token has a successor. */
type CredentialState = 'accepted' | 'refused' | 'replaced';

/** Sends a request until it succeeds or must not be repeated: the only place that sends a request again. */
export class Repeating {
	private quietUntil = 0;
	private wasAccepted = false;
	/** With this, all later requests fail without being sent. */
	private refusal: Failure | undefined;
	/** By status of the refusal, and token. */
	private readonly states = new Attempts<CredentialState>(() => Infinity);

	constructor(private readonly parts: Parts) {}

	exchange = async (request: Request, bytes: boolean): Promise<Answer> => {
		const { gate, repeats, stopped } = this.parts;
		let wasRenewed = false;
		for (let number = 1; ; number++) {
			const answer = await gate.run(() => this.attempt(request, bytes), copes);
			const next = whatNext(request, answer, { number, repeats, wasAccepted: this.wasAccepted });
			switch (next.kind) {
				case 'return':
					this.wasAccepted = true;
					return answer;
				case 'sendAgain':
					if (next.forAll) this.quietUntil = Math.max(this.quietUntil, performance.now() + next.afterMs);
					await pause(next.afterMs, stopped);
					break;
				case 'askProfile': {
					const state = await this.stateAfter(answer);
					const isRefused = state === 'refused' || (state === 'replaced' && wasRenewed);
					if (isRefused || state === 'accepted' || !next.mayRepeat) throw this.failed(request, answer, isRefused);
					wasRenewed = true;
					break;
				}
				default:
					throw this.failed(request, answer, next.kind === 'stopRun');
			}
		}
	};

	private failed(request: Request, answer: Answer, stopsRun: boolean): Failure {
		const secrets = [...this.parts.secrets, answer.token ?? ''];
		const failure = failureOf(request, withTextBody(answer), (text) => redact(text, request, secrets));
		if (stopsRun) {
			const again = 'Nothing was sent: an earlier request was refused for the same reason.';
			const description = sentences(failure.details.description, again);
			this.refusal ??= new Failure(failure.message, { ...failure.details, description });
		}
		return failure;
	}

	/** The profile shows whether the credential itself was refused. Without a response, only this request fails. */
	private readonly stateAfter = async ({ status, token }: Answer): Promise<CredentialState> => {
		const { tokens, exchange } = this.parts;
		const check = async (): Promise<CredentialState> => {
			const profile = await exchange(profileRequest, false);
			if (token !== undefined && profile.token !== token) return 'replaced';
			if (profile.lost) throw new Error(profile.lost.reason);
			if (!refusesCredential(profile.status)) return 'accepted';
			if (token === undefined) return 'refused';
			tokens!.drop(token);
			// Without a successor, the next attempt fails for the reason.
			const successor = await tokens!.current().catch(() => undefined);
			return successor === token ? 'refused' : 'replaced';
		};
		return await this.states.share(hashOf(status, token), check).catch(() => 'accepted');
	};

	private async attempt(request: Request, bytes: boolean): Promise<Answer> {
		const { exchange, stopped } = this.parts;
		// `Retry-After` applies to all requests, not only to the one that received it.
		await pause(this.quietUntil - performance.now(), stopped);
		if (stopped?.aborted) throw new Failure('The execution was canceled');
		if (this.refusal !== undefined) throw this.refusal;
		return await exchange(request, bytes);
	}
}

/** A canceled execution is no failure of the identity provider. */
const noToken = (error: unknown): Answer => {
	if (error instanceof Failure) throw error;
	return unanswered(error);
};

const copes = (answer: Answer) => (isGood(answer) ? true : asksForLess(answer) ? false : undefined);

/** An error response to a download arrives as bytes. */
function withTextBody(answer: Answer): Answer {
	if (!(answer.body instanceof Uint8Array)) return answer;
	const text = Buffer.from(answer.body).toString('utf8');
	return { ...answer, body: jsonParse<unknown>(text, { fallbackValue: text }) };
}

/** Sends requests with one credential. */
export interface Sender {
	readonly settings: Settings;
	readonly identity: string;
	base(): string;
	/** Returns headers too, for callers that need the service's clock. */
	exchange(request: Request): Promise<Answer>;
	send(request: Request): Promise<unknown>;
	download(request: Request): Promise<Download>;
}

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

export const gateOf = (chosen?: number, otherwise = concurrencyBounds.default) =>
	new Gate(chosen === undefined ? otherwise : within(concurrencyBounds, chosen));

export async function createSender(context: HttpContext, options: SenderOptions = {}): Promise<Sender> {
	const { gate = gateOf(), timeout = timeoutBounds.default * 1000, repeats = 4 } = options;
	const { stopped = cancelSignal(context) } = options;
	const type = credentialType(context);
	const credential = options.credential ?? (await context.getCredentials<ICredentialDataDecryptedObject>(type));
	const identity = identityOf(credential, credentialId(context));
	const sendAs = connection(context, timeout);
	const source = type === keyType ? undefined : tokenSource(context, credential);
	// n8n ends a request of the execution when it is canceled, but no other execution's renewal of the token.
	const unlessStopped = <T>(promise: Promise<T>): Promise<T> =>
		stopped === undefined ? promise : unlessAborted(promise, stopped, () => new Failure('The execution was canceled'));
	const tokens = source && { ...source, current: () => unlessStopped(source.current()) };
	let asked: Promise<string> | undefined;
	const { exchange } = new Repeating({
		exchange: async (request, bytes) => {
			if (tokens === undefined) return await sendAs(credential, request, bytes);
			// One listener on the signal for all requests that wait for the same token.
			asked ??= tokens.current().finally(() => (asked = undefined));
			const token = await asked.catch(noToken);
			if (typeof token !== 'string') return token;
			// Like a pasted token, so that n8n neither renews it nor repeats the request itself.
			const answer = await sendAs({ ...credential, tokenSource: 'pasted', accessToken: token }, request, bytes);
			return { ...answer, token };
		},
		tokens,
		secrets: secretsOf(credential),
		gate,
		repeats,
		stopped,
	});
	return {
		settings: settingsOf(credential),
		identity,
		base: () => baseOf(credential.baseUrl).base,
		exchange: (request) => exchange(request, false),
		send: async (request) => (await exchange(request, false)).body,
		download: async (request) => {
			const { body, headers } = await exchange(request, true);
			const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as ArrayBuffer);
			return { bytes, contentType: String(headers['content-type'] ?? '') };
		},
	};
}
