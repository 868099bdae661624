import type { IAuthenticateRuleResponseCode, ICredentialTestRequest } from 'n8n-workflow';

const REDIRECTED = "The base URL redirects, and credentials do not follow. Enter the final address as 'Base URL'.";
const REFUSED = 'The service refused the credential. Check the key or token, and the header it is sent in.';
const NO_PROFILE = "The answer is not a user profile of the service. Check 'Base URL'.";

const messages: Record<number, string> = {
	301: REDIRECTED,
	302: REDIRECTED,
	303: REDIRECTED,
	307: REDIRECTED,
	308: REDIRECTED,
	401: REFUSED,
	403: REFUSED,
	404: "There is no business verification service at this address. Check 'Base URL'.",
};

/**
 * Only the service itself answers with a profile: another host, or a page that says 200 to everything, has no
 * `id` to show. Plain http and addresses that are none are refused before, when the request is authenticated.
 */
export const profileTest: ICredentialTestRequest = {
	request: { baseURL: '={{$credentials.baseUrl}}', url: '/v1/users/me' },
	rules: [
		...Object.entries(messages).map(([value, message]) => ({
			type: 'responseCode',
			properties: { value: Number(value), message },
		})),
		{ type: 'responseSuccessBody', properties: { key: 'id', value: undefined, message: NO_PROFILE } },
	] as IAuthenticateRuleResponseCode[],
};
