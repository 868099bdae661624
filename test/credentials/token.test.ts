import { randomUUID } from 'node:crypto';
import fc from '../harness/seed';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { BusinessVerificationJwtApi } from '../../credentials/BusinessVerificationJwtApi.credentials';
import { dropToken } from '../../credentials/tokens';
import { tokenExpiry } from '../../credentials/tokens';
import { answerJson, helper, jwtEndingAt, LocalServer, type Received } from './identityProvider';

const type = new BusinessVerificationJwtApi();
const NOW = Date.UTC(2026, 0, 1);
let now = NOW;
let provider: LocalServer;
let answer: (received: Received) => { status?: number; body: unknown; headers?: object };

beforeAll(async () => {
	provider = await new LocalServer((received, response) => {
		const { status = 200, body, headers } = answer(received);
		answerJson(response, status, body, headers);
	}).start();
});
afterAll(() => provider.stop());

beforeEach(() => {
	now = NOW;
	// The clock on the wall is set to another time at any moment: durations are none of its business.
	jest.spyOn(Date, 'now').mockImplementation(() => NOW + (now % 2) * 86_400_000);
	jest.spyOn(performance, 'now').mockImplementation(() => now - NOW);
	provider.received.length = 0;
	let issued = 0;
	answer = () => ({ body: { access_token: `token-${++issued}`, expires_in: 3600 } });
});
afterEach(() => jest.restoreAllMocks());

/** A credential of its own for each test: what a process remembers is never shared between two of them. */
const credential = (values: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject => ({
	baseUrl: 'https://kyb.example.com',
	tokenSource: 'clientCredentials',
	tokenUrl: `${provider.url}/token`,
	clientId: randomUUID(),
	clientSecret: 's3cret/+&',
	clientAuthentication: 'body',
	scope: '',
	audience: '',
	fetchedToken: '',
	...values,
});

/** The token that a request would carry: n8n reads the credential anew for each. */
async function ask(stored: ICredentialDataDecryptedObject, lent: IHttpRequestHelper = helper): Promise<string> {
	const credentials = { ...stored };
	expect(await type.preAuthentication.call(lent, credentials)).toEqual({});
	const { headers } = await type.authenticate(credentials, { url: '/v1/users/me' });
	return String(headers?.Authorization).replace(/^Bearer /, '');
}

describe('the request for a token', () => {
	test('names the client in the body', async () => {
		const credentials = credential({
			clientId: 'client-1',
			scope: ' read write ',
			audience: 'https://kyb.example.com',
		});
		expect(await ask(credentials)).toBe('token-1');
		expect(provider.received).toEqual([
			{
				method: 'POST',
				path: '/token',
				authorization: undefined,
				form: {
					grant_type: 'client_credentials',
					client_id: 'client-1',
					client_secret: 's3cret/+&',
					scope: 'read write',
					audience: 'https://kyb.example.com',
				},
			},
		]);
	});

	test('or in a Basic header', async () => {
		await ask(credential({ clientId: 'client-2', clientAuthentication: 'header' }));
		const basic = Buffer.from('client-2:s3cret%2F%2B%26').toString('base64');
		expect(provider.received).toEqual([
			{ method: 'POST', path: '/token', authorization: `Basic ${basic}`, form: { grant_type: 'client_credentials' } },
		]);
	});

	test('is not made for a pasted token', async () => {
		expect(await ask(credential({ tokenSource: 'pasted', accessToken: 'aaa' }))).toBe('aaa');
		expect(provider.received).toEqual([]);
	});

	test('is not made for a request that goes elsewhere, nor for one that needs no token', async () => {
		const elsewhere = credential({ externalAuthentication: 'none' });
		await type.preAuthentication.call(helper, elsewhere);
		await expect(type.authenticate(elsewhere, { url: 'https://evil.example/v1/users/me' })).rejects.toThrow('not sent');
		expect(await type.preAuthentication.call(helper, elsewhere)).toEqual({});
		await type.authenticate(elsewhere, { url: '/external/api/v1/license-verification' });
		expect(provider.received).toEqual([]);
	});
});

describe('one fetch for many requests', () => {
	test('32 requests side by side', async () => {
		const shared = credential();
		const tokens = await Promise.all(Array.from({ length: 32 }, () => ask(shared)));
		expect(new Set(tokens)).toEqual(new Set(['token-1']));
		expect(await ask(shared)).toBe('token-1');
		expect(provider.received).toHaveLength(1);
	});

	test('a token that was refused is never handed out again, nor one that came before it', async () => {
		const shared = credential();
		expect(await ask(shared)).toBe('token-1');
		dropToken(shared, 'token-1');
		expect(await ask(shared)).toBe('token-2');
		dropToken(shared, 'token-1');
		expect(await ask(shared)).toBe('token-2');
		// What another process may have stored is not this one's business.
		expect(await ask({ ...shared, fetchedToken: 'token-of-another-process' })).toBe('token-2');
		dropToken(shared, 'token-2');
		expect(await ask(shared)).toBe('token-3');
		expect(provider.received).toHaveLength(3);
	});

	test('different clients, secrets, scopes and audiences never share a token', async () => {
		const one = credential();
		const others: ICredentialDataDecryptedObject[] = [
			{ clientId: 'other' },
			{ clientSecret: 'changed' },
			{ scope: 'admin' },
			{ audience: 'other' },
		];
		const tokens = [await ask(one)];
		for (const other of others) tokens.push(await ask({ ...one, ...other }));
		expect(tokens).toEqual(['token-1', 'token-2', 'token-3', 'token-4', 'token-5']);
	});

	test('a failed fetch fails everyone who waited for it, and nobody after it', async () => {
		const shared = credential();
		answer = () => ({ status: 503, body: {} });
		const outcomes = await Promise.allSettled([ask(shared), ask(shared)]);
		expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(provider.received).toHaveLength(1);
		answer = () => ({ body: { access_token: 'later', expires_in: 3600 } });
		expect(await ask(shared)).toBe('later');
	});

	test('who refuses is asked once for 400 requests, and again when somebody had time to mend it', async () => {
		const shared = credential();
		answer = () => ({ status: 401, body: { error: 'invalid_client' } });
		for (let request = 0; request < 400; request++) {
			await expect(ask(shared)).rejects.toThrow('The token URL returned status 401: invalid_client');
		}
		expect(provider.received).toHaveLength(1);

		answer = () => ({ body: { access_token: 'mended', expires_in: 3600 } });
		expect(await ask({ ...shared, clientSecret: 'the right one' })).toBe('mended');
		await expect(ask(shared)).rejects.toThrow('invalid_client');
		now += 15_000;
		expect(await ask(shared)).toBe('mended');
		expect(provider.received).toHaveLength(3);
	});

	test.each([
		[400, 1],
		[403, 1],
		[408, 3],
		[429, 3],
		[499, 1],
		[500, 3],
	])('status %i: three requests ask the token URL %i times', async (status, times) => {
		const shared = credential();
		answer = () => ({ status, body: {} });
		for (let request = 0; request < 3; request++) {
			await expect(ask(shared)).rejects.toMatchObject({
				message: `The token URL returned status ${status}`,
				description: expect.stringMatching(times === 1 ? /^Check 'Client ID'/ : /^Nothing was sent\. Try again/),
			});
		}
		expect(provider.received).toHaveLength(times);
	});

	test('in whatever order requests, answers and time interleave', async () => {
		const request = fc.record({ passes: fc.nat(2_000_000), refused: fc.boolean() });
		const requests = fc.array(request, { minLength: 2, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				requests,
				fc.integer({ min: 61, max: 3600 }),
				async (scheduler, plan, lifetime) => {
					const endOf: Record<string, number> = {};
					let underWay = 0;
					let mostUnderWay = 0;
					const fetching = {
						helpers: {
							httpRequest: async () => {
								mostUnderWay = Math.max(mostUnderWay, ++underWay);
								await scheduler.schedule(Promise.resolve());
								underWay--;
								const token = randomUUID();
								endOf[token] = now + lifetime * 1000;
								return { statusCode: 200, headers: {}, body: { access_token: token, expires_in: lifetime } };
							},
						},
					} as unknown as IHttpRequestHelper;

					const shared = credential();
					const refusedOnes = new Set<string>();
					const send = async ({ passes, refused }: { passes: number; refused: boolean }) => {
						await scheduler.schedule(Promise.resolve());
						now += passes;
						const askedAt = now;
						const known = new Set(refusedOnes);
						const held = await ask(shared, fetching);
						expect(endOf[held] - askedAt).toBeGreaterThanOrEqual(60_000);
						expect(known.has(held)).toBe(false);
						if (refused) {
							refusedOnes.add(held);
							dropToken(shared, held);
						}
					};
					await scheduler.waitFor(Promise.all(plan.map(send)));
					expect(mostUnderWay).toBe(1);
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe('the life of a token', () => {
	test.each([
		['an hour', 3600, 3540],
		['an hour, as text', '3600', 3540],
		['61 seconds', 61, 1],
		['a minute, the reserve itself', 60, 30],
		['40 seconds, too short for a minute of reserve', 40, 20],
	])('of %s is used up before it ends', async (_name, expires_in, usableFor) => {
		answer = () => ({ body: { access_token: randomUUID(), expires_in } });
		const shared = credential();
		const first = await ask(shared);
		now = NOW + usableFor * 1000 - 1;
		expect(await ask(shared)).toBe(first);
		now += 1;
		expect(await ask(shared)).not.toBe(first);
		expect(provider.received).toHaveLength(2);
	});

	test.each([undefined, 0, -1, 'soon', null])(
		'is unlimited until the service refuses when %p is said',
		async (expires_in) => {
			answer = () => ({ body: { access_token: 'opaque', expires_in } });
			const shared = credential();
			await ask(shared);
			now = NOW + 10 * 365 * 86_400_000;
			await ask(shared);
			expect(provider.received).toHaveLength(1);
		},
	);

	test.each([
		[jwtEndingAt(1_767_225_600), 1_767_225_600_000],
		['opaque', undefined],
		['a.%%%.c', undefined],
		['a.bnVsbA.c', undefined],
		['', undefined],
	])('%s ends at %p', (token, end) => {
		expect(tokenExpiry(token)).toBe(end);
	});
});

describe('a token that cannot be fetched', () => {
	const refusal = async (values: ICredentialDataDecryptedObject) =>
		(await ask(credential(values)).then(
			() => 'a token',
			(error: Error) => error,
		)) as Error;
	const shown = (error: Error) => JSON.stringify(error, Object.getOwnPropertyNames(error));

	test.each(['http://login.example.com/token', 'login.example.com', ''])('token URL %j', async (tokenUrl) => {
		expect((await refusal({ tokenUrl })).message).toContain("'Token URL' in the credential");
	});

	test.each<ICredentialDataDecryptedObject>([{ clientId: ' ' }, { clientSecret: '' }])('%j', async (values) => {
		expect((await refusal(values)).message).toBe("'Client ID' or 'Client Secret' in the credential is empty");
		expect(provider.received).toEqual([]);
	});

	test('a redirect: nothing arrives at its target', async () => {
		const target = await new LocalServer((_received, response) => answerJson(response, 200, {})).start();
		answer = () => ({ status: 307, body: {}, headers: { location: `${target.url}/token` } });
		expect(await refusal({})).toMatchObject({
			message: 'The token URL returned status 307',
			description: expect.stringMatching(/^It redirects/),
		});
		expect(target.received).toEqual([]);
		await target.stop();
	});

	test.each([
		[400, "Check 'Client ID'"],
		[401, "Check 'Client ID'"],
		[404, "Check 'Token URL'"],
		[405, "Check 'Token URL'"],
	])('status %i says what to check', async (status, advice) => {
		answer = () => ({ status, body: {} });
		const error = (await refusal({ clientId: randomUUID() })) as { message: string; description?: string };
		expect(error.message).toBe(`The token URL returned status ${status}`);
		expect(error.description).toContain(advice);
	});

	test('the reason of the identity provider is shown, the secret it repeats is not', async () => {
		answer = () => ({ status: 401, body: { error: 'invalid_client', error_description: 'no client with s3cret/+&' } });
		const error = await refusal({});
		expect(error.message).toBe('The token URL returned status 401: invalid_client: no client with ***');
		expect(shown(error)).not.toContain('s3cret');
	});

	test('a long reason is cut after the secret was taken out, wherever the cut falls', async () => {
		for (let length = 250; length < 330; length++) {
			const clientId = randomUUID();
			const basic = Buffer.from(`${clientId}:s3cret%2F%2B%26`).toString('base64');
			answer = () => ({
				status: 400,
				body: { error_description: `${'.'.repeat(length)}s3cret/+& s3cret%2F%2B%26 ${basic}` },
			});
			const { message } = await refusal({ clientId });
			expect(message.length).toBeLessThan(350);
			for (const secret of ['s3c', basic.slice(0, 4)]) expect(message).not.toContain(secret);
		}
	});

	test.each([[{ token: 'x' }], [{ access_token: '' }], ['<html>Sign in</html>'], [[]], [null]])(
		'an answer without a token: %j',
		async (body) => {
			answer = () => ({ body });
			expect((await refusal({})).message).toBe('The token URL returned no access token');
		},
	);

	test('nobody listens: that is said, the request with its secret is not', async () => {
		const gone = await new LocalServer(() => undefined).start();
		const tokenUrl = `${gone.url}/token`;
		await gone.stop();
		const error = await refusal({ tokenUrl });
		expect(error.message).toBe(`The token URL at ${new URL(tokenUrl).origin} cannot be reached: connection refused`);
		expect(shown(error)).not.toContain('s3cret');
		expect(error.cause).toBeUndefined();
	});
});

test('the memory of a process is bounded', async () => {
	const first = credential();
	expect(await ask(first)).toBe('token-1');
	for (let other = 0; other < 200; other++) await ask(credential());
	expect(await ask(first)).toBe('token-202');
});
