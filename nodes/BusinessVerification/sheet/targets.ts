import { type DocumentField, snakeCased } from '../document/vocabulary';
import { inquiryFields, licenseFields, licenseNames, principalFields } from '../document/inquiries';

/** What the header of a column means: the field of an inquiry, a principal, or a license that its cells fill in. */

type TargetGroup = 'inquiry' | 'principal' | 'license';

/** A field of the create-inquiry item. It is named `businessCity`, `principal2_lastName`, or `license1_license_id`. */
export interface Target extends DocumentField {
	/** Its key in the inquiry, the principal, or the license. */
	key: string;
	group: TargetGroup;
	/** Which principal or license, as numbered in the sheet; 0 for fields of the inquiry. */
	number: number;
}

/** Headers for a field besides its label, also those of HubSpot, Salesforce, Pipedrive, Zoho CRM, and Dynamics 365. */
export const synonyms: Record<TargetGroup, Record<string, string[]>> = {
	inquiry: {
		externalId: [
			...['Ext ID', 'External Reference', 'Record ID', 'Account ID', 'Organization - ID'],
			'(Do Not Modify) Account',
		],
		businessName: ['Company', 'Name', 'Legal Name', 'Account Name'],
		businessDba: ['DBA', 'Doing Business As', 'Trade Name', 'DBA Name', 'Trading As'],
		businessCity: ['Town', 'City/Town', 'City/town/village/locality of Address'],
		businessState: ['State/Province', 'Province', 'ST', 'State/Region', 'State/county of Address'],
		businessEin: [
			...['Tax ID', 'TIN', 'FEIN', 'Federal Tax ID', 'EIN Number', 'Tax ID Number'],
			'Employer Identification Number',
		],
		businessAddressLine1: ['Address', 'Street', 'Street Address', 'Address 1', 'Addr1', 'Street 1'],
		businessAddressLine2: ['Address 2', 'Addr2', 'Street Address 2', 'Street 2'],
		businessZip: [
			...['ZIP', 'Postal Code', 'Postcode', 'Postal', 'Zip5', 'ZIP/Postal Code', 'ZIP/Postal code of Address'],
			'Billing Code',
		],
		businessPhone: ['Phone Number', 'Telephone', 'Tel', 'Main Phone'],
		businessEmail: ['Email Address'],
		businessDomain: ['Website', 'URL', 'Website URL', 'Domain Name'],
		businessSosId: ['SOS ID'],
		principals: ['Principals (JSON)'],
		licenses: ['Licenses (JSON)'],
		tags: ['Tag'],
	},
	principal: {
		firstName: ['Given Name'],
		lastName: ['Surname', 'Family Name'],
		dob: ['DOB', 'Birth Date', 'Birthday'],
		npi: ['NPI Number'],
		phone: ['Phone Number'],
		email: ['Email Address'],
		addr1: ['Addr1', 'Address', 'Address 1', 'Street', 'Street Address'],
		addr2: ['Addr2', 'Address 2'],
		zip5: ['Zip5', 'ZIP', 'Postal Code'],
		principalType: ['Type', 'Role', 'Title'],
		ownershipPercentage: ['Ownership Percent', 'Ownership'],
	},
	license: {
		license_name: ['Name'],
		license_id: ['ID', 'Number', 'License Number'],
		license_state: ['State'],
		license_category: ['Category'],
	},
};

/** Each may be the External ID if no other header names one: it is somebody's ID of the record. */
export const recordIds = ['Customer ID', 'CRM ID', 'Client ID', 'Vendor ID'];

/** Before a field of the business ("Company City"), so that it is not only the field that is named. */
const ownerWords = ['business', 'company', 'merchant', 'organization', 'vendor'];
/** Before a field of its address ("Billing Street", "Address 1: City"). */
const addressWords = ['billing', 'billingaddress', 'address1'];
const addressFields = ['businessAddressLine1', 'businessAddressLine2', 'businessCity', 'businessState', 'businessZip'];

/** A text instead of a header would take long to compare. */
const longestHeader = 1_000;

/** A header without case, spaces and punctuation, so that different spellings of one name are equal. */
export const headerKey = (header: string): string =>
	header
		.slice(0, longestHeader)
		.normalize('NFKC')
		.toLowerCase()
		.replace(/#/g, 'number')
		.replace(/[^\p{L}\p{N}]+/gu, '');

/** In a create request, the API documentation prints the keys of a license in snake case. */
const fieldsOf: Record<TargetGroup, readonly DocumentField[]> = {
	inquiry: inquiryFields,
	principal: principalFields,
	license: licenseFields
		.filter(({ name }) => licenseNames.includes(name))
		.map((of) => ({ ...of, name: snakeCased(of.name) })),
};

const target = (group: TargetGroup, number: number, of: DocumentField): Target => ({
	...of,
	name: group === 'inquiry' ? of.name : `${group}${number}_${of.name}`,
	key: of.name,
	group,
	number,
});

export const inquiryTargets = inquiryFields.map((of) => target('inquiry', 0, of));

/** For the column mapper: two principals and two licenses. A sheet may have more. */
export function listTargets(): Target[] {
	const numbered = (group: TargetGroup) =>
		[1, 2].flatMap((number) => fieldsOf[group].map((of) => target(group, number, of)));
	return [...inquiryTargets, ...numbered('principal'), ...numbered('license')];
}

export const labelOf = ({ group, number, label }: Target): string =>
	group === 'inquiry' ? label : `${group === 'principal' ? 'Principal' : 'License'} ${number}: ${label}`;

export function targetNamed(name: string): Target | undefined {
	const [, group = 'inquiry', number = 0, key = name] = /^(principal|license)(0|[1-9]\d{0,2})_(\w+)$/.exec(name) ?? [];
	const of = fieldsOf[group as TargetGroup].find((field) => field.name === key);
	return of && target(group as TargetGroup, Number(number), of);
}

/** The label of a target for messages; the name itself is the saved one, as in `principal2_lastName`. */
export function labelNamed(name: string): string {
	const found = targetNamed(name);
	return found === undefined ? name : labelOf(found);
}

/** By the headers that mean them, as `headerKey` writes them. */
const byWord = (group: TargetGroup) =>
	new Map(
		fieldsOf[group].flatMap((of) =>
			[of.label, ...(synonyms[group][of.name] ?? [])].map((word) => [headerKey(word), of] as const),
		),
	);
const words = { inquiry: byWord('inquiry'), principal: byWord('principal'), license: byWord('license') };

export const isList = ({ kind }: DocumentField) => kind === 'principals' || kind === 'licenses';

/** Headers that name the business, not only the field. */
const outright = new Map<string, DocumentField>(inquiryFields.map((of) => [headerKey(of.name), of]));
for (const [word, of] of words.inquiry) {
	// "Business Licenses" may hold any text; only a plain "Licenses" is read as JSON.
	const owners = isList(of) ? [] : ownerWords;
	for (const owner of addressFields.includes(of.name) ? [...owners, ...addressWords] : owners)
		outright.set(owner + word, of);
}
for (const word of [...ownerWords, 'legalname', 'legalbusinessname', 'businesslegalname'])
	outright.set(word, inquiryFields[0]);

const weakest = new Set(recordIds.map((header) => headerKey(header)));
for (const word of weakest) outright.set(word, words.inquiry.get('externalid')!);

/** `Principal 2 Last Name`, `principals[2].lastName`; without a number it is the first. */
function numberedTarget(key: string): Target | undefined {
	const [, prefix, number, word] =
		/^(principal|owner|beneficialowner|license|licence)(?:s(?=\d))?(\d{0,3})(.*)$/.exec(key) ?? [];
	if (prefix === undefined) return undefined;
	const group = prefix.startsWith('licen') ? 'license' : 'principal';
	const of = words[group].get(word);
	return of && target(group, number === '' ? 1 : Number(number), of);
}

/** Undefined for an unknown header: its column is ignored, because a wrong guess would send wrong data. */
export function targetOfHeader(header: string): { target: Target; rank: number } | undefined {
	const key = headerKey(header);
	const named = outright.get(key) ?? words.inquiry.get(key);
	if (named === undefined) {
		const numbered = numberedTarget(key);
		return numbered && { target: numbered, rank: 1 };
	}
	// "Company" may be a brand, "Name" a contact's, and "Billing City" that of an accountant, in whichever order they are.
	const isBilling = key.startsWith('billing');
	const rank = weakest.has(key) ? 4 : isBilling ? 3 : /legal/i.test(header) ? 0 : outright.has(key) ? 1 : 2;
	return { target: target('inquiry', 0, named), rank };
}
