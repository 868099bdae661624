import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { secureUrl, Unreached } from '../../../credentials/sending';
import { dropToken, mayPass, obtainToken, tokenExpiry } from '../../../credentials/tokens';
import { at, credentialType, loginType } from '../kit/operation';
import { type Connection, credentialId, type HttpContext } from './request';
import { exclusive } from './turns';
import type { Request } from '../kit/service';
import { routes } from '../document/routes';
import { type Answer, type Lost, lostBecause } from './answers';

/** Where the tokens of a credential come from that are renewed without a person. */
export interface TokenSource {
	current(): Promise<string>;
	/** The service refused this one: from now on there is another, or the reason why there is none. */
	replace(refused: string): Promise<void>;
}

/** A key and a pasted token have no such source. */
export function tokenSource(context: HttpContext, credential: ICredentialDataDecryptedObject): TokenSource | undefined {
	if (credentialType(context) === loginType) return new ConnectedTokens(context, credential);
	return credential.tokenSource === 'clientCredentials' ? fetchedTokens(context, credential) : undefined;
}

/** To the service every token is one that somebody pasted: n8n sends it, and neither renews nor repeats anything. */
export const withToken = (
	credential: ICredentialDataDecryptedObject,
	accessToken: string,
): ICredentialDataDecryptedObject => ({ ...credential, tokenSource: 'pasted', accessToken });

const fetchedTokens = (context: HttpContext, credential: ICredentialDataDecryptedObject): TokenSource => ({
	current: async () => await obtainToken(context, credential),
	replace: async (refused) => dropToken(credential, refused),
});

const MINUTE = 60_000;

/** The login of an OAuth2 credential. n8n keeps its tokens and knows how to renew them. */
class ConnectedTokens implements TokenSource {
	private refusal: UserError | undefined;

	constructor(
		private readonly context: HttpContext,
		private credential: ICredentialDataDecryptedObject,
	) {}

	async current(): Promise<string> {
		const { grantType } = this.credential;
		const { token, endsAt } = held(this.credential);
		if (token === '' && grantType !== 'clientCredentials') {
			throw new UserError('The OAuth2 credential is not connected', {
				description: 'Open the credential and connect it: you log in at the identity provider.',
			});
		}
		if (token === '' || endsAt < Date.now() + MINUTE) await this.replace(token);
		return held(this.credential).token;
	}

	/** One at a time, and not at all where another execution or another process was first: a refresh token may work once. */
	async replace(refused: string): Promise<void> {
		const { context } = this;
		await exclusive(`token of ${credentialId(context)}`, async () => {
			if (this.refusal !== undefined) throw this.refusal;
			this.credential = await context.getCredentials(loginType);
			if (held(this.credential).token !== refused) return;
			secureUrl(this.credential.accessTokenUrl, 'Access Token URL');
			const refusal = await context.helpers.refreshOAuth2Token
				.call(context, loginType)
				.then(() => undefined, notRenewed);
			this.credential = await context.getCredentials(loginType);
			if (refusal === undefined || held(this.credential).token !== refused) return;
			if (!(refusal instanceof Unreached)) this.refusal = refusal;
			throw refusal;
		});
	}
}

function held({ oauthTokenData }: ICredentialDataDecryptedObject) {
	const data = (oauthTokenData ?? {}) as { access_token?: string; n8n_expires_at?: string };
	const token = data.access_token ?? '';
	return { token, endsAt: Number(data.n8n_expires_at) || (tokenExpiry(token) ?? Infinity) };
}

/** The error carries what was sent, and with it secrets: only the provider's own code for the reason goes on. */
function notRenewed(error: unknown): UserError {
	const {
		body,
		code,
		response,
		status = response?.status,
	} = error as {
		body?: { error?: unknown };
		code?: unknown;
		status?: number;
		response?: { status?: number };
	};
	const reason = [body?.error, code].find((word) => typeof word === 'string' && /^\w{1,40}$/.test(word));
	const message = `The identity provider gave no new token${reason === undefined ? '' : ` (${String(reason)})`}`;
	const isUnreached = status === undefined ? lostConnection.test(String(code)) : mayPass(status);
	return isUnreached
		? new Unreached(message, { description: 'Nothing was sent. Try again when the identity provider answers.' })
		: new UserError(message, { description: 'Open the OAuth2 credential, check the client, and connect it again.' });
}

const lostConnection = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/** The cheapest read of the service. */
const probe: Request = { kind: 'read', ...at(routes.profile) };

/** One request, and one more with the next token where the service refuses the one that it was sent with. */
export class TokenRenewal {
	private isWorthwhile = true;
	/** Not refused by the probe: who refuses it with 403 means the right, not the token. */
	private accepted: string | undefined;
	/** What no message may repeat. */
	readonly used = new Set<string>();

	constructor(
		private readonly connection: Connection,
		private readonly tokens: TokenSource,
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly identity: string,
	) {}

	async exchange(request: Request, bytes: boolean): Promise<Answer | Lost> {
		const token = await this.tokens.current().catch(lostBecause);
		if (typeof token !== 'string') return token;
		const result = await this.send(request, bytes, token);
		if (!this.isWorthwhile || !this.refusesToken(request, result, token)) return result;

		const next = await exclusive(`renew ${this.identity}`, () => this.renew(token)).catch(lostBecause);
		if (typeof next !== 'string') return (next.refusedBy ?? next.unreached) ? next : result;
		if (next === token) return result;
		const repeated = await this.send(request, bytes, next);
		// Who refuses a token just fetched will refuse the next one too.
		if (this.refusesToken(request, repeated, next)) this.isWorthwhile = false;
		return repeated;
	}

	/** The token after this one; the same where the service accepts it, so that somebody else refused the request. */
	private async renew(token: string): Promise<string> {
		const current = await this.tokens.current();
		if (current !== token) return current;
		const answer = await this.send(probe, false, token);
		if (!('status' in answer)) return token;
		if (![401, 403].includes(answer.status)) {
			this.accepted = token;
			return token;
		}
		await this.tokens.replace(token);
		return await this.tokens.current();
	}

	private send(request: Request, bytes: boolean, token: string): Promise<Answer | Lost> {
		this.used.add(token);
		return this.connection.exchange(request, bytes, withToken(this.credential, token));
	}

	/** A proxy's page proves nothing about what the service did with a write. */
	private refusesToken({ kind }: Request, result: Answer | Lost, token: string): boolean {
		if ('sent' in result || !(result.status === 401 || (result.status === 403 && token !== this.accepted)))
			return false;
		return kind === 'read' || (typeof result.body === 'object' && result.body !== null);
	}
}
