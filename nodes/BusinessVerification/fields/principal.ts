import { day } from '../definition/dates';
import { decimal, digits, flag, text } from '../definition/field';

/** A principal in the names of the document's add request; the same fields serve a new inquiry. */
export const principalFields = {
	lastName: text('Last Name', { placeholder: 'e.g. Smith' }),
	firstName: text('First Name', { placeholder: 'e.g. Nathan' }),
	middleName: text('Middle Name'),
	suffix: text('Suffix', { placeholder: 'e.g. Jr' }),
	dob: day('Date of Birth', {
		description: 'Written YYYY-MM-DD; enables extra background checks, which may be billed',
	}),
	npi: text('NPI', { description: 'National provider identifier' }),
	phone: text('Phone', { placeholder: 'e.g. +1 555 010 0100' }),
	email: text('Email', { placeholder: 'e.g. nathan@example.com' }),
	addr1: text('Address Line 1', { placeholder: 'e.g. 1 Main Street' }),
	addr2: text('Address Line 2', { placeholder: 'e.g. Suite 200' }),
	city: text('City', { placeholder: 'e.g. Springfield' }),
	state: text('State', { placeholder: 'e.g. IL' }),
	zip5: digits('ZIP Code', 5, { placeholder: 'e.g. 02139' }),
	principalType: text('Principal Type', {
		description: "Role or title of the principal in the business, in the service's own words",
	}),
	ownershipPercentage: decimal('Ownership Percentage', {
		description: 'Share of the business, as the service counts it; passed on unchanged',
		placeholder: 'e.g. 25',
	}),
	searchNpi: flag('Search NPI', { description: 'Whether the service looks for the national provider identifier' }),
	businessPrincipalId: text('Business Principal ID', {
		description: 'ID of a principal the service already knows; makes the last name unnecessary',
	}),
};
