import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';
import { type Base, baseOf, serviceUrl, webAddress } from './address';
import { checkedHeader, extraHeaders, type Header, settingText, withHeaders } from './headers';
import { inOneLine, tested } from './profileTest';

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
			return await tested(credentials, authenticated(credentials, request, proof));
		} catch (error) {
			return inOneLine(error);
		}
	};

/** Each request asks for these, so they are read once for a credential. */
const madeFor = new WeakMap<ICredentialDataDecryptedObject, Map<string, unknown>>();

function onceFor<T>(credentials: ICredentialDataDecryptedObject, what: string, read: () => T): T {
	const known = madeFor.get(credentials) ?? new Map<string, unknown>();
	if (known.size === 0) madeFor.set(credentials, known);
	if (!known.has(what)) known.set(what, read());
	return known.get(what) as T;
}

export const baseIn = (credentials: ICredentialDataDecryptedObject): Base =>
	onceFor(credentials, 'base', () => baseOf(credentials.baseUrl));

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
