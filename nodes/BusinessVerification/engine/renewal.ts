import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { secureUrl } from '../../../credentials/address';
import { inTime, LONGEST_ANSWER } from '../../../credentials/responses';
import { chosenKind } from '../../../credentials/types';
import { Bounded } from '../kit/objects';
import { Unreached } from './attempt';
import { credentialId, type HttpContext, readCredential } from './request';
import { hashOf } from './account';
import { expiryOf } from '../../../credentials/authenticate';

/** The tokens of an OAuth2 credential. n8n stores them, and renews them without a person. */
export class LoginTokens {
	private dropped: string | undefined;

	constructor(
		private readonly context: HttpContext,
		private credential: ICredentialDataDecryptedObject,
	) {}

	/** Throws if there is no token. */
	async current(): Promise<string> {
		const token = tokenOf(this.credential);
		if (token === '' && this.credential.grantType !== 'clientCredentials') {
			throw new UserError('The OAuth2 credential is not connected', {
				description: 'Open the credential, connect it, and log in at the identity provider.',
			});
		}
		if (token !== '' && token !== this.dropped && Date.now() <= expiryOf(token) - RENEW_BEFORE_EXPIRY) return token;
		await renewedOnce(`${credentialId(this.context)} ${hashOf(token)}`, () => this.renew(token));
		this.credential = await readCredential(this.context);
		return tokenOf(this.credential);
	}

	/** After the service has refused a token: `current` returns another one. */
	drop(refused: string): void {
		this.dropped = refused;
	}

	/** Does nothing if another execution has replaced the token. */
	private async renew(old: string): Promise<void> {
		const { context } = this;
		const saved = async () => tokenOf(await readCredential(context));
		if ((await saved()) !== old) return;
		secureUrl(this.credential.accessTokenUrl, 'Access Token URL');
		const { name } = chosenKind(context.getNode());
		const renewing = inTime(context.helpers.refreshOAuth2Token.call(context, name), LONGEST_ANSWER);
		const failure = await renewing.then(() => undefined, notRenewed);
		if (failure !== undefined && (await saved()) === old) throw failure;
	}
}

/** Long enough that all items of a run fail with one request, short enough for a retry with a corrected client. */
const FAILURE_STANDS = 15_000;

/** By credential and old token, each with the time from which another may begin. */
const renewals = new Bounded<{ result: Promise<void>; until: number }>(200);

/** A refresh token may work only once, so all executions share a renewal. */
function renewedOnce(key: string, renew: () => Promise<void>): Promise<void> {
	const known = renewals.get(key);
	if (known !== undefined && performance.now() < known.until) return known.result;
	const renewal = { result: renew(), until: Infinity };
	renewal.result.then(
		() => void (renewal.until = 0),
		(error: unknown) => void (renewal.until = stands(error) ? performance.now() + FAILURE_STANDS : 0),
	);
	renewals.set(key, renewal);
	return renewal.result;
}

/** Whether the same request would be refused again, or would use up its whole time again. */
const stands = (error: unknown) => !(error instanceof Unreached) || error.code === 'ETIMEDOUT';

/** A token that expires sooner is renewed before it is used. One that is no JWT, after the service has refused it. */
const RENEW_BEFORE_EXPIRY = 60_000;

function tokenOf({ oauthTokenData }: ICredentialDataDecryptedObject): string {
	const token = (oauthTokenData as { access_token?: unknown } | undefined)?.access_token;
	return typeof token === 'string' ? token : '';
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
	// Codes for a response, such as ERR_BAD_RESPONSE, say less than its status.
	const found = status === undefined ? code : `HTTP ${status}`;
	const reason = [body?.error, found].find((word) => typeof word === 'string' && /^[\w ]{1,40}$/.test(word));
	const message = `The identity provider returned no new token${reason === undefined ? '' : ` (${String(reason)})`}`;
	const mayPass = temporary.test(String(reason)) || Number(status) >= 500 || [408, 425, 429].includes(Number(status));
	return mayPass
		? new Unreached(message, String(code))
		: new UserError(message, {
				description:
					"Open the OAuth2 credential and check 'Access Token URL' and the client. If you logged in there, connect again.",
			});
}

/** Codes of connections, and of identity providers, for which n8n drops the status. */
const temporary =
	/^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|server_error|slow_down|temporarily|too_many)/;
