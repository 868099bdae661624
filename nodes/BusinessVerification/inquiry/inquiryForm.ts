import { inquiryFields, licenseFields, principalFields } from '../document/inquiries';
import { isObject } from '../document/vocabulary';
import { form, jsonForm } from '../fields/form';
import { guarding, type Input, jsonObjects, optional, shown } from '../kit/field';
import { collection, collectionInOrder, optionals, rows } from '../kit/collections';
import { without } from '../kit/objects';

/** Named as in "add license" of the API documentation. */
export const license = form(licenseFields, {
	licenseName: { description: 'Name that the license was issued to', placeholder: 'e.g. Acme Plumbing' },
	licenseId: { description: 'Number of the license', placeholder: 'e.g. PL-1234' },
	licenseState: { description: 'State that issued the license', placeholder: 'e.g. IL' },
	licenseCategory: {
		description: 'Category of the license, as the service spells it',
		placeholder: 'e.g. plumbing',
	},
	licenseSubcategory: {
		description: 'Subcategory of the license, as the service spells it',
		placeholder: 'e.g. residential',
	},
});

const addressChecks = 'enables Secretary of State lookups and address verification';

const { businessName, businessCity, businessState, externalId, ...businessDetails } = form(inquiryFields, {
	businessName: {
		description: 'Legal name of the business',
		hint: "Fill in this or 'Business DBA', among the additional fields",
		placeholder: 'e.g. Acme Trading LLC',
	},
	businessDba: {
		description: 'Name that customers know (doing business as)',
		placeholder: 'e.g. Acme Coffee',
	},
	businessCity: { description: 'City of the business' },
	businessState: { description: 'State of the business, as a code or a name' },
	businessAddressLine1: { description: `Together with 'ZIP Code', ${addressChecks}` },
	businessZip: { description: `Together with 'Address Line 1', ${addressChecks}` },
	businessPhone: { description: 'Enables phone verification' },
	businessEmail: { description: 'Enables email verification' },
	businessDomain: {
		description: 'Enables domain verification. The service skips domains of public email providers.',
	},
	businessEin: {
		description: 'Employer identification number. Improves matching with Secretary of State and business records.',
	},
	businessSosId: { description: 'ID of the business at the Secretary of State', placeholder: 'e.g. 20261234567' },
	externalId: { description: 'Your ID of the business', placeholder: 'e.g. crm-4711' },
	tags: {
		description: 'Tags to find the inquiry by later, separated by commas. An expression may also return a list.',
		placeholder: 'e.g. priority, partner',
	},
});

const { npi, searchNpi, businessPrincipalId, ...ofPerson } = form(principalFields, {
	lastName: { placeholder: 'e.g. Smith' },
	firstName: { placeholder: 'e.g. Nathan' },
	middleName: { placeholder: 'e.g. Lee' },
	suffix: { placeholder: 'e.g. Jr' },
	dob: {
		description: 'Written YYYY-MM-DD. Enables extra background checks.',
		placeholder: 'e.g. 1980-12-31',
	},
	npi: { description: 'National provider identifier of a health professional', placeholder: 'e.g. 1234567893' },
	principalType: {
		description: 'Role or title in the business, as the service spells it',
		placeholder: 'e.g. Owner',
	},
	ownershipPercentage: {
		description: 'Share of the business, sent as you enter it',
		placeholder: 'e.g. 25',
	},
	searchNpi: { description: 'Whether to search for the national provider identifier' },
	businessPrincipalId: {
		description: "ID of a principal the service already has. Replaces 'Last Name'.",
		placeholder: 'e.g. 9d2f7c11-58a4-4f0b-8f6e-1c2b3a4d5e6f',
	},
});

const { lastName, firstName, middleName, suffix, dob, principalType, ownershipPercentage, ...address } = ofPerson;

/** Named as in "add principal" of the API documentation, but in the usual order of a form. */
export const principal = {
	...{ lastName, firstName, middleName, suffix, dob, principalType, ownershipPercentage },
	...address,
	...{ npi, searchNpi, businessPrincipalId },
};

/** For a model, which fills in the forms of principals and licenses as one text each. */
const asJson = (...[label, list, help]: Parameters<typeof jsonForm>) =>
	shown({ '@tool': [true] }, jsonForm(label, list, { default: '[]', ...help }));

/** The fields of a new inquiry. `create` sends them, `check` only checks them. */
export const newInquiry = {
	businessName: optional(businessName),
	businessCity,
	businessState,
	externalId: guarding(
		optional(externalId),
		(_, { options }) => !isObject(options) || options.ifExternalIdExists !== 'create',
	),
	additionalFields: collection('Additional Fields', {
		...businessDetails,
		licensesJson: asJson('Licenses (JSON)', licenseFields, {
			description: 'JSON list of licenses, each with license_name, license_id, license_state, and license_category',
		}),
		principalsJson: asJson('Principals (JSON)', principalFields, {
			description: 'JSON list of principals, each with lastName, and with firstName and dob where they are known',
		}),
	}),
	principals: rows(
		'Principals',
		{
			lastName,
			...optionals({ firstName, dob, principalType, ownershipPercentage }),
			additionalFields: collectionInOrder('Additional Fields', { middleName, suffix, ...address, npi, searchNpi }),
		},
		{
			description: 'People behind the business. Each one enables person-level searches.',
		},
	),
	licenses: rows('Licenses', without(license, 'licenseSubcategory'), {
		description: 'Licenses of the business. Each one enables license verification.',
	}),
};

/** The fields of a business that a model fills in. */
export const businessAsks = [
	...['businessName', 'businessCity', 'businessState'],
	...[
		'businessDba',
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

export type NewInquiry = Input<typeof newInquiry>;

/** A model gives all rows in one text, because in a tool the input items are its calls, not rows. */
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
