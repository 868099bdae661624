import { sandbox, useSandbox } from '../harness/sandbox';
import { clientLogin } from '../harness/clientLogin';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Business ${index}` }));
const oAuth2 = { authentication: 'oAuth2' };

/** One after the other. */
const readEach = (ids: string[]) =>
	runNode({
		parameters: {
			resource: 'inquiry',
			operation: 'get',
			inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			options: { advanced: { concurrency: 1 } },
		},
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey },
		items: ids.map((id) => ({ id })),
		onError: 'continueErrorOutput',
	});

beforeAll(hurry);
useSandbox();

it('a wrong key is refused once for each request under way, and not for 400 items', async () => {
	const { failed } = await runNode({
		parameters: newInquiry,
		credential: { baseUrl: sandbox.url, apiKey: 'wrong' },
		items: named(400),
		onError: 'continueErrorOutput',
	});
	expect(failed).toHaveLength(400);
	for (const { json } of failed) {
		expect(json.error).toMatchObject({
			httpCode: 401,
			message: expect.stringMatching(/^The service does not accept the credential/),
			description: expect.stringContaining("'Header Name'"),
		});
		expect(json.error).not.toHaveProperty('submission');
	}
	expect(failed[399].json.error).toMatchObject({ description: expect.stringContaining('This request was not sent:') });
	// The requests under way, and the profile.
	expect(sandbox.requests.length).toBeLessThanOrEqual(9);
});

it('an identity provider that refuses is not asked for 400 items', async () => {
	sandbox.faults.add({ path: '/oauth/token', status: 401, body: { error: 'invalid_client' }, times: Infinity });
	const { failed } = await runNode({
		parameters: { ...newInquiry, ...oAuth2 },
		credential: clientLogin(sandbox),
		items: named(400),
		onError: 'continueErrorOutput',
	});
	expect(failed).toHaveLength(400);
	expect(failed[399].json.error).toMatchObject({
		message: 'The identity provider returned no new token (invalid_client)',
		description: expect.stringContaining('This request was not sent:'),
	});
	expect(sandbox.requests.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
	expect(sandbox.ledger.count()).toBe(0);
});

it('a 401 for single records stops nothing while the profile shows that the key is good', async () => {
	const ids = sandbox.inquiries.seed(12);
	for (const id of [ids[0], ...ids.slice(3, 8)])
		sandbox.faults.add({ path: `/v1/inquiries/${id}`, status: 401, times: Infinity });
	const { items, failed } = await readEach(ids);
	expect([items.length, failed.length]).toEqual([6, 6]);
	expect(sandbox.requests.filter(({ path }) => path === '/v1/users/me')).toHaveLength(1);
});

it('a 403 is about its record: the profile is not asked', async () => {
	const ids = sandbox.inquiries.seed(3);
	sandbox.faults.add({ path: `/v1/inquiries/${ids[0]}`, status: 403, times: Infinity });
	const { items, failed } = await readEach(ids);
	expect([items.length, failed.length]).toEqual([2, 1]);
	expect(sandbox.requests.map(({ path }) => path)).toEqual(ids.map((id) => `/v1/inquiries/${id}`));
});

describe('an identity provider that cannot now', () => {
	const faults = [{ status: 503 }, { status: 429 }, { status: 400, body: { error: 'slow_down' } }, { drop: true }];

	it.each(faults)('stops nothing: %j', async (fault) => {
		sandbox.faults.add({ path: '/oauth/token', ...fault });
		const { items, failed } = await runNode({
			parameters: { ...newInquiry, ...oAuth2 },
			credential: clientLogin(sandbox),
			items: named(40),
			onError: 'continueErrorOutput',
		});
		expect([items.length, failed.length, sandbox.ledger.count('inquiry')]).toEqual([40, 0, 40]);
	});

	it.each(faults)('does not end a wait for what was paid: %j', async (fault) => {
		sandbox.switches.lifecycle = 'manual';
		sandbox.faults.add({ path: '/oauth/token', skip: 1, ...fault });
		const waiting = runNode({
			parameters: { ...newInquiry, ...oAuth2, waitForCompletion: true, waitingOptions: { pollInterval: 1 } },
			credential: clientLogin(sandbox),
			items: named(2),
			onError: 'continueErrorOutput',
		});
		const isWaiting = () => sandbox.requests.some(({ method }) => method === 'GET');
		while (!isWaiting()) await new Promise((resolve) => setTimeout(resolve, 5));
		sandbox.tokens.revokeAll();
		while (sandbox.tokens.fetches < 2) await new Promise((resolve) => setTimeout(resolve, 5));
		for (const { id } of sandbox.ledger) sandbox.inquiries.finish(id, 'COMPLETED');
		const { items } = await waiting;
		expect(items.map(({ json }) => [json.status, json.problem])).toEqual(Array(2).fill(['COMPLETED', undefined]));
		expect(sandbox.ledger.count('inquiry')).toBe(2);
	});

	it.each([500, 503])('is reported as it is, and nothing is sent, if status %i lasts', async (status) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		sandbox.faults.add({ path: '/oauth/token', status, times: Infinity });
		const { failed } = await runNode({
			parameters: { ...newInquiry, ...oAuth2 },
			credential: clientLogin(sandbox),
			items: named(2),
			onError: 'continueErrorOutput',
		});
		jest.restoreAllMocks();
		for (const { json } of failed) {
			expect(json.error).toMatchObject({
				message: `The identity provider returned no new token (HTTP ${status})`,
				description: expect.stringContaining('Nothing was sent'),
			});
			expect(json.error).not.toHaveProperty('submission');
		}
		expect(sandbox.ledger.count()).toBe(0);
	});
});
