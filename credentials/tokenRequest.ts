import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	type IN8nHttpFullResponse,
	UserError,
} from 'n8n-workflow';
import { secureUrl } from './address';
import { exchange } from './exchange';
import { text } from './credentialFields';

export interface Token {
	token: string;
	/** Milliseconds since 1970; infinite when neither the answer nor the token says when it ends. */
	renewAt: number;
}

/** The identity provider does not want this client. Asking again would get the same answer. */
export class Refused extends UserError {}

const RENEW_BEFORE_EXPIRY = 60_000;
const LONGEST_REASON = 300;

export async function fetchToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<Token> {
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
	const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
	if (credentials.clientAuthentication === 'header') {
		headers.authorization = `Basic ${basic}`;
	} else {
		form.set('client_id', clientId);
		form.set('client_secret', clientSecret);
	}
	for (const name of ['scope', 'audience'] as const) {
		if (text(credentials[name])) form.set(name, text(credentials[name]));
	}

	const sentAt = Date.now();
	const answer = await exchange(
		helper,
		{ method: 'POST', url: url.href, headers, body: form.toString() },
		`The token URL at ${url.origin}`,
		"Check 'Token URL' of the credential, and that n8n may connect to it.",
	);
	return readToken(answer, sentAt, [basic, encodeURIComponent(clientSecret), clientSecret]);
}

function readToken({ statusCode, body: answered }: IN8nHttpFullResponse, sentAt: number, secrets: string[]): Token {
	const body = (typeof answered === 'object' && answered !== null ? answered : {}) as Record<string, unknown>;
	if (statusCode < 200 || statusCode > 299) {
		const reason = [body.error, body.error_description].filter((part) => typeof part === 'string').join(': ');
		const isRefused = statusCode >= 400 && statusCode < 500 && ![408, 429].includes(statusCode);
		throw new (isRefused ? Refused : UserError)(
			`The token URL answered with status ${statusCode}${reason && `: ${shown(reason, secrets)}`}`,
			{
				description:
					statusCode < 400
						? "It redirects, and secrets do not follow. Enter the final address as 'Token URL'."
						: "Check 'Client ID', 'Client Secret', 'Scope' and 'Audience' of the credential.",
			},
		);
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

/** Secrets are taken out before anything is cut off, or a part of one would stay at the end. */
function shown(reason: string, secrets: string[]): string {
	const clean = secrets.reduce((result, secret) => result.replaceAll(secret, '***'), reason);
	return clean.length > LONGEST_REASON ? `${clean.slice(0, LONGEST_REASON)}…` : clean;
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
