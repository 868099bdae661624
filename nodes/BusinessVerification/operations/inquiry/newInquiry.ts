import { Failure } from '../../definition/failure';
import type { Json } from '../../definition/service';
import type { NewInquiry } from '../../fields/inquiry';
import { present } from './addition';

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
const touched = ({ searchNpi, ...principal }: NewInquiry['principals'][number]): Json => present({ ...principal, searchNpi: searchNpi || undefined });

const orAbsent = (list: unknown[]) => (list.length > 0 ? list : undefined);

const snakeCased = (license: Json): Json =>
	Object.fromEntries(Object.entries(license).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]));

export interface RuleBroken {
	field: string;
	reason: string;
}

/** The document's create rules, checked before anything is sent. */
export function brokenRules(body: Json): RuleBroken[] {
	const broken: RuleBroken[] = [];
	const missing = (value: unknown) => value === undefined || value === null || value === '';
	const rule = (holds: boolean, field: string, reason: string) => {
		if (!holds) broken.push({ field, reason });
	};
	rule(!missing(body.businessCity), 'businessCity', "'City' is required");
	rule(!missing(body.businessState), 'businessState', "'State' is required");
	rule(!missing(body.businessName) || !missing(body.businessDba), 'businessName', "'Business Name' or 'Business DBA' is required");
	((body.principals as Json[] | undefined) ?? []).forEach((principal, index) => {
		rule(!missing(principal.lastName), 'principals', `Principal ${index + 1} needs a last name`);
	});
	((body.licenses as Json[] | undefined) ?? []).forEach((license, index) => {
		for (const key of ['license_name', 'license_id', 'license_state', 'license_category']) {
			const camelCase = key.replace(/_(.)/, (_, letter: string) => letter.toUpperCase());
			rule(!missing(license[key]) || !missing(license[camelCase]), 'licenses', `License ${index + 1} needs ${key}`);
		}
	});
	return broken;
}

export function refuseBroken(body: Json): void {
	const [first, ...others] = brokenRules(body);
	if (first === undefined) return;
	throw new Failure(first.reason, {
		parameter: first.field,
		description: others.length > 0 ? `Also: ${others.map(({ reason }) => reason).join('; ')}` : undefined,
	});
}
