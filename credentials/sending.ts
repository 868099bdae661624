import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	jsonParse,
	UserError,
} from 'n8n-workflow';
import { settingText } from './credentialFields';

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
	return new UserError(`${place} cannot be reached: ${reason}`, { description });
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
