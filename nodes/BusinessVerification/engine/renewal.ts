import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { refusesCredential, secureUrl, Unreached } from '../../../credentials/sending';
import { dropToken, mayPass, obtainToken, RENEW_BEFORE_EXPIRY, tokenExpiry } from '../../../credentials/tokens';
import { credentialType, loginType } from '../kit/operation';
import { credentialId, type HttpContext } from './request';
import { exclusive } from './turns';
import type { Request } from '../kit/service';
import { profileRequest } from './account';
import { type Answer, unanswered } from './answers';

/** The source of tokens that are renewed without a person. */
interface TokenSource {
	current(): Promise<string>;
	/** Replaces a token that the service refused. Throws if there is no other. */
	replace(refused: string): Promise<void>;
}

/** Undefined for a key or a pasted token, which cannot be renewed. */
export function tokenSource(context: HttpContext, credential: ICredentialDataDecryptedObject): TokenSource | undefined {
	if (credentialType(context) === loginType) return connectedTokens(context, credential);
	if (credential.tokenSource !== 'clientCredentials') return undefined;
	return {
		current: async () => await obtainToken(context, credential),
		replace: async (refused) => dropToken(credential, refused),
	};
}

/** The login of an OAuth2 credential. n8n stores its tokens and can renew them. */
function connectedTokens(context: HttpContext, initial: ICredentialDataDecryptedObject): TokenSource {
	let credential = initial;
	let refusal: UserError | undefined;

	/** A refresh token may work only once, so none is used during another renewal or after one elsewhere. */
	const replace = (refused: string): Promise<void> =>
		exclusive(`token of ${credentialId(context)}`, async () => {
			if (refusal !== undefined) throw refusal;
			credential = await context.getCredentials(loginType);
			if (held(credential).token !== refused) return;
			secureUrl(credential.accessTokenUrl, 'Access Token URL');
			const failure = await context.helpers.refreshOAuth2Token
				.call(context, loginType)
				.then(() => undefined, notRenewed);
			credential = await context.getCredentials(loginType);
			if (failure === undefined || held(credential).token !== refused) return;
			if (!(failure instanceof Unreached)) refusal = failure;
			throw failure;
		});

	const current = async (): Promise<string> => {
		const { token, endsAt } = held(credential);
		if (token === '' && credential.grantType !== 'clientCredentials') {
			throw new UserError('The OAuth2 credential is not connected', {
				description: 'Open the credential, connect it, and log in at the identity provider.',
			});
		}
		if (token === '' || endsAt < Date.now() + RENEW_BEFORE_EXPIRY) await replace(token);
		return held(credential).token;
	};

	return { current, replace };
}

function held({ oauthTokenData }: ICredentialDataDecryptedObject) {
	const data = (oauthTokenData ?? {}) as { access_token?: string; n8n_expires_at?: string };
	const token = data.access_token ?? '';
	return { token, endsAt: Number(data.n8n_expires_at) || (tokenExpiry(token) ?? Infinity) };
}

interface Unrenewed {
	body?: { error?: unknown };
	code?: unknown;
	status?: number;
	response?: { status?: number };
}

/** The error contains the request and its secrets, so only the identity provider's error code is kept. */
function notRenewed(error: unknown): UserError {
	const { body, code, response, status = response?.status } = error as Unrenewed;
	const reason = [body?.error, code].find((word) => typeof word === 'string' && /^\w{1,40}$/.test(word));
	const message = `The identity provider returned no new token${reason === undefined ? '' : ` (${String(reason)})`}`;
	const isUnreached = status === undefined ? lostConnection.test(String(code)) : mayPass(status);
	return isUnreached
		? new Unreached(message, { description: 'Nothing was sent. Try again when the identity provider responds.' })
		: new UserError(message, { description: 'Open the OAuth2 credential, check the client, and connect again.' });
}

const lostConnection = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;

/** Decides whether a refused request is worth another token. Sending it again is up to the caller. */
export class Renewal {
	private isWorthwhile = true;
	/** The token that the profile request accepted. A 403 with it is about permissions. */
	private accepted: string | undefined;

	constructor(
		private readonly tokens: TokenSource,
		private readonly identity: string,
		private readonly send: (request: Request, token: string) => Promise<Answer>,
	) {}

	/** True if there is another token for the request, or why there is none. Otherwise the answer is final. */
	async after(request: Request, answer: Answer, wasRenewed: boolean): Promise<true | Answer | undefined> {
		const { token } = answer;
		if (token === undefined || !this.isWorthwhile || !this.refusesToken(request, answer)) return undefined;
		// If a new token is refused, further renewals would not help.
		this.isWorthwhile = !wasRenewed;
		if (wasRenewed) return undefined;
		const next = await exclusive(`renew ${this.identity}`, () => this.next(token)).catch(unanswered);
		if (typeof next === 'string') return next !== token || undefined;
		return next.lost?.withheld && next;
	}

	/** Returns the next token, or the same one if the service accepts it and so refused something else. */
	private async next(token: string): Promise<string> {
		const current = await this.tokens.current();
		if (current !== token) return current;
		const answer = await this.send(profileRequest, token);
		if (answer.lost) return token;
		if (!refusesCredential(answer.status)) return (this.accepted = token);
		await this.tokens.replace(token);
		return await this.tokens.current();
	}

	/** A proxy's error page does not prove that a write was not processed, so it must not be repeated. */
	private refusesToken({ kind }: Request, { status, body, token }: Answer): boolean {
		if (status !== 401 && (status !== 403 || token === this.accepted)) return false;
		return kind !== 'write' || (typeof body === 'object' && body !== null);
	}
}
