import type { Rows } from '../call';
import {
	everyBusinessField,
	everyPrincipalField,
	fullInquiryBody,
	knownThenUnknown,
	like,
	many,
	onlyFirst,
	printedLicense,
	uuid,
} from '../samples';
import { acme } from '../../harness/newInquiry';

const batchList = { request: 'GET /v1/batch-inquiries/', query: { limit: '500', offset: '0' } };
const rowsOfBatch = {
	request: 'GET /v1/batch-inquiries/{made}/inquiries',
	query: { limit: '500', offset: '0' },
};
/** A row without an external ID gets one made of its data. */
const madeId = like(/^row-[0-9a-f]{20}$/);
/** Some services return no external IDs. */
const orUnmatched = like(/^(The service does not return its external ID, so a later run may bill it again\.)?$/);

export const batch: Rows = {
	// The two items are two rows of one sheet: one batch, looked for before it is sent, and read back afterwards.
	submit: {
		submits: 'batch',
		varies: 'name',
		marks: ['Batch Name'],
		minimal: {
			items: [
				{ 'Business Name': 'Acme Trading LLC', City: 'Springfield', State: 'IL' },
				{ 'Business Name': 'Acme Trading LLC', City: 'Chicago', State: 'IL' },
			],
			parameters: { name: 'March leads', options: { advanced: { lookUpWait: 0 } } },
			once: [
				...many(2, batchList),
				{
					request: 'POST /v1/batch-inquiries/',
					body: {
						name: 'March leads',
						inquiries: [
							{ ...acme, externalId: madeId },
							{ ...acme, businessCity: 'Chicago', externalId: madeId },
						],
					},
				},
				rowsOfBatch,
			],
			wire: [],
			output: [{ verificationStatus: 'sent', verificationProblem: orUnmatched, State: 'IL', inquiryId: '' }],
		},
		full: {
			items: ['crm-1', 'crm-2'].map((externalId) => ({
				...everyBusinessField,
				externalId,
				tags: 'priority, partner',
				principals: [everyPrincipalField, { lastName: 'Jones' }],
				licenses: JSON.stringify([printedLicense]),
			})),
			parameters: {
				name: 'March leads',
				options: { advanced: { lookUpWait: 0 }, chunkSize: 1, includeDetails: true },
			},
			once: [
				// The first batch goes alone and is read back before the others follow.
				...many(3, batchList),
				...['crm-1', 'crm-2'].map((externalId, index) => ({
					request: 'POST /v1/batch-inquiries/',
					body: {
						name: index === 0 ? 'March leads' : 'March leads · 2',
						inquiries: [{ ...fullInquiryBody, externalId }],
					},
				})),
				rowsOfBatch,
			],
			wire: [],
			output: [
				{
					verificationStatus: 'sent',
					verificationProblem: orUnmatched,
					verification: { batchId: uuid, batchName: like(/^March leads( · 2)?$/), reused: false },
				},
			],
		},
	},
	get: {
		marks: ['Batch'],
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
			output: [{ batchId: '{batch}', planning: 0, running: 0, progressPercentage: 100, isFinal: true }],
		},
		refused: {
			change: { batchId: knownThenUnknown('batch') },
			wire: [{ request: 'GET /v1/batch-inquiries/{unknown}' }],
			error: { message: /no such batch/i, httpCode: 404 },
		},
	},
	getAll: {
		marks: [],
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/batch-inquiries/', query: { limit: '50', offset: '0' } }],
			output: many(2, { batchId: uuid, isFinal: true }),
		},
		full: {
			parameters: { returnAll: true, output: 'raw' },
			wire: [{ request: 'GET /v1/batch-inquiries/', query: { limit: '500', offset: '0' } }],
			output: many(2, { batchId: uuid, batchName: like(/^Leads/), progressPercentage: 100 }),
		},
		refused: {
			change: { limit: onlyFirst('50', 'all') },
			error: { message: /Limit.*is not a number/, parameter: 'limit' },
		},
	},
	getInquiries: {
		marks: ['Batch'],
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
	wait: {
		marks: ['Batch'],
		minimal: {
			parameters: { batchId: '={{ $json.batch }}' },
			wire: [{ request: 'GET /v1/batch-inquiries/{batch}' }],
			output: [{ batchId: '{batch}', total: 2, completed: 2, isFinal: true, donePercent: 100 }],
		},
		full: {
			parameters: {
				batchId: '={{ $json.batch }}',
				output: 'raw',
				waitingOptions: { maxWait: 1, pollInterval: 1, onTimeout: 'lastState' },
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
};
