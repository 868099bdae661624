import { type Organization } from '../../sandbox';
import { sandbox, useSandbox } from '../harness/sandbox';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { editor } from '../harness/inProcess';

// The lists that the editor fills from the service while somebody types: by ID under one label each, a page at a time.

const { listSearch, loadOptions } = new BusinessVerification().methods;

let organization: Organization;
useSandbox();
beforeEach(() => {
	organization = sandbox.addOrganization();
});

const context = (resource: string, apiKey = organization.apiKey) =>
	editor({ resource, operation: 'get' }, { baseUrl: sandbox.url, apiKey });

const asked = () => sandbox.requests.map(({ method, path, query }) => [method, path, query]);

const answered = (path: RegExp, body: object, times = Infinity) =>
	sandbox.faults.add({ path, method: 'GET', status: 200, body, times });

const batch = (n: number) => ({
	batchId: `batch-0000-${n}`,
	batchName: `Import ${n}`,
	status: 'COMPLETED',
	createdAt: '2026-03-02T09:00:59Z',
});

describe('inquiries', () => {
	const inquiry = (n: number) => ({ id: `inquiry-${n}`, externalId: `crm-${n}`, businessName: `Acme ${n}` });
	const list = (count: number) =>
		answered(/\/inquiries\/?$/, { items: Array.from({ length: count }, (_, n) => inquiry(n)) });

	it('the first fifty, and where the next ones begin', async () => {
		list(50);
		const { results, paginationToken } = await listSearch.searchInquiries.call(context('inquiry'));
		expect(asked()).toEqual([['GET', '/v1/inquiries/', { limit: '50', offset: '0' }]]);
		expect(results[7]).toEqual({ name: 'crm-7 · Acme 7 · unknown date · inquiry-7', value: 'inquiry-7' });
		expect(paginationToken).toBe('50');
	});

	it('those that match what was typed, further on, to the end', async () => {
		list(49);
		const { results, paginationToken } = await listSearch.searchInquiries.call(context('inquiry'), 'acme', '50');
		expect(asked()).toEqual([['GET', '/v1/inquiries/', { search: 'acme', limit: '50', offset: '50' }]]);
		expect(results).toHaveLength(49);
		expect(paginationToken).toBeUndefined();
	});

	it('are found in their rows, whatever the service calls their ID; a row without one is left out', async () => {
		const told = { businessName: 'Acme', status: 'COMPLETED' };
		answered(/inquiries\/?$/, {
			items: [
				{ inquiryId: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d', ...told, createdAt: '2026-03-02T09:00:59Z' },
				told,
				{ id: 'row-2', inquiry: { id: 'inquiry-2', external_id: 'crm-2', businessDba: 'Shop', status: 'FAILED' } },
			],
		});
		const { results } = await listSearch.searchInquiries.call(context('inquiry'));
		expect(results).toEqual([
			{
				name: 'Acme · COMPLETED · 2026-03-02 09:00 UTC · 3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
				value: '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d',
			},
			{ name: 'crm-2 · Shop · FAILED · unknown date · inquiry-2', value: 'inquiry-2' },
		]);
	});

	it('a blank search asks for no match', async () => {
		list(1);
		await listSearch.searchInquiries.call(context('inquiry'), '');
		expect(asked()).toEqual([['GET', '/v1/inquiries/', { limit: '50', offset: '0' }]]);
	});
});

describe('batches', () => {
	const list = (count: number) =>
		answered(/batch-inquiries\/?$/, { items: Array.from({ length: count }, (_, n) => batch(n)) });

	it('the first fifty, and where the next ones begin', async () => {
		list(50);
		const { results, paginationToken } = await listSearch.searchBatches.call(context('batch'));
		expect(asked()).toEqual([['GET', '/v1/batch-inquiries/', { limit: '50', offset: '0' }]]);
		expect(results[1]).toEqual({
			name: 'Import 1 · COMPLETED · 2026-03-02 09:00 UTC · batch-0000-1',
			value: 'batch-0000-1',
		});
		expect(results).toHaveLength(50);
		expect(paginationToken).toBe('50');
	});

	it('the service cannot search them: of 500 those whose label holds what was typed, in either case', async () => {
		list(500);
		const { results, paginationToken } = await listSearch.searchBatches.call(context('batch'), 'IMPORT 49', '500');
		expect(asked()).toEqual([['GET', '/v1/batch-inquiries/', { limit: '500', offset: '500' }]]);
		expect(results.map(({ value }) => value)).toEqual(
			['49', '490', '491', '492', '493', '494', '495', '496', '497', '498', '499'].map((n) => `batch-0000-${n}`),
		);
		expect(paginationToken).toBe('1000');
	});

	it.each(['batch_id', 'id'])('also those whose ID the service calls %s', async (name) => {
		const { batchId, ...rest } = batch(1);
		answered(/batch-inquiries\/?$/, { items: [{ ...rest, [name]: batchId }] });
		const { results } = await listSearch.searchBatches.call(context('batch'));
		expect(results.map(({ value }) => value)).toEqual([batchId]);
	});

	it('none further on where fewer came than were asked for', async () => {
		list(499);
		const { paginationToken } = await listSearch.searchBatches.call(context('batch'), 'nothing like it');
		expect(paginationToken).toBeUndefined();
	});
});

describe('lenders', () => {
	it("the user's own first, then the others, each once", async () => {
		answered(/users\/me$/, {
			id: 'user-1',
			lender: { id: 'lender-1', name: 'Example Lending' },
			availableLenders: [
				{ id: 'lender-2', name: 'Other Lending' },
				{ id: 'lender-1', name: 'Example Lending' },
				{ name: 'without an ID' },
			],
		});
		expect(await loadOptions.getLenders.call(context('license'))).toEqual([
			{ name: 'Example Lending', value: 'lender-1' },
			{ name: 'Other Lending', value: 'lender-2' },
		]);
	});

	it('the own one alone where no others are listed', async () => {
		answered(/users\/me$/, {
			id: 'user-1',
			lender: { id: 'lender-1', name: 'Example Lending' },
			availableLenders: null,
		});
		expect(await loadOptions.getLenders.call(context('license'))).toEqual([
			{ name: 'Example Lending', value: 'lender-1' },
		]);
	});
});

describe('a reason in place of a list', () => {
	it('a refused key is named, after the profile was asked once whether it is the key', async () => {
		const refused = listSearch.searchInquiries.call(context('inquiry', 'wrong'));
		await expect(refused).rejects.toMatchObject({ name: 'NodeApiError', httpCode: '401' });
		expect(asked().map(([, path]) => path)).toEqual(['/v1/inquiries/', '/v1/users/me']);
	});

	it('a service that is down is asked twice: the next keystroke asks again', async () => {
		sandbox.faults.add({ path: /users\/me$/, method: 'GET', status: 503, body: {}, times: Infinity });
		await expect(loadOptions.getLenders.call(context('license'))).rejects.toMatchObject({ httpCode: '503' });
		expect(asked()).toHaveLength(2);
	});
});

it('the columns of an import are every field of an inquiry, and to add those of two people and two licenses', async () => {
	const { getImportColumns } = new BusinessVerification().methods.resourceMapping;
	const { fields } = await getImportColumns.call(context('batch') as never);
	const of = (group: string) =>
		fields.filter(({ displayName, removed }) => removed === (group !== '') && displayName.startsWith(group));
	const labels = (group: string) => of(group).map(({ displayName }) => displayName.slice(group.length));
	const person =
		'First Name, Middle Name, Last Name, Suffix, Date of Birth, NPI, Phone, Email, Address Line 1, Address Line 2, City, State, ZIP Code, Principal Type, Ownership Percentage, Search NPI, Business Principal ID';
	const license = 'License Name, License ID, License State, License Category';
	const groups = ['', 'Principal 1: ', 'Principal 2: ', 'License 1: ', 'License 2: '];
	expect(groups.map((group) => labels(group).join(', '))).toEqual([
		'Business Name, Business DBA, City, State, EIN, Address Line 1, Address Line 2, ZIP Code, Phone, Email, Domain, Secretary of State ID, Principals, Licenses, Tags, External ID',
		...[person, person, license, license],
	]);
	expect(fields[0]).toEqual({
		...{ id: 'businessName', displayName: 'Business Name', type: 'string', required: false, removed: false },
		...{ display: true, defaultMatch: false, canBeUsedToMatch: false },
	});
});
