import { acme } from '../harness/newInquiry';

/** Where a fact stands in an answer, and what it has to be. */
type Facts = Record<string, unknown>;

interface Request {
	/** As people type it. */
	says: string;
	/** The tool that does it, and the arguments that a model gives it. */
	tool: string;
	given: Record<string, string>;
	/** Where in the answer the person is answered. `{done}` and the like stand for what the test has made. */
	facts: Facts;
}

const row = (says: string, tool: string, given: Request['given'], facts: Facts): Request => ({
	...{ says, tool, given, facts },
});

const harbor = { businessName: 'Harbor Bikes LLC', businessCity: 'Portland', businessState: 'OR' };
const list = (count: number) =>
	JSON.stringify(Array.from({ length: count }, (_, index) => ({ ...acme, businessName: `Business ${index + 1}` })));
const seller = { name: 'Acme', address_line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip5: '62701' };

/** The first half was written before the texts of the tools, the second by a reader of the list of tools alone. */
export const requests: Request[] = [
	row('Can you verify Acme Trading LLC in Springfield, IL?', 'inquiry_create', acme, {
		...{ id: /^[0-9a-f-]{36}$/, status: 'PLANNING', isFinal: false },
		nextStep: /'Wait for inquiry' waits for it/,
	}),
	row(
		'What is the status of inquiry 3f0c9a52?',
		'inquiry_get',
		{ inquiryId: '{done}' },
		{
			status: 'COMPLETED',
		},
	),
	row(
		'Why did the inquiry of Acme fail? What exactly failed?',
		'inquiry_get',
		{ inquiryId: '{partial}', detail: 'processes' },
		{
			status: 'PARTIAL_SUCCESS',
			'processStatuses.{task}': { processType: 'PUBLIC_REVIEWS', status: 'FAILED', phase: 'SOURCE' },
		},
	),
	row(
		'Keep an eye on the inquiry until it finishes',
		'inquiry_wait',
		{ inquiryId: '{done}' },
		{
			...{ isFinal: true, status: 'COMPLETED' },
		},
	),
	row(
		'Find the inquiry that we made for Pine Tree Dairy last week',
		'inquiry_getAll',
		{ search: 'Pine Tree Dairy' },
		{
			...{ total: 1, '0.id': '{partial}' },
		},
	),
	row(
		'Show all inquiries with status FAILED created this month',
		'inquiry_getAll',
		{ status: 'FAILED', created_at_from: '2026-03-01T00:00:00Z', created_at_to: '2026-04-01T00:00:00Z' },
		{ total: 1, '0.id': '{failed}', '0.status': 'FAILED' },
	),
	row(
		'Add the owner John Smith, born 1980-12-31, to this inquiry',
		'inquiry_addPrincipal',
		{ inquiryId: '{done}', firstName: 'John', lastName: 'Smith', dob: '1980-12-31' },
		{
			...{ firstName: 'John', lastName: 'Smith', dob: '1980-12-31' },
			...{ inquiryId: '{done}', nextStep: /^Accepted/ },
		},
	),
	row(
		'They hold a plumbing license in Illinois, add the license to the inquiry',
		'inquiry_addLicense',
		{
			...{ inquiryId: '{done}', licenseName: 'Acme', licenseId: 'PL-1', licenseState: 'IL' },
			licenseCategory: 'plumbing',
		},
		{ licenseId: 'PL-1', inquiryId: '{done}', nextStep: /^Accepted/ },
	),
	row(
		'Look up their Secretary of State filing 20261234567',
		'inquiry_addFiling',
		{ inquiryId: '{done}', sosId: '20261234567', sosState: 'IL' },
		{ processType: 'REGISTRYLINK_SOS', status: 'QUEUED', nextStep: /^Accepted/ },
	),
	row(
		'I need the PDF report',
		'inquiry_downloadPdf',
		{ inquiryId: '{done}' },
		{
			...{ fileName: 'inquiry-{done}.pdf', nextStep: /the file is in the field 'data'/ },
		},
	),
	row(
		'Retry everything that failed',
		'inquiry_retryFailed',
		{ inquiryId: '{partial}' },
		{
			...{ taskId: '{task}', status: 'QUEUED', attemptNumber: 2 },
			nextStep: /^Accepted/,
		},
	),
	row(
		'Retry only the license verification task',
		'inquiry_retryProcess',
		{ inquiryId: '{partial}', taskId: '{task}' },
		{ taskId: '{task}', status: 'QUEUED', nextStep: /^Accepted/ },
	),
	row(
		'Do we have enough data to submit this business?',
		'inquiry_check',
		{ ...acme, businessCity: '' },
		{
			...{ readyToSubmit: false, 'problems.0': { field: 'businessCity', reason: "'City' is required" } },
		},
	),
	row(
		'Verify these 12 businesses',
		'batch_submit',
		{ name: 'Twelve', rowsJson: list(12) },
		{
			...{ shown: 12, '11.batchId': /^[0-9a-f-]{36}$/ },
			nextStep: /'Wait for batch' with a batchId waits for the results/,
		},
	),
	row(
		'How far is the March leads batch?',
		'batch_get',
		{ batchId: '{batch}' },
		{
			...{ batchName: 'March leads', donePercent: 75, isFinal: false },
		},
	),
	row(
		'Which batches did we import?',
		'batch_getAll',
		{},
		{
			...{ total: 2, '0.batchName': 'April leads', '1.batchName': 'March leads' },
		},
	),
	row(
		'List the businesses in that batch and their status',
		'batch_getInquiries',
		{ batchId: '{batch}' },
		{
			...{ total: 4, '0.externalId': 'lead-1', '0.status': 'COMPLETED' },
			...{ '2.status': 'FAILED', '3.status': 'RUNNING' },
		},
	),
	row(
		'Wait until the batch is finished',
		'batch_wait',
		{ batchId: '{finishedBatch}' },
		{
			...{ isFinal: true, completed: 2 },
		},
	),
	row('Order a seller report on the marketplace seller Acme', 'sellerSearch_submit', seller, {
		...{ requestId: /^[0-9a-f-]{36}$/, nextStep: /^Ordered: do not order it again/ },
	}),
	row('Which lender does my account belong to?', 'user_getProfile', {}, { lenderName: 'Lender 1' }),

	row('Vet and onboard Harbor Bikes LLC from Portland, OR', 'inquiry_create', harbor, {
		...{ id: /^[0-9a-f-]{36}$/, businessName: 'Harbor Bikes LLC' },
		nextStep: /'Wait for inquiry' waits for it/,
	}),
	row(
		'How many inquiries are running right now?',
		'inquiry_getAll',
		{ status: 'PLANNING, RUNNING, ENRICHING' },
		{
			total: 1,
		},
	),
	row(
		'Which inquiry has the external ID crm-4711?',
		'inquiry_getAll',
		{ search: 'crm-4711' },
		{
			...{ total: 1, '0.id': '{done}', '0.externalId': 'crm-4711' },
		},
	),
	row(
		'What was found about the company in this inquiry, and what is its score?',
		'inquiry_get',
		{ inquiryId: '{done}', detail: 'businesses' },
		{
			'businesses.0': { name: 'Acme Trading LLC 1', city: 'Springfield', state: 'IL' },
			scorecardScore: 82,
		},
	),
	row(
		'Which checks would a phone number unlock, and are the data complete?',
		'inquiry_check',
		{ ...harbor, businessPhone: '503-555-0100' },
		{ unlocks: ['phone verification'], readyToSubmit: true },
	),
	row(
		'Run the failed address task once more',
		'inquiry_retryProcess',
		{ inquiryId: '{partial}', taskId: '{task}' },
		{ taskId: '{task}', attemptNumber: 2 },
	),
	row(
		'Everything in the inquiry failed, run it all again',
		'inquiry_retryFailed',
		{ inquiryId: '{failed}' },
		{
			...{ inquiryId: '{failed}', status: 'QUEUED', nextStep: /^Accepted.*'Wait for inquiry' waits for it/ },
		},
	),
	row(
		'An officer is missing: add Jane Doe',
		'inquiry_addPrincipal',
		{ inquiryId: '{done}', firstName: 'Jane', lastName: 'Doe' },
		{
			...{ lastName: 'Doe', nextStep: /'Wait for inquiry' waits for it/ },
		},
	),
	row(
		'Their registration number with the Secretary of State is 4711',
		'inquiry_addFiling',
		{ inquiryId: '{done}', sosId: '4711', sosState: 'IL' },
		{ inquiryId: '{done}', nextStep: /^Accepted/ },
	),
	row(
		'Make a PDF file for people to read',
		'inquiry_downloadPdf',
		{ inquiryId: '{done}' },
		{
			...{ mimeType: 'application/pdf', nextStep: /a workflow downloads it with 'Download PDF'/ },
		},
	),
	row(
		'Tell me as soon as the inquiry finishes',
		'inquiry_wait',
		{ inquiryId: '{partial}' },
		{
			...{ isFinal: true, status: 'PARTIAL_SUCCESS' },
		},
	),
	row(
		'Submit these rows as one batch',
		'batch_submit',
		{ name: 'Rows', rowsJson: list(2) },
		{
			...{ shown: 2, '0.batchId': /^[0-9a-f-]{36}$/ },
		},
	),
	row(
		'How many of the batch are done, how many failed?',
		'batch_get',
		{ batchId: '{batch}' },
		{
			...{ total: 4, completed: 2, failed: 1 },
		},
	),
	row(
		'Which batchId has the batch called March leads?',
		'batch_getAll',
		{},
		{
			...{ '1.batchName': 'March leads', '1.batchId': '{batch}' },
		},
	),
	// The API documentation gives the rows of a batch no score.
	row(
		'The score of each business of the batch',
		'batch_getInquiries',
		{ batchId: '{finishedBatch}' },
		{
			...{ '0.id': '{firstOfBatch}', nextStep: /'Get inquiry' with an id reads its score/ },
		},
	),
	row(
		'Is the seller search req-1 complete yet?',
		'sellerSearch_getStatus',
		{ requestId: '{search}' },
		{
			...{ status: 'complete', isFinal: true },
		},
	),
	row(
		'What does the Seller Report of req-1 say?',
		'sellerSearch_getResult',
		{ requestId: '{search}' },
		{
			...{ 'match.score': 0.97, 'seller.name': 'Acme' },
		},
	),
	row(
		'Read me the Seller Report with its seller_id',
		'sellerSearch_getResult',
		{ requestId: '{search}' },
		{
			seller_id: /^[0-9a-f-]{36}$/,
		},
	),
	row(
		'Verify the healthcare license of seller-1',
		'license_verify',
		{
			...{ seller_id: '{seller}', licensee_name: 'Acme', licensee_state: 'IL' },
			...{ licensee_category: 'healthcare', licensee_id: 'H-1' },
		},
		{ '0.verification_id': /^[0-9a-f-]{36}$/, nextStep: /^Ordered: do not order it again/ },
	),
	row(
		'Which user does this credential belong to?',
		'user_getProfile',
		{},
		{
			...{ firstName: 'Robin', lastName: 'Analyst' },
			email: 'analyst@lender-1.example',
		},
	),
];
