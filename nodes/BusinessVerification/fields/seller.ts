import { digits, text } from '../definition/field';

/** The seller search in the document's names, which are the names on the wire. */
export const sellerRequired = {
	name: text('Name', { description: 'Name of the merchant', placeholder: 'e.g. Acme Trading LLC' }),
	address_line_1: text('Address Line 1', { placeholder: 'e.g. 1 Main Street' }),
	city: text('City', { placeholder: 'e.g. Springfield' }),
	state: text('State', { placeholder: 'e.g. IL' }),
	zip5: digits('ZIP Code', 5, { placeholder: 'e.g. 02139' }),
};

export const sellerDetails = {
	address_line_2: text('Address Line 2', { placeholder: 'e.g. Suite 200' }),
	alt_name: text('Alternative Name'),
	alt_phone: text('Alternative Phone', { placeholder: 'e.g. +1 555 010 0101' }),
	domain_name: text('Domain', { placeholder: 'e.g. example.com' }),
	dpc: text('DPC', { description: 'Sent as it is; the service does not explain it' }),
	ein: digits('EIN', 9, { description: 'Employer identification number', placeholder: 'e.g. 12-3456789' }),
	email: text('Email', { placeholder: 'e.g. nathan@example.com' }),
	fax: text('Fax'),
	phone: text('Phone', { placeholder: 'e.g. +1 555 010 0100' }),
	zip4: digits('ZIP+4', 4, { placeholder: 'e.g. 0042' }),
};
