import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { inTime, LONGEST_ANSWER, secureUrl, Unreached } from '../../../credentials/sending';
import {
	Attempts,
	dropToken,
	mayPass,
	obtainToken,
	Refused,
	RENEW_BEFORE_EXPIRY,
	tokenExpiry,
} from '../../../credentials/tokens';
import { credentialType, loginType } from '../../../credentials/credentialFields';
import { credentialId, type HttpContext } from './request';
import { hashOf } from './account';

/** The source of tokens that are renewed without a person. */
export interface TokenSource {
	/** Throws if there is no token. */
	current(): Promise<string>;
	/** After the service has refused a token: `current` returns another one. */
	drop(refused: string): void;
}

/** Undefined for a key or a pasted token, which cannot be renewed. */
export function tokenSource(context: HttpContext, credential: ICredentialDataDecryptedObject): TokenSource | undefined {
	if (credentialType(context) === loginType) return connectedTokens(context, credential);
	if (credential.tokenSource !== 'clientCredentials') return undefined;
	return {
		current: async () => await obtainToken(context, credential),
		drop: (refused) => dropToken(credential, refused),
	};
}

/** By credential and refused token. A refresh token may work only once, so all executions share a renewal. */
const renewals = new Attempts<void>(() => 0);

/** The login of an OAuth2 credential. n8n stores its tokens and can renew them. */
function connectedTokens(context: HttpContext, initial: ICredentialDataDecryptedObject): TokenSource {
	const id = credentialId(context);
	let credential = initial;
	let dropped: string | undefined;

	/** Does nothing if another execution has replaced the token. */
	const renew = async (refused: string): Promise<void> => {
		const stored = await context.getCredentials<ICredentialDataDecryptedObject>(loginType);
		if (held(stored).token !== refused) return;
		secureUrl(stored.accessTokenUrl, 'Access Token URL');
		const failure = await inTime(context.helpers.refreshOAuth2Token.call(context, loginType), LONGEST_ANSWER).then(
			() => undefined,
			notRenewed,
		);
		if (failure === undefined) return;
		if (held(await context.getCredentials(loginType)).token === refused) throw failure;
	};

	const current = async (): Promise<string> => {
		const { token, endsAt } = held(credential);
		if (token === '' && credential.grantType !== 'clientCredentials') {
			throw new UserError('The OAuth2 credential is not connected', {
				description: 'Open the credential, connect it, and log in at the identity provider.',
			});
		}
		if (token !== '' && token !== dropped && endsAt >= Date.now() + RENEW_BEFORE_EXPIRY) return token;
		await renewals.share(`${id} ${hashOf(token)}`, () => renew(token));
		credential = await context.getCredentials(loginType);
		return held(credential).token;
	};

	return { current, drop: (refused) => void (dropped = refused) };
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
		? new Unreached(message, {
				description: 'Nothing was sent. Try again when the identity provider responds.',
			}).because(code)
		: new Refused(message, { description: 'Open the OAuth2 credential, check the client, and connect again.' });
}

const lostConnection = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/;
