import type { DocumentField } from './vocabulary';

export const sellerSearchFields = [
	{ name: 'name', kind: 'text', label: 'Name', required: true },
	{ name: 'alt_name', kind: 'text', label: 'Alternative Name' },
	{ name: 'address_line_1', kind: 'text', label: 'Address Line 1', required: true },
	{ name: 'address_line_2', kind: 'text', label: 'Address Line 2' },
	{ name: 'city', kind: 'text', label: 'City', required: true },
	{ name: 'state', kind: 'text', label: 'State', required: true },
	{ name: 'zip5', kind: 'zip5', label: 'ZIP Code', required: true },
	{ name: 'zip4', kind: 'zip4', label: 'ZIP+4' },
	{ name: 'dpc', kind: 'text', label: 'DPC' },
	{ name: 'ein', kind: 'ein', label: 'EIN' },
	{ name: 'phone', kind: 'text', label: 'Phone' },
	{ name: 'alt_phone', kind: 'text', label: 'Alternative Phone' },
	{ name: 'fax', kind: 'text', label: 'Fax' },
	{ name: 'email', kind: 'text', label: 'Email' },
	{ name: 'domain_name', kind: 'domain', label: 'Domain' },
	{ name: 'callback', kind: 'text', label: 'Callback URL', required: true },
] as const satisfies readonly DocumentField[];

/** The only status of a search that the API documentation names. The report is then on its way to the callback. */
export const isSearchComplete = ({ status }: { status?: unknown }): boolean =>
	String(status).toLowerCase() === 'complete';

/** All in snake case but `LenderId`, as in the API documentation. */
export const verificationFields = [
	{ name: 'LenderId', kind: 'text', label: 'Lender', required: true },
	{ name: 'seller_id', kind: 'text', label: 'Seller ID', required: true },
	{ name: 'licensee_name', kind: 'text', label: 'Licensee Name', required: true },
	{ name: 'licensee_state', kind: 'text', label: 'Licensee State', required: true },
	{ name: 'licensee_id', kind: 'text', label: 'License ID' },
	{ name: 'licensee_category', kind: 'text', label: 'Licensee Category', required: true },
	{ name: 'licensee_addr1', kind: 'text', label: 'Address Line 1' },
	{ name: 'licensee_city', kind: 'text', label: 'City' },
	{ name: 'licensee_zip5', kind: 'zip5', label: 'ZIP Code' },
	{ name: 'licensee_subcategory', kind: 'text', label: 'Healthcare Subcategory' },
] as const satisfies readonly DocumentField[];

/** The API documentation says that this list and the next one are complete. */
export const licenseeCategories = ['homeServices', 'healthcare'] as const;

export const healthcareSubcategories = [
	'physicians',
	'counseling_psychology_therapy',
	'chiropractic',
	'dentistry',
	'dietary_nutrition',
	'optometry',
	'podiatry',
	'pt_ot',
	'speech_language_hearing',
	'diagnostic_imaging',
	'lactation',
	'acupuncture',
] as const;

/** "Required for homeServices; recommended but optional for healthcare." */
export const needsLicenseeId = (category: string): boolean => category === 'homeServices';
