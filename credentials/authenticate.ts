import { type ICredentialDataDecryptedObject, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { normaliseBaseUrl, parseUrl, serviceUrl } from './address';
import { text } from './fields';

export interface Header {
	name: string;
	value: string;
}

/** n8n's own HTTP Request node still names the address `uri` and steers redirects by these two. */
type AnyRequest = IHttpRequestOptions & {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/**
 * Adds the credential to a request, or throws. The address that was checked is the address that is sent, and no
 * redirect is followed, so credentials reach the origin of the base URL and nothing else.
 */
export function authenticateRequest(
	credentials: ICredentialDataDecryptedObject,
	request: AnyRequest,
	inquiryHeader: () => Header,
): IHttpRequestOptions {
	const base = normaliseBaseUrl(credentials.baseUrl);
	const { baseURL, ...rest } = request;
	const address = serviceUrl(baseURL?.trim() || base, request.url || request.uri || '/');
	const target = parseUrl(address);
	const { origin } = new URL(base);
	if (target?.origin !== origin) {
		throw new UserError(`Credentials for ${origin} are not sent to ${target?.origin ?? 'an invalid address'}`, {
			description: "Requests with this credential have to go to the origin of its 'Base URL'.",
		});
	}

	const headers = withHeaders(request.headers, [
		...extraHeaders(credentials.extraHeaders),
		...authorization(
			credentials,
			isInquiryApi(target, base) ? undefined : credentials.externalAuthentication,
			inquiryHeader,
		),
	]);
	return {
		...rest,
		url: target.href,
		...(request.uri && { uri: target.href }),
		headers,
		disableFollowRedirect: true,
		...(request.uri && { followRedirect: false, followAllRedirects: false }),
	};
}

/** Whatever is not the inquiry API counts as the seller and license API, whose authentication is a setting. */
function isInquiryApi(target: URL, base: string): boolean {
	return `${target.origin}${target.pathname}/`.startsWith(`${base}/v1/`);
}

function authorization(
	credentials: ICredentialDataDecryptedObject,
	externalAuthentication: unknown,
	inquiryHeader: () => Header,
): Header[] {
	if (externalAuthentication === 'none') return [];
	if (externalAuthentication === 'header') {
		return [{ name: text(credentials.externalHeaderName), value: text(credentials.externalHeaderValue) }];
	}
	return [inquiryHeader()];
}

function extraHeaders(setting: unknown): Header[] {
	const parsed = typeof setting === 'string' ? parseJson(setting.trim() || '{}') : (setting ?? {});
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new UserError("'Extra Headers' of the credential is not a JSON object", {
			description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
		});
	}
	return Object.entries(parsed).map(([name, value]) => ({ name: name.trim(), value: text(value) }));
}

/** Header names are case-insensitive: of two spellings of one name the later one stays alone. */
function withHeaders(present: IHttpRequestOptions['headers'], added: Header[]): IHttpRequestOptions['headers'] {
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

function parseJson(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
