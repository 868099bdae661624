import {
	inquiryFields,
	licenseFields,
	licenseNames,
	principalFields,
} from '../nodes/BusinessVerification/document/inquiries';
import type { DocumentField } from '../nodes/BusinessVerification/document/vocabulary';
import { snakeCased } from '../nodes/BusinessVerification/document/vocabulary';
import { recordIds, synonyms } from '../nodes/BusinessVerification/sheet/targets';

const headersOf = (group: keyof typeof synonyms, { name, label }: DocumentField): string[] => [
	label,
	...(synonyms[group][name] ?? []),
	...(name === 'externalId' ? recordIds : []),
];

/** Headers that an import reads, by field: at first, and all of them, those that decide what is billed again. */
export function headerTable(): string {
	const rare = ['businessAddressLine2', 'businessSosId', 'principals', 'licenses', 'tags'];
	const fields: readonly DocumentField[] = inquiryFields.filter(({ name }) => !rare.includes(name));
	const id = fields.filter(({ name }) => name === 'externalId');
	const rows = [
		...id.map((field) => [field.label, headersOf('inquiry', field)] as const),
		...fields
			.filter((field) => !id.includes(field))
			.map((field) => [field.label, headersOf('inquiry', field).slice(0, 3)] as const),
	].map(([label, headers]) => `| **${label}** | ${headers.join(', ')} |`);
	const numbered = (what: string, group: 'principal' | 'license', of: readonly DocumentField[]) =>
		of.map((field) => `${what} 1 ${headersOf(group, field)[0].replace(/^License /, '')}`).join(', ');
	const people = principalFields.filter(({ name }) =>
		['firstName', 'lastName', 'dob', 'ownershipPercentage'].includes(name),
	);
	const license = licenseFields.filter(({ name }) => licenseNames.includes(name));
	return [
		'| Field | Headers, in any case and punctuation |',
		'|---|---|',
		...rows,
		`| a person | ${numbered('Principal', 'principal', people)} |`,
		`| a license | ${numbered(
			'License',
			'license',
			license.map((field) => ({ ...field, name: snakeCased(field.name) })),
		)} |`,
	].join('\n');
}
