import { Failure } from '../../definition/failure';
import { present } from '../../definition/present';
import type { Json } from '../../definition/service';
import { newInquiry, type NewInquiry } from '../../fields/inquiry';
import { principalFields } from '../../fields/principal';
import { type FieldProblem, validateInquiry } from '../../import/validation';

interface BodyOptions {
	licenseKeys?: 'snakeCase' | 'camelCase';
	extraBody?: Json;
}

/** The body of a new inquiry. Blank fields are absent from it, never empty. */
export function bodyOf(input: NewInquiry, { licenseKeys, extraBody }: BodyOptions): Json {
	const { businessName, businessDba, businessCity, businessState, additionalFields, principals, licenses } = input;
	const { principalsJson = [], licensesJson = [], tags = [], ...details } = additionalFields;
	const ownLicenses = licenses.map((license) => present(licenseKeys === 'camelCase' ? license : snakeCased(license)));
	return present({
		businessName,
		businessDba,
		businessCity,
		businessState,
		...details,
		tags: orAbsent(tags),
		principals: orAbsent([...principals.map(touched), ...principalsJson]),
		licenses: orAbsent([...ownLicenses, ...licensesJson]),
		...extraBody,
	});
}

/** In a row n8n hands on a switch that nobody touched as false; the service's own default says the same. */
const touched = ({ searchNpi, ...principal }: NewInquiry['principals'][number]): Json =>
	present({ ...principal, searchNpi: searchNpi || undefined });

const orAbsent = (list: unknown[]) => (list.length > 0 ? list : undefined);

const snakeCased = (license: Json): Json =>
	Object.fromEntries(
		Object.entries(license).map(([key, value]) => [
			key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);

/** The document's create rules that the body breaks, in the words of the form. */
export const brokenRules = (body: Json): FieldProblem[] =>
	validateInquiry(body).map(({ field, reason }) => ({ field, reason: `'${labelOf(field)}' ${reason}` }));

function labelOf(field: string): string {
	const [, list, place, key] = /^(principals|licenses)\[(\d+)\](?:\.(\w+))?$/.exec(field) ?? [];
	if (list !== undefined)
		return [list === 'principals' ? 'Principals' : 'Licenses', Number(place) + 1, entryLabel(key)]
			.filter(Boolean)
			.join(' > ');
	return (newInquiry as Record<string, { property: { displayName: string } }>)[field]?.property.displayName ?? field;
}

/** Licenses keep the document's spelling, which is the one that JSON needs. */
const entryLabel = (key = '') =>
	(principalFields as Record<string, { property: { displayName: string } }>)[key]?.property.displayName ?? key;

export function refuseBroken(body: Json): void {
	const [first, ...others] = brokenRules(body);
	if (first === undefined) return;
	throw new Failure(first.reason, {
		parameter: first.field,
		description: others.length > 0 ? `Also: ${others.map(({ reason }) => reason).join('; ')}` : undefined,
	});
}
