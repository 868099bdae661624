import { inquiryFields } from '../document';
import { form } from './form';

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
	businessCity: { placeholder: 'e.g. Springfield' },
	businessState: { placeholder: 'e.g. IL' },
	businessAddressLine1: {
		description:
			"Together with 'ZIP Code' it enables Secretary of State lookups and address verification, which may be billed",
		placeholder: 'e.g. 1 Main Street',
	},
	businessAddressLine2: { placeholder: 'e.g. Suite 200' },
	businessDomain: {
		description:
			'Enables domain verification, which may be billed. The service skips domains of public mail providers.',
		placeholder: 'e.g. example.com',
	},
	businessEin: {
		description: 'Employer identification number. Improves the match with Secretary of State and business records.',
		placeholder: 'e.g. 12-3456789',
	},
	businessEmail: { placeholder: 'e.g. nathan@example.com' },
	businessPhone: { placeholder: 'e.g. +1 555 010 0100' },
	businessSosId: { description: 'ID of the business at the Secretary of State', placeholder: 'e.g. 20261234567' },
	businessZip: {
		description:
			"Together with 'Address Line 1' it enables Secretary of State lookups and address verification, which may be billed",
		placeholder: 'e.g. 02139',
	},
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
