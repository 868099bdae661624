import { principalFields } from '../document';
import { form } from './form';

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
