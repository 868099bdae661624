import { getEventListeners } from 'node:events';
import { UserError } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { BusinessVerificationApi } from '../../credentials/BusinessVerificationApi.credentials';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { wholeResponse } from '../../credentials/responses';
import { answerJson, helper, LocalServer, type Received } from './identityProvider';

const type = new BusinessVerificationApi();
let service: LocalServer;
let answer: (received: Received) => { status?: number; body?: unknown; headers?: object };

beforeAll(async () => {
	service = await new LocalServer((received, response) => {
		const { status = 200, body, headers } = answer(received);
		answerJson(response, status, body, headers);
	}).start();
});
afterAll(() => service.stop());
beforeEach(() => {
	service.received.length = 0;
	answer = () => ({ body: { id: 'someone' } });
});

/** What n8n does when somebody tests a credential: the helper first, then the request that it is going to send. */
async function testing(values: ICredentialDataDecryptedObject, of = type, lent = helper) {
	const credentials = { ...(of === type && { apiKey: 'bvk_s3cret' }), ...values };
	await of.preAuthentication.call(lent, credentials);
	return await of.authenticate(credentials, { url: '/v1/users/me', baseURL: String(values.baseUrl) }).then(
		() => 'good',
		({ message }: Error) => message,
	);
}

/** The line of a test whose request gets no response. */
const failing = (error: Error) =>
	testing({ baseUrl: 'https://kyb.example.com' }, type, {
		helpers: { httpRequest: () => Promise.reject(error) },
	} as unknown as IHttpRequestHelper);

const baseUrl = "Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com.";
const noProfile = `{url}/v1/users/me did not return a user profile. ${baseUrl}`;

test('a callback secret that is too short is refused, before the first search is', async () => {
	const short = (secrets: object) => testing({ baseUrl: service.url, ...secrets });
	expect(await short({ callbackSecret: 'x'.repeat(23) })).toBe(
		"'Callback Secret' is too short: at least 24 characters",
	);
	const good = { callbackSecret: 'x'.repeat(24) };
	expect(await short({ ...good, previousCallbackSecret: 'old' })).toBe(
		"'Previous Callback Secret' is too short: at least 24 characters",
	);
	expect(await short({ ...good, previousCallbackSecret: '' })).toBe('good');
});

test('the service is asked for the profile, with the key', async () => {
	expect(await testing({ baseUrl: `${service.url}/v1/` })).toBe('good');
	expect(service.received).toMatchObject([{ method: 'GET', path: '/v1/users/me', authorization: 'Bearer bvk_s3cret' }]);
});

const redirects = "{url} redirects, and credentials are not sent along. Enter the final address as 'Base URL'.";
const current =
	"Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.";

test.each<[number, unknown, string]>([
	[401, {}, `The service does not accept the credential. ${current}`],
	[403, {}, `The service does not accept the credential. ${current}`],
	[400, {}, 'The service at {url} returned status 400. Try again later, or ask your service provider.'],
	[503, {}, 'The service at {url} returned status 503. Try again later, or ask your service provider.'],
	[404, {}, `{url}/v1/users/me returned status 404. ${baseUrl}`],
	...[300, 301, 302, 303, 307, 308, 399].map((status): [number, object, string] => [status, {}, redirects]),
	[200, { ok: true }, noProfile],
	[200, 'null', noProfile],
	[200, '<html>', noProfile],
	[299, { id: 7 }, 'good'],
])('an answer of %i %j: one line says what to do', async (status, body, line) => {
	answer = () => ({ status, body, headers: { location: 'https://elsewhere.example/' } });
	expect(await testing({ baseUrl: service.url })).toBe(line.replace('{url}', service.url));
});

test('a pasted token that is refused says when it expired, or what to check', async () => {
	answer = () => ({ status: 401 });
	const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sign`;
	const tell = (exp: number) =>
		testing({ baseUrl: service.url, accessToken: token({ exp }) }, new BusinessVerificationJwtApi());
	expect([await tell(1_700_000_000), await tell(32_503_680_000)]).toEqual([
		'The token expired on 14 Nov 2023. Enter a new one in the credential.',
		"The service does not accept the credential. Check that the token is a current one for the service at 'Base URL'.",
	]);
});

const notWeb = "'Base URL' in the credential is not a web address. Enter a full address that starts with https://.";

test.each([
	[{ baseUrl: 'kyb.example.com' }, notWeb],
	[{ baseUrl: '' }, notWeb],
	[
		{ baseUrl: 'https://kyb.example.com', apiKey: '' },
		"'API Key' in the credential is empty. Enter the key that the service gave you.",
	],
])('%j keeps its advice, and nothing is sent', async (values, line) => {
	expect(await testing(values)).toBe(line);
	expect(service.received).toEqual([]);
});

test.each([
	['ECONNREFUSED', 'connection refused'],
	['ENOTFOUND', 'host not found'],
	['EAI_AGAIN', 'host name lookup failed'],
	['ECONNABORTED', 'no response in time'],
	['ETIMEDOUT', 'no response in time'],
	['EHOSTUNREACH', 'network unreachable'],
	['ENETUNREACH', 'network unreachable'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate not trusted'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate not trusted'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'certificate not trusted'],
	['ECONNRESET', 'connection lost'],
	[undefined, 'connection lost'],
])('no network code in a message, over which n8n would put words of its own: %s', async (code, reason) => {
	const line = await failing(Object.assign(new Error('a bvk_s3cret'), { code }));
	expect(line).toBe(
		`The service at https://kyb.example.com could not be reached: ${reason}. Check 'Base URL', that the service is up, and that n8n can connect to it.`,
	);
});

test("a request that n8n blocks, by its egress filter for example, keeps n8n's message", async () => {
	const refusal = new UserError('The request was blocked', { description: 'Ask your n8n administrator.' });
	const wrapped = Object.assign(new Error('connection failed'), {
		cause: Object.assign(new Error(), { cause: refusal }),
	});
	const line = 'The request was blocked. Ask your n8n administrator.';
	expect([await failing(wrapped), await failing(refusal)]).toEqual([line, line]);
});

test('a response that has come leaves nothing on the signal of its execution', async () => {
	const { signal } = new AbortController();
	await wholeResponse(() => Promise.resolve({ statusCode: 200, headers: {}, body: '' }), 1_000, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
