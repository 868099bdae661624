import { type ICredentialDataDecryptedObject, type IHttpRequestOptions, UserError } from 'n8n-workflow';
import { baseOf, parseUrl, serviceUrl } from './address';
import { text } from './credentialFields';
import { extraHeaders, type Header, withHeaders } from './headers';
import { tested } from './profile';

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
		return [{ name: text(externalHeaderName), value: text(externalHeaderValue) }];
	}
	return [await inquiryHeader()];
}
