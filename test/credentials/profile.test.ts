import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { BusinessVerificationApi } from '../../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { reasonOf } from '../../credentials/responses';

const type = new BusinessVerificationApi();
const baseUrl = 'https://kyb.example.com';

/** The request that n8n sends when somebody tests a credential, or what it says instead. */
async function testing(values: ICredentialDataDecryptedObject, of = type) {
	const credentials = { baseUrl, ...(of === type && { apiKey: 'bvk_s3cret' }), ...values };
	return await of
		.authenticate(credentials, { url: '/v1/users/me', baseURL: String(credentials.baseUrl) })
		.catch(({ message }: Error) => message);
}

test('a callback secret that is too short is refused, before the first search is', async () => {
	expect(await testing({ callbackSecret: 'short' })).toBe("'Callback Secret' is too short: at least 24 characters");
	const good = { callbackSecret: 'x'.repeat(24) };
	expect(await testing({ ...good, previousCallbackSecret: 'old' })).toBe(
		"'Previous Callback Secret' is too short: at least 24 characters",
	);
	expect(await testing({ ...good, previousCallbackSecret: '' })).toMatchObject({ url: `${baseUrl}/v1/users/me` });
});

test('the service is asked for the profile, with the key, and not forever', async () => {
	expect(await testing({ baseUrl: `${baseUrl}/v1/` })).toMatchObject({
		url: `${baseUrl}/v1/users/me`,
		headers: { Authorization: 'Bearer bvk_s3cret' },
		disableFollowRedirect: true,
		abortSignal: expect.any(AbortSignal),
	});
});

const noProfile =
	"No user profile was found at this address. Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com.";
const redirects = "The service redirects, and credentials are not sent along. Enter the final address as 'Base URL'.";

test.each([
	[
		401,
		"The service refused the credential with status 401. Check first that the key or token is a current one for this service, sent in the 'Header Name' that your provider gives.",
	],
	[
		403,
		"The service refused the credential with status 403. Check first that the key or token is a current one for this service, sent in the 'Header Name' that your provider gives.",
	],
	[404, noProfile],
	...[301, 302, 303, 307, 308].map((status): [number, string] => [status, redirects]),
])('an answer of %i: one line says what to do', (value, message) => {
	expect(type.test.rules).toContainEqual({ type: 'responseCode', properties: { value, message } });
});

test('a pasted token that has expired says when, before it is sent', async () => {
	const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sign`;
	const tell = (exp: number) => testing({ accessToken: token({ exp }) }, new BusinessVerificationJwtApi());
	expect(await tell(1_700_000_000)).toBe('The token expired on 14 Nov 2023. Enter a new one.');
	expect(await tell(32_503_680_000)).toMatchObject({ url: `${baseUrl}/v1/users/me` });
});

test('an answer without the ID of a profile: so does it', () => {
	const properties = { key: 'id', value: undefined, message: noProfile };
	expect(type.test.rules).toContainEqual({ type: 'responseSuccessBody', properties });
});

test.each([
	[
		{ baseUrl: 'kyb.example.com' },
		"'Base URL' in the credential is not a web address. Enter a full address that starts with https://.",
	],
	[
		{ baseUrl: 'https://kyb.example.com', apiKey: '' },
		"'API Key' in the credential is empty. Paste it as your service provider gave it to you.",
	],
])('%j keeps its advice', async (values, line) => {
	expect(await testing(values)).toBe(line);
});

test.each([
	['ENOTFOUND', 'host not found'],
	['ECONNABORTED', 'no response in time'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate not trusted'],
	['ECONNRESET', 'connection lost'],
	['', 'connection lost'],
])('the network code %j is said in words', (code, reason) => {
	expect(reasonOf(code)).toBe(reason);
});
