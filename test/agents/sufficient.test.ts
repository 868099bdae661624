import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';
import { acme } from '../harness/newInquiry';

/** Whether the answer of each tool says what a person would ask an agent for, in words of its own. */
const license = { licenseName: 'Acme', licenseId: 'PL-1', licenseState: 'IL', licenseCategory: 'plumbing' };
const list = (count: number) =>
	JSON.stringify(Array.from({ length: count }, (_, index) => ({ ...acme, businessName: `Business ${index + 1}` })));
const seller = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };
const verify = { seller_id: '{seller}', licensee_name: 'Acme', licensee_state: 'IL', licensee_category: 'healthcare' };
const march = { created_at_from: '2026-03-01T00:00:00Z', created_at_to: '2026-04-01T00:00:00Z' };
const uuid = /^[0-9a-f-]{36}$/;

/** The tool, the arguments that a model gives it, and where in the answer stands what. `{done}` stands for what the test has made. */
const asked: Array<[tool: string, given: Record<string, string>, facts: Record<string, unknown>]> = [
	[
		'inquiry_create',
		{ ...acme, businessEin: '12' },
		{
			...{ id: uuid, status: 'PLANNING', isFinal: false },
			nextStep:
				"'EIN' does not have nine digits as in 12-3456789. It is not corrected. Submitted and not finished yet: do not submit it again. 'Wait for inquiry' waits for it. 'Get inquiry' reads it later.",
		},
	],
	['inquiry_get', { inquiryId: '{done}' }, { status: 'COMPLETED' }],
	[
		'inquiry_get',
		{ inquiryId: '{partial}', detail: 'processes' },
		{ 'processStatuses.{task}': { processType: 'PUBLIC_REVIEWS', status: 'FAILED', phase: 'SOURCE' } },
	],
	[
		'inquiry_get',
		{ inquiryId: '{done}', detail: 'businesses' },
		{ 'businesses.0': { name: 'Acme Trading LLC 1', city: 'Springfield', state: 'IL' }, scorecardScore: 82 },
	],
	['inquiry_wait', { inquiryId: '{partial}' }, { isFinal: true, status: 'PARTIAL_SUCCESS' }],
	['inquiry_getAll', { search: 'crm-4711' }, { total: 1, '0.id': '{done}', '0.externalId': 'crm-4711' }],
	['inquiry_getAll', { status: 'PLANNING, FAILED', ...march }, { total: 1, '0.id': '{failed}', '0.status': 'FAILED' }],
	['inquiry_getAll', { search: 'nobody' }, { total: 0, shown: 0, thirdPartyData: [] }],
	[
		'inquiry_addPrincipal',
		{ inquiryId: '{done}', firstName: 'John', lastName: 'Smith', dob: '1980-12-31' },
		{ firstName: 'John', lastName: 'Smith', dob: '1980-12-31', inquiryId: '{done}', nextStep: /^Accepted/ },
	],
	['inquiry_addLicense', { inquiryId: '{done}', ...license }, { licenseId: 'PL-1', nextStep: /^Accepted/ }],
	[
		'inquiry_addFiling',
		{ inquiryId: '{done}', sosId: '20261234567', sosState: 'IL' },
		{ processType: 'REGISTRYLINK_SOS', status: 'QUEUED', nextStep: /^Accepted/ },
	],
	[
		'inquiry_downloadPdf',
		{ inquiryId: '{done}' },
		{ fileName: 'inquiry-{done}.pdf', mimeType: 'application/pdf', nextStep: /the file is in the field 'data'/ },
	],
	[
		'inquiry_retryFailed',
		{ inquiryId: '{partial}' },
		{ taskId: '{task}', status: 'QUEUED', attemptNumber: 2, nextStep: /^Accepted.*'Wait for inquiry' waits for it/ },
	],
	[
		'inquiry_retryProcess',
		{ inquiryId: '{partial}', taskId: '{task}' },
		{ taskId: '{task}', status: 'QUEUED', attemptNumber: 2, nextStep: /^Accepted/ },
	],
	[
		'inquiry_check',
		{ ...acme, businessCity: '' },
		{
			...{ readyToSubmit: false, 'problems.0': { field: 'businessCity', reason: "'City' is required" } },
			nextStep:
				'This checked the form only and says nothing about the business. Correct what problems names, then check again.',
		},
	],
	[
		'inquiry_check',
		{ ...acme, businessPhone: '503-555-0100' },
		{
			...{ 'body.businessPhone': '503-555-0100', readyToSubmit: true },
			nextStep:
				"This checked the form only and says nothing about the business. 'Create inquiry to verify business' submits it, which costs money.",
		},
	],
	[
		'batch_submit',
		{ name: 'Twelve', rowsJson: list(12) },
		{ shown: 12, '11.batchId': uuid, nextStep: /'Wait for batch' with a batchId waits for the results/ },
	],
	[
		'batch_get',
		{ batchId: '{batch}' },
		{ batchName: 'March leads', total: 4, completed: 2, failed: 1, donePercent: 75, isFinal: false },
	],
	[
		'batch_getAll',
		{},
		{ total: 2, '0.batchName': 'April leads', '1.batchName': 'March leads', '1.batchId': '{batch}' },
	],
	[
		'batch_getInquiries',
		{ batchId: '{batch}' },
		{ total: 4, '0.externalId': 'lead-1', '0.status': 'COMPLETED', '2.status': 'FAILED', '3.status': 'RUNNING' },
	],
	[
		// The API documentation gives the rows of a batch no score.
		'batch_getInquiries',
		{ batchId: '{finishedBatch}' },
		{
			'0.id': '{firstOfBatch}',
			nextStep: "'Get inquiry' with an id reads its score and what was found.",
		},
	],
	['batch_wait', { batchId: '{finishedBatch}' }, { isFinal: true, completed: 2 }],
	[
		'sellerSearch_submit',
		seller,
		{
			requestId: uuid,
			nextStep:
				"Ordered: do not order it again. The report goes to the callback URL. 'Get status of seller search' tells whether it is finished. 'Get result of seller search' reads the report then.",
		},
	],
	[
		'sellerSearch_getStatus',
		{ requestId: '{search}' },
		{ status: 'complete', isFinal: true, nextStep: "'Get result of seller search' reads the report." },
	],
	[
		'sellerSearch_getResult',
		{ requestId: '{search}' },
		{ 'match.score': 0.97, 'seller.name': 'Acme', seller_id: uuid },
	],
	[
		'license_verify',
		{ ...verify, licensee_id: 'H-1' },
		{
			'0.verification_id': uuid,
			nextStep: 'Ordered: do not order it again. Fields stay blank while the verification is in progress.',
		},
	],
	['user_getProfile', {}, { 'lender.name': 'Lender 1', firstName: 'Robin', email: 'analyst@lender-1.example' }],
];

useSandbox();

/** The process remembers what agents have submitted, by their account, which a gateway tells by a header. */
let calls = 0;

async function answerOf(tool: string, given: object): Promise<Record<string, any>> {
	const [resource, operation] = tool.split('_');
	const credential = {
		baseUrl: sandbox.url,
		apiKey: sandbox.organization.apiKey,
		extraHeaders: JSON.stringify({ 'X-Request': String(++calls) }),
		sellerStatusPath: '/external/api/v1/seller-detailed/{request_id}/status',
		sellerResultPath: '/external/api/v1/seller-detailed/{request_id}',
	};
	const authored: Record<string, object> = {
		sellerSearch_submit: { callback: `${sandbox.url}/nobody` },
		batch_submit: { options: { advanced: { lookUpWait: 0 } } },
	};
	const parameters = { resource, operation, ...authored[tool] };
	const { items } = await runNode({ parameters, credential, asTool: true, items: [{ ...given }] });
	return items[0].json;
}

/** What is there when the person asks, by the names that the table uses. */
async function scene(): Promise<Record<string, string>> {
	sandbox.reset();
	sandbox.switches.lifecycle = 'manual';
	sandbox.switches.sellerCompleteAtOnce = true;
	const { inquiries, organization } = sandbox;
	const one = (externalIdPrefix: string, more: Parameters<typeof inquiries.seed>[1]) =>
		inquiries.seed(1, { externalIdPrefix, ...more })[0];
	const done = one('crm-471', { businessName: 'Acme Trading LLC', scorecardScore: 82 });
	const partial = one('pine-', { businessName: 'Pine Tree Dairy', status: 'RUNNING' });
	inquiries.finish(partial, 'PARTIAL_SUCCESS');
	const createdFrom = Date.parse('2026-03-02T10:00:00Z');
	const failed = one('inn-', { status: 'FAILED', createdFrom });
	const batch = inquiries.seedBatch('March leads', 4, { status: 'RUNNING', externalIdPrefix: 'lead-' });
	const [first, second, third] = [1, 2, 3].map((row) => inquiries.find(`lead-${row}`)[0].id);
	for (const id of [first, second]) inquiries.finish(id);
	inquiries.finish(third, 'FAILED');
	sandbox.clock.advance(60_000);
	const finishedBatch = inquiries.seedBatch('April leads', 2, { externalIdPrefix: 'shop-' });
	const address = { address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };
	const ordered = await answerOf('sellerSearch_submit', { name: 'Acme', ...address });
	// As a model finds out what it may retry.
	const { thirdPartyData } = await answerOf('inquiry_get', { inquiryId: partial, detail: 'processes' });
	const { processStatuses } = thirdPartyData;
	const search = ordered.thirdPartyData.requestId;
	return {
		...{ done, partial, failed, batch, finishedBatch, search },
		firstOfBatch: inquiries.find('shop-1')[0].id,
		task: Object.entries<{ status: string }>(processStatuses).find(([, { status }]) => status === 'FAILED')![0],
		seller: organization.sellerId,
	};
}

it.each(asked)('the answer of %s to %j says what was asked for', async (tool, given, facts) => {
	const names = await scene();
	const named = <T>(value: T): T =>
		JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name: string) => names[name] ?? all));
	const answer = await answerOf(tool, named(given));
	for (const [path, expected] of Object.entries(facts)) {
		const steps = path.split('.').map(named);
		const told = steps.reduce<any>((place, step) => place?.[step], steps[0] in answer ? answer : answer.thirdPartyData);
		if (expected instanceof RegExp) expect(told).toMatch(expected);
		else expect([path, told]).toEqual([path, named(expected)]);
	}
});
