import { type Input, optional } from '../definition/field';
import { collection, jsonObject, jsonObjects, rows } from '../definition/groups';
import { choice } from '../definition/options';
import { without } from '../definition/without';
import { businessDetails, businessNames, businessPlace } from './business';
import { licenseFields } from './license';
import { principalFields } from './principal';

const newPrincipal = without(principalFields, 'businessPrincipalId');

/** Everything a new inquiry may say; `create` sends it, `check` only looks at it. */
export const newInquiry = {
	businessName: optional(businessNames.businessName),
	businessDba: optional(businessNames.businessDba),
	...businessPlace,
	additionalFields: collection('Additional Fields', {
		...businessDetails,
		licensesJson: jsonObjects('Licenses (JSON)', {
			description:
				'JSON list of licenses, sent as it is. Each needs license_name, license_id, license_state and license_category.',
		}),
		principalsJson: jsonObjects('Principals (JSON)', {
			description: 'JSON list of principals, sent as it is. Each needs a last name.',
		}),
	}),
	principals: rows('Principals', 'Principal', newPrincipal, {
		description: 'People behind the business; they enable person-level searches, which may be billed',
	}),
	licenses: rows('Licenses', 'License', licenseFields, {
		description: 'Licenses of the business; they enable license verification, which may be billed',
	}),
};

export const newInquiryOptions = {
	extraBody: jsonObject('Extra Body Fields', { description: 'JSON object with further fields for the service' }),
	licenseKeys: choice(
		'License Keys',
		[
			{ name: 'Camel Case', value: 'camelCase', description: 'As in licenseName, the way added licenses are sent' },
			{
				name: 'Snake Case',
				value: 'snakeCase',
				description: 'As in license_name, the way the service documents them here',
			},
		],
		{ default: 'snakeCase', description: 'How the fields of a license are spelled inside a new inquiry' },
	),
};

export type NewInquiry = Input<typeof newInquiry>;
