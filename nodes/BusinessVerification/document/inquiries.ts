import { type DocumentField, type ItemOf, requiredOf, snakeCased } from './vocabulary';

/** For "add license". In a new inquiry, a license needs the required ones, spelled as by `snakeCased`. */
export const licenseFields = [
	{ name: 'licenseName', kind: 'text', label: 'License Name', required: true },
	{ name: 'licenseId', kind: 'text', label: 'License ID', required: true },
	{ name: 'licenseState', kind: 'text', label: 'License State', required: true },
	{ name: 'licenseCategory', kind: 'text', label: 'License Category', required: true },
	{ name: 'licenseSubcategory', kind: 'text', label: 'License Subcategory' },
] as const satisfies readonly DocumentField[];

/** "Each license entry needs license_name, license_id, license_state and license_category". */
export const licenseNames: readonly string[] = requiredOf(licenseFields);

/** The create request, in the order of the API documentation. One of `businessNames` is required, too. */
export const inquiryFields = [
	{ name: 'businessName', kind: 'text', label: 'Business Name' },
	{ name: 'businessDba', kind: 'text', label: 'Business DBA' },
	{ name: 'businessCity', kind: 'text', label: 'City', required: true },
	{ name: 'businessState', kind: 'text', label: 'State', required: true },
	{ name: 'businessEin', kind: 'ein', label: 'EIN' },
	{ name: 'businessAddressLine1', kind: 'text', label: 'Address Line 1' },
	{ name: 'businessAddressLine2', kind: 'text', label: 'Address Line 2' },
	{ name: 'businessZip', kind: 'zip', label: 'ZIP Code' },
	{ name: 'businessPhone', kind: 'text', label: 'Phone' },
	{ name: 'businessEmail', kind: 'text', label: 'Email' },
	{ name: 'businessDomain', kind: 'domain', label: 'Domain' },
	{ name: 'businessSosId', kind: 'text', label: 'Secretary of State ID' },
	{ name: 'principals', kind: 'principals', label: 'Principals' },
	{ name: 'licenses', kind: 'licenses', label: 'Licenses' },
	{ name: 'tags', kind: 'tags', label: 'Tags' },
	{ name: 'externalId', kind: 'text', label: 'External ID' },
] as const satisfies readonly DocumentField[];

/** A create request. Blank fields are left out. */
export type InquiryItem = ItemOf<typeof inquiryFields>;

/** "At least one of businessName or businessDba must be supplied." */
export const businessNames = ['businessName', 'businessDba'] as const;

/** For "add principal", in the order of the API documentation. */
export const principalFields = [
	{ name: 'firstName', kind: 'text', label: 'First Name' },
	{ name: 'middleName', kind: 'text', label: 'Middle Name' },
	{ name: 'lastName', kind: 'text', label: 'Last Name' },
	{ name: 'suffix', kind: 'text', label: 'Suffix' },
	{ name: 'dob', kind: 'date', label: 'Date of Birth' },
	{ name: 'npi', kind: 'text', label: 'NPI' },
	{ name: 'phone', kind: 'text', label: 'Phone' },
	{ name: 'email', kind: 'text', label: 'Email' },
	{ name: 'addr1', kind: 'text', label: 'Address Line 1' },
	{ name: 'addr2', kind: 'text', label: 'Address Line 2' },
	{ name: 'city', kind: 'text', label: 'City' },
	{ name: 'state', kind: 'text', label: 'State' },
	{ name: 'zip5', kind: 'zip5', label: 'ZIP Code' },
	{ name: 'principalType', kind: 'text', label: 'Principal Type' },
	{ name: 'ownershipPercentage', kind: 'number', label: 'Ownership Percentage' },
	{ name: 'searchNpi', kind: 'boolean', label: 'Search NPI' },
	{ name: 'businessPrincipalId', kind: 'text', label: 'Business Principal ID' },
] as const satisfies readonly DocumentField[];

/** For "add principal", a businessPrincipalId will do instead; a new inquiry has no earlier principal. */
export const principalNames = ['lastName'] as const;

/** Fields that are often fixed for every row. Alone, they do not make a principal or a license. In both spellings. */
export const sayNothingAlone: readonly string[] = ['principalType', 'state', 'licenseState', 'licenseCategory'].flatMap(
	(name) => [name, snakeCased(name)],
);

export const filingFields = [
	{ name: 'sosId', kind: 'text', label: 'Filing ID', required: true },
	{ name: 'sosState', kind: 'text', label: 'Filing State', required: true },
] as const satisfies readonly DocumentField[];

export const activeStatuses = ['PLANNING', 'RUNNING', 'ENRICHING'] as const;
export const endStatuses = ['COMPLETED', 'PARTIAL_SUCCESS', 'FAILED'] as const;
export const inquiryStatuses = [...activeStatuses, ...endStatuses] as const;

const upper = (status: unknown) => String(status).toUpperCase();
const among = (statuses: readonly string[], status: unknown) => statuses.includes(upper(status));

/** A status that the API documentation does not list does not count as final. */
export const isEnd = (status: unknown): boolean => among(endStatuses, status);
export const hasFailed = (status: unknown): boolean => upper(status) === endStatuses[2];
/** Some checks failed, or all did. */
export const hasFailures = (status: unknown): boolean => isEnd(status) && upper(status) !== endStatuses[0];
export const isKnownStatus = (status: unknown): boolean => among(inquiryStatuses, status);
