import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	jsonParse,
	UserError,
	type ICredentialTestRequest,
} from 'n8n-workflow';
import { routes } from '../nodes/BusinessVerification/document/routes';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Secrets may be sent to this address: it is https, or plain http to this machine. */
export function secureUrl(address: unknown, field: string): URL {
	const url = webAddress(String(address ?? '').trim());
	if (url === undefined) {
		throw new UserError(`'${field}' in the credential is not a web address`, {
			description: 'Enter a full address that starts with https://.',
		});
	}
	if (url.protocol === 'http:' && !LOCAL_HOSTS.includes(url.hostname)) {
		throw new UserError(`'${field}' in the credential uses plain http, so secrets would be sent unencrypted`, {
			description: `Use https:// instead. Plain http is accepted for ${LOCAL_HOSTS.join(', ')} only.`,
		});
	}
	if (url.username || url.password) {
		throw new UserError(`'${field}' in the credential contains a user name or password`, {
			description: 'Remove the part before the @ sign and use the fields of the credential.',
		});
	}
	return url;
}

/**
 * Accepts a base URL with spaces, a trailing slash, or the version, which the paths in the API documentation already
 * include.
 */
export function baseOf(written: unknown): Base {
	const { origin, pathname } = secureUrl(written, 'Base URL');
	const path = withoutEndingSlashes(pathname).replace(/(\/external\/api)?\/v1$/, '');
	return { origin, base: origin + withoutEndingSlashes(path) };
}

interface Base {
	origin: string;
	base: string;
}

const bases = new WeakMap<ICredentialDataDecryptedObject, Base>();

/** Read once for a credential, because each request asks. */
export function baseIn(credential: ICredentialDataDecryptedObject): Base {
	const known = bases.get(credential);
	if (known !== undefined) return known;
	const base = baseOf(credential.baseUrl);
	bases.set(credential, base);
	return base;
}

/** `/\/+$/` would take quadratic time for a text with many slashes inside. */
export const withoutEndingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

/** The full address of a path below `base`. A full address stays, because the HTTP Request node sends one. */
export function serviceUrl(base: string, path: string): string {
	if (isAbsolute(path)) return path.trim();
	return `${base}/${path.trim().replace(/^\/+/, '')}`;
}

/** Advice for a base URL that is probably wrong, with the correct one if it can be derived from the address `asked`. */
export function baseUrlAdvice(asked: string, path: string): string {
	const base = asked.endsWith(path) ? withoutEndingSlashes(asked.slice(0, -path.length)) : '';
	const [before] = base.split(/(?:\/external\/api)?\/v1\b/);
	const example = before === base ? 'as in https://api.example.com' : `here probably ${before}`;
	return `Check 'Base URL' in the credential: it ends before '/v1', ${example}.`;
}

const isAbsolute = (address: string): boolean => /^\s*([a-z][a-z\d+.-]*:)?\/\//i.test(address);

/** The slashes are needed because the parser adds them to `https:host`, but a callback URL is sent as written. */
export const webAddress = (address: string): URL | undefined =>
	/^\s*https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;

export interface Header {
	name: string;
	value: string;
}

export function extraHeaders({ extraHeaders: setting }: ICredentialDataDecryptedObject): Header[] {
	const parsed =
		typeof setting === 'string' ? jsonParse<unknown>(setting.trim() || '{}', { fallbackValue: null }) : (setting ?? {});
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new UserError("'Extra Headers' in the credential is not a JSON object", {
			description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
		});
	}
	return Object.entries(parsed).map(([name, value]) => ({ name: name.trim(), value: settingText(value) }));
}

/** Header names are case-insensitive, so an added header replaces one with another spelling. */
function withHeaders(present: IHttpRequestOptions['headers'], added: Header[]): IHttpRequestOptions['headers'] {
	const headers = { ...present };
	for (const { name, value } of added) {
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
			throw new UserError('A header name of the credential is empty or contains a forbidden character', {
				description: "Check 'Header Name', 'Seller and License Header Name', and 'Extra Headers' in the credential.",
			});
		}
		if (value === '' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
			throw new UserError(`The value of the header '${name}' is empty or contains a forbidden character`, {
				description: 'Check the credential: line breaks are often copied along with a key.',
			});
		}
		for (const other of Object.keys(headers)) {
			if (other.toLowerCase() === name.toLowerCase()) delete headers[other];
		}
		headers[name] = value;
	}
	return headers;
}

/** What to call in each coming second. Node cannot clear a timer of `AbortSignal`, so all that end together share one. */
const limits = new Map<number, Set<() => void>>();

function endingAt(second: number): Set<() => void> {
	const known = limits.get(second);
	if (known !== undefined) return known;
	const ends = new Set<() => void>();
	limits.set(second, ends);
	AbortSignal.timeout(Math.ceil(second * 1000 - performance.now())).addEventListener('abort', () => {
		limits.delete(second);
		for (const end of ends) end();
	});
	return ends;
}

/**
 * Fails a second after the timeout at the latest. n8n's own limit starts again with each byte, so it never ends a
 * response that drips.
 */
export async function inTime<T>(promise: Promise<T>, timeout: number): Promise<T> {
	const ends = endingAt(Math.ceil((performance.now() + timeout) / 1000));
	let end!: () => void;
	const late = new Promise<never>((_, reject) => {
		end = () => reject(Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' }));
		ends.add(end);
	});
	return await Promise.race([promise, late]).finally(() => ends.delete(end));
}

/** For a new token and for the credential test, in milliseconds. */
export const LONGEST_ANSWER = 30_000;

const reasons: Record<string, string> = {
	ECONNREFUSED: 'connection refused',
	ENOTFOUND: 'host not found',
	EAI_AGAIN: 'host name lookup failed',
	ECONNABORTED: 'no response in time',
	ETIMEDOUT: 'no response in time',
	EHOSTUNREACH: 'network unreachable',
	ENETUNREACH: 'network unreachable',
};

/** Codes of certificates have no common form. */
export const isUntrusted = (code: string): boolean => /CERT|SIGNED|SIGNATURE|TLS|SSL/.test(code);

export const reasonOf = (code: string): string =>
	reasons[code] ?? (isUntrusted(code) ? 'certificate not trusted' : 'connection lost');

/** An error and its causes, because n8n wraps the errors of its HTTP client. */
export function layersOf(error: unknown, atMost = 5): Layer[] {
	if (typeof error !== 'object' || error === null || atMost === 0) return [];
	const layer = error as Layer;
	return [layer, ...layersOf(layer.cause ?? layer.errorResponse, atMost - 1)];
}

type Layer = Record<string, unknown>;

/**
 * The error for a request without a response. Only the code of the original error is read, because that error contains
 * the whole request with its secrets. The message does not contain the code, because n8n replaces messages that do.
 */
export function unreached(error: unknown, place: string, description: string): UserError {
	// An error of n8n, such as one of its egress filter, names the target and what to do.
	const refusal = layersOf(error).find((layer) => layer instanceof UserError);
	if (refusal !== undefined) return refusal;
	const code = String((error as { code?: unknown } | undefined)?.code ?? '');
	return new UserError(`${place} cannot be reached: ${reasonOf(code)}`, { description });
}

/** n8n passes its HTTP helper to `preAuthentication` only, and the request, which it is for, to `authenticate`. */
const lentHelpers = new WeakMap<ICredentialDataDecryptedObject, IHttpRequestHelper>();

/** The `preAuthentication` of a credential type. It adds nothing to the credential. */
export async function lendHelper(
	this: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<IDataObject> {
	lentHelpers.set(credentials, this);
	return {};
}

/** A small read that no other service answers in the same way. */
export const profilePath = routes.profile.split(' ')[1];

export const profileTest: ICredentialTestRequest = {
	request: { baseURL: '={{$credentials.baseUrl}}', url: profilePath },
};

/**
 * n8n's credential test shows one line: the code of a failed connection, a status, or the message of a thrown error. So
 * this requests the profile before n8n does, and throws an error whose message also says what to do.
 */
async function tested(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const helper = lentHelpers.get(credentials);
	const wrong = weakSecretIn(credentials) ?? (helper && whatIsWrong(await askForProfile(helper, request), request.url));
	if (wrong !== undefined) throw new UserError(wrong);
	return request;
}

/** In characters. Shorter secrets can be found by trying. */
const shortestSecret = 24;

export const isWeak = (secret: string): boolean => secret !== '' && secret.length < shortestSecret;

export const tooShort = (label: string): string => `'${label}' is too short: at least ${shortestSecret} characters`;

/** What is wrong with a callback secret that is set. */
export function weakSecretIn(secrets: {
	callbackSecret?: unknown;
	previousCallbackSecret?: unknown;
}): string | undefined {
	if (isWeak(settingText(secrets.callbackSecret))) return tooShort('Callback Secret');
	return isWeak(settingText(secrets.previousCallbackSecret)) ? tooShort('Previous Callback Secret') : undefined;
}

function inOneLine(error: unknown): never {
	if (!(error instanceof UserError) || !error.description) throw error;
	throw new UserError(`${error.message}. ${error.description}`);
}

/** For the profile only: every user may read it, so there a 403 is about the credential and not about a permission. */
export const refusesCredential = (status: number): boolean => status === 401 || status === 403;

/** Returns any status; throws only if there was no response. */
async function askForProfile(
	{ helpers }: IHttpRequestHelper,
	{ url, headers }: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		method: 'GET',
		url,
		headers,
		json: true,
		timeout: LONGEST_ANSWER,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	return await inTime(helpers.httpRequest(options) as Promise<IN8nHttpFullResponse>, LONGEST_ANSWER).catch(
		(error: unknown) => {
			const advice = "Check 'Base URL', that the service is up, and that n8n can connect to it.";
			throw unreached(error, `The service at ${new URL(url).origin}`, advice);
		},
	);
}

/** Also checks for an `id`, because another host may return a page with status 200 for any path. */
function whatIsWrong({ statusCode, body }: IN8nHttpFullResponse, url: string): string | undefined {
	const { origin } = new URL(url);
	if (statusCode >= 300 && statusCode < 400)
		return `${origin} redirects, and credentials are not sent along. Enter the final address as 'Base URL'.`;
	if (refusesCredential(statusCode))
		return `The service refused the credential with status ${statusCode}. Check the key or token, and the header it is sent in.`;
	if (statusCode === 404) return `${url} returned status 404. ${baseUrlAdvice(url, profilePath)}`;
	if (statusCode < 200 || statusCode > 299)
		return `The service at ${origin} returned status ${statusCode}. Try again later, or ask your service provider.`;
	if (typeof body !== 'object' || body === null || !('id' in body))
		return `${url} did not return a user profile. ${baseUrlAdvice(url, profilePath)}`;
	return undefined;
}

/** n8n's HTTP Request node still uses other names for the address and for ignored certificates. */
type AnyRequest = IHttpRequestOptions & { uri?: string; rejectUnauthorized?: boolean };

export async function authenticateRequest(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	inquiryHeader: () => Header,
): Promise<IHttpRequestOptions> {
	// Only n8n's credential test sets `baseURL`.
	if (request.baseURL === undefined) return authenticated(credentials, request, inquiryHeader);
	try {
		return await tested(credentials, authenticated(credentials, request, inquiryHeader));
	} catch (error) {
		return inOneLine(error);
	}
}

/**
 * Credentials are sent only to the origin of the base URL: the request gets the address that was checked, and no
 * redirect is followed.
 */
function authenticated(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	inquiryHeader: () => Header,
): IHttpRequestOptions {
	const { origin, base } = baseIn(credentials);
	const { baseURL, ...rest } = request;
	const below = baseURL?.trim() ? baseOf(baseURL).base : base;
	const address = serviceUrl(below, request.url || request.uri || '/');
	const target = webAddress(address);
	if (target?.origin !== origin) {
		throw new UserError(`Credentials for ${origin} are not sent to ${target?.origin ?? 'an invalid address'}`, {
			description: "Send requests with this credential only to the origin of its 'Base URL'.",
		});
	}
	refuseDetours(request, origin);
	const isInquiry = isInquiryApi(target, base);
	return {
		...rest,
		url: target.href,
		headers: withHeaders(request.headers, [
			...extraHeaders(credentials),
			...authorization(credentials, isInquiry, inquiryHeader),
		]),
		disableFollowRedirect: true,
		// With `uri`, two other settings decide about redirects.
		...(request.uri && { uri: target.href, followRedirect: false, followAllRedirects: false }),
	};
}

/**
 * With these settings of n8n's HTTP Request node, whoever edits a workflow could read the credential, which n8n does not
 * show to him. The proxy of n8n itself (`HTTPS_PROXY`) is no setting of a request.
 */
function refuseDetours(
	{ proxy, skipSslCertificateValidation, rejectUnauthorized, headers }: AnyRequest,
	origin: string,
) {
	const refuse = (how: string, description: string): never => {
		throw new UserError(`Credentials for ${origin} are not sent ${how}`, { description });
	};
	if (proxy) refuse('through a proxy of the node', "Remove 'Proxy' from its options: n8n's HTTPS_PROXY is used.");
	if (skipSslCertificateValidation || rejectUnauthorized === false) {
		const cure = "Turn off 'Ignore SSL Issues'. To trust a CA of your own, set NODE_EXTRA_CA_CERTS for n8n.";
		refuse('without checking the certificate', cure);
	}
	if (Object.keys(headers ?? {}).some((name) => name.trim().toLowerCase() === 'host'))
		refuse('with a Host header of the node', 'Remove that header.');
}

/** Any other path counts as the seller and license API, whose authentication is a setting. */
function isInquiryApi(target: URL, base: string): boolean {
	return `${target.origin}${target.pathname}/`.startsWith(`${base}/v1/`);
}

function authorization(
	{ externalAuthentication, externalHeaderName, externalHeaderValue }: ICredentialDataDecryptedObject,
	isInquiry: boolean,
	inquiryHeader: () => Header,
): Header[] {
	if (!isInquiry && externalAuthentication === 'none') return [];
	if (!isInquiry && externalAuthentication === 'header') {
		return [{ name: settingText(externalHeaderName), value: settingText(externalHeaderValue) }];
	}
	return [inquiryHeader()];
}

/** Removes spaces and line breaks, which are often copied along with a key. */
export function settingText(value: unknown): string {
	return String(value ?? '').trim();
}
