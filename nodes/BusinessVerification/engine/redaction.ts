import type { Json } from '../definition/service';

/** Fields whose values never appear in a message, even when the service repeats them in its answer. */
const personal = /^(businessEin|ein|dob|npi|ssn|lastName|firstName|middleName|email|phone|alt_phone|businessEmail|businessPhone)$/i;

const patterns: Array<[RegExp, string]> = [
	[/\bBearer\s+[^\s"',;]+/gi, 'Bearer ***'],
	[/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
	[/\b\d{2}-\d{7}\b/g, '***'],
	[/\b\d{3}-\d{2}-\d{4}\b/g, '***'],
	[/\b(signature|token|key|secret)=[^\s&"']+/gi, '$1=***'],
];

/** Removes credentials, and what was personal in the request, from a text meant for people. */
export function redact(text: string, request: { body?: Json; query?: Json }, secrets: string[]): string {
	let clean = text;
	for (const value of [...secrets, ...personalValues(request)]) {
		if (value.length >= 4) clean = clean.split(value).join('***');
	}
	return patterns.reduce((result, [pattern, mark]) => result.replace(pattern, mark), clean);
}

function personalValues(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(personalValues);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		personal.test(key) && (typeof entry === 'string' || typeof entry === 'number') ? [String(entry)] : personalValues(entry),
	);
}
