import { type Problem, refuse } from '../kit/reading';
import {
	businessNames,
	inquiryFields,
	type InquiryItem,
	licenseFields,
	licenseNames,
	principalFields,
	principalNames,
} from '../document/inquiries';
import {
	isObject,
	isText,
	type Item,
	type Kind,
	requiredOf,
	snakeCased,
	type DocumentField,
} from '../document/vocabulary';
import { isCalendarDate } from '../kit/dates';
import { bothSpellings, isBlank } from '../kit/value';
import type { Input } from '../kit/field';
import type { Json } from '../kit/service';
import { present } from '../kit/objects';
import type { NewInquiry, newInquiryOptions } from './form';

const required = 'is required';

const textKeys = inquiryFields.filter(({ kind }) => isText(kind)).map(({ name }) => name);
const requiredKeys = requiredOf(inquiryFields);

/** The rules of a create request that the item breaks. Empty if it can be sent. */
export const validateInquiry = (item: object): Problem[] => [...mistypedIn(item), ...missingIn(item)];

const lists = ['principals', 'licenses'] as const;

/** Both spellings of a key count, because the API documentation does not show the items of a create request. */
const entryFields = {
	principals: principalFields.map(({ name, kind }) => ({
		key: name,
		otherKey: snakeCased(name),
		kind,
		isRequired: (principalNames.inNewInquiry as readonly string[]).includes(name),
	})),
	licenses: licenseFields
		.filter(({ name }) => licenseNames.includes(name))
		.map(({ name, kind }) => ({ key: snakeCased(name), otherKey: name, kind, isRequired: true })),
};
const requiredOfEntry = {
	principals: entryFields.principals.filter(({ isRequired }) => isRequired),
	licenses: entryFields.licenses,
};

/** What is required and blank. Rows of a sheet can break no other rule, because their values are read by their kinds. */
export function missingIn(item: object): Problem[] {
	const problems: Problem[] = [];
	const fields = item as Item;
	if (businessNames.every((key) => isBlank(fields[key])))
		problems.push({ path: [businessNames[0]], reason: "or 'Business DBA' is required" });
	for (const key of requiredKeys) if (isBlank(fields[key])) problems.push({ path: [key], reason: required });
	for (const list of lists)
		entriesOf(fields[list]).forEach((entry, place) => {
			for (const { key, otherKey } of requiredOfEntry[list])
				if (isObject(entry) && isBlank(entry[key]) && isBlank(entry[otherKey]))
					problems.push({ path: [list, place, key], reason: required });
		});
	return problems;
}

const entriesOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** 'Extra Body' may set any field to any value. */
function mistypedIn(item: object): Problem[] {
	const problems: Problem[] = [];
	const breaks = (path: Problem['path'], reason: string) => void problems.push({ path, reason });
	const fields = item as Item;
	for (const key of textKeys) {
		const value = fields[key];
		if (value !== undefined && value !== null && typeof value !== 'string') breaks([key], mustBe('text'));
	}
	const tags = fields.tags ?? [];
	if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
		breaks(['tags'], 'must be a list of texts');
	for (const list of lists) {
		if (!Array.isArray(fields[list] ?? [])) breaks([list], 'must be a list');
		entriesOf(fields[list]).forEach((entry, place) => {
			if (!isObject(entry)) return breaks([list, place], 'must be an object');
			for (const { key, otherKey, kind } of entryFields[list]) {
				const reason = wrongWith(entry[key] === undefined ? entry[otherKey] : entry[key], kind);
				if (reason !== undefined) breaks([list, place, key], reason);
			}
		});
	}
	return problems;
}

const mustBe = (type: string) => (type === 'text' ? 'must be text' : `must be a ${type}`);

function wrongWith(value: unknown, kind: Kind): string | undefined {
	if (value === undefined || (value === null && kind !== 'boolean')) return undefined;
	const type = kind === 'number' || kind === 'boolean' ? kind : 'text';
	if (typeof value !== (type === 'text' ? 'string' : type)) return mustBe(type);
	const isWrongDay = kind === 'date' && value !== '' && !isCalendarDate(value as string);
	return isWrongDay ? 'must be a date written YYYY-MM-DD' : undefined;
}

type BodyOptions = Input<typeof newInquiryOptions>;

export type LicenseKeys = BodyOptions['licenseKeys'];

type Entered = Partial<NewInquiry> & Pick<NewInquiry, keyof typeof nothingEntered>;

/** For callers that fill in only part of the form. */
export const nothingEntered = { additionalFields: {}, principals: [], licenses: [] };

/** The body of a new inquiry. Blank fields are left out, not sent as empty texts. */
export function bodyOf(input: Entered, { licenseKeys, extraBody }: BodyOptions): Json {
	const { businessName, businessDba, businessCity, businessState, externalId, additionalFields, principals, licenses } =
		input;
	const { principalsJson = [], licensesJson = [], tags = [], ...details } = additionalFields;
	return present({
		businessName,
		businessDba,
		businessCity,
		businessState,
		externalId,
		...details,
		tags: orAbsent(tags),
		principals: orAbsent([...principals.map(touched), ...principalsJson]),
		licenses: orAbsent([...licenses, ...licensesJson].map((license) => present(spelledLicense(license, licenseKeys)))),
		...extraBody,
	});
}

/** Leaves out a false `searchNpi`: n8n returns false for an untouched switch, and it is the service's default. */
const touched = ({ searchNpi, ...principal }: NewInquiry['principals'][number]): Json =>
	present({ ...principal, searchNpi: searchNpi || undefined });

const orAbsent = (list: unknown[]) => (list.length > 0 ? list : undefined);

const licenseKeysKnown = bothSpellings(licenseFields);

/** Only the keys that the API documentation has are spelled, because a service may have others in any spelling. */
export function spelledLicense(license: Json, style: LicenseKeys = 'snakeCase'): Json {
	const spelled = (key: string, name = licenseKeysKnown.get(key)?.name) =>
		name === undefined ? key : style === 'camelCase' ? name : snakeCased(name);
	return Object.fromEntries(Object.entries(license).map(([key, value]) => [spelled(key), value]));
}

const brokenRules = (body: Json): Problem[] =>
	validateInquiry(body).map(({ path, reason }) => ({ path, reason: `'${labelOf(path)}' ${reason}` }));

function labelOf([field, place, key]: Problem['path']): string {
	const label = inquiryFields.find(({ name }) => name === field)?.label ?? String(field);
	return [label, ...(place === undefined ? [] : [Number(place) + 1]), entryLabel(key)].filter(Boolean).join(' > ');
}

/** Keys of licenses are not replaced by labels, because JSON needs these keys. */
const entryLabel = (key: string | number = '') => principalFields.find(({ name }) => name === key)?.label ?? key;

/** A field that cannot be read is not also reported as missing. */
export function withBrokenRules(unreadable: readonly Problem[], body: Json): Array<{ field: string; reason: string }> {
	const isTold = ({ path: [field] }: Problem) => unreadable.some(({ path: [name] }) => field === name);
	const broken = brokenRules(body).filter((rule) => !isTold(rule));
	return [...unreadable, ...broken].map(({ path, reason }) => ({ field: written(path), reason }));
}

/** `principals[0].lastName` */
const written = ([first, ...rest]: Problem['path']): string =>
	rest.reduce<string>(
		(path, part) => (typeof part === 'number' ? `${path}[${part}]` : `${path}.${part}`),
		String(first),
	);

export const refuseBroken = (body: Json): void => refuse(brokenRules(body), written);

interface Check {
	/** Name of the check, as in the create rules of the API documentation. */
	check: string;
	/** The fields that turn on the check together. */
	needs: string[];
}

/** `list` and `key` are the parts of the first need: the second is undefined for a field of the inquiry itself. */
const checks = [
	...checksOf(inquiryFields),
	...checksOf(principalFields).map(({ check, needs }) => ({ check, needs: needs.map((name) => `principals.${name}`) })),
].map(({ check, needs }) => {
	const [list, key] = needs[0].split('.');
	return { check, needs, list, key };
});

function checksOf(fields: readonly DocumentField[]): Check[] {
	const needs = new Map<string, string[]>();
	for (const { name, unlocks } of fields)
		if (unlocks !== undefined) needs.set(unlocks, [...(needs.get(unlocks) ?? []), name]);
	return [...needs].map(([check, names]) => ({ check, needs: names }));
}

/** How many times an item turns on a check: once, or once for each principal or license with the needed field. */
function timesOf({ needs, list, key }: (typeof checks)[number], item: InquiryItem): number {
	const fields = item as Record<string, unknown>;
	const value = fields[list];
	if (!Array.isArray(value)) return needs.every((need) => fields[need]) ? 1 : 0;
	return key === undefined ? value.length : value.filter((one: Item) => one[key]).length;
}

/** The checks that an item unlocks, if they are enabled for the organization. */
export const checksUnlockedBy = (item: InquiryItem): string[] =>
	checks.filter((check) => timesOf(check, item) > 0).map(({ check }) => check);

interface CheckCount extends Check {
	/** Items that turn on the check. */
	rows: number;
	/** Sum over the items: once for an item, or once for each of its principals or licenses. */
	times: number;
}

/** The checks that one of the items unlocks. */
export const countChecks = (items: readonly InquiryItem[]): CheckCount[] =>
	checks
		.map((one) => {
			const times = items.map((item) => timesOf(one, item)).filter((count) => count > 0);
			const { check, needs } = one;
			return { check, needs, rows: times.length, times: times.reduce((sum, count) => sum + count, 0) };
		})
		.filter(({ rows }) => rows > 0);
