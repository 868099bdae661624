import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';
import { routes } from '../nodes/BusinessVerification/document/routes';
import { baseUrlAdvice } from './address';
import { type AnyRequest, authenticated, type ProofOf, refusalWords } from './authenticate';
import { weakSecretIn } from './credentialFields';
import { layersOf, LONGEST_ANSWER, parsedBody, reasonOf, wholeResponse } from './responses';

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

/**
 * n8n's credential test shows one line: the code of a failed connection, a status, or the message of a thrown error. So
 * this requests the profile before n8n does, and throws an error whose message also says what to do.
 */
async function tested(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const helper = lentHelpers.get(credentials);
	const wrong =
		weakSecretIn(credentials) ??
		(helper && whatIsWrong(await askForProfile(helper, request), request.url, credentials));
	if (wrong !== undefined) throw new UserError(wrong);
	return request;
}

function inOneLine(error: unknown): never {
	if (!(error instanceof UserError) || !error.description) throw error;
	throw new UserError(`${error.message}. ${error.description}`);
}

/** For the profile only: every user may read it, so there a 403 is about the credential and not about a permission. */
export const refusesCredential = (status: number): boolean => status === 401 || status === 403;

/** Returns any status; throws only if there was no response. The request may prove by any part of it who sends it. */
async function askForProfile({ helpers }: IHttpRequestHelper, request: IHttpRequestOptions) {
	const options: IHttpRequestOptions = {
		...request,
		method: 'GET',
		json: true,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const ask = (abortSignal: AbortSignal) => helpers.httpRequest({ ...options, abortSignal });
	return await wholeResponse(ask, LONGEST_ANSWER).catch((error: unknown) => {
		// An error of n8n, such as one of its egress filter, names the target and what to do.
		const refusal = layersOf(error).find((layer) => layer instanceof UserError);
		if (refusal !== undefined) throw refusal;
		// Only the code is read, because the error contains the whole request with its secrets. The message does not repeat
		// it, because n8n replaces messages that do.
		const reason = reasonOf(String((error as { code?: unknown } | undefined)?.code ?? ''));
		throw new UserError(
			`The service at ${new URL(request.url).origin} could not be reached: ${reason}. Check 'Base URL', that the service is up, and that n8n can connect to it.`,
		);
	});
}

/** Also checks for an `id`, because another host may return a page with status 200 for any path. */
function whatIsWrong(
	{ statusCode, body }: Awaited<ReturnType<typeof askForProfile>>,
	url: string,
	{ accessToken }: ICredentialDataDecryptedObject,
): string | undefined {
	const { origin } = new URL(url);
	if (statusCode >= 300 && statusCode < 400)
		return `${origin} redirects, and credentials are not sent along. Enter the final address as 'Base URL'.`;
	if (refusesCredential(statusCode)) return refusalWords(401, String(accessToken ?? ''), false).join('. ');
	if (statusCode === 404) return `${url} returned status 404. ${baseUrlAdvice}`;
	if (statusCode > 299)
		return `The service at ${origin} returned status ${statusCode}. Try again later, or ask your service provider.`;
	const profile = parsedBody(body);
	if (typeof profile !== 'object' || profile === null || !('id' in profile))
		return `${url} did not return a user profile. ${baseUrlAdvice}`;
	return undefined;
}
