import type { Rows } from '../call';
import { many, onlyFirst } from '../samples';

const practitioner = { licensee_name: 'Dana Doe', licensee_state: 'IL', licensee_category: 'healthcare' };
const address = { licensee_addr1: '1 Main Street', licensee_city: 'Springfield', licensee_zip5: '02139' };

export const license: Rows = {
	verify: {
		submits: 'licenseVerification',
		varies: 'licensee_name',
		marks: ['Seller ID', 'Licensee Name', 'Licensee State'],
		// "required for homeServices; recommended but optional for healthcare": the least there is, is healthcare.
		minimal: {
			parameters: {
				seller_id: '={{ $json.seller }}',
				...practitioner,
			},
			once: [{ request: 'GET /v1/users/me' }],
			wire: [
				{
					request: 'GET /external/api/v1/license-verification',
					query: {
						LenderId: '{lender}',
						seller_id: '{seller}',
						...practitioner,
					},
				},
			],
			// "the licenses of the closest matching practitioner are retrieved": the sandbox's has two.
			output: many(2, { license_status: '' }),
		},
		full: {
			parameters: {
				seller_id: '={{ $json.seller }}',
				...practitioner,
				licensee_id: 'MD-1001',
				licensee_subcategory: 'physicians',
				additionalFields: {
					LenderId: '={{ $json.lender }}',
					...address,
				},
			},
			wire: [
				{
					request: 'GET /external/api/v1/license-verification',
					query: {
						LenderId: '{lender}',
						seller_id: '{seller}',
						...practitioner,
						licensee_id: 'MD-1001',
						...address,
						licensee_subcategory: 'physicians',
					},
				},
			],
			output: [{ license_status: '' }],
		},
		refused: {
			change: { licensee_category: onlyFirst('healthcare', 'homeServices'), licensee_id: '' },
			error: { message: /^'License ID' is required for home services$/, parameter: 'licensee_id' },
		},
		also: [
			[
				'licensee_id: required for homeServices',
				{
					parameters: {
						seller_id: '={{ $json.seller }}',
						licensee_name: 'Acme Plumbing',
						licensee_state: 'IL',
						licensee_category: 'homeServices',
						licensee_id: 'PL-1234',
						additionalFields: { ...address, licensee_zip5: 2139 },
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
								...address,
							},
						},
					],
					output: [{ license_status: '' }],
				},
			],
		],
		broken: [
			[
				'the allowed healthcare subcategory values',
				{
					seller_id: '={{ $json.seller }}',
					...practitioner,
					licensee_subcategory: onlyFirst('pt_ot', 'surgery'),
					additionalFields: { LenderId: '={{ $json.lender }}' },
				},
				/Healthcare Subcategory.*must be one of/,
			],
		],
	},
};
