import type { Rows } from '../call';
import {
	anyText,
	everyPrincipalField,
	fullInquiryBody,
	inquiryForm,
	inquiryId,
	license,
	like,
	many,
	moment,
	noSuchInquiry,
	onlyFirst,
	printedLicense,
	processRecord,
	readInquiry,
	uuid,
} from '../samples';
import { acme } from '../../harness/newInquiry';

export const inquiry: Rows = {
	create: {
		submits: 'inquiry',
		varies: 'businessName',
		marks: ['Business Name', 'City', 'State'],
		minimal: {
			parameters: inquiryForm.minimal,
			wire: [{ request: 'POST /v1/inquiries/', body: acme }],
			output: [
				{ id: uuid, status: 'PLANNING', isFinal: false, summary: 'Acme Trading LLC: not finished yet (PLANNING).' },
			],
		},
		full: {
			parameters: { ...inquiryForm.full, options: { output: 'raw', ifExternalIdExists: 'create' } },
			wire: [{ request: 'POST /v1/inquiries/', body: fullInquiryBody }],
			output: [
				{ id: uuid, status: 'PLANNING', externalId: 'crm-4711', startedAt: null, completedAt: null, isFinal: false },
			],
		},
		refused: {
			change: { businessCity: onlyFirst('Springfield') },
			error: { message: /City.*required/, parameter: 'businessCity' },
		},
		also: [
			[
				'item shape of principals and licenses: not shown, so the extra body goes out as it is',
				{
					parameters: {
						...acme,
						options: {
							extraBody: {
								businessCity: 'Chicago',
								principals: [{ lastName: 'Smith', ownershipPercentage: 0 }],
								licenses: [printedLicense],
							},
						},
					},
					wire: [
						{
							request: 'POST /v1/inquiries/',
							body: {
								...acme,
								businessCity: 'Chicago',
								principals: [{ lastName: 'Smith', ownershipPercentage: 0 }],
								licenses: [printedLicense],
							},
						},
					],
					output: [{ status: 'PLANNING' }],
				},
			],
		],
		broken: [
			[
				'at least one of businessName or businessDba',
				{ ...acme, businessName: onlyFirst('Acme') },
				/Business Name.*DBA/,
			],
			['businessState is required', { ...acme, businessState: onlyFirst('IL') }, /State.*required/],
			[
				'each principal requires a last name',
				{ ...acme, principals: { row: [{ lastName: onlyFirst('Smith'), firstName: 'Nathan' }] } },
				/Principals? .*1.*last ?name/i,
			],
			[
				'each license entry needs license_category',
				{ ...acme, licenses: { row: [{ ...license, licenseCategory: onlyFirst('plumbing') }] } },
				/Licenses? .*1.*license_category/,
			],
		],
	},
	check: {
		marks: [],
		minimal: {
			parameters: inquiryForm.minimal,
			wire: [],
			output: [{ readyToSubmit: true, problems: [], remarks: [], body: acme }],
		},
		full: {
			parameters: { ...inquiryForm.full, options: { extraBody: { businessDba: 'Acme Shop' } } },
			wire: [],
			output: [
				{ readyToSubmit: true, problems: [], remarks: [], body: { ...fullInquiryBody, businessDba: 'Acme Shop' } },
			],
		},
	},
	get: {
		marks: ['Inquiry'],
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
	getAll: {
		marks: [],
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
		also: [
			[
				'limit 1 to 500: everything is read in the largest pages, from the oldest on',
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
		],
	},
	addPrincipal: {
		submits: 'principal',
		varies: 'lastName',
		marks: ['Inquiry', 'Last Name'],
		minimal: {
			parameters: { inquiryId, lastName: 'Smith' },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/principals', body: { lastName: 'Smith' } }],
			output: [{ id: uuid, lastName: 'Smith', status: anyText, createdAt: moment, inquiryId: '{inquiry}' }],
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
			error: { message: /'Last Name' or a Business Principal ID is required/, parameter: 'lastName' },
		},
		also: [
			[
				'an owner of nothing is not an owner of unknown share, and the extra body comes last',
				{
					parameters: {
						...{ inquiryId, lastName: 'Smith', additionalFields: { ownershipPercentage: 0, searchNpi: true } },
						options: { extraBody: { searchNpi: false } },
					},
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
				{
					parameters: { inquiryId, additionalFields: { businessPrincipalId: '={{ $json.unknown }}' } },
					wire: [{ request: 'POST /v1/inquiries/{inquiry}/principals', body: { businessPrincipalId: '{unknown}' } }],
					output: [{ businessPrincipalId: '{unknown}' }],
				},
			],
		],
	},
	addLicense: {
		submits: 'license',
		varies: 'licenseId',
		marks: ['Inquiry', 'License Name', 'License ID', 'License State', 'License Category'],
		minimal: {
			parameters: { inquiryId, ...license },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/licenses', body: license }],
			output: [{ ...license, source: 'reported', inquiryId: '{inquiry}' }],
		},
		full: {
			parameters: {
				...{ inquiryId, ...license, additionalFields: { licenseSubcategory: 'residential' } },
				options: { extraBody: { licenseSubcategory: 'master' } },
			},
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/licenses', body: { ...license, licenseSubcategory: 'master' } }],
			output: [{ ...license, licenseSubcategory: 'master', source: 'reported', inquiryId: '{inquiry}' }],
		},
		refused: {
			change: { licenseCategory: onlyFirst('plumbing') },
			error: { message: /License Category.*is required/, parameter: 'licenseCategory' },
		},
		broken: [
			['licenseId is required', { inquiryId, ...license, licenseId: onlyFirst('PL-1234') }, /License ID.*is required/],
		],
	},
	addFiling: {
		submits: 'filing',
		varies: 'sosId',
		marks: ['Inquiry', 'Filing ID', 'Filing State'],
		minimal: {
			parameters: { inquiryId, sosId: '20261234567', sosState: 'IL' },
			wire: [{ request: 'POST /v1/inquiries/{inquiry}/filings', body: { sosId: '20261234567', sosState: 'IL' } }],
			output: [{ ...processRecord, processType: like(/_SOS$/), inquiryId: '{inquiry}' }],
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
		broken: [['sosId is required', { inquiryId, sosId: onlyFirst('1'), sosState: 'IL' }, /is required/]],
	},
	downloadPdf: {
		marks: ['Inquiry'],
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
	retryProcess: {
		submits: 'retryProcess',
		marks: ['Inquiry', 'Task ID'],
		minimal: {
			parameters: { inquiryId: '={{ $json.failedInquiry }}', taskId: '={{ $json.task }}' },
			wire: [{ request: 'POST /v1/inquiries/{failedInquiry}/processes/{task}/retry' }],
			output: [{ ...processRecord, taskId: '{task}', attemptNumber: 2, inquiryId: '{failedInquiry}' }],
		},
		full: {
			parameters: {
				inquiryId: { __rl: true, mode: 'id', value: '={{ $json.failedInquiry }}' },
				taskId: '={{ $json.task }}',
				options: { advanced: { concurrency: 1 }, timeout: 30 },
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
	retryFailed: {
		submits: 'retryFailed',
		marks: ['Inquiry'],
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
	wait: {
		marks: ['Inquiry'],
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
				waitingOptions: { maxWait: 1, pollInterval: 1, onTimeout: 'lastState', waitForBusinesses: 1 },
			},
			wire: [readInquiry],
			output: [{ id: '{inquiry}', isFinal: true, businesses: [{ state: 'IL' }] }],
		},
		refused: noSuchInquiry,
	},
};
