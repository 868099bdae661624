import type { Request } from '../kit/service';

/** Removes secrets and personal data from text of the service and of n8n. */

/** Fields whose values never appear in a message, in any spelling, even if the service repeats them. */
const personal = /^(business|alt)?(ein|dob|dateofbirth|npi|ssn|(last|first|middle|licensee)name|email|phone)$/i;
const isPersonal = (name: string) => personal.test(name.replaceAll('_', ''));

const patterns: Array<[RegExp, string]> = [
	[/\bBearer\s+[^\s"',;]+/gi, 'Bearer ***'],
	[/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
	[/\b\d{2}-\d{7}\b/g, '***'],
	[/\b\d{3}-\d{2}-\d{4}\b/g, '***'],
	[/\b(signature|token|key|secret)=[^\s&"']+/gi, '$1=***'],
];

/** Much more than is shown of a text, because a secret that was cut in two would not be found. */
const longestSearched = 10_000;
const longestShown = 1_000;

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** Removes credentials, and personal or secret values of the request, from text that people will read, and cuts it. */
export function redact(
	text: string,
	{ body, query, secrets = [] }: Pick<Request, 'body' | 'query' | 'secrets'>,
	ofCredential: string[],
): string {
	const personalOnes = personalValues([Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body, query]);
	const clean = struck(cut(text, longestSearched), [...ofCredential, ...personalOnes, ...secrets]);
	const shown = patterns.reduce((result, [pattern, mark]) => result.replace(pattern, mark), clean);
	return cut(shown, longestShown);
}

type Secrets = ReadonlyArray<string | RegExp>;

function struck(text: string, secrets: Secrets): string {
	// Longest first: a name must not be cut out of an address that contains it.
	const values = secrets.filter((secret) => typeof secret === 'string' && secret.length >= 4) as string[];
	const written = [...new Set(values.flatMap(encodings))].sort((a, b) => b.length - a.length);
	let clean = written.reduce(withoutValue, text);
	for (const secret of secrets) if (typeof secret !== 'string') clean = clean.replace(secret, '***');
	return clean;
}

/** A value as URLs, headers, and JSON contain it. */
function encodings(value: string): string[] {
	const bytes = Buffer.from(value);
	const inUrl = encodeURIComponent(bytes.toString());
	const inBase64 = [bytes.toString('base64').replace(/={1,2}$/, ''), bytes.toString('base64url')];
	return [value, inUrl, inUrl.replaceAll('%20', '+'), JSON.stringify(value).slice(1, -1), ...inBase64];
}

/** In upper and lower case, because servers change the case of header names and hosts. */
function withoutValue(text: string, value: string): string {
	const [searched, wanted] = [text.toLowerCase(), value.toLowerCase()];
	// A few letters become two in lower case, which would move everything after them.
	if (searched.length !== text.length) return text.replaceAll(value, '***');
	const parts: string[] = [];
	let from = 0;
	for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, from)) {
		parts.push(text.slice(from, at));
		from = at + wanted.length;
	}
	return from === 0 ? text : [...parts, text.slice(from)].join('***');
}

/** Removes the secrets from a JSON value, in keys and values. */
export function withoutSecrets<T>(secrets: Secrets = [], value: T): T {
	const text = secrets.length === 0 ? undefined : JSON.stringify(value);
	if (text === undefined || struck(text, secrets) === text) return value;
	return strike(value, secrets) as T;
}

function strike(value: unknown, secrets: Secrets): unknown {
	if (typeof value === 'string') return struck(value, secrets);
	if (Array.isArray(value)) return value.map((entry) => strike(entry, secrets));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [struck(key, secrets), strike(entry, secrets)]),
	);
}

function personalValues(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(personalValues);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		isPersonal(key) && (typeof entry === 'string' || typeof entry === 'number')
			? spellings(String(entry))
			: personalValues(entry),
	);
}

const months = 'January February March April May June July August September October November December'.split(' ');

function spellingsOfDay(value: string): string[] {
	const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? [];
	const name = months[Number(month) - 1];
	if (name === undefined) return [];
	const [m, d] = [String(Number(month)), String(Number(day))];
	const pairs = [month, m].flatMap((one) => [day, d].flatMap((other) => [`${one}/${other}`, `${other}/${one}`]));
	const slashed = pairs.flatMap((pair) => [`${pair}/${year}`, `${pair}/${year.slice(2)}`, `${year}/${pair}`]);
	const numbers = ['/', '-', '.'].flatMap((sign) => slashed.map((date) => date.replaceAll('/', sign)));
	const words = [name, name.slice(0, 3)].flatMap((word) =>
		[day, d].flatMap((one) => [
			`${word} ${one}, ${year}`,
			`${word} ${one} ${year}`,
			`${one} ${word} ${year}`,
			`${one}-${word}-${year}`,
		]),
	);
	return [...numbers, ...words, `${month}${day}${year}`, `${day}${month}${year}`];
}

/** The service may repeat an EIN, date or phone number without its separators. */
function spellings(value: string): string[] {
	const digits = value.replace(/\D/g, '');
	return [value, ...(digits.length >= 8 ? [digits] : []), ...spellingsOfDay(value)];
}
