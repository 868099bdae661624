import { bearer, business, useSandbox } from './harness';

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
