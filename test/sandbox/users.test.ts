import { bearer, business, NOON, useSandbox } from './harness';

const sandbox = useSandbox();

describe('who may come in', () => {
	const statusWith = async (headers: Record<string, string>) => (await sandbox.get('/v1/users/me', { headers })).status;

	test('a key and a token are good; nothing, a wrong key and a tampered token are 401', async () => {
		const { apiKey, jwt } = sandbox.it.organization;
		expect(await statusWith({ Authorization: `Bearer ${apiKey}` })).toBe(200);
		expect(await statusWith({ Authorization: `Bearer ${jwt}` })).toBe(200);
		expect(await statusWith({})).toBe(401);
		expect(await statusWith({ Authorization: 'Bearer wrong' })).toBe(401);
		expect(await statusWith({ Authorization: apiKey })).toBe(401);
		expect(await statusWith({ Authorization: `Token ${jwt}` })).toBe(401);
		expect(await statusWith({ Authorization: `Bearer ${jwt.slice(0, -4)}AAAA` })).toBe(401);
	});

	test('a key that is inactive or has expired is 401', async () => {
		const { keyRecord } = sandbox.it.organization;
		keyRecord.isActive = false;
		expect((await sandbox.get('/v1/users/me')).status).toBe(401);
		keyRecord.isActive = true;
		keyRecord.expiresAt = NOON;
		expect((await sandbox.get('/v1/users/me')).status).toBe(401);
	});

	test('another organization sees its own data only', async () => {
		const other = sandbox.it.addOrganization({ name: 'Other' });
		const { data: mine } = await sandbox.post('/v1/inquiries/', business);
		const { data: batch } = await sandbox.post('/v1/batch-inquiries/', { name: 'b', inquiries: [business] });
		const theirs = bearer(other.apiKey);
		expect((await sandbox.get('/v1/users/me', theirs)).data.lender.name).toBe('Other');
		expect((await sandbox.get('/v1/inquiries/', theirs)).data.total).toBe(0);
		expect((await sandbox.get('/v1/batch-inquiries/', theirs)).data.total).toBe(0);
		expect((await sandbox.get(`/v1/inquiries/${mine.id}`, theirs)).status).toBe(404);
		expect((await sandbox.get(`/v1/inquiries/${mine.id}/pdf`, theirs)).status).toBe(404);
		expect((await sandbox.get(`/v1/batch-inquiries/${batch.batchId}`, theirs)).status).toBe(404);
		expect((await sandbox.get(`/v1/inquiries/${mine.id}`)).status).toBe(200);
	});
});

describe('the token endpoint', () => {
	const fetchToken = (fields: Record<string, string>, headers = {}) =>
		sandbox.post('/oauth/token', new URLSearchParams(fields), { headers });
	const credentials = () => ({
		grant_type: 'client_credentials',
		client_id: sandbox.it.organization.clientId,
		client_secret: sandbox.it.organization.clientSecret,
	});

	test('gives a token that works until it expires', async () => {
		const { data, headers } = await fetchToken({ ...credentials(), scope: 'inquiries', audience: 'service' });
		expect(data).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 });
		expect(headers['cache-control']).toBe('no-store');
		const withToken = () => sandbox.get('/v1/users/me', bearer(data.access_token));
		sandbox.it.clock.advance(3_599_000);
		expect((await withToken()).status).toBe(200);
		sandbox.it.clock.advance(1_000);
		expect((await withToken()).status).toBe(401);
		expect(sandbox.it.tokens.fetches).toBe(1);
	});

	test('takes Basic authentication, and refuses what RFC 6749 refuses', async () => {
		const { clientId, clientSecret } = sandbox.it.organization;
		const basic = { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
		expect((await fetchToken({ grant_type: 'client_credentials' }, basic)).status).toBe(200);
		expect((await fetchToken({ ...credentials(), scope: '' })).status).toBe(200);
		expect((await fetchToken({ ...credentials(), client_secret: 'wrong' })).data.error).toBe('invalid_client');
		expect((await fetchToken({ ...credentials(), grant_type: 'password' })).data.error).toBe('unsupported_grant_type');
		expect((await fetchToken({ ...credentials(), client_secret: '' })).data.error).toBe('invalid_client');
		expect((await fetchToken({ ...credentials(), colour: 'red' })).data.error).toBe('invalid_request');
		expect((await fetchToken(credentials(), basic)).data.error).toBe('invalid_request');
		const json = await sandbox.post('/oauth/token', credentials(), { headers: {} });
		expect([json.status, json.data.error]).toEqual([400, 'invalid_request']);
	});

	test('distinguishes clients of one name by their audience', async () => {
		Object.assign(sandbox.it.organization, { audience: 'realm-a' });
		const { clientId, clientSecret } = sandbox.it.organization;
		const other = sandbox.it.addOrganization({ name: 'Other', clientId, clientSecret, audience: 'realm-b' });
		const { data } = await fetchToken({ ...credentials(), audience: 'realm-b' });
		expect((await sandbox.get('/v1/users/me', bearer(data.access_token))).data.lender.id).toBe(other.id);
		expect((await fetchToken(credentials())).data.error).toBe('invalid_client');
	});

	test('a revoked token is refused before it expires, a later one is good', async () => {
		const { tokens, organization } = sandbox.it;
		const early = tokens.issue(organization.id, 60_000);
		tokens.revokeAll();
		const late = tokens.issue(organization.id, 60_000);
		expect((await sandbox.get('/v1/users/me', bearer(early))).status).toBe(401);
		expect((await sandbox.get('/v1/users/me', bearer(late))).status).toBe(200);
	});
});
