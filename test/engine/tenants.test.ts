import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

let keys: Record<'a' | 'b', string>;
let organizations: Record<string, string>;

useSandbox();
beforeEach(() => {
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

const differing = (item: number) => `The items use different credentials: item ${item} has another one than the first`;
const advice =
	'Nothing was sent, because all items of a run use one account. Split the items by account, or use a credential without expressions.';

describe.each([0, 1, 2])('a credential with an expression (%#)', (form) => {
	const credential = () => ({ baseUrl: sandbox.url, apiKey: forms()[form][1] });

	it.each([
		['submissions', newInquiry],
		['reads', { resource: 'user', operation: 'getProfile' }],
		['an import', { resource: 'batch', operation: 'submit', name: 'Leads' }],
	])('refuses %s for two accounts, and sends nothing', async (_, parameters) => {
		const { error } = await runNode({ parameters, credential: credential(), items: items('ab') });
		expect([error?.message, error?.description]).toEqual([differing(2), advice]);
		expect(sandbox.requests).toHaveLength(0);
	});

	it('sends all items to the account that they have in common', async () => {
		const { items: good, error } = await runNode({
			parameters: newInquiry,
			credential: credential(),
			items: items('bbb'),
		});
		expect([error, good.length]).toEqual([undefined, 3]);
		expect(whose()).toEqual(Array(3).fill(organizations.b));
	});
});

it('a submission is compared with every item, and a read with the first and the last', async () => {
	const otherAt = (place: number) => ({
		baseUrl: sandbox.url,
		apiKey: `={{ $itemIndex === ${place} ? '${keys.b}' : '${keys.a}' }}`,
	});
	const credential = otherAt(31);
	const forty = items('a'.repeat(40));
	const { failed } = await runNode({
		parameters: newInquiry,
		credential,
		items: forty,
		onError: 'continueErrorOutput',
	});
	expect(failed.map(({ json }) => json.error)).toEqual(
		Array.from({ length: 40 }, (_, itemIndex) => ({
			itemIndex,
			kind: 'settings',
			message: differing(32),
			description: advice,
		})),
	);
	expect(sandbox.requests).toHaveLength(0);
	const parameters = { resource: 'user', operation: 'getProfile' };
	const { items: read } = await runNode({ parameters, credential, items: forty });
	expect(new Set(read.map(({ json }) => (json.lender as { id: string }).id))).toEqual(new Set([organizations.a]));
	const { error } = await runNode({ parameters, credential: otherAt(39), items: forty });
	expect(error?.message).toBe(differing(40));
});

it('a credential that cannot be read for one item submits nothing', async () => {
	const { items: good, failed } = await runNode({
		parameters: newInquiry,
		credential: { baseUrl: sandbox.url, apiKey: '={{ JSON.parse($json.tenant === "a" ? "1" : "{") }}' },
		items: items('aba'),
		onError: 'continueErrorOutput',
	});
	expect([good.length, failed.length, sandbox.ledger.count('inquiry')]).toEqual([0, 3, 0]);
});
