import type { Request } from '../kit/service';

/** Removes secrets and personal data from text of the service and of n8n. */

/** Fields whose values never appear in a message, in any spelling, even if the service repeats them. A search may be an EIN. */
const personal =
	/^(search|(business|alt)?(ein|dob|dateofbirth|npi|ssn|(last|first|middle|licensee)name|email|phone))$/i;
const isPersonal = (name: string) => personal.test(name.replaceAll('_', ''));

const patterns: Array<[RegExp, string]> = [
	[/\bBearer\s+[^\s"',;]+/gi, 'Bearer ***'],
	[/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
	[/\b(signature|token|key|secret)=[^\s&"']+/gi, '$1=***'],
	// A tax number: the service may repeat that of another request.
	[/\b(\d{2}[- ]?\d{7}|\d{3}[- ]\d{2}[- ]\d{4})\b/g, '***'],
	// Days of the years in which an adult may be born: so may the date of birth of another request.
	[
		/\b(((\d{1,2}[a-z]{0,2}|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})[-/., of]{1,4}){2}(19\d\d|20[01]\d))(?!\d)/gi,
		'***',
	],
	[/\b(19\d\d|20[01]\d)[-/., ]{1,4}(\d{1,2}|[a-z]{3,9})[-/., ]{1,4}\d{1,2}(?!\d)/gi, '***'],
	[/\b((19\d\d|20[01]\d)[01]\d[0-3]\d|[0-3]\d[0-3]\d(19\d\d|20[01]\d))(?!\d)/g, '***'],
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
	const sent = [Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body, query];
	const personalOnes = personalValues(sent);
	const clean = struck(cut(text, longestSearched), [...ofCredential, ...personalOnes, ...secrets]);
	const shown = patterns.reduce((result, [pattern, mark]) => result.replace(pattern, mark), clean);
	return cut(birth.test(JSON.stringify(sent)) ? shown.replace(anyDate, '***') : shown, longestShown);
}

/** The name of a field, as JSON writes it, because its value may have any shape in Extra Body. */
const birth = /"((business|alt)_?)?(dob|date_?of_?birth)":/i;

/** As in 3/4/80 or 4th of March, 2026. A text about a date of birth shows no date. */
const anyDate =
	/\b(((\d{1,4}[a-z]{0,2}|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})[-/., of]{1,4}){2}\d+|\d{8}\b)/gi;

type Secrets = ReadonlyArray<string | RegExp>;

function struck(text: string, secrets: Secrets): string {
	// Longest first: a name must not be cut out of an address that contains it.
	const values = secrets.filter((secret) => typeof secret === 'string' && secret.length >= 4) as string[];
	const written = [...new Set(values.flatMap(encodings))].sort((a, b) => b.length - a.length);
	const searched = text.toLowerCase();
	let clean = text;
	for (const value of written) {
		if (searched.includes(value.toLowerCase())) clean = withoutValue(clean, value);
	}
	for (const secret of secrets) if (typeof secret !== 'string') clean = clean.replace(secret, '***');
	return clean;
}

/** In upper and lower case, because servers change the case of header names and hosts. */
function withoutValue(text: string, value: string): string {
	const [searched, wanted] = [text.toLowerCase(), value.toLowerCase()];
	// A few letters become two in lower case, which would move everything after them.
	if (searched.length !== text.length) return text.replaceAll(value, '***');
	let from = 0;
	const kept = searched.split(wanted).map(({ length }) => {
		const part = text.slice(from, from + length);
		from += length + wanted.length;
		return part;
	});
	return kept.join('***');
}

/** A value as URLs, forms, JSON, and Base64 contain it. */
function encodings(value: string): string[] {
	const inUrl = encodeURIComponent(Buffer.from(value).toString());
	// In a query, n8n's HTTP helper encodes these as well.
	const inQuery = inUrl.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
	const inForms = [inUrl, inQuery].flatMap((text) => [text, text.replaceAll('%20', '+')]);
	const plain = [value, ...inForms, JSON.stringify(value).slice(1, -1)];
	return value.length < shortestInBase64 ? plain : [...plain, ...inBase64(value)];
}

/** Of shorter values, Base64 is short enough to be part of a word. */
const shortestInBase64 = 8;

/** As part of a longer text, such as `user:key`, without the signs that also hold bits of what stands beside it. */
const inBase64 = (value: string): string[] =>
	[0, 1, 2].flatMap((before) => {
		const bytes = Buffer.from(' '.repeat(before) + value);
		const ofItself = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
		return (['base64', 'base64url'] as const).map((form) => bytes.toString(form).slice(...ofItself));
	});

/** Removes the secrets from a JSON value, in keys and values. They are longer than any number, so the text stays JSON. */
export function withoutSecrets<T>(secrets: Secrets = [], value: T): T {
	const text = secrets.length === 0 ? undefined : JSON.stringify(value);
	const clean = text && struck(text, secrets);
	return clean === undefined || clean === text ? value : (JSON.parse(clean) as T);
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

/** The service may repeat an EIN or phone number without its separators. */
function spellings(value: string): string[] {
	const digits = value.replace(/\D/g, '');
	return digits.length >= 8 ? [value, digits] : [value];
}
