import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	UserError,
} from 'n8n-workflow';
import { routes } from '../nodes/BusinessVerification/document/routes';
import { exchange, type Header, baseOf, serviceUrl, parseUrl, withHeaders, extraHeaders, helperFor } from './sending';
import { settingText } from './credentialFields';

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
		const wrong = whatIsWrong(answer, new URL(request.url).origin);
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
function whatIsWrong({ statusCode, body }: IN8nHttpFullResponse, origin: string): string | undefined {
	if (statusCode >= 300 && statusCode < 400)
		return `${origin} redirects, and credentials do not follow. Enter the final address as 'Base URL'.`;
	if (statusCode === 401 || statusCode === 403)
		return `The service refused the credential with status ${statusCode}. Check the key or token, and the header it is sent in.`;
	if (statusCode === 404)
		return `There is no business verification service at ${origin}. Check 'Base URL', which is the address without the path of an endpoint.`;
	if (statusCode < 200 || statusCode > 299)
		return `The service at ${origin} answered with status ${statusCode}. Try again later, or ask the operator of the service.`;
	if (typeof body !== 'object' || body === null || !('id' in body))
		return `What ${origin} answers is not a user profile of the service. Check 'Base URL'.`;
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
