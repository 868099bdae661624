import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IDataObject,
	type IHttpRequestOptions,
	jsonParse,
	UserError,
} from 'n8n-workflow';
import { routes } from '../nodes/BusinessVerification/document/routes';
import { baseOf, baseUrlAdvice, keyAdvice, serviceUrl, webAddress } from './address';
import { settingText, weakSecretIn } from './credentialFields';
import { expiredOn } from './expiry';
import { LONGEST_ANSWER } from './responses';

interface Header {
	name: string;
	value: string;
}

/** What proves who sends a request. */
export interface Proof {
	headers?: Header[];
	query?: IDataObject;
}

type ProofOf = (credentials: ICredentialDataDecryptedObject) => Proof;

/** n8n's HTTP Request node still uses other names for the address and for ignored certificates. */
type AnyRequest = IHttpRequestOptions & {
	uri?: string;
	rejectUnauthorized?: boolean;
	/** The `abortSignal` of our own requests, under another name, because n8n replaces that one. */
	ending?: AbortSignal;
};

/** The `authenticate` of a credential type, which says how it proves who sends an inquiry. */
export const authenticatedBy =
	(proof: ProofOf) =>
	async (credentials: ICredentialDataDecryptedObject, request: AnyRequest): Promise<IHttpRequestOptions> => {
		// Only n8n's credential test sets `baseURL`.
		if (request.baseURL === undefined) return authenticated(credentials, request, proof);
		try {
			refuseUseless(credentials);
			return authenticated(credentials, { ...request, ending: AbortSignal.timeout(LONGEST_ANSWER) }, proof);
		} catch (error) {
			return inOneLine(error);
		}
	};

function refuseUseless(credentials: ICredentialDataDecryptedObject) {
	const day = expiredOn(String(credentials.accessToken ?? ''));
	const wrong = day === undefined ? weakSecretIn(credentials) : `The token expired on ${day}. Enter a new one.`;
	if (wrong !== undefined) throw new UserError(wrong);
}

/** n8n's credential test shows only the message of an error. */
function inOneLine(error: unknown): never {
	if (!(error instanceof UserError) || !error.description) throw error;
	throw new UserError(`${error.message}. ${error.description}`);
}

/** A small read that no other service answers in the same way. */
export const profilePath = routes.profile.split(' ')[1];

/** For the profile only: every user may read it, so there a 403 is about the credential and not about a permission. */
export const refusesCredential = (status: number): boolean => status === 401 || status === 403;

const refusedWith = (status: number) => `The service refused the credential with status ${status}. ${keyAdvice()}`;
const redirected = "The service redirects, and credentials are not sent along. Enter the final address as 'Base URL'.";
const noProfile = `No user profile was found at this address. ${baseUrlAdvice}`;

/** Of other failures, n8n shows the status or the network's code. */
const messages: Record<number, string> = {
	...{ 401: refusedWith(401), 403: refusedWith(403), 404: noProfile },
	...{ 301: redirected, 302: redirected, 303: redirected, 307: redirected, 308: redirected },
};

export const profileTest: ICredentialTestRequest = {
	request: { baseURL: '={{$credentials.baseUrl}}', url: profilePath },
	rules: [
		...Object.entries(messages).map(([status, message]) => ({
			type: 'responseCode',
			properties: { value: Number(status), message },
		})),
		// Another host may return a page with status 200 for any path.
		{ type: 'responseSuccessBody', properties: { key: 'id', value: undefined, message: noProfile } },
	] as ICredentialTestRequest['rules'],
};

export const baseIn = ({ baseUrl }: ICredentialDataDecryptedObject) => baseOf(baseUrl);

/**
 * Credentials are sent only to the origin of the base URL: the request gets the address that was checked, and no
 * redirect is followed.
 */
function authenticated(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	ofInquiry: ProofOf,
): IHttpRequestOptions {
	const { origin, base } = baseIn(credentials);
	const { baseURL, ending, ...rest } = request;
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
	const { headers = [], query } = proofFor(credentials, isInquiry, ofInquiry);
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

/** A header with a key or a token, which are often pasted with the word before them in the header. */
export function secretHeader(
	label: string,
	secret: unknown,
	name = 'Authorization',
	template = 'Bearer {key}',
): Header {
	const key = settingText(secret);
	if (!key) {
		throw new UserError(`'${label}' in the credential is empty`, {
			description: 'Paste it as your service provider gave it to you.',
		});
	}
	return { name, value: template.replaceAll('{key}', () => key).replace(/^(\S+)\s+\1\s+/i, '$1 ') };
}
