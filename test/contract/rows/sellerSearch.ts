import type { Rows } from '../call';
import { callback, knownThenUnknown, moreOfSeller, onlyFirst, seller, sellerPaths, uuid, wakeUrl } from '../samples';

export const sellerSearch: Rows = {
	submit: {
		submits: 'sellerSearch',
		varies: 'name',
		marks: ['Name', 'Address Line 1', 'City', 'State', 'ZIP Code', 'Callback URL'],
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
		broken: [['zip5 is required', { ...seller, callback, zip5: onlyFirst('02139') }, /ZIP Code.*is required/]],
	},
	// The execution sleeps until the report arrives, at an address of its own: n8n's, with a proof that nobody can guess.
	submitAndWait: {
		submits: 'sellerSearch',
		varies: 'name',
		marks: ['Name', 'Address Line 1', 'City', 'State', 'ZIP Code'],
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
	getStatus: {
		marks: ['Request ID'],
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
	getResult: {
		marks: ['Request ID'],
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
};
