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
	const message =
		'The service does not accept the credential: The credential is no known API key, and as a token it is malformed';
	const told = { httpCode: 401, kind: 'credential', message };
	const description =
		"Nothing was submitted for it. Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.";
	expect(failed[0].json.error).toEqual({ ...told, itemIndex: 0, description });
	expect(failed[399].json.error).toEqual({ ...told, itemIndex: 399, description });
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
	expect(failed[399].json.error).toEqual({
		message: 'The identity provider returned no new token (invalid_client)',
		description:
			"Nothing was submitted for it. Open the OAuth2 credential and check 'Access Token URL' and the client. If you logged in there, connect again.",
		kind: 'settings',
		itemIndex: 399,
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
	expect(sandbox.requests).toHaveLength(18);
});

it('a key that the service refuses in the middle of a run is noticed, also after a 401 for a single record', async () => {
	const ids = sandbox.inquiries.seed(9);
	sandbox.faults.add({ path: `/v1/inquiries/${ids[0]}`, status: 401 });
	sandbox.faults.add({ path: '/v1/', skip: 3, status: 401, times: Infinity });
	const { items, failed } = await readEach(ids);
	expect(items.map(({ json }) => json.id)).toEqual(ids.slice(1, 3));
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([0, 3, 4, 5, 6, 7, 8].map((item) => ({ item })));
	expect(sandbox.requests).toHaveLength(6);
});

it('a 403 is about its record: the profile is not asked', async () => {
	const ids = sandbox.inquiries.seed(3);
	sandbox.faults.add({ path: `/v1/inquiries/${ids[0]}`, status: 403, times: Infinity });
	const { items, failed } = await readEach(ids);
	expect([items.length, failed.length]).toEqual([2, 1]);
	expect(sandbox.requests.map(({ path }) => path)).toEqual(ids.map((id) => `/v1/inquiries/${id}`));
});

describe('an identity provider that cannot now', () => {
	const statuses = [503, 429, 408, 425].map((status) => ({ status }));
	const errors = ['slow_down', 'temporarily_unavailable'].map((error) => ({ status: 400, body: { error } }));
	const faults = [...statuses, ...errors, { drop: true }];

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

	it('is not said to have kept back what was submitted before', async () => {
		sandbox.faults.add({ path: '/oauth/token', skip: 1, status: 500, times: Infinity });
		sandbox.faults.add({ method: 'GET', status: 401, times: Infinity });
		const waiting = { waitForCompletion: true, waitingOptions: { maxWait: 0 } };
		const { failed } = await runNode({
			parameters: { ...newInquiry, ...oAuth2, ...waiting, options: { advanced: { concurrency: 1 } } },
			credential: clientLogin(sandbox),
			items: named(2),
			onError: 'continueErrorOutput',
		});
		const said = failed.map(({ json }) => (json.error as { description: string }).description);
		expect(said).toEqual(
			sandbox.ledger.map(({ id }) => expect.stringMatching(`^It was submitted and billed \\(${id}\\)\\. Check that `)),
		);
		expect(said.join()).not.toContain('Nothing was');
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
		expect(failed.map(({ json }) => json.error)).toEqual(
			[0, 1].map((itemIndex) => ({
				message: `The identity provider returned no new token (HTTP ${status})`,
				description:
					"Nothing was submitted for it. Check that the identity provider is up, and 'Access Token URL' in the credential.",
				kind: 'service',
				itemIndex,
			})),
		);
		expect(sandbox.ledger.count()).toBe(0);
	});
});
