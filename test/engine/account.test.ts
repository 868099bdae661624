import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { ownerOf } from '../../nodes/BusinessVerification/engine/account';
import type { Organization } from '../../sandbox';
import { answerJson, LocalServer } from '../credentials/identityProvider';
import { clientLogin } from '../harness/clientLogin';
import { callTool, runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';
import { newSearch } from '../harness/newSearch';
import { sandbox, useSandbox } from '../harness/sandbox';

// Who an account is: what one tenant was told no other may be told, and what one account sends it sends once.

let a: Organization;
let b: Organization;
/** Its tokens are those of the organization that the path or the scope ends with. */
let provider: LocalServer;
useSandbox();
beforeAll(async () => {
	provider = await new LocalServer(({ path, form }, response) => {
		const realm = String(form.scope ?? path).slice(-1);
		const access_token = sandbox.tokens.issue(realm === 'a' ? a.id : b.id, 3_600_000);
		answerJson(response, 200, { access_token, expires_in: 3_600 });
	}).start();
});
afterAll(() => provider.stop());
// The process remembers what it has sent: each test has organizations of its own.
beforeEach(() => {
	sandbox.switches.tenantHeader = 'X-Tenant';
	a = sandbox.addOrganization({ audience: 'realm-a' });
	const { clientId, clientSecret } = a;
	b = sandbox.addOrganization({ clientId, clientSecret, audience: 'realm-b' });
});

const business: INodeParameters = { ...newInquiry, options: { advanced: { lookUpWait: 0 } } };
const create: INodeParameters = { ...business, externalId: 'crm-1' };

type Credential = (tenant: Organization) => ICredentialDataDecryptedObject;

const byHeader: Credential = ({ id }) => ({
	baseUrl: sandbox.url,
	apiKey: a.apiKey,
	extraHeaders: JSON.stringify({ 'X-Tenant': id }),
});
const byAudience: Credential = (tenant) => ({
	...clientLogin(sandbox, tenant),
	sendAdditionalBodyProperties: true,
	additionalBodyProperties: JSON.stringify({ audience: tenant.audience }),
});
const letterOf = (tenant: Organization) => (tenant === a ? 'a' : 'b');
const byTokenUrl: Credential = (tenant) => ({
	...clientLogin(sandbox, tenant),
	accessTokenUrl: `${provider.url}/realms/${letterOf(tenant)}`,
});
const byScope: Credential = (tenant) => ({
	...clientLogin(sandbox, tenant),
	accessTokenUrl: `${provider.url}/token`,
	scope: `tenant-${letterOf(tenant)}`,
});
const byUser: Credential = ({ id }) => ({
	...byScope(a),
	grantType: 'pkce',
	oauthTokenData: { access_token: sandbox.tokens.issue(id, 3_600_000) },
});

describe.each<[string, Credential, string]>([
	['a header', byHeader, 'apiKey'],
	['the audience', byAudience, 'oAuth2'],
	['the token URL', byTokenUrl, 'oAuth2'],
	['the scope', byScope, 'oAuth2'],
	['the user who logged in', byUser, 'oAuth2'],
])('two tenants that only %s tells apart', (_, credentialOf, authentication) => {
	it('reuse their own inquiries, and never those of the other', async () => {
		const parameters = { ...create, authentication };
		const [ofA, ofB, again] = [
			await runNode({ parameters, credential: credentialOf(a), items: [{ name: 'Of A' }] }),
			await runNode({ parameters, credential: credentialOf(b), items: [{ name: 'Of B' }] }),
			await runNode({ parameters, credential: credentialOf(b), items: [{ name: 'Of B' }] }),
		];
		expect([ofA, ofB, again].map(({ items }) => items[0].json.reused)).toEqual([false, false, true]);
		expect(ofB.items[0].json.id).not.toBe(ofA.items[0].json.id);
		expect(sandbox.ledger.map(({ organizationId }) => organizationId)).toEqual([a.id, b.id]);
	});

	it.each([
		['an inquiry', { ...business, businessName: 'Acme' }],
		['a seller search', newSearch],
	])('submit %s through an agent, each for itself', async (_, parameters) => {
		const submit = (tenant: Organization) =>
			callTool({
				parameters: { authentication, ...parameters },
				credential: credentialOf(tenant),
				given: {},
				executionId: undefined,
			});
		for (const answer of [await submit(a), await submit(b)]) expect(answer).toMatch(/"(requestId|reused":false)/);
		expect(sandbox.ledger.map(({ organizationId }) => organizationId)).toEqual([a.id, b.id]);
	});
});

describe('two executions of one account, side by side', () => {
	const rows = Array.from({ length: 6 }, (_, row) => ({
		'Business Name': `Business ${row}`,
		City: 'Springfield',
		State: 'IL',
	}));
	/** Two objects, as n8n reads it for each execution. */
	const credentials = () => [1, 2].map(() => ({ baseUrl: sandbox.url, apiKey: a.apiKey }));

	it.each([
		['lists batches at once', 0],
		['lists no batch for an hour', 3_600_000],
	])('import each row once where the service %s', async (_, lag) => {
		sandbox.switches.batchListDelayMs = lag;
		const parameters = {
			resource: 'batch',
			operation: 'submit',
			name: 'Leads',
			options: { advanced: { lookUpWait: lag === 0 ? 0 : 0.1 }, chunkSize: 2 },
		};
		const results = await Promise.all(
			credentials().map((credential) => runNode({ parameters, credential, items: rows })),
		);
		expect(results.map(({ error, items }) => error?.message ?? items.length)).toEqual([6, 6]);
		expect(sandbox.ledger.filter(({ kind }) => kind === 'batch').map(({ count }) => count)).toEqual([2, 2, 2]);
	});

	it.each([0, 60_000])(
		'create an external ID once, also where the list shows new inquiries %d ms late',
		async (lag) => {
			sandbox.switches.inquiryListDelayMs = lag;
			const results = await Promise.all(
				credentials().map((credential) =>
					runNode({ parameters: create, credential, items: [{ name: 'One' }, { name: 'Two' }] }),
				),
			);
			const reused = results.flatMap(({ items }) => items.map(({ json }) => json.reused));
			expect(reused.sort()).toEqual([false, true, true, true]);
			expect(sandbox.ledger.count('inquiry')).toBe(1);
			expect(sandbox.requests.filter(({ path }) => path.startsWith('/v1/users/me'))).toHaveLength(0);
		},
	);
});

it('an organization is named by its lender, else by its user, else by its credential, for each service', async () => {
	const ownerWith = (body: unknown, base = 'https://kyb.example.com') =>
		ownerOf({ identity: 'key-1', base: () => base, exchange: () => Promise.resolve({ body }) }, undefined);
	const owners = [
		await ownerWith({ id: 'u-1', lender: { id: 'l-1' } }, 'https://test.example.com'),
		...[await ownerWith({ id: 'u-1', lender: { id: 'l-1' } }), await ownerWith({ id: 'u-2', lender: { id: 'l-1' } })],
		...[await ownerWith({ id: 'u-1', lender: null }), await ownerWith({ id: 'u-2', lender: { id: '' } })],
		...[await ownerWith({}), await ownerWith(null), await ownerWith({ id: ' ' })],
	];
	const [elsewhere, first, second, ofUser, ofOther, unnamed, ...none] = owners.map(({ organization }) => organization);
	expect([second, ...none]).toEqual([first, unnamed, unnamed]);
	expect(new Set([elsewhere, first, ofUser, ofOther, unnamed]).size).toBe(5);
});
