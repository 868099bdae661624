import { inquiryFields } from '../document';
import { form } from './form';

/** The business of a new inquiry. Each help text says what the field adds to the verification. */
export const business = form(inquiryFields, {
	businessName: {
		description: 'Legal name of the business. Give this, the DBA, or both.',
		placeholder: 'e.g. Acme Trading LLC',
	},
	businessDba: {
		description: 'Name the business trades under. Give this, the business name, or both.',
		placeholder: 'e.g. Acme Coffee',
	},
	businessCity: { placeholder: 'e.g. Springfield' },
	businessState: { placeholder: 'e.g. IL' },
	businessAddressLine1: {
		description:
			'Together with the ZIP code it enables Secretary of State lookups and address verification, which may be billed',
		placeholder: 'e.g. 1 Main Street',
	},
	businessAddressLine2: { placeholder: 'e.g. Suite 200' },
	businessDomain: {
		description:
			'Triggers domain verification, which may be billed. Domains of public mail providers are skipped by the service.',
		placeholder: 'e.g. example.com',
	},
	businessEin: {
		description: 'Employer identification number; improves Secretary of State and business matching',
		placeholder: 'e.g. 12-3456789',
	},
	businessEmail: { placeholder: 'e.g. nathan@example.com' },
	businessPhone: { placeholder: 'e.g. +1 555 010 0100' },
	businessSosId: { placeholder: 'e.g. 20261234567' },
	businessZip: {
		description:
			'Together with the first address line it enables Secretary of State lookups and address verification, which may be billed',
		placeholder: 'e.g. 02139',
	},
	externalId: {
		description: 'Your own reference, such as the ID of a CRM record. It lets you find and reuse the inquiry later.',
		placeholder: 'e.g. crm-4711',
	},
	tags: {
		description:
			"Tags to find the inquiry by, separated by commas. A list from an expression may hold tags with commas of their own, which the filter of 'Get Many' cannot ask for.",
		placeholder: 'e.g. priority, partner',
	},
});
