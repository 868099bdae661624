import type { INodeParameters } from 'n8n-workflow';
import { type Organization } from '../../sandbox';
import { sandbox, submitElsewhere, useSandbox } from '../harness/sandbox';
import { hurry } from '../harness/hurry';
import { callTool, runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

// Wherever an inquiry is asked for, people can give the ID that they know: their own.

let organization: Organization;
beforeAll(hurry);
useSandbox();
beforeEach(() => {
	organization = sandbox.addOrganization();
	sandbox.requests.clear();
});

const byExternalId = { __rl: true, mode: 'externalId', value: '={{ $json.crm }}' };
const operation = (name: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'inquiry',
	operation: name,
	inquiryId: byExternalId,
	...more,
});
const run = (parameters: INodeParameters, ...items: Array<Record<string, unknown>>) =>
	runNode({
		parameters,
		credential: { baseUrl: sandbox.url, apiKey: organization.apiKey },
		items,
		onError: 'continueErrorOutput',
	});

async function submit(externalId: string, businessName = 'Acme'): Promise<string> {
	const id = await submitElsewhere({ businessName, externalId }, organization);
	sandbox.requests.clear();
	return id;
}
const asked = () => sandbox.requests.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, 'ID')}`);
const problem = ({ json }: { json: Record<string, unknown> }) => json.error as { message: string };

it.each([
	['get', {}, 'GET /v1/inquiries/ID'],
	['wait', {}, 'GET /v1/inquiries/ID'],
	['downloadPdf', {}, 'GET /v1/inquiries/ID/pdf'],
	['addPrincipal', { lastName: 'Smith' }, 'POST /v1/inquiries/ID/principals'],
	[
		'addLicense',
		{ licenseName: 'A', licenseId: '1', licenseState: 'IL', licenseCategory: 'plumbing' },
		'POST /v1/inquiries/ID/licenses',
	],
	['addFiling', { sosId: '1', sosState: 'IL' }, 'POST /v1/inquiries/ID/filings'],
])('%s takes one search more', async (name, more, own) => {
	await submit('crm-12');
	const id = await submit('crm-1');
	sandbox.clock.advance(60_000);
	const { items, failed } = await run(operation(name, more), { crm: 'crm-1' }, { crm: ' ' });
	const took = [...items, ...failed].map(({ json }) => json.inquiryId ?? json.id ?? problem({ json }).message);
	expect(took).toEqual([id, expect.stringContaining("'Inquiry' is required")]);
	expect(asked()).toEqual(['GET /v1/inquiries/', own]);
});

it.each([
	['retryFailed', {}, 'POST /v1/inquiries/ID/retry-failed'],
	['retryProcess', { taskId: 'il-sos' }, 'POST /v1/inquiries/ID/processes/il-sos/retry'],
])('%s runs the inquiry of that ID again, and bills nothing for one that is not there', async (name, more, own) => {
	const id = await submit('crm-1');
	const answer = { id: 'p-1', taskId: 'il-sos', status: 'PENDING', inquiryId: 'of the service' };
	sandbox.faults.add({ method: 'POST', path: /retry/, status: 200, body: answer, times: 2 });
	const { items, failed } = await run(operation(name, more), { crm: 'crm-1' }, { crm: 'crm-9' });
	expect(items.map(({ json }) => [json.inquiryId, json.taskId])).toEqual([[id, 'il-sos']]);
	expect(failed.map((item) => problem(item).message)).toEqual(["No inquiry with external ID 'crm-9' was found"]);
	expect(asked().sort()).toEqual(['GET /v1/inquiries/', 'GET /v1/inquiries/', own]);
});

it('says that there is none, and never takes one that is only alike', async () => {
	await submit('CRM-1');
	const id = await submit('crm-12');
	const { items, failed } = await run(operation('get'), { crm: 'crm-1' }, { crm: 'crm-12' });
	expect(items.map(({ json }) => json.id)).toEqual([id]);
	expect(failed.map(problem)).toEqual([
		{
			message: "No inquiry with external ID 'crm-1' was found",
			description:
				"External IDs are compared exactly. For an ID of the service, choose 'By ID'. If the business was never submitted, 'Inquiry: Create' submits it, which is billed.",
			kind: 'row',
			parameter: 'inquiryId',
			itemIndex: 0,
		},
	]);
});

it.each([
	['a list without IDs', { listRowsId: 'none' }, 'a listed inquiry has no ID'],
	['201 matches without external IDs', { listRowsExternalId: false }, 'the list shows no external IDs'],
])('says that it cannot tell: %s', async (_, switches, why) => {
	Object.assign(sandbox.switches, switches);
	sandbox.inquiries.seed(201, { businessName: 'crm-1', organizationId: organization.id });
	await submit('crm-1');
	const { failed } = await run(operation('addPrincipal', { lastName: 'Smith' }), { crm: 'crm-1' }, { crm: 'crm-1' });
	const told = {
		message: `Could not check for an existing inquiry with external ID 'crm-1': ${why}`,
		description: "Nothing was submitted for it. Search for it with 'Get Many', and enter its ID.",
		...{ kind: 'settings', parameter: 'inquiryId' },
	};
	expect(failed.map(problem)).toEqual([0, 1].map((itemIndex) => ({ ...told, itemIndex })));
	expect(sandbox.ledger.count('principal')).toBe(0);
});

it.each([
	[true, 'Acme, 2026-03-02 09:00 UTC'],
	[false, '2026-03-02 09:00 UTC'],
])(
	'of several, reads take the newest and say so; additions are refused (rows with the ID and the name: %s)',
	async (shows, made) => {
		Object.assign(sandbox.switches, { listRowsExternalId: shows, echoBusinessName: shows });
		sandbox.clock.set(Date.parse('2026-03-02T09:00:00Z'));
		const older = await submit('crm-1');
		sandbox.clock.advance(1000);
		const newer = await submit('crm-1');
		sandbox.clock.advance(60_000);
		const read = await run(operation('get'), { crm: 'crm-1' }, { crm: 'crm-2' });
		expect(read.hints).toEqual([
			"1 of 2 items failed: No inquiry with external ID 'crm-2' was found (item 2 of 2).",
			`2 inquiries have the external ID 'crm-1'. The newest, ${newer} (${made}), was taken, not ${older} (${made}).`,
		]);
		expect([read.items.map(({ json }) => json.id), read.failed.length]).toEqual([[newer], 1]);
		const added = await run(operation('addPrincipal', { lastName: 'Smith' }), { crm: 'crm-1' }, { crm: 'crm-2' });
		expect(added.failed.map(problem)).toMatchObject([
			{
				message: `2 inquiries have the external ID 'crm-1': ${newer} (${made}), ${older} (${made})`,
				description:
					"Nothing was submitted for it. Choose 'By ID' and enter one of these IDs. The first is the newest.",
				...{ itemIndex: 0, parameter: 'inquiryId' },
			},
			{ message: "No inquiry with external ID 'crm-2' was found" },
		]);
		expect(sandbox.ledger.count('principal')).toBe(0);
	},
);

it('finds what this process has just created, before the search and a read show it', async () => {
	Object.assign(sandbox.switches, { searchDelayMs: 60_000, readDelayMs: 3_000 });
	const made = await run(
		{ ...newInquiry, externalId: '={{ $json.crm }}', options: { advanced: { lookUpWait: 0 } } },
		{ name: 'Acme', crm: 'crm-1' },
		{ name: 'Beta', crm: 'crm-2' },
	);
	const waits = operation('wait', { waitingOptions: { maxWait: 0.2, onTimeout: 'lastState' } });
	const { items, failed } = await run(waits, { crm: 'crm-2' }, { crm: 'crm-1' }, { crm: 'crm-3' });
	expect(items.map(({ json }) => json.id)).toEqual(made.items.map(({ json }) => json.id).reverse());
	expect(failed).toHaveLength(1);
});

it('asks once for all items with one ID, and once for each of others', async () => {
	await submit('crm-1');
	await submit('crm-2');
	await run(operation('get'), ...Array.from({ length: 10 }, (_, place) => ({ crm: `crm-${1 + (place % 2)}` })));
	expect([asked().filter((one) => one === 'GET /v1/inquiries/').length, asked().length]).toEqual([2, 12]);
});

it('what an earlier node created is waited for although it is not found yet, and an ID from elsewhere is not', async () => {
	const [created, other] = sandbox.inquiries.seed(2, { organizationId: organization.id });
	for (const id of [created, other]) sandbox.faults.add({ path: `/v1/inquiries/${id}`, status: 404, times: 1 });
	const inquiryId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const waits = operation('wait', { inquiryId, waitingOptions: { pollInterval: 1 } });
	const { items, failed } = await run(waits, { id: created, status: 'PLANNING' }, { id: other });
	expect(items.map(({ json }) => [json.id, json.status])).toEqual([[created, 'COMPLETED']]);
	expect(failed.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([[other, { item: 1 }]]);
});

it.each([
	['addPrincipal', { lastName: 'Smith' }],
	['addFiling', { sosId: '1', sosState: 'IL' }],
])('%s whose wait runs out names what was added, and the inquiry', async (name, more) => {
	const inquiry = await submit('crm-1');
	const waits = { waitForCompletion: true, waitingOptions: { maxWait: 0 } };
	const { failed } = await run(operation(name, { ...more, ...waits }), { crm: 'crm-1' }, { crm: 'crm-x' });
	const { message, description } = problem(failed[0]) as { message: string; description: string };
	expect(message).toContain(`Inquiry ${inquiry} did not finish within 0 minutes`);
	expect(description).toMatch(/It was submitted and billed \([\da-f]{8}-[\da-f-]{27}\)/);
	expect(description).not.toContain(inquiry);
});

it('a PDF is named by the external ID it was asked for by, or that its item has', async () => {
	const slashed = await submit('a/b\\:*?"<>|\n1');
	const plain = await submit('crm-1');
	const named = (parameters: INodeParameters, ...items: Array<Record<string, unknown>>) =>
		run(operation('downloadPdf', parameters), ...items);
	const found = await named({}, { crm: 'a/b\\:*?"<>|\n1' }, { crm: 'crm-x' });
	const ofItem = await named(
		{ inquiryId: '={{ $json.id }}' },
		{ id: plain, status: 'COMPLETED', externalId: 'crm-1' },
		{ id: slashed, externalId: 'of a CRM' },
	);
	expect([...found.items, ...ofItem.items].map(({ json }) => json.fileName)).toEqual([
		'inquiry-a_b_________1.pdf',
		'inquiry-crm-1.pdf',
		`inquiry-${slashed}.pdf`,
	]);
});

it('in a tool, its author can have the model give it', async () => {
	await submit('crm-1');
	const call = (value: string) =>
		callTool({
			parameters: operation('get', {
				inquiryId: { __rl: true, mode: 'externalId', value: "={{ $fromAI('externalId', 'External ID', 'string') }}" },
			}),
			credential: { baseUrl: sandbox.url, apiKey: organization.apiKey },
			given: { externalId: value },
			executionId: 'e1',
		});
	expect(await call('crm-1')).toContain('"externalId":"crm-1"');
	expect(await call('crm-9')).toContain("No inquiry with external ID 'crm-9' was found");
});
