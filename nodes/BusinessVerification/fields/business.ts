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
