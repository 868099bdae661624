import { digits, list, text } from '../definition/field';

/** The business of an inquiry, in the document's names. Each help text says what the field adds to the verification. */
export const businessNames = {
	businessName: text('Business Name', {
		description: 'Legal name of the business. Give this, the DBA, or both.',
		placeholder: 'e.g. Acme Trading LLC',
	}),
	businessDba: text('Business DBA', {
		description: 'Name the business trades under. Give this, the business name, or both.',
		placeholder: 'e.g. Acme Coffee',
	}),
};

export const businessPlace = {
	businessCity: text('City', { placeholder: 'e.g. Springfield' }),
	businessState: text('State', { placeholder: 'e.g. IL' }),
};

export const businessDetails = {
	businessAddressLine1: text('Address Line 1', {
		description:
			'Together with the ZIP code it enables Secretary of State lookups and address verification, which may be billed',
		placeholder: 'e.g. 1 Main Street',
	}),
	businessAddressLine2: text('Address Line 2', { placeholder: 'e.g. Suite 200' }),
	businessDomain: text('Domain', {
		description:
			'Triggers domain verification, which may be billed. Domains of public mail providers are skipped by the service.',
		placeholder: 'e.g. example.com',
	}),
	businessEin: digits('EIN', 9, {
		description: 'Employer identification number; improves Secretary of State and business matching',
		placeholder: 'e.g. 12-3456789',
	}),
	businessEmail: text('Email', {
		description: 'Enables email verification, which may be billed',
		placeholder: 'e.g. nathan@example.com',
	}),
	businessPhone: text('Phone', {
		description: 'Enables phone verification, which may be billed',
		placeholder: 'e.g. +1 555 010 0100',
	}),
	businessSosId: text('Secretary of State ID', { placeholder: 'e.g. 20261234567' }),
	businessZip: digits('ZIP Code', 5, {
		description:
			'Together with the first address line it enables Secretary of State lookups and address verification, which may be billed',
		placeholder: 'e.g. 02139',
	}),
	externalId: text('External ID', {
		description: 'Your own reference, such as the ID of a CRM record. It lets you find and reuse the inquiry later.',
		placeholder: 'e.g. crm-4711',
	}),
	tags: list('Tags', {
		description: 'Comma-separated tags to find the inquiry by',
		placeholder: 'e.g. priority, partner',
	}),
};
