import { inquiryFields, licenseFields, principalFields } from '../document/inquiries';
import { form, jsonForm } from '../fields/form';
import {
	guarding,
	choice,
	collection,
	type Input,
	jsonObjects,
	optional,
	optionals,
	rows,
	secondsField,
	shown,
} from '../kit/field';
import { without } from '../kit/objects';
import { extraBody } from '../fields/shared';

/** A license in the names of the document's add request. */
export const license = form(licenseFields, {
	licenseName: { description: 'Name that the license was issued to', placeholder: 'e.g. Acme Plumbing' },
	licenseId: { description: 'Number of the license', placeholder: 'e.g. PL-1234' },
	licenseState: { placeholder: 'e.g. IL' },
	licenseCategory: {
		description: 'Category of the license, as the service spells it',
		placeholder: 'e.g. plumbing',
	},
	licenseSubcategory: {
		description: 'Subcategory of the license, as the service spells it',
		placeholder: 'e.g. residential',
	},
});

/** The business of a new inquiry. Each help text says what the field adds to the verification. */
export const business = form(inquiryFields, {
	businessName: {
		description: "Legal name of the business. Fill in this, 'Business DBA', or both.",
		placeholder: 'e.g. Acme Trading LLC',
	},
	businessDba: {
		description: "Name that customers know (doing business as). Fill in this, 'Business Name', or both.",
		placeholder: 'e.g. Acme Coffee',
	},
	businessDomain: {
		description:
			'Enables domain verification, which may be billed. The service skips domains of public mail providers.',
	},
	businessEin: {
		description: 'Employer identification number. Improves the match with Secretary of State and business records.',
	},
	businessSosId: { description: 'ID of the business at the Secretary of State', placeholder: 'e.g. 20261234567' },
	externalId: {
		description: 'Your own reference, such as the ID of a CRM record. It lets you find and reuse the inquiry later.',
		placeholder: 'e.g. crm-4711',
	},
	tags: {
		description:
			"Tags to find the inquiry by, separated by commas. An expression may give a list; 'Get Many' cannot search for a tag that holds a comma.",
		placeholder: 'e.g. priority, partner',
	},
});

const fields = form(principalFields, {
	lastName: { placeholder: 'e.g. Smith' },
	firstName: { placeholder: 'e.g. Nathan' },
	middleName: { placeholder: 'e.g. Lee' },
	suffix: { placeholder: 'e.g. Jr' },
	dob: {
		description: 'Written YYYY-MM-DD. Enables extra background checks, which may be billed.',
		placeholder: 'e.g. 1980-12-31',
	},
	npi: { description: 'National provider identifier of a health professional', placeholder: 'e.g. 1234567893' },
	principalType: {
		description: 'Role or title in the business, as the service spells it',
		placeholder: 'e.g. Owner',
	},
	ownershipPercentage: {
		description: 'Share of the business. Sent as you enter it.',
		placeholder: 'e.g. 25',
	},
	searchNpi: { description: 'Whether the service should look for the national provider identifier' },
	businessPrincipalId: {
		description: "ID of a principal that the service already knows. Then 'Last Name' is not needed.",
		placeholder: 'e.g. 9d2f7c11-58a4-4f0b-8f6e-1c2b3a4d5e6f',
	},
});

const { lastName, firstName, middleName, suffix, dob, principalType, ownershipPercentage, phone, email, ...others } =
	fields;
const { npi, searchNpi, businessPrincipalId, ...address } = others;

/** A principal in the names of the document's add request, in the order people tell it; the same serve a new inquiry. */
export const principal = {
	lastName,
	firstName,
	middleName,
	suffix,
	dob,
	principalType,
	ownershipPercentage,
	phone,
	email,
	...address,
	npi,
	searchNpi,
	businessPrincipalId,
};

const { businessName, businessDba, businessCity, businessState, externalId, ...businessDetails } = business;
const { lastName: principalName, ...principalDetails } = without(principal, 'businessPrincipalId');

/** Everything a new inquiry may say; `create` sends it, `check` only looks at it. */
export const newInquiry = {
	businessName: optional(businessName),
	businessDba: optional(businessDba),
	businessCity,
	businessState,
	externalId: guarding(optional(externalId), (_, { ifExternalIdExists }) => ifExternalIdExists !== 'create'),
	additionalFields: collection('Additional Fields', {
		...businessDetails,
		licensesJson: jsonForm('Licenses (JSON)', licenseFields, {
			description:
				'List of licenses in JSON, or a single one. Each needs license_name, license_id, license_state and license_category.',
			default: '[]',
		}),
		principalsJson: jsonForm('Principals (JSON)', principalFields, {
			description: 'List of principals in JSON, or a single one. Each needs lastName.',
			default: '[]',
		}),
	}),
	principals: rows(
		'Principals',
		'Principal',
		{ lastName: principalName, ...optionals(principalDetails) },
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

export const lookupGrace = secondsField(
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
