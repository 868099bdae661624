import type { Problem } from '../definition';
import { businessNames, inquiryFields, isText, type Kind, principalNames, requiredOf, snakeCased } from '../document';
import { isCalendarDate } from '../values/dates';
import { camelCaseKey } from './entries';
import { licenseTargets, principalTargets } from './targets';

const required = 'is required';

const textKeys = inquiryFields.filter(({ kind }) => isText(kind)).map(({ name }) => name);
const requiredKeys = requiredOf(inquiryFields);

/** Every rule of a create request that the item breaks; none when it may be sent. */
export function validateInquiry(item: object): Problem[] {
	const problems: Problem[] = [];
	const breaks = (path: Problem['path'], reason: string) => void problems.push({ path, reason });
	const fields = item as Record<string, unknown>;
	for (const key of textKeys) {
		const value = fields[key];
		if (value !== undefined && value !== null && typeof value !== 'string') breaks([key], mustBe('text'));
	}
	if (businessNames.every((key) => isBlank(fields[key]))) breaks([businessNames[0]], "or 'Business DBA' is required");
	for (const key of requiredKeys) if (isBlank(fields[key])) breaks([key], required);
	const tags = fields.tags ?? [];
	if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
		breaks(['tags'], 'must be a list of texts');
	for (const list of ['principals', 'licenses'] as const) {
		const entries = fields[list] ?? [];
		if (Array.isArray(entries)) entries.forEach((entry: unknown, place) => checkEntry(entry, list, place, breaks));
		else breaks([list], 'must be a list');
	}
	return problems;
}

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** "Item shape of principals … in the create request: not shown": given as JSON, a key may be spelled either way. */
const entryFields = {
	principals: principalTargets.map(({ key, kind }) => ({
		key,
		otherKey: snakeCased(key),
		kind,
		isRequired: (principalNames.inNewInquiry as readonly string[]).includes(key),
	})),
	licenses: licenseTargets.map(({ key, kind }) => ({ key, otherKey: camelCaseKey[key], kind, isRequired: true })),
};

function checkEntry(
	entry: unknown,
	list: keyof typeof entryFields,
	place: number,
	breaks: (path: Problem['path'], reason: string) => void,
): void {
	if (typeof entry !== 'object' || entry === null) return breaks([list, place], 'must be an object');
	const values = entry as Record<string, unknown>;
	for (const { key, otherKey, kind, isRequired } of entryFields[list]) {
		const isMissing = isRequired && isBlank(values[key]) && isBlank(values[otherKey]);
		const reason =
			wrongWith(values[key] === undefined ? values[otherKey] : values[key], kind) ?? (isMissing ? required : undefined);
		if (reason !== undefined) breaks([list, place, key], reason);
	}
}

const mustBe = (type: string) => (type === 'text' ? 'must be text' : `must be a ${type}`);

/** Of a field of a principal or a license. */
function wrongWith(value: unknown, kind: Kind): string | undefined {
	if (value === undefined || (value === null && kind !== 'boolean')) return undefined;
	const type = kind === 'number' || kind === 'boolean' ? kind : 'text';
	if (typeof value !== (type === 'text' ? 'string' : type)) return mustBe(type);
	const isWrongDay = kind === 'date' && value !== '' && !isCalendarDate(value as string);
	return isWrongDay ? 'must be a date written YYYY-MM-DD' : undefined;
}
