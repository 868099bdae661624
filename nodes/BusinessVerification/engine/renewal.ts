import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { refusesCredential, secureUrl, Unreached } from '../../../credentials/sending';
import { dropToken, mayPass, obtainToken, RENEW_BEFORE_EXPIRY, tokenExpiry } from '../../../credentials/tokens';
import { credentialType, loginType } from '../kit/operation';
import { type Connection, credentialId, type HttpContext } from './request';
import { exclusive } from './turns';
import type { Request } from '../kit/service';
import { profileRequest } from './account';
import { type Answer, type Lost, lostBecause } from './answers';

/** The source of tokens that are renewed without a person. */
interface TokenSource {
	current(): Promise<string>;
	/** Replaces a token that the service refused. Throws if there is no other. */
	replace(refused: string): Promise<void>;
}

/** Undefined for a key or a pasted token, which cannot be renewed. */
export function tokenSource(context: HttpContext, credential: ICredentialDataDecryptedObject): TokenSource | undefined {
	if (credentialType(context) === loginType) return new ConnectedTokens(context, credential);
	return credential.tokenSource === 'clientCredentials' ? fetchedTokens(context, credential) : undefined;
}

/** Sent like a pasted token, so that n8n neither renews it nor repeats the request itself. */
export const withToken = (
	credential: ICredentialDataDecryptedObject,
	accessToken: string,
): ICredentialDataDecryptedObject => ({ ...credential, tokenSource: 'pasted', accessToken });

const fetchedTokens = (context: HttpContext, credential: ICredentialDataDecryptedObject): TokenSource => ({
	current: async () => await obtainToken(context, credential),
	replace: async (refused) => dropToken(credential, refused),
});

/** The login of an OAuth2 credential. n8n stores its tokens and can renew them. */
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
				description: 'Open the credential, connect it, and log in at the identity provider.',
			});
		}
		if (token === '' || endsAt < Date.now() + RENEW_BEFORE_EXPIRY) await this.replace(token);
		return held(this.credential).token;
	}

	/** A refresh token may work only once, so none is used during another renewal or after one elsewhere. */
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

/** The error contains the request and its secrets, so only the identity provider's error code is kept. */
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
	const message = `The identity provider returned no new token${reason === undefined ? '' : ` (${String(reason)})`}`;
	const isUnreached = status === undefined ? lostConnection.test(String(code)) : mayPass(status);
	return isUnreached
		? new Unreached(message, { description: 'Nothing was sent. Try again when the identity provider responds.' })
		: new UserError(message, { description: 'Open the OAuth2 credential, check the client, and connect again.' });
}

const lostConnection = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/** Sends a request, and repeats it once with the next token if the service refuses the token. */
export class TokenRenewal {
	private isWorthwhile = true;
	/** The token that the profile request accepted. A 403 with it is about permissions. */
	private accepted: string | undefined;
	/** Tokens to redact from messages. */
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
		// If a new token is refused, further renewals would not help.
		if (this.refusesToken(request, repeated, next)) this.isWorthwhile = false;
		return repeated;
	}

	/** Returns the next token, or the same one if the service accepts it and so refused something else. */
	private async renew(token: string): Promise<string> {
		const current = await this.tokens.current();
		if (current !== token) return current;
		const answer = await this.send(profileRequest, false, token);
		if (!('status' in answer)) return token;
		if (!refusesCredential(answer.status)) {
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

	/** A proxy's error page does not prove that a write was not processed, so it must not be repeated. */
	private refusesToken({ kind }: Request, result: Answer | Lost, token: string): boolean {
		if ('sent' in result || !(result.status === 401 || (result.status === 403 && token !== this.accepted)))
			return false;
		return kind === 'read' || (typeof result.body === 'object' && result.body !== null);
	}
}
