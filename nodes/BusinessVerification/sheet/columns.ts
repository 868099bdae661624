import { type DocumentField, snakeCased } from '../document/vocabulary';
import { businessNames, inquiryFields, licenseFields, licenseNames, principalFields } from '../document/inquiries';
import { orMade } from '../kit/objects';
import { Failure, type Json } from '../kit/service';
import { ownNumber, type Row } from './row';

type TargetGroup = 'inquiry' | 'principal' | 'license';

/** A field of the create-inquiry item. It is named `businessCity`, `principal2_lastName`, or `license1_license_id`. */
export interface Target extends DocumentField {
	/** Its key in the inquiry, the principal, or the license. */
	key: string;
	group: TargetGroup;
	/** Which principal or license, as numbered in the sheet; 0 for fields of the inquiry. */
	number: number;
}

/** Headers for a field besides its label. */
const synonyms: Record<TargetGroup, Record<string, string[]>> = {
	inquiry: {
		externalId: ['Ext ID', 'External Reference'],
		businessName: ['Company', 'Name', 'Legal Name'],
		businessDba: ['DBA', 'Doing Business As', 'Trade Name', 'DBA Name', 'Trading As'],
		businessCity: ['Town', 'City/Town'],
		businessState: ['State/Province', 'Province', 'ST'],
		businessEin: [
			...['Tax ID', 'TIN', 'FEIN', 'Federal Tax ID', 'EIN Number', 'Tax ID Number'],
			'Employer Identification Number',
		],
		businessAddressLine1: ['Address', 'Street', 'Street Address', 'Address 1', 'Addr1'],
		businessAddressLine2: ['Address 2', 'Addr2'],
		businessZip: ['ZIP', 'Postal Code', 'Postcode', 'Postal', 'Zip5'],
		businessPhone: ['Phone Number', 'Telephone', 'Tel'],
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
const recordIds = ['Customer ID', 'CRM ID', 'Client ID', 'Vendor ID'];

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

const inquiryTargets = inquiryFields.map((of) => target('inquiry', 0, of));

/** Every target of a sheet with these numbers of principals and licenses, for the column mapper. */
export function listTargets(principals = 2, licenses = 2): Target[] {
	const numbered = (group: TargetGroup, count: number) =>
		Array.from({ length: count }, (_, index) => fieldsOf[group].map((of) => target(group, index + 1, of))).flat();
	return [...inquiryTargets, ...numbered('principal', principals), ...numbered('license', licenses)];
}

export const labelOf = ({ group, number, label }: Target): string =>
	group === 'inquiry' ? label : `${group === 'principal' ? 'Principal' : 'License'} ${number}: ${label}`;

function targetNamed(name: string): Target | undefined {
	const [, group = 'inquiry', number = 0, key = name] = /^(principal|license)(0|[1-9]\d{0,2})_(\w+)$/.exec(name) ?? [];
	const of = fieldsOf[group as TargetGroup].find((field) => field.name === key);
	return of && target(group as TargetGroup, Number(number), of);
}

/** The label of a target for messages; the name itself is the saved one, as in `principal2_lastName`. */
export function labelNamed(name: string): string {
	const found = targetNamed(name);
	return found === undefined ? name : labelOf(found);
}

/**
 * Headers in the default exports of HubSpot, Salesforce, Pipedrive, QuickBooks, Zoho CRM, Dynamics 365, and Xero that
 * `synonyms` does not cover, in this order.
 */
const exported: Record<string, string[]> = {
	businessName: ['Account Name', 'Organization - Name', '*ContactName'],
	businessEin: ['TaxNumber'],
	businessAddressLine1: [
		...['Billing Street', 'Billing Address Line 1', 'Organization - Address', 'Billing Address Street'],
		...['Address 1: Street 1', 'POAddressLine1'],
	],
	businessAddressLine2: ['Street Address 2', 'Billing Address Line 2', 'Address 1: Street 2', 'POAddressLine2'],
	businessCity: [
		...['Billing City', 'Organization - City/town/village/locality of Address', 'Billing Address City'],
		...['Address 1: City', 'POCity'],
	],
	businessState: [
		...['State/Region', 'Billing State/Province', 'Billing State', 'Organization - State/county of Address'],
		...['Billing Address State', 'Address 1: State/Province', 'PORegion'],
	],
	businessZip: [
		...['Billing Zip/Postal Code', 'Billing Postal Code', 'Organization - ZIP/Postal code of Address'],
		...['Billing Address Zip', 'Billing Zip', 'Billing Code', 'Address 1: ZIP/Postal Code', 'POPostalCode'],
	],
	businessPhone: ['Main Phone'],
	externalId: ['Record ID', 'Account ID', 'Organization - ID', '(Do Not Modify) Account'],
};

/** Keeps a leading star: in Xero, "*ContactName" is the business, but elsewhere "ContactName" is a person. */
const exportKey = (header: string, key = headerKey(header)): string => (header.startsWith('*') ? `*${key}` : key);

/** By the headers that mean them, as `headerKey` writes them. */
const byWord = (group: TargetGroup) =>
	new Map(
		fieldsOf[group].flatMap((of) =>
			[of.label, ...(synonyms[group][of.name] ?? [])].map((word) => [headerKey(word), of] as const),
		),
	);
const words = { inquiry: byWord('inquiry'), principal: byWord('principal'), license: byWord('license') };

const isList = ({ kind }: DocumentField) => kind === 'principals' || kind === 'licenses';

const ownerWords = ['business', 'company', 'merchant', 'organization', 'vendor'];
/** Headers that name the business ("Company City"), not only the field ("City"). */
const outright = new Map<string, DocumentField>(inquiryFields.map((of) => [headerKey(of.name), of]));
// "Business Licenses" may hold any text; only a plain "Licenses" is read as JSON.
for (const [word, of] of words.inquiry) if (!isList(of)) for (const owner of ownerWords) outright.set(owner + word, of);
const fieldNamed = (name: string) => inquiryFields.find((of) => of.name === name)!;
for (const [name, headers] of Object.entries(exported))
	for (const header of headers) outright.set(exportKey(header), fieldNamed(name));
for (const word of [...ownerWords, 'legalname', 'legalbusinessname', 'businesslegalname'])
	outright.set(word, inquiryFields[0]);

for (const header of recordIds) outright.set(headerKey(header), fieldNamed('externalId'));
const weakest = new Set(recordIds.map((header) => headerKey(header)));

/** For the page about imports. It names the programs whose exports are read, but not all their headers. */
export const headersOf = (group: TargetGroup, { name, label }: DocumentField): string[] => {
	const ofRecord = name === 'externalId' ? [...exported[name], ...recordIds] : [];
	return [label, ...(synonyms[group][name] ?? []), ...ofRecord];
};

// "Principal Phone 2" may be the second phone of the first principal.
const numberedThemselves = ['phone', 'email', 'addr1'];

/** `Principal 2 Last Name`, `principals[2].lastName`, `Principal Last Name 2`; without a number it is the first. */
function numberedTarget(key: string): Target | undefined {
	const [, prefix, rest] = /^(principal|owner|beneficialowner|license|licence)(.*)$/.exec(key) ?? [];
	if (prefix === undefined) return undefined;
	const group = prefix.startsWith('licen') ? 'license' : 'principal';
	// The s may be a plural ("Principals 2 Last Name") or the first letter of the field ("Principal State").
	return numberedWord(group, rest) ?? (rest.startsWith('s') ? numberedWord(group, rest.slice(1)) : undefined);
}

function numberedWord(group: 'principal' | 'license', rest: string): Target | undefined {
	const [, leading, word] = /^(\d{0,3})(.*)$/.exec(rest) ?? ['', '', rest];
	const plain = words[group].get(word);
	if (plain) return target(group, leading === '' ? 1 : Number(leading), plain);
	const [, before, trailing] = (leading === '' && /^(\D+)(\d{1,3})$/.exec(word)) || [];
	const of = words[group].get(before ?? '');
	return of && !numberedThemselves.includes(of.name) ? target(group, Number(trailing), of) : undefined;
}

/** Undefined for an unknown header: its column is ignored, because a wrong guess would send wrong data. */
function targetOfHeader(header: string): { target: Target; rank: number } | undefined {
	const key = headerKey(header);
	const named = outright.get(exportKey(header, key)) ?? outright.get(key) ?? words.inquiry.get(key);
	if (named === undefined) {
		const numbered = numberedTarget(key);
		return numbered && { target: numbered, rank: 1 };
	}
	const isOutright = outright.get(key) === named || !words.inquiry.has(key);
	// "Company" may be a brand, "Name" a contact's, and "Billing City" that of an accountant, in whichever order they are.
	const rank = weakest.has(key) ? 4 : key.startsWith('billing') ? 3 : /legal/i.test(header) ? 0 : isOutright ? 1 : 2;
	return { target: target('inquiry', 0, named), rank };
}

/** Where the value of a column comes from. */
export interface Source {
	cellOf: (row: Row) => unknown;
	/** The same for all rows, so that it says nothing about one. */
	isFixed: boolean;
}

export interface Column extends Target, Source {
	header: string;
}

/** The principals or licenses of a row: those in a column with JSON, then the numbered ones. */
export interface EntryColumns {
	key: 'principals' | 'licenses';
	json: Column | undefined;
	groups: Array<{ name: string; columns: Column[] }>;
}

export interface ColumnPlan {
	/** Every column used, in the order of the sheet. */
	mapped: Column[];
	/** Headers that match no target. */
	ignored: string[];
	/** Targets that several headers match; only `used` is read. */
	ambiguous: Array<{ target: string; used: string; unused: string[] }>;
	/** Entries of a manual mapping without such a column or field. */
	refused: Array<{ target: string; header: string; reason: string }>;
	/** Required targets without a column. If there is one, no row can be valid. */
	missing: Target[];
	/** What an inquiry is made of, in the order of its keys. So moving a column changes neither the request nor a hash. */
	parts: Array<Column | EntryColumns>;
}

/** Headers of all rows, because the first row may lack a column that a later one has. */
export function collectHeaders(rows: Iterable<Json>): string[] {
	const headers = new Set<string>();
	for (const row of rows) for (const header of Object.keys(row)) headers.add(header);
	// Each header takes time to match, during which n8n can do nothing else.
	if (headers.size <= 2_000) return [...headers];
	throw new Failure(`The sheet has ${headers.size.toLocaleString('en-US')} columns, and at most 2,000 can be read`, {
		description:
			"Nothing was submitted. Keep only the columns of the businesses, for example with n8n's 'Edit Fields' node.",
		cause: 'configuration-invalid',
	});
}

/**
 * `given` leads from targets to headers, and `made` has the columns that are not in the sheet. Of the other targets, those
 * that `isOpen` admits are matched by the headers that were not given, because their columns would be sent twice.
 */
export function planColumns(
	inSheet: string[],
	given: Record<string, string> = {},
	made: ReadonlyMap<string, Source> = new Map(),
	isOpen: (target: Target) => boolean = () => true,
): ColumnPlan {
	const headers = [...inSheet, ...made.keys()];
	const placeOf = new Map(headers.map((header, place) => [header, place]));
	const taken = new Set(Object.values(given));
	const isFree = (target: Target) => !(target.name in given) && isOpen(target);
	const free = inSheet.filter((header) => !taken.has(header));
	const { mapping, ambiguous } = matchHeaders(free, given, isFree);
	const refused: ColumnPlan['refused'] = [];
	const chosen: Array<Target & { header: string }> = [];
	for (const [name, header] of Object.entries(mapping)) {
		if (header === '') continue;
		const target = targetNamed(name);
		const reason = target ? 'the sheet has no column of this name' : 'is not a field that can be filled';
		if (target && placeOf.has(header)) chosen.push({ ...target, header });
		else refused.push({ target: name, header, reason });
	}
	const mapped = chosen
		.sort((a, b) => placeOf.get(a.header)! - placeOf.get(b.header)!)
		.map((column) => ({ ...column, ...(made.get(column.header) ?? cellsUnder(column.header)) }));
	const known = new Set([
		ownNumber,
		...mapped.map(({ header }) => header),
		...ambiguous.flatMap(({ unused }) => unused),
	]);
	const has = (name: string) => mapped.some((column) => column.name === name);
	const missing = inquiryTargets.filter(({ name, required }) => required && !has(name));
	if (!businessNames.some(has)) missing.unshift(inquiryTargets[0]);
	const lists = [entriesOf(mapped, 'principal'), entriesOf(mapped, 'license')];
	return {
		mapped,
		ignored: headers.filter((header) => !known.has(header)),
		ambiguous,
		refused,
		missing,
		parts: byKey([
			...mapped.filter((column) => column.group === 'inquiry' && !isList(column)),
			...lists.filter(({ json, groups }) => json !== undefined || groups.length > 0),
		]),
	};
}

/** Every object inherits properties such as `constructor`, which may be headers too. */
const cellsUnder = (header: string): Source => ({
	cellOf: ({ cells }) => (Object.hasOwn(cells, header) ? cells[header] : undefined),
	isFixed: false,
});

const byKey = <T extends { key: string }>(parts: T[]): T[] => parts.sort((a, b) => (a.key < b.key ? -1 : 1));

function entriesOf(mapped: Column[], group: 'principal' | 'license'): EntryColumns {
	const key = `${group}s` as const;
	const columns = mapped.filter((column) => column.group === group);
	const numbers = [...new Set(columns.map(({ number }) => number))].sort((a, b) => a - b);
	const groups = numbers.map((number) => ({
		name: `${group}${number}`,
		columns: byKey(columns.filter((column) => column.number === number)),
	}));
	return { key, json: mapped.find(({ name }) => name === key), groups };
}

/** What a person or a license cannot be sent without. */
const needed: Record<string, readonly string[]> = { principal: ['lastName'], license: licenseNames.map(snakeCased) };

/** The header for each target, also of those given. Of several headers for one, the others are named in `ambiguous`. */
function matchHeaders(headers: string[], given: Record<string, string>, isFree: (target: Target) => boolean) {
	const found = new Map<string, Array<{ header: string; rank: number }>>();
	for (const header of headers) {
		const match = targetOfHeader(header);
		if (match && isFree(match.target)) orMade(found, match.target.name, () => []).push({ header, rank: match.rank });
	}
	const mapping: Record<string, string> = { ...given };
	const ambiguous: ColumnPlan['ambiguous'] = [];
	for (const [target, rivals] of found) {
		rivals.sort((one, other) => one.rank - other.rank);
		const strong = rivals.filter(({ rank }) => rank < 4 || rivals[0].rank === 4);
		const [used, ...unused] = strong.map(({ header }) => header);
		mapping[target] = used;
		if (unused.length > 0) ambiguous.push({ target, used, unused });
	}
	// "Owner Email" or "License Number" alone would make every row wrong: it is not sent.
	for (const target of found.keys()) {
		const [, entry, group] = /^((principal|license)\d+)_/.exec(target) ?? [];
		if (needed[group]?.some((name) => !(`${entry}_${name}` in mapping))) delete mapping[target];
	}
	return { mapping, ambiguous: ambiguous.filter(({ target }) => target in mapping) };
}
