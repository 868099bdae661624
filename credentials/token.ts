import { createHash } from 'node:crypto';
import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	type IN8nHttpFullResponse,
	UserError,
} from 'n8n-workflow';
import { secureUrl } from './address';
import { text } from './fields';

interface Token {
	token: string;
	/** Milliseconds since 1970; infinite when neither the answer nor the token says when it ends. */
	renewAt: number;
}

const RENEW_BEFORE_EXPIRY = 60_000;
const REQUEST_TIMEOUT = 30_000;
const REMEMBERED_CREDENTIALS = 200;

const remembered = new Map<string, Token>();
const inFlight = new Map<string, Promise<Token>>();

/**
 * A token that is good for another minute at least. n8n asks for it when it holds none and after a 401; many
 * requests of many executions may ask at once, and those that hold an older token than ours get ours.
 */
export async function obtainToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	const key = fingerprint(credentials);
	const known = remembered.get(key);
	if (known && known.token !== credentials.fetchedToken && Date.now() < known.renewAt) return known.token;

	let flight = inFlight.get(key);
	if (!flight) {
		flight = fetchToken(helper, credentials)
			.then((token) => remember(key, token))
			.finally(() => inFlight.delete(key));
		inFlight.set(key, flight);
	}
	return (await flight).token;
}

/** What the service refuses is not handed out again. */
export function forgetToken(refused: unknown): void {
	for (const [key, { token }] of remembered) if (token === refused) remembered.delete(key);
}

/** True when the fetched token should be renewed before it is used: set `fetchedToken` to '' and n8n asks for one. */
export function isTokenExpiring({ tokenSource, fetchedToken }: ICredentialDataDecryptedObject): boolean {
	if (tokenSource !== 'clientCredentials' || typeof fetchedToken !== 'string' || fetchedToken === '') return false;
	for (const known of remembered.values()) {
		if (known.token === fetchedToken) return Date.now() >= known.renewAt;
	}
	// After a restart n8n still has the token, this process has not: then only the token itself can tell.
	const expiry = tokenExpiry(fetchedToken);
	return expiry !== undefined && Date.now() >= expiry - RENEW_BEFORE_EXPIRY;
}

/** When a JWT says it ends, in milliseconds since 1970. Read without verification, so for convenience only. */
export function tokenExpiry(token: string): number | undefined {
	try {
		const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
		return typeof exp === 'number' ? exp * 1000 : undefined;
	} catch {
		return undefined;
	}
}

async function fetchToken(helper: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<Token> {
	const url = secureUrl(credentials.tokenUrl, 'Token URL');
	const clientId = text(credentials.clientId);
	const clientSecret = text(credentials.clientSecret);
	if (!clientId || !clientSecret) {
		throw new UserError("'Client ID' or 'Client Secret' of the credential is empty", {
			description: 'Enter both as the identity provider gave them to you.',
		});
	}

	const form = new URLSearchParams({ grant_type: 'client_credentials' });
	const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
	if (credentials.clientAuthentication === 'header') {
		const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
		headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
	} else {
		form.set('client_id', clientId);
		form.set('client_secret', clientSecret);
	}
	for (const name of ['scope', 'audience'] as const) {
		if (text(credentials[name])) form.set(name, text(credentials[name]));
	}

	const sentAt = Date.now();
	const answer = await post(helper, url, headers, form.toString());
	return readToken(answer, sentAt, [clientSecret, encodeURIComponent(clientSecret)]);
}

async function post(
	helper: IHttpRequestHelper,
	url: URL,
	headers: Record<string, string>,
	body: string,
): Promise<IN8nHttpFullResponse> {
	const answer: IN8nHttpFullResponse | string = await helper.helpers
		.httpRequest({
			method: 'POST',
			url: url.href,
			headers,
			body,
			json: true,
			timeout: REQUEST_TIMEOUT,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		// The error of the helper carries the whole request, and with it the client secret: only its code goes on.
		.catch(({ code }: { code?: unknown }) => (typeof code === 'string' ? code : 'connection lost'));
	if (typeof answer === 'string') {
		throw new UserError(`The token URL at ${url.origin} gave no answer (${answer})`, {
			description: "Check 'Token URL' of the credential, and that n8n can reach it.",
		});
	}
	return answer;
}

function readToken(answer: IN8nHttpFullResponse, sentAt: number, secrets: string[]): Token {
	const body = (typeof answer.body === 'object' && answer.body !== null ? answer.body : {}) as Record<string, unknown>;
	if (answer.statusCode < 200 || answer.statusCode > 299) {
		const reason = [body.error, body.error_description].filter((part) => typeof part === 'string').join(': ');
		const shown = secrets.reduce((result, secret) => result.replaceAll(secret, '***'), reason);
		throw new UserError(`The token URL answered with status ${answer.statusCode}${shown && `: ${shown}`}`, {
			description:
				answer.statusCode < 400
					? "It redirects, and secrets do not follow. Enter the final address as 'Token URL'."
					: "Check 'Client ID', 'Client Secret', 'Scope' and 'Audience' of the credential.",
		});
	}
	if (typeof body.access_token !== 'string' || body.access_token === '') {
		throw new UserError('The token URL answered without an access token', {
			description: "Check 'Token URL' of the credential: it has to be the token endpoint of the identity provider.",
		});
	}
	const token = body.access_token;
	const expiresIn = Number(body.expires_in) * 1000;
	const lifetime = expiresIn > 0 ? expiresIn : (tokenExpiry(token) ?? Infinity) - sentAt;
	// A token that lives for a minute or less would never be good enough: it is renewed at half its life.
	const useFor = lifetime > RENEW_BEFORE_EXPIRY ? lifetime - RENEW_BEFORE_EXPIRY : lifetime / 2;
	return { token, renewAt: sentAt + useFor };
}

function remember(key: string, token: Token): Token {
	remembered.delete(key);
	remembered.set(key, token);
	if (remembered.size > REMEMBERED_CREDENTIALS) remembered.delete(remembered.keys().next().value as string);
	return token;
}

/** What decides which token comes back. A digest, so that no secret stays behind in the memory of the process. */
function fingerprint(credentials: ICredentialDataDecryptedObject): string {
	const { tokenUrl, clientId, clientSecret, clientAuthentication, scope, audience } = credentials;
	const settings = [tokenUrl, clientId, clientSecret, clientAuthentication, scope, audience];
	return createHash('sha256').update(JSON.stringify(settings)).digest('base64');
}
