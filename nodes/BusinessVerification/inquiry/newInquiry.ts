import { labelAt, type Problem, refuse } from '../kit/reading';
import { businessNames, inquiryFields, licenseFields, licenseNames, principalNames } from '../document/inquiries';
import { isObject, type Item, requiredOf, snakeCased } from '../document/vocabulary';
import { bothSpellings, isBlank } from '../kit/value';
import { stateCode } from '../kit/unitedStates';
import type { Json, Settings } from '../kit/service';
import { present } from '../kit/objects';
import { type NewInquiry, newInquiry } from './inquiryForm';

type LicenseKeys = Settings['licenseKeys'];

export const isRequired = 'is required';
export const needsName = 'or a Business DBA is required';

const requiredKeys = requiredOf(inquiryFields);

/** Both spellings of a key count, because the API documentation does not show the items of a create request. */
const requiredInEntries = {
	principals: principalNames.map((name) => ({ key: name, otherKey: snakeCased(name) })),
	licenses: licenseNames.map((name) => ({ key: snakeCased(name), otherKey: name })),
};

/** The required keys that a principal or license lacks. */
export const lackingIn = (entry: Item, list: keyof typeof requiredInEntries): string[] =>
	requiredInEntries[list].flatMap(({ key, otherKey }) => (isBlank(entry[key]) && isBlank(entry[otherKey]) ? key : []));

/** What `'crm-' + $json.id` or `$json.hasId && $json.id` makes of a record without an ID: all would share one inquiry. */
export const noValue =
	/(?<![A-Za-z\d])(undefined|NaN|\[object Object\])(?![A-Za-z\d])|^null(?![A-Za-z\d])|(?<![A-Za-z\d])(null|false)$/;

/** What a create request requires and the item lacks. Empty if it can be sent. */
export function missingIn(fields: Item): Problem[] {
	const problems: Problem[] = [];
	const { externalId } = fields;
	if (typeof externalId === 'string' && noValue.test(externalId))
		problems.push({ path: ['externalId'], reason: `is '${externalId}': its expression found no value` });
	if (businessNames.every((key) => isBlank(fields[key])))
		problems.push({ path: [businessNames[0]], reason: needsName });
	for (const key of requiredKeys) if (isBlank(fields[key])) problems.push({ path: [key], reason: isRequired });
	for (const list of ['principals', 'licenses'] as const)
		listIn(fields[list]).forEach((entry, index) => {
			const lacking = isObject(entry) ? lackingIn(entry, list) : [];
			for (const key of lacking) problems.push({ path: [list, index, key], reason: isRequired });
		});
	return problems;
}

/** 'Extra Body' may set a list to any value. The service decides whether it accepts it. */
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The body of a new inquiry. Blank fields are left out, not sent as empty texts. */
export function bodyOf(input: Partial<NewInquiry>, extraBody: Json | undefined, licenseKeys?: LicenseKeys): Json {
	const { businessName, businessCity, businessState, externalId } = input;
	const { additionalFields = {}, principals = [], licenses = [] } = input;
	const { businessDba, principalsJson = [], licensesJson = [], tags = [], ...details } = additionalFields;
	return present({
		businessName,
		businessDba,
		businessCity,
		businessState,
		externalId,
		...details,
		tags: orAbsent(tags),
		principals: orAbsent([...principals.map(inOne), ...principalsJson]),
		licenses: orAbsent([...licenses, ...licensesJson].map((license) => present(spelledLicense(license, licenseKeys)))),
		...extraBody,
	});
}

const inOne = ({ additionalFields, ...principal }: NewInquiry['principals'][number]): Json =>
	present({ ...principal, ...additionalFields });

const orAbsent = (list: unknown[]) => (list.length > 0 ? list : undefined);

const licenseKeysKnown = bothSpellings(licenseFields);

/** Only the keys that the API documentation has are spelled, because a service may have others in any spelling. */
export function spelledLicense(license: Json, style: LicenseKeys = 'snakeCase'): Json {
	const spelled = (key: string, name = licenseKeysKnown.get(key)?.name) =>
		name === undefined ? key : style === 'camelCase' ? name : snakeCased(name);
	return Object.fromEntries(Object.entries(license).map(([key, value]) => [spelled(key), value]));
}

/** Keys of licenses are not replaced by labels, because they are no names of the form: JSON needs these keys. */
const brokenRules = (body: Json): Problem[] =>
	missingIn(body).map(({ path, reason }) => ({ path, reason: `'${labelAt(path, newInquiry)}' ${reason}` }));

/** A field that cannot be read is not also reported as missing. */
export function withBrokenRules(unreadable: readonly Problem[], body: Json): Array<{ field: string; reason: string }> {
	const isReported = ({ path: [field] }: Problem) => unreadable.some(({ path: [name] }) => field === name);
	const broken = brokenRules(body).filter((rule) => !isReported(rule));
	return [...unreadable, ...broken].map(({ path, reason }) => ({ field: written(path), reason }));
}

/** `principals[0].lastName` */
const written = (path: Problem['path']): string => path.join('.').replace(/\.(\d+)/g, '[$1]');

export const refuseBroken = (body: Json): void => refuse(brokenRules(body), written);

const labels = new Map<string, string>(inquiryFields.map(({ name, label }) => [name, label]));

const several = 'seems to hold more than one value, or another kind of value';

/** Likely typing errors. They are remarks and not problems, because only the service can decide what it accepts. */
const doubtful: Array<[name: string, isDoubtful: (text: string) => boolean, remark: string]> = [
	['businessEmail', (text) => /[,;\s]|@.*@/.test(text), several],
	['businessDomain', (text) => /[@,;\s]/.test(text), several],
	['businessAddressLine1', (text) => text.includes(';'), several],
	['businessEin', (text) => !/^\d{2}-?\d{7}$/.test(text), 'does not have nine digits as in 12-3456789'],
	['businessState', (text) => stateCode(text) === undefined, 'is not a US state such as IL or Illinois'],
	['businessZip', (text) => !/^\d{5}(-?\d{4})?$/.test(text), 'does not have five digits as in 02139'],
];
const severalPeople = /[;&/\n]|\sand\s/i;

export function remarksOn(body: Record<string, unknown>): string[] {
	const remarks = doubtful.flatMap(([name, isDoubtful, remark]) => {
		const value = body[name];
		return typeof value === 'string' && isDoubtful(value)
			? `'${labels.get(name)}' ${remark}. It is not corrected.`
			: [];
	});
	const principals = listIn(body.principals).filter(isObject);
	if (principals.some(({ lastName, last_name }) => severalPeople.test(String(lastName ?? last_name))))
		remarks.push("'Last Name' of a principal seems to hold more than one person. It is not corrected.");
	const shares = principals.map(({ ownershipPercentage }) => Number(ownershipPercentage ?? 0)).filter(Boolean);
	// Excel and Google Sheets store 25% as 0.25.
	if (shares.length > 0 && shares.every((share) => share <= 1))
		remarks.push("'Ownership Percentage' is not above 1: a cell that shows 25% may hold 0.25. It is not corrected.");
	return remarks;
}
