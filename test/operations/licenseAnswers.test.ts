import { type Sandbox, startSandbox } from '../../sandbox';
import { runNode } from '../harness/inProcess';

// "a list of verification payloads, one per submitted or found license": what is around the list is not shown.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const verify = (items: Array<{ zip?: unknown }>, credential: object = {}) =>
	runNode({
		parameters: {
			resource: 'license',
			operation: 'verify',
			seller_id: sandbox.organisation.sellerId,
			licensee_name: 'Acme Plumbing',
			licensee_state: 'IL',
			licensee_category: 'homeServices',
			licensee_id: 'PL-1234',
			additionalFields: { LenderId: sandbox.organisation.id, licensee_zip5: '={{ $json.zip }}' },
		},
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organisation.apiKey, ...credential },
		items,
		onError: 'continueErrorOutput',
	});

const payload = { license_number: 'PL-1234', license_status: '' };
const usual = [
	['a list', [payload], [payload]],
	['a payload by itself', payload, [payload]],
	['a payload by itself with an empty list in it', { ...payload, disciplinary_actions: [] }, undefined],
	['a payload by itself with lists in it', { ...payload, actions: [{ id: 1 }], addresses: [{ id: 2 }] }, undefined],
	['a list in verifications', { verifications: [payload], licenses: [] }, [payload]],
	['a list in data', { data: [payload], total: 1 }, [payload]],
	['an empty list', [], [{ payloads: 0 }]],
	['an empty list in results', { results: [] }, [{ payloads: 0 }]],
] as const;

it.each(usual)('%s', async (_, body, expected) => {
	sandbox.faults.add({ path: /license-verification$/, method: 'GET', status: 200, body, times: Infinity });
	const { items, failed } = await verify([{}, { zip: '1' }, {}]);
	expect(items.map(({ json }) => json)).toEqual([...(expected ?? [body]), ...(expected ?? [body])]);
	expect(failed.map(({ json }) => json.error)).toEqual([expect.objectContaining({ itemIndex: 1 })]);
});

it('a list in the field that the credential names, and only there', async () => {
	const body = { orders: [payload, payload], total: 2 };
	sandbox.faults.add({ path: /license-verification$/, method: 'GET', status: 200, body, times: Infinity });
	const named = await verify([{}], { deploymentSettings: true, listItemsField: 'orders' });
	expect(named.items.map(({ json }) => json)).toEqual([payload, payload]);
	const unnamed = await verify([{}]);
	expect(unnamed.items.map(({ json }) => json)).toEqual([body]);
});

it('a ZIP code of another length is refused before it costs anything, and only for its item', async () => {
	const { items, failed } = await verify([{ zip: 2139 }, { zip: '02139-1234' }, { zip: '2139' }, { zip: '' }]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
	expect(failed.map(({ json }) => (json.error as { message: string }).message)).toEqual([
		"'Additional Fields > ZIP Code' must have five digits, as in 02139 [item 1]",
		"'Additional Fields > ZIP Code' must have five digits, as in 02139 [item 2]",
	]);
	expect(sandbox.requests.filter(({ path }) => /license/.test(path)).map(({ query }) => query.licensee_zip5)).toEqual([
		'02139',
		undefined,
	]);
	expect(sandbox.ledger.count()).toBe(2);
});
