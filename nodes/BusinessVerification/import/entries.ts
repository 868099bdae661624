import { readCell } from './cells';
import type { ReadingSettings } from './cells';
import { isDate } from './dates';
import type { Findings } from './findings';
import { licenseFields, principalFields } from './targets';
import type { TargetField } from './targets';
import type { CellPlace } from './text';

/** How the keys of a license are spelled inside a create request: as the document prints them, or as in "add license". */
export type LicenseKeys = 'snakeCase' | 'camelCase';

export type Entry = Record<string, unknown>;

export const camelCaseKey: Record<string, string> = {
	license_name: 'licenseName',
	license_id: 'licenseId',
	license_state: 'licenseState',
	license_category: 'licenseCategory',
};

const knownPrincipalKeys = new Map(principalFields.map((field) => [field.key, field]));
const knownLicenseKeys = new Map(
	licenseFields.flatMap((field) => [[field.key, field] as const, [camelCaseKey[field.key], field] as const]),
);

export const licenseKey = (key: string, style: LicenseKeys | undefined): string =>
	style === 'camelCase' ? camelCaseKey[key] : key;

/** Principals or licenses that stand in one cell, as JSON text or as a list. Keys we do not know pass through unchanged. */
export function readEntries(
	value: unknown,
	kind: 'principals' | 'licenses',
	place: CellPlace,
	settings: ReadingSettings & { licenseKeys?: LicenseKeys },
	findings: Findings,
): Entry[] | undefined {
	if (value === undefined) return undefined;
	if (value === null || (typeof value === 'string' && value.trim() === '')) {
		findings.change(place.index, 'blankDropped');
		return undefined;
	}
	const parsed = typeof value === 'string' ? parseJson(value) : value;
	const list = Array.isArray(parsed) ? parsed : [parsed];
	if (!list.every(isEntry)) {
		findings.problem(place.header, `is not JSON of ${kind}: a list of objects is expected`);
		return undefined;
	}
	if (typeof value === 'string') findings.change(place.index, 'convertedFromText');
	if (list.length === 0) return undefined;
	const known = kind === 'principals' ? knownPrincipalKeys : knownLicenseKeys;
	return list.map((entry) => cleanEntry(entry, known, place, settings, findings));
}

function cleanEntry(
	entry: Entry,
	known: Map<string, TargetField>,
	place: CellPlace,
	settings: ReadingSettings & { licenseKeys?: LicenseKeys },
	findings: Findings,
): Entry {
	const clean = new Map<string, unknown>();
	for (const [key, value] of Object.entries(entry)) {
		const field = known.get(key);
		const read = field ? readCell(value, field.kind, place, settings, findings) : value;
		if (read === undefined) continue;
		const name = field && known === knownLicenseKeys ? licenseKey(field.key, settings.licenseKeys) : key;
		if (clean.has(name)) findings.problem(place.header, `holds ${name} twice`);
		clean.set(name, read);
	}
	return Object.fromEntries(clean);
}

const isEntry = (value: unknown): value is Entry =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
