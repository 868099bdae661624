import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	UserError,
} from 'n8n-workflow';
import { routes } from '../nodes/BusinessVerification/document/routes';
import { exchange } from './sending';
import { helperFor } from './tokens';

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
