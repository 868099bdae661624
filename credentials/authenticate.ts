import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	jsonParse,
	UserError,
} from 'n8n-workflow';
import { baseOf, serviceUrl, webAddress } from './address';
import { settingText } from './credentialFields';

interface Header {
	name: string;
	value: string;
}

/** What proves who sends a request. */
export interface Proof {
	headers?: Header[];
	query?: IDataObject;
}

export type ProofOf = (credentials: ICredentialDataDecryptedObject) => Proof;

/** n8n's HTTP Request node still uses other names for the address and for ignored certificates. */
export type AnyRequest = IHttpRequestOptions & {
	uri?: string;
	rejectUnauthorized?: boolean;
	/** The `abortSignal` of our own requests, under another name, because n8n replaces that one. */
	ending?: AbortSignal;
};

/** Each request asks for these, so they are read once for a credential. */
const madeFor = new WeakMap<ICredentialDataDecryptedObject, Map<string, unknown>>();

function onceFor<T>(credentials: ICredentialDataDecryptedObject, what: string, read: () => T): T {
	const known = madeFor.get(credentials) ?? new Map<string, unknown>();
	if (known.size === 0) madeFor.set(credentials, known);
	if (!known.has(what)) known.set(what, read());
	return known.get(what) as T;
}

export const baseIn = (credentials: ICredentialDataDecryptedObject): string =>
	onceFor(credentials, 'base', () => baseOf(credentials.baseUrl));

/**
 * Credentials are sent only to the origin of the base URL: the request gets the address that was checked, and no
 * redirect is followed.
 */
export function authenticated(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	ofInquiry: ProofOf,
): IHttpRequestOptions {
	const base = baseIn(credentials);
	const origin = onceFor(credentials, 'origin', () => new URL(base).origin);
	const { baseURL, ending, ...rest } = request;
	const below = baseURL?.trim() ? baseOf(baseURL) : base;
	const address = serviceUrl(below, request.url || request.uri || '/');
	const target = webAddress(address);
	if (target?.origin !== origin) {
		throw new UserError(`Credentials for ${origin} are not sent to ${target?.origin ?? 'an invalid address'}`, {
			description: "Send requests with this credential only to the origin of its 'Base URL'.",
		});
	}
	refuseDetours(request, origin);
	const isInquiry = isInquiryApi(target, base);
	const what = isInquiry ? 'inquiries' : 'others';
	const { headers = [], query } = onceFor(credentials, what, () => proofFor(credentials, isInquiry, ofInquiry));
	return {
		...rest,
		url: target.href,
		headers: withHeaders(request.headers, headers),
		...(query && { qs: { ...request.qs, ...query } }),
		...(ending && { abortSignal: ending }),
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

function proofFor(credentials: ICredentialDataDecryptedObject, isInquiry: boolean, ofInquiry: ProofOf): Proof {
	const { externalAuthentication, externalHeaderName, externalHeaderValue } = credentials;
	const header = { name: settingText(externalHeaderName), value: settingText(externalHeaderValue) };
	const byMode: Record<string, Proof> = { none: {}, header: { headers: [header] } };
	const proof = (!isInquiry && byMode[String(externalAuthentication)]) || ofInquiry(credentials);
	return { ...proof, headers: [...extraHeaders(credentials), ...(proof.headers ?? [])].map(checkedHeader) };
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

function checkedHeader(header: Header): Header {
	if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header.name)) {
		throw new UserError('A header name of the credential is empty or contains a forbidden character', {
			description: "Check 'Header Name', 'Seller and License Header Name', and 'Extra Headers' in the credential.",
		});
	}
	if (header.value === '' || /[^\t\x20-\x7e\x80-\xff]/.test(header.value)) {
		throw new UserError(`The value of the header '${header.name}' is empty or contains a forbidden character`, {
			description: 'Check the credential: line breaks are often copied along with a key.',
		});
	}
	return header;
}

/** Header names are case-insensitive, so an added header replaces one with another spelling. */
function withHeaders(
	present: IHttpRequestOptions['headers'],
	added: readonly Header[],
): IHttpRequestOptions['headers'] {
	const headers = { ...present };
	for (const { name, value } of added) {
		for (const other of Object.keys(headers)) {
			if (other.toLowerCase() === name.toLowerCase()) delete headers[other];
		}
		headers[name] = value;
	}
	return headers;
}

/**
 * When a token expires, as it says itself if it is a JWT; Infinity for any other. Not verified, so nothing but advice and
 * times of renewal may depend on it.
 */
export function expiryOf(token: string): number {
	const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const { exp } = jsonParse<{ exp?: unknown } | null>(claims, { fallbackValue: {} }) ?? {};
	return typeof exp === 'number' ? exp * 1000 : Infinity;
}

/** Such as `14 Nov 2023`; undefined of a token that has not expired, or does not say so. */
function expiredOn(token: string): string | undefined {
	const exp = expiryOf(token);
	return exp > 0 && exp < Date.now() ? new Date(exp).toUTCString().slice(5, 16) : undefined;
}

const loginAdvice =
	"Open the credential: check 'Base URL' and the client, and connect it again if you logged in there.";
const tokenAdvice = "Check that the token is a current one for the service at 'Base URL'.";
const keyAdvice =
	"Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.";

/**
 * What it means that the service refuses a credential, and what to check first. Of a login that it refuses with 403, n8n
 * does not learn that it has ended, so only the user can renew it. The token of a key is ''.
 */
export function refusalWords(status: number, token: string, isLogin: boolean): [message: string, advice: string] {
	const day = expiredOn(token);
	if (day !== undefined) {
		const advice = isLogin ? 'Open the credential and connect it again.' : 'Enter a new one in the credential.';
		return [`The token expired on ${day}`, advice];
	}
	if (status === 401) {
		const advice = isLogin ? loginAdvice : token === '' ? keyAdvice : tokenAdvice;
		return ['The service does not accept the credential', advice];
	}
	const orElse = isLogin ? 'or its login has ended: then connect it again.' : 'or is not valid.';
	return ['The service does not allow this', `The credential lacks this permission, ${orElse}`];
}
