/**
 * The interface document as a table: what each operation must send, and what must come out. Written from the document
 * alone; nothing here is derived from the code it tests. A new operation adds one row.
 *
 * Each call runs with two items. `={{ $json.inquiry }}` in a parameter is what a user would write; `{inquiry}` in an
 * expectation is the same item's inquiry.
 */
import type { INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import { resources } from '../../nodes/BusinessVerification/operations';
import { arrived, type Call, demanded, filled, type Row, runCall, type Wire, withItems } from './call';
import { twoWorlds, type World } from './fixture';

const many = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);
/** The same text for the first item and nothing, or another, for the second. */
const onlyFirst = (first: string, second = '') => `={{ $itemIndex === 0 ? '${first}' : '${second}' }}`;
const knownThenUnknown = (name: string) => `={{ $itemIndex === 0 ? $json.${name} : $json.unknown }}`;

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

const inquiryId = '={{ $json.inquiry }}';
const readInquiry: Wire = { request: 'GET /v1/inquiries/{inquiry}' };
const noSuchInquiry = {
	change: { inquiryId: knownThenUnknown('inquiry') },
	wire: [{ request: 'GET /v1/inquiries/{unknown}' }],
	error: { message: /no such inquiry/i, httpCode: 404 },
};

const business = { businessName: 'Acme Trading LLC', businessCity: 'Springfield', businessState: 'IL' };

const everyBusinessField = {
	...business,
	businessDba: 'Acme Coffee',
	businessEin: '12-3456789',
	businessAddressLine1: '1 Main Street',
	businessAddressLine2: 'Suite 200',
	businessZip: '02139',
	businessPhone: '+1 555 010 0100',
	businessEmail: 'owner@acme.example',
	businessDomain: 'acme.example',
	businessSosId: '20261234567',
	externalId: 'crm-4711',
};

const everyPrincipalField = {
	firstName: 'Nathan',
	middleName: 'Lee',
	lastName: 'Smith',
	suffix: 'Jr',
	dob: '1980-12-31',
	npi: '1234567893',
	phone: '+1 555 010 0101',
	email: 'nathan@acme.example',
	addr1: '2 Side Street',
	addr2: 'Floor 3',
	city: 'Springfield',
	state: 'IL',
	zip5: '02139',
	principalType: 'OWNER',
	ownershipPercentage: 51.5,
	searchNpi: true,
};

const license = { licenseName: 'Acme Plumbing', licenseId: 'PL-1234', licenseState: 'IL', licenseCategory: 'plumbing' };

/** "Each license entry needs license_name, license_id, license_state and license_category." */
const printedLicense = {
	license_name: 'Acme Plumbing',
	license_id: 'PL-1234',
	license_state: 'IL',
	license_category: 'plumbing',
};

const inquiryForm = {
	minimal: business,
	full: {
		...business,
		businessDba: 'Acme Coffee',
		externalId: 'crm-4711',
		additionalFields: {
			businessEin: '12-3456789',
			businessAddressLine1: '1 Main Street',
			businessAddressLine2: 'Suite 200',
			businessZip: '02139',
			businessPhone: '+1 555 010 0100',
			businessEmail: 'owner@acme.example',
			businessDomain: 'acme.example',
			businessSosId: '20261234567',
			tags: 'priority, partner',
		},
		principals: { row: [everyPrincipalField, { lastName: 'Jones' }] },
		licenses: { row: [license] },
	},
};

const fullInquiryBody = {
	...everyBusinessField,
	tags: ['priority', 'partner'],
	principals: [everyPrincipalField, { lastName: 'Jones' }],
	licenses: [printedLicense],
};

const processRecord = {
	id: uuid,
	taskId: expect.any(String),
	attemptNumber: expect.any(Number),
	processType: expect.any(String),
	status: expect.any(String),
	phase: expect.any(String),
	createdAt: moment,
};

const seller = {
	name: 'Acme Trading LLC',
	address_line_1: '1 Main Street',
	city: 'Springfield',
	state: 'IL',
	zip5: '02139',
};
const moreOfSeller = {
	alt_name: 'Acme Coffee',
	address_line_2: 'Suite 200',
	zip4: '0042',
	dpc: '01',
	ein: '12-3456789',
	phone: '+1 555 010 0100',
	alt_phone: '+1 555 010 0101',
	fax: '+1 555 010 0102',
	email: 'owner@acme.example',
	domain_name: 'acme.example',
};
const callback = 'https://n8n.example.com/webhook/seller-reports';
const wakeUrl = expect.stringMatching(/^http:\/\/127\.0\.0\.1\/\S+[\w-]{22}/);

const sellerPaths = {
	sellerStatusPath: '/external/api/v1/seller-detailed/{request_id}/status',
	sellerResultPath: '/external/api/v1/seller-detailed/{request_id}',
};

const rows: Record<string, Row> = {
	'inquiry.create': {
		minimal: {
			parameters: inquiryForm.minimal,
			wire: [{ request: 'POST /v1/inquiries/', body: business }],
			output: [{ id: uuid, status: 'PLANNING', isFinal: false, summary: 'Acme Trading LLC: PLANNING.' }],
		},
		full: {
			parameters: { ...inquiryForm.full, ifExternalIdExists: 'create', output: 'raw' },
			once: [{ request: 'GET /v1/users/me' }],
			wire: [{ request: 'POST /v1/inquiries/', body: fullInquiryBody }],
			output: [
				{ id: uuid, status: 'PLANNING', externalId: 'crm-4711', startedAt: null, completedAt: null, isFinal: false },
			],
		},
		refused: {
			change: { businessCity: onlyFirst('Springfield') },
			error: { message: /City.*required/, parameter: 'businessCity' },
		},
	},
	'inquiry.check': {
		minimal: {
			parameters: inquiryForm.minimal,
			wire: [],
			output: [{ readyToSubmit: true, problems: [], unlocks: [], body: business }],
		},
		full: {
			parameters: inquiryForm.full,
			wire: [],
			output: [{ readyToSubmit: true, problems: [], body: fullInquiryBody }],
		},
	},
	'inquiry.get': {
		minimal: {
			parameters: { inquiryId },
			wire: [readInquiry],
			output: [{ id: '{inquiry}', status: 'COMPLETED', isFinal: true, scorecardScore: 80 }],
		},
		full: {
			parameters: { inquiryId: { __rl: true, mode: 'id', value: inquiryId }, output: 'raw' },
			wire: [readInquiry],
			output: [{ id: '{inquiry}', progress: { stage: 'done' }, businesses: [{ city: 'Springfield' }] }],
		},
		refused: noSuchInquiry,
	},
	'inquiry.getAll': {
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/inquiries/', query: { limit: '50', offset: '0' } }],
			output: many(8, { id: uuid, isFinal: true }),
		},
		full: {
			parameters: {
				limit: 5,
				filters: {
					search: 'Acme',
					tags: 'priority, partner',
					status: ['COMPLETED', 'PARTIAL_SUCCESS'],
					created_at_from: '2000-01-31T09:00:00Z',
					created_at_to: '2100-01-31T10:00:00+01:00',
					source_filters: { row: [{ source: 'WATCHLISTS', value: 'CLEAR' }] },
					scorecard_score_min: 0,
					scorecard_score_max: 100,
				},
				sort: { sort_by: 'business_name', sort_order: 'asc' },
			},
			wire: [
				{
					request: 'GET /v1/inquiries/',
					query: {
						limit: '5',
						offset: '0',
						search: 'Acme',
						tags: 'priority,partner',
						status: 'COMPLETED,PARTIAL_SUCCESS',
						created_at_from: '2000-01-31T09:00:00.000Z',
						created_at_to: '2100-01-31T09:00:00.000Z',
						source_filters: 'WATCHLISTS:CLEAR',
						scorecard_score_min: '0',
						scorecard_score_max: '100',
						sort_by: 'business_name',
						sort_order: 'asc',
					},
				},
			],
			output: many(2, { status: 'COMPLETED', scorecardScore: 80 }),
		},
		refused: {
			change: { limit: '={{ $itemIndex === 0 ? 50 : 0 }}' },
			error: { message: /^'Limit' must be/, parameter: 'limit' },
		},
	},
	'inquiry.addPrincipal': {
		minimal: {
			parameters: { inquiryId, lastName: 'Smith' },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/principals', body: { lastName: 'Smith' } }],
			output: [{ id: uuid, lastName: 'Smith', status: expect.any(String), createdAt: moment, inquiryId: '{inquiry}' }],
		},
		full: {
			parameters: {
				inquiryId,
				lastName: 'Smith',
				additionalFields: (({ lastName: _, ...others }) => ({
					...others,
					businessPrincipalId: '={{ $json.unknown }}',
				}))(everyPrincipalField),
			},
			wire: [
				{
					request: 'POST /v1/inquiries/{inquiry}/principals',
					body: { ...everyPrincipalField, businessPrincipalId: '{unknown}' },
				},
			],
			output: [{ ...everyPrincipalField, businessPrincipalId: '{unknown}', inquiryId: '{inquiry}' }],
		},
		refused: {
			change: { lastName: onlyFirst('Smith') },
			error: { message: /'Last Name' or 'Business Principal ID' is required/, parameter: 'lastName' },
		},
	},
	'inquiry.addLicense': {
		minimal: {
			parameters: { inquiryId, ...license },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/licenses', body: license }],
			output: [{ ...license, source: 'reported', inquiryId: '{inquiry}' }],
		},
		full: {
			parameters: { inquiryId, ...license, additionalFields: { licenseSubcategory: 'master' } },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/licenses', body: { ...license, licenseSubcategory: 'master' } }],
			output: [{ ...license, licenseSubcategory: 'master', source: 'reported', inquiryId: '{inquiry}' }],
		},
		refused: {
			change: { licenseCategory: onlyFirst('plumbing') },
			error: { message: /License Category.*is required/, parameter: 'licenseCategory' },
		},
	},
	'inquiry.addFiling': {
		minimal: {
			parameters: { inquiryId, sosId: '20261234567', sosState: 'IL' },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/filings', body: { sosId: '20261234567', sosState: 'IL' } }],
			output: [{ ...processRecord, processType: expect.stringMatching(/_SOS$/), inquiryId: '{inquiry}' }],
		},
		full: {
			// A number, as a spreadsheet hands it over: "sosId (string, required)".
			parameters: { inquiryId, sosId: '={{ 20261234567 }}', sosState: ' IL ' },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/filings', body: { sosId: '20261234567', sosState: 'IL' } }],
			output: [{ ...processRecord, inquiryId: '{inquiry}' }],
		},
		refused: {
			change: { sosState: onlyFirst('IL', ' ') },
			error: { message: /State.*is required/, parameter: 'sosState' },
		},
	},
	'inquiry.downloadPdf': {
		minimal: {
			parameters: { inquiryId },
			wire: [{ request: 'GET /v1/inquiries/{inquiry}/pdf' }],
			output: [{ inquiryId: '{inquiry}', fileName: 'inquiry-{inquiry}.pdf', mimeType: 'application/pdf' }],
		},
		full: {
			parameters: { inquiryId, outputDataField: 'report', options: { fileName: 'acme.pdf' } },
			wire: [{ request: 'GET /v1/inquiries/{inquiry}/pdf' }],
			output: [{ inquiryId: '{inquiry}', fileName: 'acme.pdf', mimeType: 'application/pdf' }],
		},
		refused: { ...noSuchInquiry, wire: [{ request: 'GET /v1/inquiries/{unknown}/pdf' }] },
	},
	'inquiry.retryProcess': {
		minimal: {
			parameters: { inquiryId: '={{ $json.failedInquiry }}', taskId: '={{ $json.task }}' },
			wire: [{ request: 'POST /v1/inquiries/{failedInquiry}/processes/{task}/retry' }],
			output: [{ ...processRecord, taskId: '{task}', attemptNumber: 2, inquiryId: '{failedInquiry}' }],
		},
		full: {
			parameters: {
				inquiryId: { __rl: true, mode: 'id', value: '={{ $json.failedInquiry }}' },
				taskId: '={{ $json.task }}',
				options: { concurrency: 1, timeout: 30 },
			},
			wire: [{ request: 'POST /v1/inquiries/{failedInquiry}/processes/{task}/retry' }],
			output: [{ ...processRecord, taskId: '{task}', inquiryId: '{failedInquiry}' }],
		},
		refused: {
			change: { taskId: "={{ $itemIndex === 0 ? $json.task : 'a/b c' }}" },
			wire: [{ request: 'POST /v1/inquiries/{failedInquiry}/processes/a%2Fb%20c/retry' }],
			error: { message: /no process with this task_id/, httpCode: 404 },
		},
	},
	'inquiry.retryFailed': {
		minimal: {
			parameters: { inquiryId: '={{ $json.failedInquiry }}' },
			wire: [{ request: 'POST /v1/inquiries/{failedInquiry}/retry-failed' }],
			output: [{ ...processRecord, attemptNumber: 2, inquiryId: '{failedInquiry}' }],
		},
		full: {
			parameters: { inquiryId: { __rl: true, mode: 'list', value: '={{ $json.failedInquiry }}' } },
			wire: [{ request: 'POST /v1/inquiries/{failedInquiry}/retry-failed' }],
			output: [{ ...processRecord, inquiryId: '{failedInquiry}' }],
		},
		refused: {
			change: { inquiryId: '={{ $itemIndex === 0 ? $json.failedInquiry : $json.inquiry }}' },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/retry-failed' }],
			error: { message: /retryable errors/, httpCode: 409 },
		},
	},
	'inquiry.wait': {
		// The first look is at once: what has ended is not waited for.
		minimal: {
			parameters: { inquiryId },
			wire: [readInquiry],
			output: [{ id: '{inquiry}', status: 'COMPLETED', isFinal: true }],
		},
		full: {
			parameters: {
				inquiryId,
				output: 'raw',
				options: { maxWait: 1, pollInterval: 1, onTimeout: 'lastState', waitForBusinesses: 1 },
			},
			wire: [readInquiry],
			output: [{ id: '{inquiry}', isFinal: true, businesses: [{ state: 'IL' }] }],
		},
		refused: noSuchInquiry,
	},
	// The two items are two rows of one sheet: one batch, looked for before and after it is sent.
	'batch.submit': {
		minimal: {
			items: [
				{ 'Business Name': 'Acme Trading LLC', City: 'Springfield', State: 'IL' },
				{ 'Business Name': 'Acme Trading LLC', City: 'Chicago', State: 'IL' },
			],
			parameters: { name: 'March leads', options: { lookupGrace: 0 } },
			once: [
				...many(2, { request: 'GET /v1/batch-inquiries/', query: { limit: '500', offset: '0' } }),
				{
					request: 'POST /v1/batch-inquiries/',
					body: {
						name: expect.stringMatching(/^March leads\b/),
						inquiries: [business, { ...business, businessCity: 'Chicago' }],
					},
				},
			],
			wire: [],
			output: [{ State: 'IL', verification: { row: expect.any(Number), batchId: uuid, reused: false } }],
		},
		full: {
			items: ['crm-1', 'crm-2'].map((externalId) => ({
				...everyBusinessField,
				externalId,
				tags: 'priority, partner',
				principals: [everyPrincipalField, { lastName: 'Jones' }],
				licenses: JSON.stringify([printedLicense]),
			})),
			parameters: { name: 'March leads', outputPer: 'batch', options: { chunkSize: 1, lookupGrace: 0 } },
			once: [
				// The first batch goes alone and is looked for before the others follow.
				...many(3, { request: 'GET /v1/batch-inquiries/', query: { limit: '500', offset: '0' } }),
				...['crm-1', 'crm-2'].map((externalId) => ({
					request: 'POST /v1/batch-inquiries/',
					body: { name: expect.stringMatching(/^March leads\b/), inquiries: [{ ...fullInquiryBody, externalId }] },
				})),
			],
			wire: [],
			output: [{ batchId: uuid, batchName: expect.stringMatching(/^March leads\b/), total: 1, reused: false }],
		},
		refused: {
			change: {},
			items: [
				{ 'Business Name': 'Acme Trading LLC', City: 'Springfield', State: 'IL' },
				{ 'Business Name': 'Acme Trading LLC', City: '', State: 'IL' },
			],
			once: [
				...many(2, { request: 'GET /v1/batch-inquiries/', query: { limit: '500', offset: '0' } }),
				{
					request: 'POST /v1/batch-inquiries/',
					body: { name: expect.stringMatching(/^March leads\b/), inquiries: [business] },
				},
			],
			error: { message: /Row 2.*City.*is required/, parameter: 'columns' },
		},
	},
	'batch.get': {
		minimal: {
			parameters: { batchId: '={{ $json.batch }}' },
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}' }],
			output: [
				{ batchId: '{batch}', total: 2, completed: 2, partialSuccess: 0, failed: 0, isFinal: true, donePercent: 100 },
			],
		},
		full: {
			parameters: { batchId: { __rl: true, mode: 'id', value: '={{ $json.batch }}' }, output: 'raw' },
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}' }],
			output: [{ batchId: '{batch}', planning: 0, running: 0, other: 0, progressPercentage: 100, isFinal: true }],
		},
		refused: {
			change: { batchId: knownThenUnknown('batch') },
			wire: [{ request: 'GET /v1/batch-inquiries/{unknown}' }],
			error: { message: /no such batch/i, httpCode: 404 },
		},
	},
	'batch.getAll': {
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/batch-inquiries/', query: { limit: '50', offset: '0' } }],
			output: many(2, { batchId: uuid, isFinal: true }),
		},
		full: {
			parameters: { returnAll: true, output: 'raw' },
			wire: [{ request: 'GET /v1/batch-inquiries/', query: { limit: '500', offset: '0' } }],
			output: many(2, { batchId: uuid, batchName: expect.stringMatching(/^Leads/), progressPercentage: 100 }),
		},
		refused: {
			change: { limit: onlyFirst('50', 'all') },
			error: { message: /Limit.*must be a number/, parameter: 'limit' },
		},
	},
	'batch.getInquiries': {
		minimal: {
			parameters: { batchId: '={{ $json.batch }}' },
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}/inquiries', query: { limit: '50', offset: '0' } }],
			output: many(2, { id: uuid, batchId: '{batch}', status: 'COMPLETED', isFinal: true }),
		},
		full: {
			parameters: { batchId: '={{ $json.batch }}', output: 'raw', limit: 1 },
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}/inquiries', query: { limit: '1', offset: '0' } }],
			output: [{ id: uuid, batchId: '{batch}', progress: { stage: 'done' } }],
		},
		refused: {
			change: { batchId: knownThenUnknown('batch') },
			wire: [{ request: 'GET /v1/batch-inquiries/{unknown}/inquiries', query: { limit: '50', offset: '0' } }],
			error: { message: /no such batch/i, httpCode: 404 },
		},
	},
	'batch.wait': {
		minimal: {
			parameters: { batchId: '={{ $json.batch }}' },
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}' }],
			output: [{ batchId: '{batch}', total: 2, completed: 2, isFinal: true, donePercent: 100 }],
		},
		full: {
			parameters: {
				batchId: '={{ $json.batch }}',
				output: 'raw',
				options: { maxWait: 1, pollInterval: 1, onTimeout: 'lastState' },
			},
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}' }],
			output: [{ batchId: '{batch}', isFinal: true, progressPercentage: 100 }],
		},
		refused: {
			change: { batchId: knownThenUnknown('batch') },
			wire: [{ request: 'GET /v1/batch-inquiries/{unknown}' }],
			error: { message: /no such batch/i, httpCode: 404 },
		},
	},
	'user.getProfile': {
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/users/me' }],
			output: [{ email: expect.any(String), lenderId: '{lender}', id: uuid, dateJoined: moment }],
		},
		full: {
			parameters: { output: 'raw', options: { concurrency: 2, timeout: 30 } },
			wire: [{ request: 'GET /v1/users/me' }],
			output: [
				{
					...{ id: uuid, lender: { id: '{lender}' }, availableLenders: [{ id: '{lender}' }], dateJoined: moment },
					...{ complianceAcceptDate: moment, isTestProfile: false, canManageTestProfiles: false },
				},
			],
		},
	},
	'user.acceptTerms': {
		minimal: {
			parameters: { confirm: true },
			wire: [{ request: 'POST /v1/users/me/accept-inquiry-terms' }],
			output: [{ accepted: true }],
		},
		full: {
			parameters: { confirm: '={{ true }}' },
			wire: [{ request: 'POST /v1/users/me/accept-inquiry-terms' }],
			output: [{ accepted: true }],
		},
		refused: {
			change: { confirm: '={{ $itemIndex === 0 }}' },
			error: { message: /nothing was sent/, parameter: 'confirm' },
		},
	},
	'user.getApiKey': {
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/users/me/api-key' }],
			output: [
				{
					apiKey: expect.not.stringMatching(/^bvk_/),
					name: 'Default key',
					isTest: false,
					discoveryLimit: 1_000_000,
					discoveryCount: expect.any(Number),
					isActive: true,
					expiresAt: moment,
					createdAt: moment,
				},
			],
		},
		full: {
			parameters: { reveal: true },
			wire: [{ request: 'GET /v1/users/me/api-key' }],
			output: [{ apiKey: expect.stringMatching(/^bvk_/), isActive: true }],
		},
	},
	'sellerSearch.submit': {
		minimal: {
			parameters: { ...seller, callback },
			wire: [{ request: 'POST /external/api/v1/seller-detailed', body: { ...seller, callback } }],
			output: [{ status: 'pending', request_id: uuid, requestId: uuid, isSigned: false }],
		},
		full: {
			parameters: { ...seller, callback, additionalFields: moreOfSeller },
			wire: [{ request: 'POST /external/api/v1/seller-detailed', body: { ...seller, ...moreOfSeller, callback } }],
			output: [{ status: 'pending', request_id: uuid }],
		},
		refused: {
			change: { callback: onlyFirst(callback, 'seller-reports') },
			error: { message: /Callback URL.*must be a full address/, parameter: 'callback' },
		},
	},
	// The execution sleeps until the report arrives, at an address of its own: n8n's, with a proof that nobody can guess.
	'sellerSearch.submitAndWait': {
		alone: true,
		minimal: {
			parameters: seller,
			wire: [{ request: 'POST /external/api/v1/seller-detailed', body: { ...seller, callback: wakeUrl } }],
			output: [{ request_id: uuid, requestId: uuid, status: 'timeout', isFinal: false }],
		},
		full: {
			parameters: { ...seller, additionalFields: moreOfSeller, ref: 'crm-4711', maxWaitHours: 1 },
			wire: [
				{ request: 'POST /external/api/v1/seller-detailed', body: { ...seller, ...moreOfSeller, callback: wakeUrl } },
			],
			output: [{ request_id: uuid, ref: 'crm-4711', isFinal: false }],
		},
	},
	'sellerSearch.getStatus': {
		credential: sellerPaths,
		minimal: {
			parameters: { requestId: '={{ $json.request }}' },
			wire: [{ request: 'GET /external/api/v1/seller-detailed/{request}/status' }],
			output: [{ status: 'complete', request_id: '{request}', requestId: '{request}', isFinal: true }],
		},
		full: {
			parameters: { requestId: '={{ $json.request }}', options: { timeout: 30 } },
			wire: [{ request: 'GET /external/api/v1/seller-detailed/{request}/status' }],
			output: [{ status: 'complete', isFinal: true }],
		},
		refused: {
			change: { requestId: knownThenUnknown('request') },
			wire: [{ request: 'GET /external/api/v1/seller-detailed/{unknown}/status' }],
			error: { message: /no such seller search/i, httpCode: 404 },
		},
	},
	'sellerSearch.getResult': {
		credential: sellerPaths,
		minimal: {
			parameters: { requestId: '={{ $json.request }}' },
			wire: [{ request: 'GET /external/api/v1/seller-detailed/{request}' }],
			output: [{ request_id: '{request}', seller_id: uuid, requestId: '{request}' }],
		},
		full: {
			parameters: { requestId: '={{ $json.request }}', options: { timeout: 30 } },
			wire: [{ request: 'GET /external/api/v1/seller-detailed/{request}' }],
			output: [{ seller_id: uuid }],
		},
		refused: {
			change: { requestId: knownThenUnknown('request') },
			wire: [{ request: 'GET /external/api/v1/seller-detailed/{unknown}' }],
			error: { message: /no such seller search/i, httpCode: 404 },
		},
	},
	'license.verify': {
		// "required for homeServices; recommended but optional for healthcare": the least there is, is healthcare.
		minimal: {
			parameters: {
				seller_id: '={{ $json.seller }}',
				licensee_name: 'Dana Doe',
				licensee_state: 'IL',
				licensee_category: 'healthcare',
			},
			once: [{ request: 'GET /v1/users/me' }],
			wire: [
				{
					request: 'GET /external/api/v1/license-verification',
					query: {
						LenderId: '{lender}',
						seller_id: '{seller}',
						licensee_name: 'Dana Doe',
						licensee_state: 'IL',
						licensee_category: 'healthcare',
					},
				},
			],
			// "the licenses of the closest matching practitioner are retrieved": the sandbox's has two.
			output: many(2, { license_status: '' }),
		},
		full: {
			parameters: {
				seller_id: '={{ $json.seller }}',
				licensee_name: 'Dana Doe',
				licensee_state: 'IL',
				licensee_category: 'healthcare',
				licensee_id: 'MD-1001',
				additionalFields: {
					LenderId: '={{ $json.lender }}',
					licensee_addr1: '1 Main Street',
					licensee_city: 'Springfield',
					licensee_zip5: '02139',
					licensee_subcategory: 'physicians',
				},
			},
			wire: [
				{
					request: 'GET /external/api/v1/license-verification',
					query: {
						LenderId: '{lender}',
						seller_id: '{seller}',
						licensee_name: 'Dana Doe',
						licensee_state: 'IL',
						licensee_id: 'MD-1001',
						licensee_category: 'healthcare',
						licensee_addr1: '1 Main Street',
						licensee_city: 'Springfield',
						licensee_zip5: '02139',
						licensee_subcategory: 'physicians',
					},
				},
			],
			output: [{ license_status: '' }],
		},
		refused: {
			change: { licensee_category: onlyFirst('healthcare', 'homeServices'), licensee_id: '={{ "" }}' },
			error: { message: /License ID.*required for home services/, parameter: 'licensee_id' },
		},
	},
};

/** Sentences of the document that a minimal and a full call do not meet. */
const more: Array<[sentence: string, operation: string, call: Call]> = [
	[
		'at least one of businessName or businessDba must be supplied: the DBA will do',
		'inquiry.create',
		{
			parameters: { businessDba: 'Acme Coffee', businessCity: 'Springfield', businessState: 'IL' },
			wire: [
				{
					request: 'POST /v1/inquiries/',
					body: { businessDba: 'Acme Coffee', businessCity: 'Springfield', businessState: 'IL' },
				},
			],
			output: [{ status: 'PLANNING' }],
		},
	],
	[
		'what an expression leaves blank is absent, not empty',
		'inquiry.create',
		{
			parameters: {
				...business,
				businessDba: '={{ $json.nothing }}',
				additionalFields: {
					businessEin: '={{ null }}',
					businessZip: '={{ "" }}',
					tags: '={{ [] }}',
					principalsJson: '={{ [] }}',
				},
				principals: { row: [] },
			},
			wire: [{ request: 'POST /v1/inquiries/', body: business }],
			output: [{ status: 'PLANNING' }],
		},
	],
	[
		'strings stay strings: numbers of a spreadsheet keep their zeros',
		'inquiry.create',
		{
			parameters: {
				...business,
				additionalFields: {
					businessEin: '={{ 12345678 }}',
					businessZip: '={{ 2139 }}',
					businessPhone: '={{ 5550100 }}',
				},
			},
			wire: [
				{
					request: 'POST /v1/inquiries/',
					body: { ...business, businessEin: '012345678', businessZip: '02139', businessPhone: '5550100' },
				},
			],
			output: [{ status: 'PLANNING' }],
		},
	],
	[
		'item shape of principals and licenses: not shown, so JSON goes out as it is',
		'inquiry.create',
		{
			parameters: {
				...business,
				additionalFields: {
					principalsJson: [{ lastName: 'Smith', ownershipPercentage: 0 }],
					licensesJson: JSON.stringify([printedLicense]),
				},
			},
			wire: [
				{
					request: 'POST /v1/inquiries/',
					body: {
						...business,
						principals: [{ lastName: 'Smith', ownershipPercentage: 0 }],
						licenses: [printedLicense],
					},
				},
			],
			output: [{ status: 'PLANNING' }],
		},
	],
	[
		'an owner of nothing is not an owner of unknown share',
		'inquiry.addPrincipal',
		{
			parameters: { inquiryId, lastName: 'Smith', additionalFields: { ownershipPercentage: 0, searchNpi: false } },
			wire: [
				{
					request: 'POST /v1/inquiries/{inquiry}/principals',
					body: { lastName: 'Smith', ownershipPercentage: 0, searchNpi: false },
				},
			],
			output: [{ ownershipPercentage: 0, searchNpi: false }],
		},
	],
	[
		'the request must include lastName or businessPrincipalId: the second will do',
		'inquiry.addPrincipal',
		{
			parameters: { inquiryId, additionalFields: { businessPrincipalId: '={{ $json.unknown }}' } },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/principals', body: { businessPrincipalId: '{unknown}' } }],
			output: [{ businessPrincipalId: '{unknown}' }],
		},
	],
	[
		'limit 1 to 500: everything is read in the largest pages, from the oldest on',
		'inquiry.getAll',
		{
			parameters: { returnAll: true },
			wire: [
				{
					request: 'GET /v1/inquiries/',
					query: { limit: '500', offset: '0', sort_by: 'created_at', sort_order: 'asc' },
				},
			],
			output: many(8, { isFinal: true }),
		},
	],
	[
		'licensee_id: required for homeServices',
		'license.verify',
		{
			parameters: {
				seller_id: '={{ $json.seller }}',
				licensee_name: 'Acme Plumbing',
				licensee_state: 'IL',
				licensee_category: 'homeServices',
				licensee_id: 'PL-1234',
				additionalFields: { licensee_addr1: '1 Main Street', licensee_city: 'Springfield', licensee_zip5: 2139 },
			},
			once: [{ request: 'GET /v1/users/me' }],
			wire: [
				{
					request: 'GET /external/api/v1/license-verification',
					query: {
						LenderId: '{lender}',
						seller_id: '{seller}',
						licensee_name: 'Acme Plumbing',
						licensee_state: 'IL',
						licensee_category: 'homeServices',
						licensee_id: 'PL-1234',
						licensee_addr1: '1 Main Street',
						licensee_city: 'Springfield',
						licensee_zip5: '02139',
					},
				},
			],
			output: [{ license_status: '' }],
		},
	],
];

/** Rules of the document that are enforced before anything is sent; the second item breaks them. */
const brokenRules: Array<[rule: string, operation: string, parameters: INodeParameters, message: RegExp]> = [
	[
		'at least one of businessName or businessDba',
		'inquiry.create',
		{ ...business, businessName: onlyFirst('Acme') },
		/Business Name.*DBA/,
	],
	['businessState is required', 'inquiry.create', { ...business, businessState: onlyFirst('IL') }, /State.*required/],
	[
		'each principal requires a last name',
		'inquiry.create',
		{ ...business, principals: { row: [{ lastName: onlyFirst('Smith'), firstName: 'Nathan' }] } },
		/Principals? .*1.*last ?name/i,
	],
	[
		'each license entry needs license_category',
		'inquiry.create',
		{ ...business, licenses: { row: [{ ...license, licenseCategory: onlyFirst('plumbing') }] } },
		/Licenses? .*1.*license_category/,
	],
	[
		'licenseId is required',
		'inquiry.addLicense',
		{ inquiryId, ...license, licenseId: onlyFirst('PL-1234') },
		/License ID.*is required/,
	],
	['sosId is required', 'inquiry.addFiling', { inquiryId, sosId: onlyFirst('1'), sosState: 'IL' }, /is required/],
	[
		'zip5 is required',
		'sellerSearch.submit',
		{ ...seller, callback, zip5: onlyFirst('02139') },
		/ZIP Code.*is required/,
	],
	[
		'the allowed healthcare subcategory values',
		'license.verify',
		{
			seller_id: '={{ $json.seller }}',
			licensee_name: 'Dana Doe',
			licensee_state: 'IL',
			licensee_category: 'healthcare',
			additionalFields: { LenderId: '={{ $json.lender }}', licensee_subcategory: onlyFirst('pt_ot', 'surgery') },
		},
		/Healthcare Subcategory.*must be one of/,
	],
];

let sandbox: Sandbox;
let worlds: [World, World];

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
	worlds = await twoWorlds(sandbox);
});

it('has a row for every operation', () => {
	const operations = Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}.${operation}`),
	);
	expect(Object.keys(rows).sort()).toEqual(operations.sort());
});

it('reaches every endpoint of the document', () => {
	const sent = Object.values(rows).flatMap(({ minimal: { wire, once = [] } }) =>
		[...wire, ...once].map(({ request }) => request),
	);
	expect([...new Set(sent)].sort()).toEqual(
		[
			'GET /v1/inquiries/',
			'POST /v1/inquiries/',
			'GET /v1/inquiries/{inquiry}',
			'POST /v1/inquiries/{inquiry}/principals',
			'POST /v1/inquiries/{inquiry}/licenses',
			'POST /v1/inquiries/{inquiry}/filings',
			'GET /v1/inquiries/{inquiry}/pdf',
			'POST /v1/inquiries/{failedInquiry}/processes/{task}/retry',
			'POST /v1/inquiries/{failedInquiry}/retry-failed',
			'GET /v1/batch-inquiries/',
			'POST /v1/batch-inquiries/',
			'GET /v1/batch-inquiries/{batch}',
			'GET /v1/batch-inquiries/{batch}/inquiries',
			'GET /v1/users/me',
			'POST /v1/users/me/accept-inquiry-terms',
			'GET /v1/users/me/api-key',
			'POST /external/api/v1/seller-detailed',
			'GET /external/api/v1/seller-detailed/{request}/status',
			'GET /external/api/v1/seller-detailed/{request}',
			'GET /external/api/v1/license-verification',
		].sort(),
	);
});

async function expectCall(
	operation: string,
	call: Call,
	{ credential, alone }: Pick<Row, 'credential' | 'alone'> = {},
): Promise<void> {
	const own = alone ? [worlds[0]] : worlds;
	const { error, items } = await runCall(sandbox, operation, withItems(own, call), {
		parameters: call.parameters,
		credential,
	});

	expect(error).toBeUndefined();
	const perItem = own.flatMap((world) => call.wire.map((wire): [Wire, World] => [wire, world]));
	const shared = (call.once ?? []).map((wire): [Wire, World] => [wire, worlds[0]]);
	expect(arrived(sandbox)).toEqual(demanded(sandbox, [...perItem, ...shared]));
	for (const [item, world] of own.entries()) {
		const output = items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
		expect(output).toHaveLength(call.output.length);
		output.forEach(({ json }, index) => expect(json).toMatchObject(filled(call.output[index], world)));
	}
}

describe.each(Object.entries(rows))('%s', (operation, row) => {
	const { minimal, full, refused, credential } = row;
	it('minimal', () => expectCall(operation, minimal, row));
	it('full', () => expectCall(operation, full, row));

	if (refused === undefined) return;

	it('fails the bad item, and only it', async () => {
		const { message, ...facts } = refused.error;
		const [good, bad] = withItems(worlds, refused);
		const { items, failed, error } = await runCall(sandbox, operation, [good, bad], {
			parameters: { ...minimal.parameters, ...refused.change },
			credential,
			onError: 'continueErrorOutput',
		});

		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(minimal.output.map(() => ({ item: 0 })));
		expect(failed).toHaveLength(1);
		expect(failed[0].pairedItem).toEqual({ item: 1 });
		// n8n puts the fields of the input item beside the error.
		expect(failed[0].json).toEqual({ ...bad, error: expect.anything() });
		expect(failed[0].json.error).toMatchObject({ message: expect.stringMatching(message), itemIndex: 1, ...facts });
		expect(arrived(sandbox)).toEqual(
			demanded(sandbox, [
				...[...(refused.once ?? minimal.once ?? []), ...minimal.wire].map((wire): [Wire, World] => [wire, good]),
				...(refused.wire ?? []).map((wire): [Wire, World] => [wire, bad]),
			]),
		);
	});
});

it.each(more)('%s (%s)', async (_, operation, call) => expectCall(operation, call));

it.each(brokenRules)('%s (%s)', async (_, operation, parameters, message) => {
	const { items, failed } = await runCall(sandbox, operation, worlds, { parameters, onError: 'continueErrorOutput' });
	expect(items.map(({ pairedItem }) => pairedItem)).toContainEqual({ item: 0 });
	expect(failed.map(({ json }) => json.error)).toEqual([
		expect.objectContaining({ message: expect.stringMatching(message), itemIndex: 1 }),
	]);
	expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([]);
	expect(sandbox.ledger.count()).toBe(1);
});

it('signs the callback URL and changes nothing else of the search', async () => {
	const secret = 'a-callback-secret-that-nobody-guesses';
	const { error, items } = await runCall(sandbox, 'sellerSearch.submit', worlds, {
		parameters: { ...seller, callback: `${callback}?team=risk` },
		credential: { callbackSecret: secret },
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.isSigned)).toEqual([true, true]);
	const urls = sandbox.requests.map(({ body }) => {
		const { callback: signed, ...others } = body as Record<string, string>;
		expect(others).toEqual(seller);
		return new URL(signed);
	});
	for (const url of urls) {
		expect(url.origin + url.pathname).toBe(callback);
		expect(url.searchParams.get('team')).toBe('risk');
		expect(url.href).not.toContain(secret);
	}
	expect(urls[0].href).not.toBe(urls[1].href);
});

it('waits for one report at a time: more are refused before anything is sent', async () => {
	const { error } = await runCall(sandbox, 'sellerSearch.submitAndWait', worlds, { parameters: seller });
	expect(error?.message).toMatch(/wait for one report, but 2 items/);
	expect(sandbox.requests).toHaveLength(0);
});

it.each(['getStatus', 'getResult'])(
	'the paths of the seller look-ups are not shown: %s asks for its own',
	async (name) => {
		const { error } = await runCall(sandbox, `sellerSearch.${name}`, worlds, { parameters: { requestId: 'r-1' } });
		expect(error?.message).toMatch(/path .* is not set/);
		expect(sandbox.requests).toHaveLength(0);
	},
);
