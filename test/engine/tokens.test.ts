import { type Fault } from '../../sandbox';
import { sandbox, useSandbox } from '../harness/sandbox';
import { clientLogin } from '../harness/clientLogin';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

useSandbox();
afterEach(() => jest.restoreAllMocks());

/** A client that was never used, or holds a token that lives so long. */
const login = (lifetimeMs?: number) => ({
	...clientLogin(sandbox),
	...(lifetimeMs !== undefined && { oauthTokenData: { access_token: issued(lifetimeMs) } }),
});
const issued = (lifetimeMs: number) => sandbox.tokens.issue(sandbox.organization.id, lifetimeMs);

const oAuth2 = { authentication: 'oAuth2' };
const get = {
	...oAuth2,
	resource: 'inquiry',
	operation: 'get',
	inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
};
const create = { ...oAuth2, ...newInquiry };
const seed = (count: number) => sandbox.inquiries.seed(count).map((id) => ({ id }));
const requests = (path: RegExp) => sandbox.requests.filter(({ path: asked }) => path.test(asked));
const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Business ${index}` }));

describe('one fetch for many requests', () => {
	it.each([
		['no token yet', undefined],
		['a token that has expired', -1000],
	])('32 side by side with %s', async (_, lifetimeMs) => {
		const credential = login(lifetimeMs);
		sandbox.switches.latencyMs = 20;
		const items = seed(32);
		const { items: good } = await runNode({
			parameters: { ...get, options: { advanced: { concurrency: 32 } } },
			credential,
			items,
		});
		expect(good).toHaveLength(32);
		expect(sandbox.tokens.fetches).toBe(1);
		expect(sandbox.requests.filter(({ status }) => status === 401)).toEqual([]);
	});

	it('a refusal that arrives when others have renewed the token already', async () => {
		const credential = login();
		const items = seed(6);
		await runNode({ parameters: get, credential, items: items.slice(0, 1) });
		sandbox.tokens.revokeAll();
		// Sent with the old token, answered long after the new one came.
		sandbox.faults.add({ path: `/v1/inquiries/${items[3].id}`, after: true, delayMs: 300 });
		const { items: good } = await runNode({ parameters: get, credential, items });
		expect(good).toHaveLength(6);
		expect(sandbox.tokens.fetches).toBe(2);
	});
});

describe('a 401', () => {
	const forms: Array<[string, Fault]> = [
		['as JSON', { status: 401, body: { detail: 'not now' } }],
		['as text', { status: 401, body: 'not now' }],
		['as a web page', { status: 401, html: true }],
	];

	/** A credential whose token was good a moment ago and is refused from now on. */
	async function revoked() {
		const credential = login();
		await runNode({ parameters: get, credential, items: seed(1) });
		sandbox.tokens.revokeAll();
		sandbox.requests.clear();
		return credential;
	}

	it('of a token that is renewed before the profile is asked repeats the request', async () => {
		const credential = login(300_000);
		sandbox.tokens.revokeAll();
		const now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now + (requests(/inquiries/).length > 0 ? 241_000 : 0));
		const { items } = await runNode({ parameters: get, credential, items: seed(1) });
		expect([items.length, sandbox.tokens.fetches]).toEqual([1, 1]);
		expect(sandbox.requests.map(({ status }) => status).sort()).toEqual([200, 200, 200, 401]);
	});

	it('with a web page after a write was processed does not repeat it with a token that was renewed meanwhile', async () => {
		const credential = login(300_000);
		sandbox.faults.add({ method: 'POST', path: '/v1/inquiries/', after: true, status: 401, html: true });
		const now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now + (requests(/inquiries/).length > 0 ? 241_000 : 0));
		const { failed } = await runNode({
			parameters: create,
			credential,
			items: named(1),
			onError: 'continueErrorOutput',
		});
		expect(failed.map(({ json }) => json.error)).toMatchObject([{ submission: 'unknown' }]);
		expect([sandbox.ledger.count('inquiry'), sandbox.tokens.fetches]).toEqual([1, 1]);
	});

	it.each([429, 500, 503])('asks the profile again for the next item, if it answered %i', async (status) => {
		const credential = await revoked();
		sandbox.faults.add({ path: '/v1/users/me', status });
		const parameters = { ...get, options: { advanced: { concurrency: 1 } } };
		const { items, failed } = await runNode({ parameters, credential, items: seed(3), onError: 'continueErrorOutput' });
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(items).toHaveLength(2);
		expect(sandbox.tokens.fetches).toBe(2);
	});

	it('that the profile does not confirm keeps no later one from a renewal', async () => {
		const credential = login(300_000);
		const items = seed(3);
		sandbox.faults.add({ path: `/v1/inquiries/${items[0].id}`, status: 401, times: Infinity });
		const parameters = { ...get, options: { advanced: { concurrency: 1 } } };
		sandbox.switches.latencyMs = 20;
		const running = runNode({ parameters, credential, items, onError: 'continueErrorOutput' });
		while (requests(/users\/me/)[0]?.status !== 200) await new Promise((resolve) => setTimeout(resolve, 1));
		sandbox.tokens.revokeAll();
		const { failed, items: read } = await running;
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect([read.length, sandbox.tokens.fetches]).toEqual([2, 1]);
	});

	it.each([forms[1], forms[2]])('%s repeats a write once, with the new token', async (_, fault) => {
		const credential = await revoked();
		sandbox.faults.add({ ...fault, method: 'POST', path: '/v1/inquiries/', times: Infinity });
		const { failed } = await runNode({
			parameters: create,
			credential,
			items: named(2),
			onError: 'continueErrorOutput',
		});
		expect(failed.map(({ json }) => json.error)).toMatchObject([{ httpCode: 401 }, { httpCode: 401 }]);
		expect(requests(/inquiries/)).toHaveLength(4);
		expect(sandbox.ledger.count('inquiry')).toBe(0);
	});

	it('twice is an error that says what to check, and does not fetch a token for every item', async () => {
		const credential = await revoked();
		sandbox.faults.add({ status: 401, body: { message: 'client is locked' }, path: '/v1/', times: Infinity });
		const { failed } = await runNode({
			parameters: { ...get, options: { advanced: { concurrency: 2 } } },
			credential,
			items: Array.from({ length: 30 }, (_, index) => ({ id: `id-${index}` })),
			onError: 'continueErrorOutput',
		});
		expect(failed).toHaveLength(30);
		expect(failed[0].json.error).toEqual({
			httpCode: 401,
			itemIndex: 0,
			kind: 'credential',
			message: 'The service does not accept the credential: client is locked',
			description: "Open the credential: check 'Base URL' and the client, and connect it again if you logged in there.",
		});
		expect(sandbox.tokens.fetches).toBeLessThanOrEqual(4);
	});

	it.each([
		['HTTP 404', { html: true }],
		['EAUTH', { body: { error: 'x'.repeat(41) } }],
	])('that another page answers at the address of the tokens says so: %s', async (reason, fault) => {
		const credential = await revoked();
		sandbox.faults.add({ path: '/oauth/token', status: 404, ...fault, times: Infinity });
		const { error } = await runNode({ parameters: create, credential, items: named(2) });
		expect(error).toMatchObject({
			message: `The identity provider returned no new token (${reason})`,
			description:
				"Nothing was submitted. Open the OAuth2 credential and check 'Access Token URL' and the client. If you logged in there, connect again.",
		});
	});

	it.each([
		['a pasted token', { authentication: 'jwt' }, () => ({ accessToken: sandbox.organization.jwt })],
		['a key', {}, () => ({ apiKey: sandbox.organization.apiKey })],
	])('with %s is final, for a read and for a write', async (_, authentication, secret) => {
		const credential = { baseUrl: sandbox.url, ...secret() };
		const ids = sandbox.inquiries.seed(2);
		sandbox.faults.add({ ...forms[0][1], path: `/v1/inquiries/${ids[1]}` });
		sandbox.faults.add({ ...forms[0][1], method: 'POST', skip: 1 });
		const read = await runNode({
			parameters: { ...get, authentication: 'apiKey', ...authentication, options: { advanced: { concurrency: 1 } } },
			credential,
			items: ids.map((id) => ({ id })),
			onError: 'continueErrorOutput',
		});
		const write = await runNode({
			parameters: { ...create, authentication: 'apiKey', ...authentication, options: { advanced: { concurrency: 1 } } },
			credential,
			items: named(2),
			onError: 'continueErrorOutput',
		});
		for (const { items, failed } of [read, write]) {
			expect(failed.map(({ json }) => json.error)).toMatchObject([{ itemIndex: 1, httpCode: 401 }]);
			expect(items).toHaveLength(1);
		}
		// Each run asks the profile once, which shows that the credential is good.
		expect(sandbox.requests).toHaveLength(6);
		expect(requests(/users/)).toHaveLength(2);
	});
});
