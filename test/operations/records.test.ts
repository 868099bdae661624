import type { INodeParameters } from 'n8n-workflow';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { runCall } from '../contract/call';
import { submission } from '../contract/cases';
import { twoWorlds } from '../contract/fixture';
import { rows } from '../contract/rows';

// What is known of a user; the inquiries of a batch, in the three forms that records have; and licenses.

useSandbox();

const run = (parameters: INodeParameters, ...items: object[]) =>
	runNode({
		parameters,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey },
		items: items as never[],
		onError: 'continueErrorOutput',
	});

const profile = {
	id: 'user-1',
	email: 'nathan@example.com',
	firstName: 'Nathan',
	lastName: 'Smith',
	dateJoined: '2026-01-12T08:00:00Z',
	complianceAcceptDate: '2026-01-12T08:05:00Z',
	lender: { id: 'lender-1', name: 'Example Lending', featureFlags: { pdf: true }, hasScorecardConfigs: false },
	availableLenders: [{ id: 'lender-2', name: 'Other Lending', featureFlags: {}, hasScorecardConfigs: true }],
	loginEmail: 'login@example.com',
	isTestProfile: true,
	canManageTestProfiles: false,
};

it.each(['batch_id', 'id'] as const)(
	'Batch: Get Many names the ID of a batch that the service calls %s',
	async (key) => {
		sandbox.switches.batchIdKey = key;
		const ids = ['March', 'April'].map((name) => sandbox.inquiries.seedBatch(name, 1));
		for (const output of ['simplified', 'raw']) {
			const { items } = await run({ resource: 'batch', operation: 'getAll', output }, {});
			expect(items.map(({ json }) => json.batchId).sort()).toEqual([...ids].sort());
		}
	},
);

test('User: Accept Terms returns what the service says, and else that they are accepted', async () => {
	const terms = { resource: 'user', operation: 'acceptTerms', confirm: true };
	for (const body of [{ accepted: 'pending' }, {}])
		sandbox.faults.add({ path: /accept-inquiry-terms$/, status: 200, body });
	const { items } = await run({ ...terms, options: { advanced: { concurrency: 1 } } }, {}, {});
	expect(items.map(({ json }) => json)).toEqual([{ accepted: 'pending' }, { accepted: true }]);
});

test('User: Get API Key shows four characters of a key of twelve or more', async () => {
	for (const apiKey of ['bvk_01234567', 'bvk_0123456'])
		sandbox.faults.add({ path: /api-key$/, status: 200, body: { apiKey } });
	const { items } = await run(
		{ resource: 'user', operation: 'getApiKey', options: { advanced: { concurrency: 1 } } },
		{},
		{},
	);
	expect(items.map(({ json }) => json.apiKey)).toEqual(['••••4567', '••••']);
});

it.each(['inquiry', 'batch'])('%s: Wait returns the last state where the user chose it', async (resource) => {
	const [inquiry] = sandbox.inquiries.seed(1, { status: 'RUNNING' });
	const batch = sandbox.inquiries.seedBatch('March', 1, { status: 'RUNNING' });
	const waitingOptions = { maxWait: 0, onTimeout: 'lastState' };
	const ids = { inquiryId: inquiry, batchId: batch };
	const { items } = await run({ resource, operation: 'wait', ...ids, waitingOptions }, {});
	expect(items.map(({ json }) => json)).toMatchObject([{ isFinal: false, timedOut: true }]);
});

const checkFirst = "Check 'processStatuses' of the inquiry with 'Get' before you send this again.";

it.each([
	['inquiry.addFiling', checkFirst],
	['inquiry.addLicense', 'Adding the same license again is safe: the service matches it by ID, state, and category.'],
	['inquiry.addPrincipal', checkFirst],
	['inquiry.retryFailed', checkFirst],
	['inquiry.retryProcess', checkFirst],
	['license.verify', 'Ask your service provider whether the verification was ordered before you submit it again.'],
	['user.acceptTerms', "Read 'complianceAcceptDate' with the operation 'Get Profile'."],
])('%s says what to do where its answer is lost', async (operation, description) => {
	const [world] = await twoWorlds(sandbox);
	const { method, path } = submission(rows[operation]);
	sandbox.faults.add({ method, path, drop: true });
	const { error } = await runCall(sandbox, operation, [world], rows[operation].minimal);
	expect(error).toMatchObject({ description, context: { submission: 'unknown' } });
});

test('User: Get Profile returns all that the service said', async () => {
	sandbox.faults.add({ path: /users\/me$/, method: 'GET', status: 200, body: profile, times: Infinity });
	const { items } = await run({ resource: 'user', operation: 'getProfile' }, {}, {});
	expect(items.map(({ json }) => json)).toEqual([profile, profile]);
});

describe('Batch: Get Inquiries', () => {
	const listed = (parameters: INodeParameters = {}, ...items: object[]) =>
		run(
			{ resource: 'batch', operation: 'getInquiries', batchId: '={{ $json.batch }}', returnAll: true, ...parameters },
			...items,
		);
	const seeded = () =>
		['crm-', 'erp-'].map((externalIdPrefix) =>
			sandbox.inquiries.seedBatch('March', 2, { externalIdPrefix, businessName: 'Acme' }),
		);

	it('simplified is a row like those of Get Many, with its batch', async () => {
		const [batch, other] = seeded();
		const { items, failed } = await listed({}, { batch }, { batch: 'nobody knows it' }, { batch: other });
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		const records = items.map(({ json }) => json);
		expect(records.map(({ externalId, batchId }) => [externalId, batchId]).sort()).toEqual([
			['crm-1', batch],
			['crm-2', batch],
			['erp-1', other],
			['erp-2', other],
		]);
		const shown = ['status', 'summary', 'externalId', 'isFinal', 'id', 'createdAt', 'batchId'];
		expect(records.map((record) => Object.keys(record))).toEqual(Array(4).fill(shown));
	});

	it.each([{ output: 'simplified' }, { output: 'raw' }, { output: 'selectedFields', outputFields: 'status, isFinal' }])(
		'a row that holds its inquiry has finished where the inquiry has: $output',
		async (parameters) => {
			sandbox.switches.batchRowsShape = 'nested';
			const [batch, other] = seeded();
			const { items, failed } = await listed(parameters, { batch }, { batch: 'nobody knows it' }, { batch: other });
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
			expect(items.map(({ json }) => [json.status, json.isFinal, json.statusKnown])).toEqual(
				Array(4).fill(['COMPLETED', true, undefined]),
			);
		},
	);
});

// "a list of verification payloads, one per submitted or found license": what is around the list is not shown.
describe('License: Verify', () => {
	const verify = (items: Array<{ zip?: unknown }>, credential: object = {}, more: object = {}) =>
		runNode({
			parameters: {
				resource: 'license',
				operation: 'verify',
				seller_id: sandbox.organization.sellerId,
				licensee_name: 'Acme Plumbing',
				licensee_state: 'IL',
				licensee_category: 'homeServices',
				licensee_id: 'PL-1234',
				additionalFields: { LenderId: sandbox.organization.id, licensee_zip5: '={{ $json.zip }}' },
				...more,
			},
			credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey, ...credential },
			items,
			onError: 'continueErrorOutput',
		});

	const payload = { license_number: 'PL-1234', license_status: '' };
	const none = { payloads: 0 };
	const namedNone = 'The service named no license. Check the name, the state, the address and the subcategory.';
	const usual = [
		['a list', [payload], [payload]],
		['a payload by itself', payload, [payload]],
		['a payload by itself with an empty list in it', { ...payload, disciplinary_actions: [] }, undefined],
		['a payload by itself with lists in it', { ...payload, actions: [{ id: 1 }], addresses: [{ id: 2 }] }, undefined],
		['a list in verifications', { verifications: [payload], licenses: [] }, [payload]],
		['a list in data', { data: [payload], total: 1 }, [payload]],
		['an empty list', [], [none]],
		['an empty list in results', { results: [] }, [none]],
	] as const;

	it.each(usual)('%s', async (_, body, expected) => {
		sandbox.faults.add({ path: /license-verification$/, method: 'GET', status: 200, body, times: Infinity });
		const { items, failed, hints } = await verify([{}, { zip: '1' }, {}]);
		expect(hints).toEqual([
			expect.stringMatching(/^1 of 3 items failed: .* \(.+, item 2 of 3\)\.$/),
			expected?.[0] === none ? namedNone : expect.stringMatching(/^Ordered/),
		]);
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

	it('a profile without a lender fails its item, which names the field', async () => {
		const body = { ...profile, lender: null };
		sandbox.faults.add({ path: '/v1/users/me', status: 200, body, times: Infinity });
		const { failed } = await verify([{}], {}, { additionalFields: {} });
		expect(failed.map(({ json }) => json.error)).toEqual([
			{
				message: "The user profile has no lender. Choose one in 'Lender'",
				description: 'Nothing was submitted for it.',
				...{ itemIndex: 0, kind: 'settings', parameter: 'additionalFields.LenderId' },
			},
		]);
	});

	it('a profile that cannot be read fails its item, and the next one asks for it again', async () => {
		sandbox.faults.add({ path: '/v1/users/me', status: 418, times: 1 });
		const ownLender = { additionalFields: {}, options: { advanced: { concurrency: 1 } } };
		const { items, failed } = await verify([{}, {}, {}], {}, ownLender);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
		expect(sandbox.requests.filter(({ path }) => path === '/v1/users/me')).toHaveLength(2);
	});
});

describe('Inquiry: Download PDF', () => {
	it('says where a response is that has no PDF', async () => {
		const [one, two, three] = sandbox.inquiries.seed(3);
		sandbox.faults.add({ path: `/v1/inquiries/${one}/pdf`, status: 200, body: { state: 'queued' } });
		sandbox.faults.add({ path: `/v1/inquiries/${two}/pdf`, status: 200, body: '' });
		const { items, hints } = await run(
			{ resource: 'inquiry', operation: 'downloadPdf', inquiryId: '={{ $json.inquiry }}' },
			{ inquiry: one },
			{ inquiry: two },
			{ inquiry: three },
		);
		expect(items.map(({ json, binary }) => [json.answer, binary !== undefined])).toEqual([
			[{ state: 'queued' }, false],
			['', false],
			[undefined, true],
		]);
		expect(hints).toEqual([
			"The response of the service has no PDF, so there is no file. The response is in 'answer'. The inquiry may still be running.",
		]);
	});
});
