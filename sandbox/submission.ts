import type { Problem } from './refusal';
import type { Switches } from './switches';
import {
	boolean,
	date,
	listOf,
	nullable,
	number,
	objectOf,
	optional,
	required,
	text,
	uuid,
	type Kind,
	type Shape,
} from './validation';

/** What may be submitted. Names and rules as in "Resources and their fields". */

export interface Principal {
	lastName?: string | null;
	dob?: string | null;
	businessPrincipalId?: string | null;
	[field: string]: unknown;
}

export interface License {
	licenseName: string;
	licenseId: string;
	licenseState: string;
	licenseCategory: string;
	licenseSubcategory?: string | null;
	source?: string;
}

export interface Submitted {
	businessName?: string | null;
	businessDba?: string | null;
	businessCity: string;
	businessState: string;
	businessEin?: string | null;
	businessAddressLine1?: string | null;
	businessZip?: string | null;
	businessPhone?: string | null;
	businessEmail?: string | null;
	businessDomain?: string | null;
	principals?: Principal[] | null;
	licenses?: Record<string, unknown>[] | null;
	tags?: string[] | null;
	externalId?: string | null;
}

const cityAndState = 'businessCity and businessState are required';

const business: Shape = {
	businessName: nullable(text),
	businessDba: nullable(text),
	businessCity: required(text, cityAndState),
	businessState: required(text, cityAndState),
	businessEin: nullable(text),
	businessAddressLine1: nullable(text),
	businessAddressLine2: nullable(text),
	businessZip: nullable(text),
	businessPhone: nullable(text),
	businessEmail: nullable(text),
	businessDomain: nullable(text),
	businessSosId: nullable(text),
	tags: nullable(listOf(text)),
	externalId: nullable(text),
};

const principalFields: Shape = {
	...Object.fromEntries(
		['firstName', 'middleName', 'lastName', 'suffix', 'npi', 'phone', 'email'].map((name) => [name, nullable(text)]),
	),
	...Object.fromEntries(
		['addr1', 'addr2', 'city', 'state', 'zip5', 'principalType'].map((name) => [name, nullable(text)]),
	),
	dob: nullable(date),
	ownershipPercentage: nullable(number),
	searchNpi: optional(boolean), // "boolean, not nullable, default false"
	businessPrincipalId: nullable(uuid),
};

export const principalNames = Object.keys(principalFields);

export const principal: Kind = objectOf(principalFields, ({ lastName, businessPrincipalId }): Problem[] =>
	lastName || businessPrincipalId
		? []
		: [{ loc: ['lastName'], text: 'is missing: "The request must include lastName or businessPrincipalId"' }],
);

const licenseFields: Shape = {
	licenseName: required(text),
	licenseId: required(text),
	licenseState: required(text),
	licenseCategory: required(text),
	licenseSubcategory: nullable(text),
};
export const license: Kind = objectOf(licenseFields);

export const filing: Kind = objectOf({ sosId: required(text), sosState: required(text) });

const needs = 'license entry needs license_name, license_id, license_state and license_category';

const namedPrincipal: Shape = { ...principalFields, lastName: required(text, 'Each principal requires a last name') };

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const inSnakeCase = <T>(record: Record<string, T>): Record<string, T> =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [snakeCase(name), value]));

/** The create request; the key style of licenses inside is an open point ("not shown beyond these rules"). */
export function inquiry(switches: Pick<Switches, 'createLicenseKeys'>): Kind {
	const licenseShape = switches.createLicenseKeys === 'snake' ? inSnakeCase(licenseFields) : licenseFields;
	const namedLicense = Object.fromEntries(
		Object.entries(licenseShape).map(([name, field]) => [name, field.required ? required(text, needs) : field]),
	);
	const shape: Shape = {
		...business,
		principals: nullable(listOf(objectOf(namedPrincipal))),
		licenses: nullable(listOf(objectOf(namedLicense))),
	};
	return objectOf(shape, ({ businessName, businessDba }): Problem[] =>
		businessName || businessDba
			? []
			: [
					{
						loc: ['businessName'],
						text: 'is missing: "At least one of businessName or businessDba must be supplied"',
					},
				],
	);
}

export const licenseTriple = ({ licenseId, licenseState, licenseCategory }: License) =>
	[licenseId, licenseState, licenseCategory].join(' | ');

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A license of the create request, in the key style of the rest. */
export const asLicense = (given: Record<string, unknown>): License =>
	Object.fromEntries(Object.entries(given).map(([name, value]) => [camelCase(name), value])) as unknown as License;
