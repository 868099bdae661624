import { isText, requiredOf, snakeCased } from '../document/vocabulary';
import { businessNames, inquiryFields, principalFields, principalNames } from '../document/inquiry';
import { isCalendarDate } from '../values/dates';
import { camelCaseKey } from './entries';
import { licenseTargets } from './targets';

/** One rule of the document that an item breaks. Never holds a value of the item. */
export interface FieldProblem {
	/** `businessCity`, `principals[0].lastName`, `licenses[1].license_id`. */
	field: string;
	reason: string;
}

const required = 'is required';

const textKeys = inquiryFields.filter(({ kind }) => isText(kind)).map(({ name }) => name);
const requiredKeys = requiredOf(inquiryFields);
const licenseKeys = licenseTargets.map(({ key }) => key);

/** Every rule of a create request that the item breaks; none when it may be sent. */
export function validateInquiry(item: object): FieldProblem[] {
	const problems: FieldProblem[] = [];
	const fields = item as Record<string, unknown>;
	for (const key of textKeys) {
		const value = fields[key];
		if (value !== undefined && value !== null && typeof value !== 'string')
			problems.push({ field: key, reason: 'must be text' });
	}
	if (businessNames.every((key) => isBlank(fields[key]))) {
		problems.push({ field: businessNames[0], reason: 'is required unless a DBA is given' });
	}
	for (const key of requiredKeys) if (isBlank(fields[key])) problems.push({ field: key, reason: required });
	checkTags(fields.tags, problems);
	checkList(fields.principals, 'principals', checkPrincipal, problems);
	checkList(fields.licenses, 'licenses', checkLicense, problems);
	return problems;
}

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function checkTags(tags: unknown, problems: FieldProblem[]): void {
	if (tags === undefined || tags === null) return;
	if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
		problems.push({ field: 'tags', reason: 'must be a list of texts' });
	}
}

type EntryCheck = (entry: Record<string, unknown>, breaks: (key: string, reason: string) => void) => void;

function checkList(list: unknown, field: string, check: EntryCheck, problems: FieldProblem[]): void {
	if (list === undefined || list === null) return;
	if (!Array.isArray(list)) {
		problems.push({ field, reason: 'must be a list' });
		return;
	}
	list.forEach((entry: unknown, place) => {
		const breaks = (key: string, reason: string) => problems.push({ field: `${field}[${place}].${key}`, reason });
		if (typeof entry === 'object' && entry !== null) check(entry as Record<string, unknown>, breaks);
		else problems.push({ field: `${field}[${place}]`, reason: 'must be an object' });
	});
}

const expectedType = { number: 'number', boolean: 'boolean' } as Record<string, string>;

const checkPrincipal: EntryCheck = (principal, breaks) => {
	for (const { name: key, kind } of principalFields) {
		const value = principal[key];
		if (value === undefined || (value === null && kind !== 'boolean')) continue;
		const expected = expectedType[kind] ?? 'string';
		if (typeof value !== expected) {
			breaks(key, expected === 'string' ? 'must be text' : `must be a ${expected}`);
		} else if (kind === 'date' && value !== '' && !isCalendarDate(value as string)) {
			breaks(key, 'must be a date written YYYY-MM-DD');
		}
	}
	// "Item shape of principals … in the create request: not shown": given as JSON, the key may be spelled either way.
	for (const key of principalNames.inNewInquiry) {
		if (isBlank(principal[key]) && isBlank(principal[snakeCased(key)])) breaks(key, required);
	}
};

const checkLicense: EntryCheck = (license, breaks) => {
	for (const key of licenseKeys) {
		const value = isBlank(license[key]) ? license[camelCaseKey[key]] : license[key];
		if (isBlank(value)) breaks(key, required);
		else if (typeof value !== 'string') breaks(key, 'must be text');
	}
};
