import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	jsonParse,
	UserError,
	type ICredentialTestRequest,
} from 'n8n-workflow';
import { routes } from '../nodes/BusinessVerification/document/routes';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** An address that may be given secrets: https, or plain http that does not leave this machine. */
export function secureUrl(address: unknown, field: string): URL {
	const url = parseUrl(String(address ?? '').trim());
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		throw new UserError(`'${field}' of the credential is not a web address`, {
			description: 'Enter a full address that starts with https://.',
		});
	}
	if (url.protocol === 'http:' && !LOCAL_HOSTS.includes(url.hostname)) {
		throw new UserError(`'${field}' of the credential uses plain http, so secrets would be sent unencrypted`, {
			description: `Use https:// instead. Plain http is accepted for ${LOCAL_HOSTS.join(', ')} only.`,
		});
	}
	if (url.username || url.password) {
		throw new UserError(`'${field}' of the credential contains a user name or password`, {
			description: 'Remove the part before the @ sign and use the fields of the credential.',
		});
	}
	return url;
}

/** The address that every path of the service follows. */
interface Base {
	origin: string;
	base: string;
}

let latest: (Base & { written: unknown }) | undefined;

/**
 * However a person writes the base URL (spaces, trailing slash, with the version that the paths of the
 * interface document already carry), the requests are the same. Those of a run ask for one and the same again and again.
 */
export function baseOf(written: unknown): Base {
	if (latest === undefined || latest.written !== written) latest = { written, ...readBase(written) };
	return latest;
}

function readBase(written: unknown): Base {
	const { origin, pathname } = secureUrl(written, 'Base URL');
	const path = pathname
		.replace(/\/+$/, '')
		.replace(/(\/external\/api)?\/v1$/, '')
		.replace(/\/+$/, '');
	return { origin, base: origin + path };
}

/** The full address of a path of the service. A path that is a full address already stays as it is. */
export function serviceUrl(baseUrl: unknown, path: string): string {
	if (isAbsolute(path)) return path.trim();
	return `${baseOf(baseUrl).base}/${path.trim().replace(/^\/+/, '')}`;
}

/** What a right base URL looks like, for somebody whose own came to an address that does not answer as it should. */
export function baseUrlAdvice(asked: string, path: string): string {
	const base = asked.endsWith(path) ? asked.slice(0, -path.length).replace(/\/+$/, '') : '';
	const [before] = base.split(/(?:\/external\/api)?\/v1\b/);
	const example = before === base ? 'as in https://api.example.com' : `here probably ${before}`;
	return `Check 'Base URL' in the credential: it ends before '/v1', ${example}.`;
}

const isAbsolute = (address: string): boolean => /^\s*([a-z][a-z\d+.-]*:)?\/\//i.test(address);

export function parseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

export interface Header {
	name: string;
	value: string;
}

export function bearer(token: string): Header {
	return { name: 'Authorization', value: `Bearer ${token}` };
}

export function extraHeaders({ extraHeaders: setting }: ICredentialDataDecryptedObject): Header[] {
	const parsed =
		typeof setting === 'string' ? jsonParse<unknown>(setting.trim() || '{}', { fallbackValue: null }) : (setting ?? {});
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new UserError("'Extra Headers' of the credential is not a JSON object", {
			description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
		});
	}
	return Object.entries(parsed).map(([name, value]) => ({ name: name.trim(), value: settingText(value) }));
}

/** Header names are case-insensitive: of two spellings of one name the later one stays alone. */
export function withHeaders(present: IHttpRequestOptions['headers'], added: Header[]): IHttpRequestOptions['headers'] {
	const headers = { ...present };
	for (const { name, value } of added) {
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
			throw new UserError('A header name of the credential is empty or contains a forbidden character', {
				description: "Check 'Header Name' and 'Extra Headers' of the credential.",
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

/** A request that a credential makes for itself. Any status is an answer; where there is none, the error says why. */
export async function exchange(
	{ helpers }: IHttpRequestHelper,
	request: IHttpRequestOptions,
	place: string,
	advice: string,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		...request,
		json: true,
		timeout: 30_000,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	return await helpers.httpRequest(options).catch((error: unknown) => {
		throw unreached(error, place, advice);
	});
}

const reasons: Record<string, string> = {
	ECONNREFUSED: 'nothing listens there',
	ENOTFOUND: 'there is no machine of that name',
	EAI_AGAIN: 'its name could not be looked up',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	EHOSTUNREACH: 'no way leads there',
	ENETUNREACH: 'no way leads there',
};

/** Nobody answered, or only that it cannot now: the same may go well later. */
export class Unreached extends UserError {}

/** n8n wraps what its HTTP client says. */
const DEEPEST = 5;

/**
 * What a request without an answer came to. Only the code of the error is looked at, for the error holds the whole
 * request and its secrets; and the code is put in words, because n8n puts its own over any message that names one.
 */
export function unreached(error: unknown, place: string, description: string): UserError {
	const refusal = refusalIn(error);
	if (refusal !== undefined) return refusal;
	const code = String((error as { code?: unknown } | undefined)?.code ?? '');
	const reason =
		reasons[code] ??
		(/CERT|SIGNED|SIGNATURE|TLS|SSL/.test(code) ? 'its certificate is not trusted' : 'the connection broke');
	return new Unreached(`${place} cannot be reached: ${reason}`, { description });
}

/** What n8n itself would not let go, by its egress filter for example: it names the target, and what to do. */
function refusalIn(error: unknown, depth = DEEPEST): UserError | undefined {
	if (error instanceof UserError) return error;
	return depth === 0 ? undefined : refusalIn((error as { cause?: unknown } | undefined)?.cause, depth - 1);
}

const lent = new WeakMap<ICredentialDataDecryptedObject, IHttpRequestHelper>();

/**
 * n8n hands its HTTP helper to `preAuthentication`, which does not know where the request goes, and the request to
 * `authenticate`, which gets no helper. Both get the same object of a credential: what one was given waits there for
 * the other, so that nothing is asked before it is certain that the request goes to the service.
 */
export const lendHelper = (credentials: ICredentialDataDecryptedObject, helper: IHttpRequestHelper) =>
	void lent.set(credentials, helper);

export const helperFor = (credentials: ICredentialDataDecryptedObject) => lent.get(credentials);

/** The cheapest read of the service, and one that only the service itself answers properly. */
export const profilePath = routes.profile.split(' ')[1];

export const profileTest: ICredentialTestRequest = {
	request: { baseURL: '={{$credentials.baseUrl}}', url: profilePath },
};

/**
 * n8n's credential test shows one line: the bare code of a connection that failed, a bare status, or the message of
 * what is thrown. So the profile is asked for here before n8n does, and the line says what to do.
 */
export async function tested(
	credentials: ICredentialDataDecryptedObject,
	authenticate: () => Promise<IHttpRequestOptions>,
): Promise<IHttpRequestOptions> {
	const request = await authenticate().catch(inOneLine);
	const helper = helperFor(credentials);
	if (helper !== undefined) {
		const answer = await askForProfile(helper, request).catch(inOneLine);
		const wrong = whatIsWrong(answer, request.url);
		if (wrong !== undefined) throw new UserError(wrong);
	}
	return request;
}

function inOneLine(error: unknown): never {
	if (!(error instanceof UserError) || !error.description) throw error;
	throw new UserError(`${error.message}. ${error.description}`);
}

/** What the service answers to an authenticated request for the profile. */
export const askForProfile = (
	helper: IHttpRequestHelper,
	{ url, headers }: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> =>
	exchange(
		helper,
		{ method: 'GET', url, headers },
		`The service at ${new URL(url).origin}`,
		"Check 'Base URL', that the service is up, and that n8n may connect to it.",
	);

/** Another host, or a page that says 200 to everything, has no `id` to show. */
function whatIsWrong({ statusCode, body }: IN8nHttpFullResponse, url: string): string | undefined {
	const { origin } = new URL(url);
	if (statusCode >= 300 && statusCode < 400)
		return `${origin} redirects, and credentials do not follow. Enter the final address as 'Base URL'.`;
	if (statusCode === 401 || statusCode === 403)
		return `The service refused the credential with status ${statusCode}. Check the key or token, and the header it is sent in.`;
	if (statusCode === 404) return `${url} was answered with status 404. ${baseUrlAdvice(url, profilePath)}`;
	if (statusCode < 200 || statusCode > 299)
		return `The service at ${origin} answered with status ${statusCode}. Try again later, or ask the operator of the service.`;
	if (typeof body !== 'object' || body === null || !('id' in body))
		return `${url} was answered with something else than a user profile of the service. ${baseUrlAdvice(url, profilePath)}`;
	return undefined;
}

/** n8n's own HTTP Request node still names the address `uri` and steers redirects by these two. */
type AnyRequest = IHttpRequestOptions & {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/** The header of the inquiry API; `isRead` tells whether the request may be sent again. */
type InquiryHeader = (isRead: boolean) => Header | Promise<Header>;

const sent = new WeakSet<IHttpRequestOptions>();

/** Adds the credential to a request, or throws. */
export async function authenticateRequest(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	inquiryHeader: InquiryHeader,
): Promise<IHttpRequestOptions> {
	const authenticate = async () => await authenticated(credentials, request, inquiryHeader);
	// Only n8n's credential test gives an address in two parts.
	return request.baseURL === undefined ? await authenticate() : await tested(credentials, authenticate);
}

/**
 * The address that was checked is the address that is sent, and no redirect is followed, so credentials reach the
 * origin of the base URL and nothing else.
 */
async function authenticated(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	inquiryHeader: InquiryHeader,
): Promise<IHttpRequestOptions> {
	const { origin, base } = baseOf(credentials.baseUrl);
	const { baseURL, ...rest } = request;
	const address = serviceUrl(baseURL?.trim() || base, request.url || request.uri || '/');
	const target = parseUrl(address);
	if (target?.origin !== origin) {
		throw new UserError(`Credentials for ${origin} are not sent to ${target?.origin ?? 'an invalid address'}`, {
			description: "Requests with this credential have to go to the origin of its 'Base URL'.",
		});
	}
	const isInquiry = isInquiryApi(target, base);
	const isRead = isInquiry && ['GET', 'HEAD'].includes((request.method ?? 'GET').toUpperCase());
	// n8n sends a request again after any 401. A proxy says 401 too, and proves nothing about what the service did.
	if (sent.has(request) && !isRead) {
		throw new UserError('The credential was refused, and a request that may be billed is not sent twice', {
			description: 'Check the credential, and whether the service has the submission, before you send it again.',
		});
	}

	const result: AnyRequest = {
		...rest,
		url: target.href,
		...(request.uri && { uri: target.href }),
		headers: withHeaders(request.headers, [
			...extraHeaders(credentials),
			...(await authorization(credentials, isInquiry, () => inquiryHeader(isRead))),
		]),
		disableFollowRedirect: true,
		...(request.uri && { followRedirect: false, followAllRedirects: false }),
	};
	sent.add(result);
	return result;
}

/** Whatever is not the inquiry API counts as the seller and license API, whose authentication is a setting. */
function isInquiryApi(target: URL, base: string): boolean {
	return `${target.origin}${target.pathname}/`.startsWith(`${base}/v1/`);
}

async function authorization(
	{ externalAuthentication, externalHeaderName, externalHeaderValue }: ICredentialDataDecryptedObject,
	isInquiry: boolean,
	inquiryHeader: () => Header | Promise<Header>,
): Promise<Header[]> {
	if (!isInquiry && externalAuthentication === 'none') return [];
	if (!isInquiry && externalAuthentication === 'header') {
		return [{ name: settingText(externalHeaderName), value: settingText(externalHeaderValue) }];
	}
	return [await inquiryHeader()];
}

/** What a person typed or pasted into a field, without the blanks and line breaks that come along with pasting. */
export function settingText(value: unknown): string {
	return String(value ?? '').trim();
}
