import { randomUUID } from 'node:crypto';
import type { IHttpRequestMethods } from 'n8n-workflow';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { answerJson, helper, LocalServer } from './identityProvider';

const type = new BusinessVerificationJwtApi();
let server: LocalServer;
let issued = 0;
const accepted = new Set<string>();

/** The service and its identity provider in one. */
beforeAll(async () => {
	server = await new LocalServer(({ path, authorization }, response) => {
		if (path === '/token') {
			const token = `token-${++issued}`;
			accepted.add(`Bearer ${token}`);
			return answerJson(response, 200, { access_token: token, expires_in: 3600 });
		}
		return answerJson(response, accepted.has(authorization ?? '') ? 200 : 401, { id: 'someone' });
	}).start();
});
afterAll(() => server.stop());
beforeEach(() => {
	server.received.length = 0;
	issued = 0;
	accepted.clear();
});

/** One request as n8n makes it: it asks before, and after any error it asks again whether to send once more. */
function request(client: string) {
	const credentials = {
		baseUrl: server.url,
		tokenSource: 'clientCredentials',
		tokenUrl: `${server.url}/token`,
		clientId: client,
		clientSecret: 's3cret',
		fetchedToken: '',
	};
	const ask = async () => await type.preAuthentication.call(helper, credentials);
	return {
		async send(method: IHttpRequestMethods, path: string) {
			expect(await ask()).toEqual({});
			return (await type.authenticate(credentials, { method, url: `${server.url}${path}` })).headers?.Authorization;
		},
		afterAnError: async () => (await ask()).fetchedToken !== undefined,
		again: async () =>
			(await type.authenticate(credentials, { url: `${server.url}/v1/users/me` })).headers?.Authorization,
	};
}
const asked = (path: string) => server.received.filter((received) => received.path === path);

test.each([
	['POST', '/v1/inquiries/'],
	['GET', '/external/api/v1/license-verification'],
	['GET', '/v1/inquiries/'],
] as const)('an error while the token is good: %s %s is not sent again', async (method, path) => {
	const { send, afterAnError } = request(randomUUID());
	await send(method, path);
	expect(await afterAnError()).toBe(false);
	expect(asked('/token')).toHaveLength(1);
	expect(asked('/v1/users/me')).toHaveLength(1);
});

test('a read whose token was revoked is sent again with the next one', async () => {
	const { send, afterAnError, again } = request(randomUUID());
	expect(await send('GET', '/v1/inquiries/')).toBe('Bearer token-1');
	accepted.clear();
	expect(await afterAnError()).toBe(true);
	expect(await again()).toBe('Bearer token-2');
});

test.each([
	['POST', '/v1/inquiries/'],
	['GET', '/external/api/v1/license-verification'],
] as const)('%s %s is not sent again even then, and the next one has a good token', async (method, path) => {
	const client = randomUUID();
	const first = request(client);
	await first.send(method, path);
	accepted.clear();
	expect(await first.afterAnError()).toBe(false);
	expect(await request(client).send(method, path)).toBe('Bearer token-2');
	expect(asked('/token')).toHaveLength(2);
});

test('an error before anything was sent, or a service that cannot be asked: nothing more is done', async () => {
	const { afterAnError } = request(randomUUID());
	expect(await afterAnError()).toBe(false);
	expect(server.received).toEqual([]);
});
