import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { secureUrl } from '../../../credentials/address';
import { dropToken, obtainToken } from '../../../credentials/token';
import { tokenExpiry } from '../../../credentials/tokenRequest';
import { credentialType, loginType } from '../definition';
import type { HttpContext } from './connection';
import { exclusive } from './exclusive';

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
			if (refusal !== undefined && held(this.credential).token === refused) throw (this.refusal = refusal);
		});
	}
}

export const credentialId = (context: HttpContext) => context.getNode().credentials?.[loginType]?.id;

function held({ oauthTokenData }: ICredentialDataDecryptedObject) {
	const data = (oauthTokenData ?? {}) as { access_token?: string; n8n_expires_at?: string };
	const token = data.access_token ?? '';
	return { token, endsAt: Number(data.n8n_expires_at) || (tokenExpiry(token) ?? Infinity) };
}

/** The error carries what was sent, and with it secrets: only the provider's own code for the reason goes on. */
function notRenewed(error: unknown): UserError {
	const { body, code } = error as { body?: { error?: unknown }; code?: unknown };
	const reason = [body?.error, code].find((word) => typeof word === 'string' && /^\w{1,40}$/.test(word));
	return new UserError(`The identity provider gave no new token${reason === undefined ? '' : ` (${String(reason)})`}`, {
		description: 'Open the OAuth2 credential, check the client, and connect it again.',
	});
}
