import { business, useSandbox } from './harness';

const sandbox = useSandbox();

/** Refused: what the document does not allow, in a body or in a query. What it allows is played by the rows of the contract. */
const without = (name: string) => ({ ...business, [name]: undefined });
const principal = (fields: object) => ({ ...business, principals: [fields] });
const rows = (count: number) => Array.from({ length: count }, () => business);
const seller = { name: 'A', address_line_1: '1', city: 'S', state: 'IL', zip5: '02134', callback: 'https://a.example' };

test.each<[string, unknown, RegExp]>([
	['/v1/inquiries/', without('businessName'), /At least one of businessName or businessDba must be supplied/],
	['/v1/inquiries/', without('businessCity'), /businessCity and businessState are required/],
	['/v1/inquiries/', { ...business, businessEin: 12345678 }, /businessEin: must be a string/],
	['/v1/inquiries/', { ...business, businessPhone: '  ' }, /businessPhone: must not be blank/],
	['/v1/inquiries/', { ...business, businessCity: null }, /businessCity/],
	['/v1/inquiries/', { ...business, colour: 'red' }, /colour: is not a field/],
	['/v1/inquiries/', { ...business, tags: 'a,b' }, /tags/],
	['/v1/inquiries/', principal({ firstName: 'Ada' }), /principals\.0\.lastName: .*requires a last name/],
	['/v1/inquiries/', principal({ lastName: 'B', dob: '2001-02-29' }), /dob: must be a day that exists/],
	['/v1/inquiries/', principal({ lastName: 'B', ownershipPercentage: '60' }), /ownershipPercentage: must be a number/],
	['/v1/inquiries/', { ...business, licenses: [{ license_name: 'A' }] }, /license_id: is required/],
	['/v1/batch-inquiries/', { inquiries: rows(1) }, /body\.name: is required/],
	['/v1/batch-inquiries/', { name: 'a', inquiries: [] }, /inquiries: must not be empty/],
	['/v1/batch-inquiries/', { name: 'a', inquiries: [business, { businessName: 'B' }] }, /inquiries\.1\.businessCity/],
	['/v1/batch-inquiries/', { name: 'a', inquiries: rows(251) }, /holds 251 inquiries, at most 250/],
	['/external/api/v1/seller-detailed', { ...seller, zip5: 2134 }, /zip5/],
	['/external/api/v1/seller-detailed', { ...seller, callback: 'ftp://host/hook' }, /callback: must be an http/],
	['/external/api/v1/seller-detailed', { ...seller, addressLine1: 'x' }, /addressLine1: is not a field/],
])('POST %s with %j is refused', async (path, body, reason) => {
	const { status, data } = await sandbox.post(path, body);
	expect([status, data.detail]).toEqual([422, expect.stringMatching(reason)]);
	expect(sandbox.it.ledger).toHaveLength(0);
});

test.each([
	...['limit=0', 'limit=501', 'limit=1.5', 'offset=-1', 'search=', 'tags=a,,b', 'status=DONE', 'status=completed'],
	...['created_at_from=2024-05-01', 'created_at_from=2024-05-01T12:00:00', 'created_at_to=2024-13-01T12:00:00Z'],
	...['sort_by=completed_at', 'sort_order=up', 'source_filters=WATCHLIST', 'scorecard_score_min=high', 'page=2'],
])('a list by %s is refused', async (query) => {
	expect((await sandbox.get(`/v1/inquiries/?${query}`)).status).toBe(422);
});

test('a license verification needs its category, seller and lender, and home services the license ID', async () => {
	const fields = {
		...{ LenderId: sandbox.it.organization.id, seller_id: sandbox.it.organization.sellerId },
		...{ licensee_name: 'Ada Byron', licensee_state: 'IL', licensee_category: 'healthcare' },
	};
	const verify = async (change: object) => {
		const { status, data } = await sandbox.get('/external/api/v1/license-verification', {
			params: { ...fields, ...change },
		});
		return Array.isArray(data) ? data.length : status;
	};
	expect(await verify({ licensee_subcategory: 'physicians' })).toBe(1);
	expect(await verify({ licensee_category: 'food' })).toBe(422);
	expect(await verify({ licensee_category: 'homeServices' })).toBe(422);
	expect(await verify({ licensee_subcategory: 'surgery' })).toBe(422);
	expect(await verify({ LenderId: sandbox.it.addOrganization().id })).toBe(404);
});
