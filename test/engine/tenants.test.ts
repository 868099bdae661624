import { type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

let sandbox: Sandbox;
let keys: Record<'a' | 'b', string>;
let organizations: Record<string, string>;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
	sandbox.reset();
	const other = sandbox.addOrganization({ apiKey: 'key-of-tenant-b' });
	keys = { a: sandbox.organization.apiKey, b: 'key-of-tenant-b' };
	organizations = { a: sandbox.organization.id, b: other.id };
});

const items = (tenants: string) =>
	[...tenants].map((tenant, index) => ({
		tenant,
		name: `Business ${index}`,
		'Business Name': 'Acme',
		City: 'A',
		State: 'IL',
	}));
const whose = () => sandbox.ledger.map(({ organizationId }) => organizationId).sort();

/** Each names the key of the item's own tenant, in one way or another. */
const forms = (): Array<[string, string]> => [
	['by a condition', `={{ $json.tenant === 'b' ? '${keys.b}' : '${keys.a}' }}`],
	['by a condition that forgives', `={{ $json?.tenant === 'b' ? '${keys.b}' : '${keys.a}' }}`],
	['by a table', `={{ ({ a: '${keys.a}', b: '${keys.b}' })[$json.tenant] }}`],
];

describe.each([0, 1, 2])('a credential with an expression (%#)', (form) => {
	it.each(['ab', 'aba', 'aabbabab', `${'a'.repeat(30)}b${'a'.repeat(9)}`])(
		'every item of %s goes to its own account',
		async (tenants) => {
			const [, apiKey] = forms()[form];
			const { items: good, error } = await runNode({
				parameters: newInquiry,
				credential: { baseUrl: sandbox.url, apiKey },
				items: items(tenants),
			});
			expect(error).toBeUndefined();
			expect(good).toHaveLength(tenants.length);
			expect(whose()).toEqual([...tenants].map((tenant) => organizations[tenant]).sort());
		},
	);

	it('refuses an import whose rows belong to two accounts, and sends nothing', async () => {
		const [, apiKey] = forms()[form];
		const { error } = await runNode({
			parameters: {
				resource: 'batch',
				operation: 'submit',
				name: 'Leads',
			},
			credential: { baseUrl: sandbox.url, apiKey },
			items: items('aab'),
		});
		expect(error?.message).toMatch(/^The items use different credentials: item 3 has another one than item 1/);
		expect(sandbox.requests).toHaveLength(0);
	});
});

it('an item whose credential cannot be read fails alone', async () => {
	const { items: good, failed } = await runNode({
		parameters: newInquiry,
		credential: { baseUrl: sandbox.url, apiKey: `={{ $json.tenant === 'a' ? '${keys.a}' : '' }}` },
		items: items('aba'),
		onError: 'continueErrorOutput',
	});
	expect([good.length, failed.length, sandbox.ledger.count('inquiry')]).toEqual([2, 1, 2]);
});

it('an option whose expression throws for the first item leaves the others alone', async () => {
	const { items: good, failed } = await runNode({
		parameters: { ...newInquiry, options: { timeout: '={{ $json.name === "Business 0" ? JSON.parse("{") : 30 }}' } },
		credential: { baseUrl: sandbox.url, apiKey: keys.a },
		items: items('aaa'),
		onError: 'continueErrorOutput',
	});
	expect([good.length + failed.length, sandbox.ledger.count('inquiry') >= 2]).toEqual([3, true]);
});

it('a write goes to the account of its own item, also where no other item differs', async () => {
	const apiKey = `={{ $itemIndex === 31 ? '${keys.b}' : '${keys.a}' }}`;
	await runNode({ parameters: newInquiry, credential: { baseUrl: sandbox.url, apiKey }, items: items('a'.repeat(40)) });
	expect(whose()).toEqual([...Array<string>(39).fill(organizations.a), organizations.b].sort());
});

it('a limit: reads go to one account where the items that are probed have one', async () => {
	const apiKey = `={{ $itemIndex === 31 ? '${keys.b}' : '${keys.a}' }}`;
	const parameters = { resource: 'user', operation: 'getProfile' };
	const { items: read } = await runNode({
		parameters,
		credential: { baseUrl: sandbox.url, apiKey },
		items: items('a'.repeat(40)),
	});
	expect(new Set(read.map(({ json }) => json.lenderId))).toEqual(new Set([organizations.a]));
});
