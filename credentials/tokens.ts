import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IN8nHttpFullResponse,
	jsonParse,
	UserError,
} from 'n8n-workflow';
import {
	bearer,
	exchange,
	type Header,
	secureUrl,
	lentHelpers,
	askForProfile,
	profilePath,
	authenticateRequest,
	refusesCredential,
	settingText,
	Unreached,
} from './sending';
import { createHash } from 'node:crypto';

interface Token {
	token: string;
	/** Milliseconds by `performance.now()`; infinite if the response does not say. Then the service refuses it some day. */
	renewAt: number;
}

/** The identity provider refused this client. The same request again would be refused, too. */
export class Refused extends UserError {}

/** A token that expires sooner is renewed before it is used. */
export const RENEW_BEFORE_EXPIRY = 60_000;
const LONGEST_REASON = 300;

async function fetchToken(helper: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<Token> {
	const url = secureUrl(credentials.tokenUrl, 'Token URL');
	const clientId = settingText(credentials.clientId);
	const clientSecret = settingText(credentials.clientSecret);
	if (!clientId || !clientSecret) {
		throw new UserError("'Client ID' or 'Client Secret' in the credential is empty", {
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
		if (settingText(credentials[name])) form.set(name, settingText(credentials[name]));
	}

	const sentAt = performance.now();
	const answer = await exchange(
		helper,
		{ method: 'POST', url: url.href, headers, body: form.toString() },
		`The token URL at ${url.origin}`,
		"Check 'Token URL' in the credential, and that n8n can connect to it.",
	);
	return readToken(answer, sentAt, [basic, encodeURIComponent(clientSecret), clientSecret]);
}

/** Statuses of a temporary failure, after which the same request may succeed. */
export const mayPass = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

function readToken({ statusCode, body: answered }: IN8nHttpFullResponse, sentAt: number, secrets: string[]): Token {
	const body = (typeof answered === 'object' && answered !== null ? answered : {}) as Record<string, unknown>;
	if (statusCode < 200 || statusCode > 299) {
		const reason = [body.error, body.error_description].filter((part) => typeof part === 'string').join(': ');
		const message = `The token URL returned status ${statusCode}${reason && `: ${shortReason(reason, secrets)}`}`;
		if (mayPass(statusCode)) {
			throw new Unreached(message, { description: 'Nothing was sent. Try again when the identity provider responds.' });
		}
		throw new (statusCode >= 400 ? Refused : UserError)(message, {
			description:
				statusCode < 400
					? "It redirects, and secrets are not sent along. Enter the final address as 'Token URL'."
					: [404, 405].includes(statusCode)
						? "Check 'Token URL' in the credential: it must be the token endpoint of the identity provider."
						: "Check 'Client ID', 'Client Secret', 'Scope', and 'Audience' in the credential.",
		});
	}
	if (typeof body.access_token !== 'string' || body.access_token === '') {
		throw new UserError('The token URL returned no access token', {
			description: "Check 'Token URL' in the credential: it must be the token endpoint of the identity provider.",
		});
	}
	const token = body.access_token;
	const expiresIn = Number(body.expires_in) * 1000;
	const lifetime = expiresIn > 0 ? expiresIn : Infinity;
	// A token that is valid for a minute or less would be renewed at every use, so it is used for half that time.
	const useFor = lifetime > RENEW_BEFORE_EXPIRY ? lifetime - RENEW_BEFORE_EXPIRY : lifetime / 2;
	return { token, renewAt: sentAt + useFor };
}

/** Removes secrets before cutting the text, because a secret that was cut would not be found. */
function shortReason(reason: string, secrets: string[]): string {
	const clean = secrets.reduce((result, secret) => result.replaceAll(secret, '***'), reason);
	return clean.length > LONGEST_REASON ? `${clean.slice(0, LONGEST_REASON)}…` : clean;
}

/** Expiry of a JWT, in milliseconds since 1970. Not verified, so nothing but the time of renewal may depend on it. */
export function tokenExpiry(token: string): number | undefined {
	const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const { exp } = jsonParse<{ exp?: unknown } | null>(claims, { fallbackValue: {} }) ?? {};
	return typeof exp === 'number' ? exp * 1000 : undefined;
}

/** A map that drops its oldest entries, so that memory kept across executions does not grow. */
export class Bounded<V> extends Map<string, V> {
	constructor(private readonly limit: number) {
		super();
	}

	override set(key: string, value: V): this {
		this.delete(key);
		super.set(key, value);
		const [oldest] = this.keys();
		if (this.size > this.limit) this.delete(oldest);
		return this;
	}
}

const REMEMBERED_CREDENTIALS = 200;
/** Long enough that all items of a run fail with one request, short enough for a retry with a corrected client. */
const FAILURE_STANDS = 15_000;

/** Whether the same request would be refused again, or would use up its whole time again. */
const stands = (error: unknown) =>
	error instanceof Refused || (error instanceof Unreached && error.code === 'ETIMEDOUT');

/** An attempt, its value as soon as there is one, and the time from which another attempt may begin. */
interface SharedAttempt<T> {
	result: Promise<T>;
	value?: T;
	until: number;
}

/** Attempts by key. Callers share the one in flight, and then its value for as long as it may be used. */
export class Attempts<T> {
	private readonly latest = new Bounded<SharedAttempt<T>>(REMEMBERED_CREDENTIALS);

	constructor(private readonly usableUntil: (value: T) => number) {}

	share(key: string, begin: () => Promise<T>): Promise<T> {
		const known = this.latest.get(key);
		if (known !== undefined && performance.now() < known.until) return known.result;
		const attempt: SharedAttempt<T> = { result: begin(), until: Infinity };
		attempt.result.then(
			(value) => void Object.assign(attempt, { value, until: this.usableUntil(value) }),
			(error: unknown) => void (attempt.until = stands(error) ? performance.now() + FAILURE_STANDS : 0),
		);
		this.latest.set(key, attempt);
		return attempt.result;
	}

	drop(key: string, isOutdated: (value: T) => boolean): void {
		const value = this.latest.get(key)?.value;
		if (value !== undefined && isOutdated(value)) this.latest.delete(key);
	}
}

const fetches = new Attempts<Token>(({ renewAt }) => renewAt);

/**
 * Returns a token that is valid for at least another minute, if its lifetime allows. Tokens are kept only in the memory
 * of this process, so callers ask before each request and never get a token that was already replaced.
 */
export async function obtainToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	return (await fetches.share(loginKey(credentials), () => fetchToken(helper, credentials))).token;
}

/** Drops a token that the service refused, unless a newer one has already replaced it. */
export const dropToken = (credentials: ICredentialDataDecryptedObject, refused: string): void =>
	fetches.drop(loginKey(credentials), ({ token }) => token === refused);

/** A digest of all settings that decide about the token, so that no secret is kept in memory as a key. */
function loginKey(credentials: ICredentialDataDecryptedObject): string {
	const { tokenUrl, clientId, clientSecret, clientAuthentication, scope, audience } = credentials;
	const settings = [tokenUrl, clientId, clientSecret, clientAuthentication, scope, audience];
	return createHash('sha256').update(JSON.stringify(settings)).digest('base64');
}

/** A pasted token is not kept here, because there is no other to send. */
const lastSent = new WeakMap<ICredentialDataDecryptedObject, { token: string; isRead: boolean }>();

export async function fetchedHeader(credentials: ICredentialDataDecryptedObject, isRead: boolean): Promise<Header> {
	const helper = lentHelpers.get(credentials);
	if (helper === undefined) throw new UserError('No access token was fetched for the credential');
	const token = await obtainToken(helper, credentials);
	lastSent.set(credentials, { token, isRead });
	return bearer(token);
}

/**
 * n8n calls this before a request, and again after any error, including a 500 or a lost response. If `fetchedToken` is
 * returned then, n8n sends the request once more. So this first checks whether the service refuses the token, and lets
 * n8n repeat only reads. The token is never returned to n8n; an empty one makes n8n call this before each request.
 */
export async function beforeAndAfter(
	credentials: ICredentialDataDecryptedObject,
	helper: IHttpRequestHelper,
): Promise<IDataObject> {
	lentHelpers.set(credentials, helper);
	const sent = lastSent.get(credentials);
	lastSent.delete(credentials);
	if (sent === undefined) return {};
	const request = await authenticateRequest(credentials, { url: profilePath }, () => bearer(sent.token));
	const answer = await askForProfile(helper, request).catch(() => undefined);
	if (answer === undefined || !refusesCredential(answer.statusCode)) return {};
	dropToken(credentials, sent.token);
	return sent.isRead ? { fetchedToken: '' } : {};
}
