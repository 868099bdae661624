import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	UserError,
} from 'n8n-workflow';
import { helperFor } from './helper';
import { unreached } from './unreached';

/** The cheapest read of the service, and one that only the service itself answers properly. */
export const profilePath = '/v1/users/me';

export const profileTest: ICredentialTestRequest = {
	request: { baseURL: '={{$credentials.baseUrl}}', url: profilePath },
};

const TIMEOUT = 30_000;

/**
 * n8n's credential test shows one line: the bare code of a connection that failed, a bare status, or the message of
 * what is thrown. So the profile is asked for here before n8n does, and the line says what to do.
 */
export async function tested(
	credentials: ICredentialDataDecryptedObject,
	authenticate: () => Promise<IHttpRequestOptions>,
): Promise<IHttpRequestOptions> {
	return await asked(credentials, authenticate).catch(inOneLine);
}

async function asked(
	credentials: ICredentialDataDecryptedObject,
	authenticate: () => Promise<IHttpRequestOptions>,
): Promise<IHttpRequestOptions> {
	const request = await authenticate();
	const helper = helperFor(credentials);
	if (helper !== undefined) judge(await askForProfile(helper, request), request);
	return request;
}

function inOneLine(error: unknown): never {
	if (!(error instanceof UserError) || !error.description) throw error;
	throw new UserError(`${error.message}. ${error.description}`);
}

/** What the service answers to an authenticated request for the profile, or why it does not. */
export async function askForProfile(
	{ helpers }: IHttpRequestHelper,
	request: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse | UserError> {
	return await helpers
		.httpRequest({
			method: 'GET',
			url: request.url,
			headers: request.headers,
			json: true,
			timeout: TIMEOUT,
			disableFollowRedirect: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})
		.catch(
			unreached(
				`The service at ${new URL(request.url).origin}`,
				"Check 'Base URL', that the service is up, and that n8n may connect to it.",
			),
		);
}

/** Another host, or a page that says 200 to everything, has no `id` to show. */
function judge(answer: IN8nHttpFullResponse | UserError, { url }: IHttpRequestOptions): void {
	if (answer instanceof UserError) throw answer;
	const { origin } = new URL(url);
	const { statusCode, body } = answer;
	if (statusCode >= 300 && statusCode < 400) {
		throw new UserError(`${origin} redirects, and credentials do not follow`, {
			description: "Enter the final address as 'Base URL'.",
		});
	}
	if (statusCode === 401 || statusCode === 403) {
		throw new UserError(`The service refused the credential with status ${statusCode}`, {
			description: 'Check the key or token, and the header it is sent in.',
		});
	}
	if (statusCode === 404) {
		throw new UserError(`There is no business verification service at ${origin}`, {
			description: "Check 'Base URL', which is the address without the path of an endpoint.",
		});
	}
	if (statusCode < 200 || statusCode > 299) {
		throw new UserError(`The service at ${origin} answered with status ${statusCode}`, {
			description: 'Try again later, or ask the operator of the service.',
		});
	}
	if (typeof body !== 'object' || body === null || !('id' in body)) {
		throw new UserError(`What ${origin} answers is not a user profile of the service`, {
			description: "Check 'Base URL'.",
		});
	}
}
