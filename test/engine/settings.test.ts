import { sandbox, useSandbox } from '../harness/sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

beforeAll(hurry);
useSandbox();

const seller = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };
const operations = {
	create: {
		...newInquiry,
		businessName: 'Acme',
		licenses: { row: [{ licenseName: 'A', licenseId: 'B', licenseState: 'IL', licenseCategory: 'plumbing' }] },
	},
	submit: { resource: 'sellerSearch', operation: 'submit', ...seller, callback: 'https://n8n.example.com/webhook/x' },
	getStatus: { resource: 'sellerSearch', operation: 'getStatus', requestId: '={{ $json.id }}' },
	verify: {
		resource: 'license',
		operation: 'verify',
		seller_id: 'seller-1',
		licensee_name: 'Acme',
		licensee_state: 'IL',
		licensee_category: 'homeServices',
		licensee_id: 'PL-1',
		additionalFields: { LenderId: 'lender-1' },
	},
};

/** What is wrong with the service's settings here, and the setting that the message has to name. */
const wrong: Array<[string, keyof typeof operations, number, string]> = [
	['the header of the key', 'create', 401, "'Header Name'"],
	['the authentication of a search', 'submit', 401, "'Seller and License Authentication'"],
	['the authentication of a verification', 'verify', 403, "'Seller and License Authentication'"],
	['the way of the license fields', 'verify', 405, "'License Verification Request'"],
	['the method of a look-up', 'getStatus', 405, "'Seller Status and Result Method'"],
	['the path of a look-up', 'getStatus', 404, "'Seller Status Path'"],
	['the keys of licenses', 'create', 422, "'License Keys'"],
];

it.each(wrong)('%s: the message names the setting', async (_, operation, status, setting) => {
	sandbox.faults.add({ status, body: { detail: 'no' }, times: Infinity });
	const { failed } = await runNode({
		parameters: operations[operation] as never,
		credential: {
			baseUrl: sandbox.url,
			apiKey: sandbox.organization.apiKey,
			sellerStatusPath: '/external/api/v1/seller-detailed/{request_id}/status',
		},
		items: [{ id: 'one' }, { id: 'two' }],
		onError: 'continueErrorOutput',
	});
	expect(failed).toHaveLength(2);
	for (const { json } of failed) expect((json.error as { description: string }).description).toContain(setting);
});

it.each([
	['/v1/inquiries', '/v1/inquiries/v1/inquiries/'],
	['/kyb', '/kyb/v1/inquiries/'],
])('a base URL with %s: what was asked is said, and what a right one looks like', async (path, asked) => {
	const base = { baseUrl: sandbox.url + path, apiKey: sandbox.organization.apiKey };
	const made = await runNode({
		parameters: operations.create as never,
		credential: base,
		items: [{}, {}],
		onError: 'continueErrorOutput',
	});
	for (const { json } of made.failed) {
		expect(json.error).toMatchObject({
			message: expect.not.stringContaining('ID'),
			description: `Nothing was submitted for it. POST ${sandbox.url}${asked} returned status 404. Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com.`,
		});
	}
	const read = await runNode({
		parameters: { resource: 'inquiry', operation: 'get', inquiryId: 'inquiry-1' },
		credential: base,
		items: [{}],
	});
	expect(read.error?.description).toContain(`GET ${sandbox.url}${asked}inquiry-1 returned status 404. Check the ID:`);
	expect(made.failed).toHaveLength(2);
});
