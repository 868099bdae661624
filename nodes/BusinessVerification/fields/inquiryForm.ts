import {
	choice,
	collection,
	type Input,
	jsonObjects,
	optional,
	optionals,
	rows,
	seconds,
	shown,
	without,
} from '../definition';
import { business } from './business';
import { license } from './license';
import { extraBody } from './requestOptions';
import { principal } from './principal';

const { businessName, businessDba, businessCity, businessState, externalId, ...businessDetails } = business;
const { lastName, ...others } = without(principal, 'businessPrincipalId');

/** Everything a new inquiry may say; `create` sends it, `check` only looks at it. */
export const newInquiry = {
	businessName: optional(businessName),
	businessDba: optional(businessDba),
	businessCity,
	businessState,
	externalId: optional(externalId),
	additionalFields: collection('Additional Fields', {
		...businessDetails,
		licensesJson: jsonObjects('Licenses (JSON)', {
			description:
				'List of licenses in JSON, sent as it is. Each needs license_name, license_id, license_state and license_category.',
			default: '[]',
		}),
		principalsJson: jsonObjects('Principals (JSON)', {
			description: 'List of principals in JSON, sent as it is. Each needs lastName.',
			default: '[]',
		}),
	}),
	principals: rows(
		'Principals',
		'Principal',
		{ lastName, ...optionals(others) },
		{
			description: 'People behind the business. They enable searches for each person, which may be billed.',
		},
	),
	licenses: rows('Licenses', 'License', without(license, 'licenseSubcategory'), {
		description: 'Licenses of the business. They enable license verification, which may be billed.',
	}),
};

/** What a model is asked of a business. */
export const businessAsks = [
	...['businessName', 'businessDba', 'businessCity', 'businessState'],
	...[
		'businessEin',
		'businessAddressLine1',
		'businessZip',
		'businessPhone',
		'businessEmail',
		'businessDomain',
		'principalsJson',
		'licensesJson',
	].map((name) => `additionalFields.${name}`),
];

export const newInquiryOptions = {
	extraBody,
	licenseKeys: choice(
		'License Keys',
		{
			snakeCase: ['Snake Case', 'As in license_name, the way the service documents them'],
			camelCase: ['Camel Case', 'As in licenseName, the way Add License sends them'],
		},
		'How to spell the fields of a license inside a new inquiry',
	),
};

export const lookupGrace = seconds(
	'Look-Up Grace',
	30,
	'Only with an external ID: seconds in which a submission without an answer has to be found by it, or it counts as not processed',
);

export type NewInquiry = Input<typeof newInquiry>;

/** A model gives rows in one text; the items that come in are its calls. */
export const rowsJson = shown(
	{ '@tool': [true] },
	optional(
		jsonObjects('Rows (JSON)', {
			description:
				'JSON list of businesses, each with businessName, businessCity and businessState, and with businessEin, businessAddressLine1, businessZip and externalId where they are known',
			placeholder: 'e.g. [{ "businessName": "Acme Trading LLC", … }]',
		}),
	),
);
