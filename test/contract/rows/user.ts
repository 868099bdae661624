import type { Rows } from '../call';
import { anyNumber, anyText, like, moment, unlike, uuid } from '../samples';

export const user: Rows = {
	getProfile: {
		marks: [],
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/users/me' }],
			output: [{ email: anyText, lender: { id: '{lender}' }, id: uuid, dateJoined: moment }],
		},
		full: {
			parameters: { options: { advanced: { concurrency: 2 }, timeout: 30 } },
			wire: [{ request: 'GET /v1/users/me' }],
			output: [
				{
					...{ id: uuid, lender: { id: '{lender}' }, availableLenders: [{ id: '{lender}' }], dateJoined: moment },
					...{ complianceAcceptDate: moment, isTestProfile: false, canManageTestProfiles: false },
				},
			],
		},
	},
	acceptTerms: {
		submits: 'terms',
		isFree: true,
		marks: [],
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
			error: {
				message: /^'I Accept the Inquiry Terms' is off, so nothing was sent$/,
				description: 'Read the inquiry terms of the service, then turn it on.',
				parameter: 'confirm',
			},
		},
	},
	getApiKey: {
		marks: [],
		minimal: {
			parameters: {},
			wire: [{ request: 'GET /v1/users/me/api-key' }],
			output: [
				{
					apiKey: unlike(/^bvk_/),
					name: 'Default key',
					isTest: false,
					discoveryLimit: 1_000_000,
					discoveryCount: anyNumber,
					isActive: true,
					expiresAt: moment,
					createdAt: moment,
				},
			],
		},
		full: {
			parameters: { reveal: true },
			wire: [{ request: 'GET /v1/users/me/api-key' }],
			output: [{ apiKey: like(/^bvk_/), isActive: true }],
		},
	},
};
