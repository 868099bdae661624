import type { Request } from '../definition';

/** Fields whose values never appear in a message, however they are spelled and even when the service repeats them. */
const personal =
	/^(business|alt)?(ein|dob|date_?of_?birth|npi|ssn|last_?name|first_?name|middle_?name|email|_?phone)$/i;

const patterns: Array<[RegExp, string]> = [
	[/\bBearer\s+[^\s"',;]+/gi, 'Bearer ***'],
	[/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
	[/\b\d{2}-\d{7}\b/g, '***'],
	[/\b\d{3}-\d{2}-\d{4}\b/g, '***'],
	[/\b(signature|token|key|secret)=[^\s&"']+/gi, '$1=***'],
];

/** Removes credentials, and what was personal in the request, from what others say before people read it. */
export function redact(text: string, { body, query }: Pick<Request, 'body' | 'query'>, secrets: string[]): string {
	let clean = text;
	// The longest first: a name must not be taken out of the middle of an address that holds it.
	const values = [
		...secrets,
		...personalValues([Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body, query]),
	].sort((a, b) => b.length - a.length);
	for (const value of values) {
		if (value.length >= 4) clean = clean.split(value).join('***');
	}
	return patterns.reduce((result, [pattern, mark]) => result.replace(pattern, mark), clean);
}

function personalValues(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(personalValues);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		personal.test(key) && (typeof entry === 'string' || typeof entry === 'number')
			? spellings(String(entry))
			: personalValues(entry),
	);
}

/** The service may repeat an EIN, a date or a phone number without its signs. */
function spellings(value: string): string[] {
	const digits = value.replace(/\D/g, '');
	return digits.length >= 8 ? [value, digits] : [value];
}
