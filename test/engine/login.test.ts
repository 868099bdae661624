import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { answerJson, LocalServer } from '../credentials/identityProvider';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';
import { sandbox, useSandbox } from '../harness/sandbox';

let provider: LocalServer;
/** What the identity provider answers next instead of a token. */
let refusals: object[] = [];
/** What it gives instead of tokens. */
let tokens: unknown[] = [];

useSandbox();
beforeAll(async () => {
	provider = await new LocalServer((_received, response) => {
		const refusal = refusals.shift();
		if (refusal !== undefined) return answerJson(response, 400, refusal);
		const access_token = tokens.shift() ?? sandbox.tokens.issue(sandbox.organization.id, 3_600_000);
		answerJson(response, 200, { access_token, refresh_token: 'next', token_type: 'Bearer', expires_in: 3600 });
	}).start();
});
afterAll(() => provider.stop());
afterEach(() => {
	jest.restoreAllMocks();
	refusals = [];
	tokens = [];
	provider.received.length = 0;
});

/** As n8n keeps it after the login; it writes renewed tokens into this object. */
const connected = (values: object = {}): ICredentialDataDecryptedObject => ({
	baseUrl: sandbox.url,
	grantType: 'pkce',
	accessTokenUrl: `${provider.url}/token`,
	clientId: 'client',
	clientSecret: 's3cret',
	authentication: 'body',
	oauthTokenData: {
		access_token: sandbox.tokens.issue(sandbox.organization.id, 3_600_000),
		refresh_token: 'first',
		token_type: 'Bearer',
	},
	...values,
});
const login = { authentication: 'oAuth2' };
const profile = { ...login, resource: 'user', operation: 'getProfile' };
const create = { ...login, ...newInquiry };
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Business ${index}` }));
const grants = () => provider.received.map(({ form }) => form.grant_type);

it('sends the token of the login to the service, and needs no identity provider for it', async () => {
	const { items: good } = await runNode({ parameters: profile, credential: connected(), items: items(3) });
	expect(good).toHaveLength(3);
	expect(provider.received).toEqual([]);
});

it('masks its token where the service repeats it, although it looks like a word', async () => {
	const service = await new LocalServer(({ authorization = '' }, response) =>
		answerJson(response, 400, { detail: `unknown user of ${authorization.split(' ')[1]}` }),
	).start();
	const credential = connected({ baseUrl: service.url, oauthTokenData: { access_token: 'wordlike' } });
	const { failed } = await runNode({
		parameters: profile,
		credential,
		items: items(2),
		onError: 'continueErrorOutput',
	});
	await service.stop();
	const said = 'The service rejected the request with status 400: unknown user of ***';
	expect(failed.map(({ json }) => (json.error as { message: string }).message)).toEqual([said, said]);
});

it('renews a token that was revoked once for 32 requests side by side, reads and submissions', async () => {
	for (const parameters of [profile, create]) {
		const credential = connected();
		sandbox.tokens.revokeAll();
		sandbox.switches.latencyMs = 20;
		provider.received.length = 0;
		const options = { advanced: { concurrency: 32 } };
		const { items: good } = await runNode({ parameters: { ...parameters, options }, credential, items: items(32) });
		expect(good).toHaveLength(32);
		expect(provider.received.map(({ form }) => form)).toMatchObject([
			{ grant_type: 'refresh_token', refresh_token: 'first' },
		]);
		expect(credential.oauthTokenData).toMatchObject({ refresh_token: 'next' });
	}
	expect(sandbox.ledger.count('inquiry')).toBe(32);
	// Each is refused once and repeated once; one request for the profile shows that it is the token.
	expect(sandbox.requests).toHaveLength(130);
});

it.each(['opaque', `a.${Buffer.from('null').toString('base64url')}.c`])(
	'uses a token that does not say when it expires, and renews it once refused: %s',
	async (access_token) => {
		const credential = connected({ oauthTokenData: { access_token, refresh_token: 'first' } });
		const { items: good } = await runNode({ parameters: profile, credential, items: items(2) });
		expect([good.length, grants()]).toEqual([2, ['refresh_token']]);
	},
);

it('executions side by side renew once', async () => {
	const credential = connected();
	sandbox.tokens.revokeAll();
	sandbox.switches.latencyMs = 20;
	const runs = [1, 2, 3].map(() => runNode({ parameters: profile, credential, items: items(4) }));
	for (const { items: good } of await Promise.all(runs)) expect(good).toHaveLength(4);
	expect(grants()).toEqual(['refresh_token']);
});

it('renews a token that is about to end before it is refused', async () => {
	const ending = { access_token: sandbox.tokens.issue(sandbox.organization.id, 300_000), refresh_token: 'first' };
	const credential = connected({ oauthTokenData: ending });
	const now = Date.now();
	for (const [ms, renewals] of Object.entries({ 238_000: 0, 241_000: 1 })) {
		jest.spyOn(Date, 'now').mockReturnValue(now + Number(ms));
		await runNode({ parameters: profile, credential, items: items(2) });
		expect(grants()).toEqual(Array(renewals).fill('refresh_token'));
	}
	expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it('takes the token of another process that was first, where the provider accepts a refresh token only once', async () => {
	const credential = connected();
	sandbox.tokens.revokeAll();
	const theirs = sandbox.tokens.issue(sandbox.organization.id, 3_600_000);
	refusals = [{ error: 'invalid_grant' }];
	const refuse = refusals.shift.bind(refusals);
	jest.spyOn(refusals, 'shift').mockImplementation(() => {
		credential.oauthTokenData = { access_token: theirs, refresh_token: 'theirs' };
		return refuse();
	});
	const { items: good } = await runNode({ parameters: create, credential, items: items(2) });
	expect(good).toHaveLength(2);
	expect(provider.received).toHaveLength(1);
	expect(sandbox.ledger.count('inquiry')).toBe(2);
});

it.each([
	['a proxy that says 401 after the service has processed it', { status: 401, html: true }],
	['a 500', { status: 500 }],
	['a lost answer', { drop: true }],
])('a submission with %s is billed once, and no token is renewed', async (_, fault) => {
	sandbox.faults.add({ ...fault, method: 'POST', path: '/v1/inquiries/', after: true, skip: 1 });
	const { items: good, failed } = await runNode({
		parameters: { ...create, options: { advanced: { concurrency: 1 } } },
		credential: connected(),
		items: items(2),
		onError: 'continueErrorOutput',
	});
	expect([good.length, failed.length]).toEqual([1, 1]);
	expect(sandbox.ledger.count('inquiry')).toBe(2);
	expect(provider.received).toEqual([]);
});

it('a provider that gives no new token is asked once, and no secret is in what it is said to have said', async () => {
	const credential = connected();
	sandbox.tokens.revokeAll();
	refusals = Array.from({ length: 9 }, () => ({ error: 'invalid_grant', error_description: 'not s3cret, not first' }));
	const { failed } = await runNode({
		parameters: profile,
		credential,
		items: items(20),
		onError: 'continueErrorOutput',
	});
	expect(failed).toHaveLength(20);
	expect(failed.map(({ json }) => json.error)).toEqual(
		Array.from({ length: 20 }, (_, itemIndex) => ({
			message: 'The identity provider returned no new token',
			description:
				"Open the OAuth2 credential and check 'Access Token URL' and the client. If you logged in there, connect again.",
			kind: 'settings',
			itemIndex,
		})),
	);
	expect(provider.received).toHaveLength(1);
});

it.each([
	[
		'is not connected',
		{ oauthTokenData: {} },
		'The OAuth2 credential is not connected',
		'Open the credential, connect it, and log in at the identity provider.',
	],
	[
		'would send its client secret in plain text',
		{ accessTokenUrl: 'http://login.example.com/token' },
		"'Access Token URL' in the credential uses plain http, so secrets would be sent unencrypted",
		'Use https:// instead. Plain http is accepted for localhost, 127.0.0.1, [::1] only.',
	],
])('a login that %s is refused with advice', async (_, values, message, description) => {
	const credential = connected(values);
	sandbox.tokens.revokeAll();
	const { error } = await runNode({ parameters: profile, credential, items: items(2) });
	expect([error?.message, error?.description]).toEqual([message, description]);
});
