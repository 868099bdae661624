import type { DocumentField } from './vocabulary';

/** The add request. A license of a new inquiry needs the required ones, in the spelling of `snakeCased`. */
export const licenseFields = [
	{ name: 'licenseName', kind: 'text', label: 'License Name', required: true },
	{ name: 'licenseId', kind: 'text', label: 'License ID', required: true },
	{ name: 'licenseState', kind: 'text', label: 'License State', required: true },
	{ name: 'licenseCategory', kind: 'text', label: 'License Category', required: true },
	{ name: 'licenseSubcategory', kind: 'text', label: 'License Subcategory' },
] as const satisfies readonly DocumentField[];

/** "Each license entry needs license_name, license_id, license_state and license_category", spelled like this. */
export const licenseNames: readonly string[] = licenseFields
	.filter((field) => 'required' in field)
	.map(({ name }) => name);

/** The submission of a license for verification. */
export const verificationFields = [
	{ name: 'LenderId', kind: 'text', label: 'Lender', required: true },
	{ name: 'seller_id', kind: 'text', label: 'Seller ID', required: true },
	{ name: 'licensee_name', kind: 'text', label: 'Licensee Name', required: true },
	{ name: 'licensee_state', kind: 'text', label: 'Licensee State', required: true },
	{ name: 'licensee_id', kind: 'text', label: 'License ID' },
	{ name: 'licensee_category', kind: 'text', label: 'Licensee Category', required: true },
	{ name: 'licensee_addr1', kind: 'text', label: 'Address Line 1' },
	{ name: 'licensee_city', kind: 'text', label: 'City' },
	{ name: 'licensee_zip5', kind: 'zip', label: 'ZIP Code' },
	{ name: 'licensee_subcategory', kind: 'text', label: 'Healthcare Subcategory' },
] as const satisfies readonly DocumentField[];

/** Both lists are closed by the document. */
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
