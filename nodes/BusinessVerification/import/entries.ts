import { isObject, type Item, licenseNames, snakeCased } from '../document';
import { isDate } from '../values/dates';
import type { Place } from '../values/listener';
import { jsonIn } from '../values/text';
import { readValue } from '../values/value';
import type { Findings, LicenseKeys } from './findings';
import { licenseTargets, principalTargets, type TargetField } from './targets';

export const camelCaseKey: Record<string, string> = Object.fromEntries(
	licenseNames.map((key) => [snakeCased(key), key]),
);

const knownPrincipalKeys = new Map(principalTargets.map((field) => [field.key, field]));
const knownLicenseKeys = new Map(
	licenseTargets.flatMap((field) => [[field.key, field] as const, [camelCaseKey[field.key], field] as const]),
);

export const licenseKey = (key: string, style: LicenseKeys | undefined): string =>
	style === 'camelCase' ? camelCaseKey[key] : key;

/** Principals or licenses that stand in one cell, as JSON text or as a list. Keys we do not know pass through unchanged. */
export function readEntries(value: unknown, kind: 'principals' | 'licenses', place: Place, findings: Findings): Item[] {
	if (value === undefined) return [];
	if (value === null || (typeof value === 'string' && value.trim() === ''))
		return findings.change(place, 'blankDropped') ?? [];
	const parsed = typeof value === 'string' ? jsonIn(value) : value;
	const list = Array.isArray(parsed) ? parsed : [parsed];
	if (!list.every(isEntry))
		return findings.problem(place, `is not JSON of ${kind}: a list of objects is expected`) ?? [];
	if (typeof value === 'string') findings.change(place, 'convertedFromText');
	const known = kind === 'principals' ? knownPrincipalKeys : knownLicenseKeys;
	return list.map((entry) => cleanEntry(entry, known, place, findings));
}

function cleanEntry(entry: Item, known: Map<string, TargetField>, place: Place, findings: Findings): Item {
	const clean = new Map<string, unknown>();
	for (const [key, value] of Object.entries(entry)) {
		const field = known.get(key);
		const read = field ? readValue(value, field.kind, place, findings) : value;
		if (read === undefined) continue;
		const name = field && known === knownLicenseKeys ? licenseKey(field.key, findings.settings.licenseKeys) : key;
		if (clean.has(name)) findings.problem(place, `holds ${name} twice`);
		clean.set(name, read);
	}
	return Object.fromEntries(clean);
}

const isEntry = (value: unknown): value is Item => isObject(value) && !isDate(value);
