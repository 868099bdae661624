import {
	type DocumentField,
	inquiryFields,
	licenseFields,
	licenseNames,
	principalFields,
	snakeCased,
} from '../document';

export interface TargetField extends Pick<DocumentField, 'kind' | 'label'> {
	/** The document's own name of the field. */
	key: string;
	/** Headers that mean this field, as `headerKey` writes them. */
	words: string[];
	required: boolean;
}

type TargetGroup = 'inquiry' | 'principal' | 'license';

/** A place in the create-inquiry item that a column can fill: `businessCity`, `principal2_lastName`, `license1_license_id`. */
export interface Target {
	name: string;
	group: TargetGroup;
	/** Which principal or license, as numbered in the sheet; 0 for the inquiry's own fields. */
	number: number;
	field: TargetField;
}

/** What sheets call the fields beside their labels. */
const synonyms: Record<TargetGroup, Record<string, string[]>> = {
	inquiry: {
		businessName: ['name'],
		businessDba: ['dba', 'dbaname', 'doingbusinessas', 'tradename', 'tradingas'],
		businessEin: ['einnumber', 'fein', 'taxid', 'taxidnumber', 'federaltaxid', 'employeridentificationnumber'],
		businessAddressLine1: ['address', 'address1', 'addr1', 'street', 'streetaddress'],
		businessAddressLine2: ['address2', 'addr2'],
		businessZip: ['zip', 'zip5', 'postalcode', 'postcode'],
		businessPhone: ['phonenumber', 'telephone', 'tel'],
		businessEmail: ['emailaddress'],
		businessDomain: ['domainname', 'website', 'websiteurl', 'url'],
		businessSosId: ['sosid'],
		principals: ['principalsjson'],
		licenses: ['licensesjson'],
		tags: ['tag'],
		externalId: ['extid', 'externalreference'],
	},
	principal: {
		firstName: ['givenname'],
		lastName: ['surname', 'familyname'],
		dob: ['dob', 'birthdate', 'birthday'],
		npi: ['npinumber'],
		phone: ['phonenumber'],
		email: ['emailaddress'],
		addr1: ['addr1', 'address', 'address1', 'street', 'streetaddress'],
		addr2: ['addr2', 'address2'],
		zip5: ['zip5', 'zip', 'postalcode'],
		principalType: ['type', 'role', 'title'],
		ownershipPercentage: ['ownershippercent', 'ownership'],
	},
	license: {
		licenseName: ['name'],
		licenseId: ['id', 'number', 'licensenumber'],
		licenseState: ['state'],
		licenseCategory: ['category'],
	},
};

/** A header with case, spaces and punctuation taken away, so that spellings of one name meet. */
const headerKey = (header: string): string =>
	header
		.normalize('NFKC')
		.toLowerCase()
		.replace(/#/g, 'number')
		.replace(/[^\p{L}\p{N}]+/gu, '');

const targetsOf = (group: TargetGroup, fields: readonly DocumentField[]): TargetField[] =>
	fields.map(({ name, kind, label, required = false }) => {
		return { key: name, kind, label, required, words: [headerKey(label), ...(synonyms[group][name] ?? [])] };
	});

/** In the order of the document, which is also the order of the keys sent. */
export const inquiryTargets = targetsOf('inquiry', inquiryFields);
export const principalTargets = targetsOf('principal', principalFields);
/** Named as the document prints them for the create request. */
export const licenseTargets = targetsOf('license', licenseFields)
	.filter(({ key }) => licenseNames.includes(key))
	.map((of) => ({ ...of, key: snakeCased(of.key) }));

export const fieldsOf = { inquiry: inquiryTargets, principal: principalTargets, license: licenseTargets };

const target = (group: TargetGroup, number: number, of: TargetField): Target => ({
	name: group === 'inquiry' ? of.key : `${group}${number}_${of.key}`,
	group,
	number,
	field: of,
});

/** Every target of a sheet with so many numbered principals and licenses, for a column-by-column mapper. */
export function listTargets(principals = 2, licenses = 2): Target[] {
	const numbered = (group: TargetGroup, count: number) =>
		Array.from({ length: count }, (_, index) => fieldsOf[group].map((of) => target(group, index + 1, of))).flat();
	return [
		...inquiryTargets.map((of) => target('inquiry', 0, of)),
		...numbered('principal', principals),
		...numbered('license', licenses),
	];
}

/** The target of that exact name. */
export function targetNamed(name: string): Target | undefined {
	const [, group = 'inquiry', number = 0, key = name] = /^(principal|license)(0|[1-9]\d{0,2})_(\w+)$/.exec(name) ?? [];
	const of = fieldsOf[group as TargetGroup].find((candidate) => candidate.key === key);
	return of && target(group as TargetGroup, Number(number), of);
}

const owners = ['business', 'company', 'merchant'];
const outright = new Map<string, TargetField>();
const bare = new Map<string, TargetField>();
for (const of of inquiryTargets) {
	outright.set(headerKey(of.key), of);
	for (const word of of.words) {
		bare.set(word, of);
		// "Business Licenses" may hold anything; only the plain word promises JSON.
		if (of.kind !== 'principals' && of.kind !== 'licenses') for (const owner of owners) outright.set(owner + word, of);
	}
}
for (const word of [...owners, 'legalname', 'legalbusinessname', 'businesslegalname'])
	outright.set(word, inquiryTargets[0]);

const wordMap = (fields: TargetField[]) => new Map(fields.flatMap((of) => of.words.map((word) => [word, of] as const)));
const numberedWords = { principal: wordMap(principalTargets), license: wordMap(licenseTargets) };

// "Principal Phone 2" may be the second phone of the first principal.
const numberedThemselves = ['phone', 'email', 'addr1'];

/** `Principal 2 Last Name`, `principals[2].lastName`, `Principal Last Name 2`; without a number it is the first. */
function numberedTarget(key: string): Target | undefined {
	const [, prefix, rest] = /^(principal|owner|beneficialowner|license|licence)(.*)$/.exec(key) ?? [];
	if (prefix === undefined) return undefined;
	const group = prefix.startsWith('licen') ? 'license' : 'principal';
	// The s may be a plural's, or that of "Principal State".
	return numberedWord(group, rest) ?? (rest.startsWith('s') ? numberedWord(group, rest.slice(1)) : undefined);
}

function numberedWord(group: 'principal' | 'license', rest: string): Target | undefined {
	const words = numberedWords[group];
	const [, leading, word] = /^(\d{0,3})(.*)$/.exec(rest) ?? ['', '', rest];
	const plain = words.get(word);
	if (plain) return target(group, leading === '' ? 1 : Number(leading), plain);
	const [, before, trailing] = (leading === '' && /^(\D+)(\d{1,3})$/.exec(word)) || [];
	const of = words.get(before ?? '');
	return of && !numberedThemselves.includes(of.key) ? target(group, Number(trailing), of) : undefined;
}

interface HeaderMatch {
	target: Target;
	/** Whether the header names the business itself ("Company City"), not just the word ("City"). */
	outright: boolean;
}

/** What a header means, or nothing: a column that is not understood is ignored, never guessed. */
export function targetOfHeader(header: string): HeaderMatch | undefined {
	const key = headerKey(header);
	const named = outright.get(key) ?? bare.get(key);
	if (named) return { target: target('inquiry', 0, named), outright: outright.has(key) };
	const numbered = numberedTarget(key);
	return numbered && { target: numbered, outright: true };
}
