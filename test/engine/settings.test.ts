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
	getStatus: { resource: 'sellerSearch', operation: 'getStatus', requestId: 'one' },
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

const nothing = 'Nothing was submitted for it.';
const mistaken = "Check 'Base URL' and the settings of the credential.";
const deployment = "under 'Deployment Settings' in the credential.";
const otherAuthentication = `These endpoints may need different authentication: see 'Seller and License Authentication' ${deployment}`;
const refused = `${nothing} Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.`;

/** What is wrong with the service's settings here, and the advice that has to name the setting. */
const wrong: Array<[string, keyof typeof operations, number, string]> = [
	['the header of the key', 'create', 401, refused],
	['the authentication of a search', 'submit', 401, `${refused} ${otherAuthentication}`],
	[
		'the authentication of a verification',
		'verify',
		403,
		`${nothing} The credential lacks this permission, or is not valid. ${otherAuthentication}`,
	],
	[
		'the way of the license fields',
		'verify',
		405,
		`${nothing} ${mistaken} If the service did not receive the fields, choose the other 'License Verification Request' ${deployment}`,
	],
	[
		'the method of a look-up',
		'getStatus',
		405,
		`${mistaken} Choose the other 'Seller Status and Result Method' ${deployment}`,
	],
	[
		'the path of a look-up',
		'getStatus',
		404,
		expect.stringMatching(
			/^GET .*\/one\/status returned status 404\. .* Also check 'Seller Status Path' under 'Deployment Settings' in the credential\.$/,
		),
	],
	[
		'the keys of licenses',
		'create',
		422,
		`${nothing} Correct the named fields. If the service rejects the license fields, choose the other 'License Keys' ${deployment}`,
	],
];

it.each(wrong)('%s: the message names the setting', async (_, operation, status, advice) => {
	sandbox.faults.add({ status, body: { detail: 'no' }, times: Infinity });
	const { failed } = await runNode({
		parameters: operations[operation] as never,
		credential: {
			baseUrl: sandbox.url,
			apiKey: sandbox.organization.apiKey,
			sellerStatusPath: '/external/api/v1/seller-detailed/{request_id}/status',
		},
		items: [{}, {}],
		onError: 'continueErrorOutput',
	});
	expect(failed.map(({ json }) => (json.error as { description: string }).description)).toEqual([advice, advice]);
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
	expect(made.failed).toHaveLength(2);
});
