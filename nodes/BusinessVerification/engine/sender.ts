import { identityOf, profileRequest } from './account';
import { connection, credentialId, type HttpContext, readCredential, secretsOf, settingsOf } from './request';
import { Failure, type Json, type Request, type Settings } from '../kit/service';
import { type Answer, unanswered } from './attempt';
import { type ListPage, pageIn } from './checkedAnswer';
import { asksForLess, failureOf, isGood, isWebPage, mayBeProcessed } from './failures';
import { whatNext } from './whatNext';
import { redact } from './redaction';
import { baseIn } from '../../../credentials/authenticate';
import { refusesCredential } from '../../../credentials/profileTest';
import { parsedBody } from '../../../credentials/responses';
import { chosenKind } from '../../../credentials/types';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { concurrencyBounds, timeoutBounds } from '../kit/operation';
import { asFailure } from './runErrors';
import { canceled, Gate, pause, sideBySide } from './turns';
import { LoginTokens } from './renewal';
import { orBegun } from '../kit/objects';

export interface SenderOptions {
	/** Maximum requests in flight. */
	concurrency?: number;
	timeout?: number;
	/** Repeats of a read. A poll has little time, so it allows fewer. */
	repeats?: number;
	/** For how long a request is repeated. */
	patienceMs?: number;
	/** Ends pauses and refuses further requests. */
	stopped?: AbortSignal;
}

/**
 * What became of a credential that was refused for a request: `replaced` if its token was refused and has a successor,
 * `renewed` if it has one and nothing shows whether it was refused.
 */
type CredentialState = 'accepted' | 'refused' | 'replaced' | 'renewed';

/**
 * Sends requests with one credential, each until it succeeds or must not be repeated: the only place that sends a
 * request again.
 */
export class Sender {
	readonly settings: Settings;
	readonly identity: string;
	private readonly sendAs: ReturnType<typeof connection>;
	/** Undefined for a key or a pasted token, which cannot be renewed. */
	private readonly tokens: LoginTokens | undefined;
	/** The credential with its last token: one object, because what each request needs is read once for it. */
	private sent: ICredentialDataDecryptedObject | undefined;
	private readonly gate: Gate;
	/** With this, all later requests fail without being sent. */
	private refusal: Failure | undefined;
	/** By kind of answer and token, while the profile is asked. */
	private readonly states = new Map<string, Promise<CredentialState>>();

	constructor(
		context: HttpContext,
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly options: SenderOptions = {},
	) {
		const { concurrency = concurrencyBounds.default, timeout = timeoutBounds.default * 1000 } = options;
		this.settings = settingsOf(credential);
		this.identity = identityOf(credential, credentialId(context));
		this.sendAs = connection(context, timeout);
		this.tokens = chosenKind(context.getNode()).sentAs ? new LoginTokens(context, credential) : undefined;
		this.gate = new Gate(concurrency);
	}

	base = (): string => baseIn(this.credential);

	/** Accounts must not share what is kept, even under the same key. */
	scoped = (key: string): string => `${this.identity} ${key}`;

	send = async (request: Request): Promise<unknown> => (await this.exchange(request)).body;

	download = async (request: Request): Promise<Buffer> => (await this.exchange(request, true)).body as Buffer;

	/** Of a list that its caller reads in pages. */
	page = async (path: string, query: Json): Promise<ListPage> =>
		pageIn(await this.send({ method: 'GET', path, query, kind: 'read' }), this.settings.listItemsField);

	/** Returns headers too, for callers that need the service's clock. */
	exchange = async (request: Request, bytes = false): Promise<Answer> => {
		let wasRenewed = false;
		const { repeats = 4, patienceMs = Infinity } = this.options;
		const until = performance.now() + patienceMs;
		for (let number = 1; ; number++) {
			const answer = await this.gate.run(() => this.attempt(request, bytes), copes);
			const next = whatNext(request, answer, { number, repeats, leftMs: until - performance.now() });
			switch (next.kind) {
				case 'return':
					return answer;
				case 'sendAgain':
					await pause(next.afterMs, this.options.stopped);
					break;
				case 'askProfile': {
					const state = await this.stateAfter(answer);
					const isContradicted = ['accepted', 'renewed'].includes(state);
					const judged = { ...answer, isContradicted };
					const mayRepeat = state === 'replaced' || (state === 'renewed' && !mayBeProcessed(request, judged));
					if (!mayRepeat || wasRenewed) throw this.failed(request, judged, !isContradicted);
					wasRenewed = true;
					break;
				}
				default:
					throw this.failed(request, answer);
			}
		}
	};

	private async attempt(request: Request, bytes: boolean): Promise<Answer> {
		const { tokens, credential, sendAs } = this;
		if (this.refusal !== undefined) throw this.refusal;
		const token = await tokens?.current().catch(unanswered);
		if (typeof token === 'object') return token;
		// Last, because a renewal may take half a minute.
		if (this.options.stopped?.aborted) throw canceled();
		if (token === undefined) return await sendAs(credential, request, bytes);
		// Like a pasted token, so that n8n neither renews it nor repeats the request itself.
		if (this.sent?.accessToken !== token) this.sent = { ...credential, accessToken: token };
		const answer = await sendAs(this.sent, request, bytes);
		return { ...answer, token };
	}

	/** The profile shows whether the credential itself was refused. Without a response, only this request fails. */
	private async stateAfter({ token, body }: Answer): Promise<CredentialState> {
		const isPage = isWebPage(body);
		const check = async (): Promise<CredentialState> => {
			const profile = await this.attempt(profileRequest, false);
			if (token !== undefined && profile.token !== token) return 'renewed';
			if (profile.lost || !refusesCredential(profile.status)) return 'accepted';
			// A credential may lack the profile, and the page be of a proxy that asked the service before.
			if (isPage && profile.status === 403) return 'accepted';
			if (token === undefined) return 'refused';
			this.tokens!.drop(token);
			// Without a successor, the next attempt fails for the reason.
			const successor = await this.tokens!.current().catch(() => undefined);
			return successor === token ? 'refused' : 'replaced';
		};
		const key = `${isPage} ${token ?? ''}`;
		const state = orBegun(this.states, key, check).finally(() => this.states.delete(key));
		return await state.catch(() => 'accepted');
	}

	private failed(request: Request, answer: Answer, stopsRun = false): Failure {
		const secrets = [...secretsOf(this.credential), answer.token ?? ''];
		const clean = (said: string) => redact(said, request, secrets);
		const pasted = String(this.credential.accessToken ?? '');
		const failure = failureOf(request, { ...answer, body: parsedBody(answer.body) }, clean, pasted);
		if (stopsRun) this.refusal ??= failure;
		return failure;
	}
}

export const createSender = async (context: HttpContext, options: SenderOptions): Promise<Sender> =>
	new Sender(context, await readCredential(context), options);

const copes = (answer: Answer) => (isGood(answer) ? true : asksForLess(answer) ? false : undefined);

/**
 * The sender of all items. An expression in the credential may give items different accounts: then nothing is sent,
 * because what is sent to the wrong account cannot be undone. With `comparesEach`, the credential of each item is read.
 */
export async function senderForAll(
	context: IExecuteFunctions,
	options: SenderOptions,
	comparesEach: boolean,
): Promise<Sender> {
	const invalid = (error: unknown) => Promise.reject(asFailure(error, 'credential-invalid'));
	const sender = await createSender(context, options).catch(invalid);
	const count = context.getInputData().length;
	const login = credentialId(context);
	const isSame = async (item: number) =>
		identityOf(await readCredential(context, item).catch(invalid), login) === sender.identity;
	// n8n reads each credential with a database query. Nearly every expression that uses the item differs or fails after
	// the last one, where there is none.
	const probe = () =>
		Promise.all([count - 1, count].map(isSame)).then(
			(same) => !same.includes(false),
			() => false,
		);
	if (count > 1 && (comparesEach || !(await probe()))) {
		await sideBySide(count - 1, concurrencyBounds.default, async (index) => {
			if (!(await isSame(index + 1))) throw differing(index + 1);
		});
	}
	return sender;
}

const differing = (item: number) =>
	new Failure(`The items use different credentials: item ${item + 1} has another one than the first`, {
		description:
			'Nothing was sent, because all items of a run use one account. Split the items by account, or use a credential without expressions.',
		cause: 'configuration-invalid',
	});
