import { ambiguous, type DateOrder, isDate, readDate, readMoment } from './dates';
import { present } from './objects';
import {
	type DocumentField,
	isObject,
	type Item,
	type Kind,
	momentOf,
	snakeCased,
	type Values,
} from '../document/vocabulary';

/**
 * Reads every value the same way, whether it is in a form, in JSON, in the call of a model, or in a sheet. A value that
 * cannot be sent is `refused`, and `reported` catches that. No reason contains the value, because values identify people.
 */

class Unreadable extends Error {}

function refused(reason: string): never {
	throw new Unreadable(reason);
}

/** Reports why a value cannot be read. Returns undefined, so that a reader can return its result. */
export type Report = (reason: string, path?: Path) => undefined;

/** What `read` returns; nothing if it refuses the value, after a report. */
export function reported<T>(read: () => T, report: Report): T | undefined {
	try {
		return read();
	} catch (error) {
		return report(whyUnreadable(error));
	}
}

/** Any other error is a bug, so it is still thrown. */
export function whyUnreadable(error: unknown): string {
	if (error instanceof Unreadable) return error.message;
	throw error;
}

/**
 * What Excel, Google Sheets, and LibreOffice show instead of a value, in their languages: `#DIV/0!`, `#N/D`, `Err:508`. Not
 * `#4`, which is a suite, nor `#Winning!`.
 */
const sheetError =
	/^(#(N\/?[ADV]|GETTING_DATA|#+|[¡\p{Lu}\d/_]+[!?])|#(n\/a|[\p{Ll}\d/_]+[!?])|Loading(\.{3}|…)|Err:\d{3})$/u;

/** What people and exports write where there is nothing. Null is a surname. */
const standIns = new Set('n/a N/A none None NONE null NULL - -- – —'.split(' '));

export const hasBraces = (text: string): boolean => text.includes('{{');

/** An expression in a field that the editor has at 'Fixed': all items would send the same text. */
export const unevaluated = "contains '{{', which n8n did not evaluate: switch the field to 'Expression'";

/** As long as a cell of Google Sheets. A text of megabytes would keep n8n from its other workflows while it is read. */
const longestText = 50_000;

function trimmed(value: string): string | undefined {
	if (value.length > longestText) return refused('is longer than 50,000 characters');
	const text = value.trim();
	if (isNothing(text)) return undefined;
	// Without the look at the first sign, a sheet of 10,000 rows takes longer to check.
	if ('#LE'.includes(text[0]) && sheetError.test(text)) return refused("is a spreadsheet error such as '#N/A'");
	if (text.includes('[object Object]'))
		return refused('contains an object where text is expected; use one of its fields');
	if (text.includes('undefined')) return refused("contains 'undefined': an expression in it found no value");
	if (hasBraces(text)) return refused(unevaluated);
	return text;
}

/** Undefined if the text is not JSON, which has no such value. */
export function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function asText(value: unknown): string {
	if (typeof value === 'string') return shortened.test(value) ? refused(tooLong) : value;
	if (typeof value === 'number') return isExact(value) ? String(value) : refused(tooLong);
	return ['bigint', 'boolean'].includes(typeof value) ? String(value) : refused('is not text');
}

// A larger number has already lost digits in the cell, so two IDs may have become the same. With an exponent (1e-7) it is
// the rounding error of a formula.
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER && !String(value).includes('e');

/** As a spreadsheet shows a long number, and saves it as CSV: two IDs may have become the same. */
const shortened = /^\d(\.\d+)?E\+\d+$/i;

const tooLong = 'is a number with too many digits to be exact; format the column as text';

/** The order is that of a sheet, whose user can choose it. */
type Read = (value: unknown, order?: DateOrder) => unknown;

/** The value to send; undefined if it is blank. */
export function readValue(value: unknown, kind: Kind, order?: DateOrder): unknown {
	if (kind === 'tags') return readTags(value);
	// A lookup of Airtable is a list of one.
	const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	const plain = typeof one === 'string' ? trimmed(one) : (one ?? undefined);
	return plain === undefined ? undefined : (readersByKind[kind] ?? asText)(plain, order);
}

/**
 * Codes of a fixed number of digits. Leading zeros are lost in a number cell, and in text if Excel saved the CSV file: a
 * text of less than `shortest` digits is no such code.
 */
const digits =
	(name: string, width: number, shortest: number, longer?: number): Read =>
	(given) => {
		// Some tools write a column of numbers with blanks as 2139.0.
		const value = typeof given === 'string' && /^\d{1,12}\.0+$/.test(given) ? Number(given) : given;
		if (typeof value === 'string' && value.length >= shortest && /^\d+$/.test(value)) return value.padStart(width, '0');
		if (typeof value !== 'number') return asText(value);
		const text = String(value);
		const fits = value < 10 ** width || text.length === longer;
		if (!Number.isInteger(value) || value <= 0 || !fits) return refused(`is a number that cannot be ${name}`);
		return text.padStart(width, '0');
	};

const readDay: Read = (value, order) => {
	const reading = readDate(value, order);
	if (reading === ambiguous && order === 'report')
		return refused(`${ambiguous.reason}, or choose 'Date Order' in the sheet options`);
	if ('reason' in reading) return refused(reading.reason);
	// Tomorrow is today somewhere.
	const isAhead = momentOf(reading.date) > Date.now() + 86_400_000;
	return isAhead ? refused('is in the future') : reading.date;
};

let zoneOfReading = () => 'utc';

/** Sets the time zone for `read`. A module variable is enough, because `read` is synchronous. */
export function readIn<T>(zone: () => string, read: () => T): T {
	const before = zoneOfReading;
	zoneOfReading = zone;
	try {
		return read();
	} finally {
		zoneOfReading = before;
	}
}

const readTime: Read = (value) =>
	readMoment(value, zoneOfReading) ??
	refused('must be a day or a time, for example 2026-01-31 or 2026-01-31T09:00:00Z');

const readNumber: Read = (value) => {
	if (Number.isFinite(value)) return value;
	// A column of percentages is exported as 25%.
	const [, number] = (typeof value === 'string' && /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s?%?$/.exec(value)) || [];
	return number !== undefined && Number.isFinite(Number(number)) ? Number(number) : refused('is not a number');
};

const readInteger: Read = (value) => {
	const number = readNumber(value);
	return Number.isInteger(number) ? number : refused('must be a whole number');
};

const yes = ['true', 'yes', 'y', '1'];
const no = ['false', 'no', 'n', '0'];

const readFlag: Read = (value) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'object' ? '' : String(value).toLowerCase();
	if (!yes.includes(word) && !no.includes(word)) return refused('is neither yes nor no');
	return yes.includes(word);
};

const readZip = digits('a ZIP code', 5, 3, 9);

/** "Website" columns hold addresses of pages. */
const readDomain: Read = (value) => {
	const address = asText(value).replace(/^https?:\/\//i, '');
	return address.split(/[/?#]/, 1)[0] || undefined;
};

/** A kind without a reader is text. */
const readersByKind: Partial<Record<Kind, Read>> = {
	zip: readZip,
	zip5: (value) => {
		const [five] = /^\d{5}(?=(-?\d{4})?$)/.exec(String(readZip(value))) ?? [];
		return five ?? refused('must have five digits, as in 02139');
	},
	zip4: digits('a ZIP+4 extension', 4, 3),
	ein: digits('an EIN', 9, 8),
	domain: readDomain,
	date: readDay,
	time: readTime,
	number: readNumber,
	integer: readInteger,
	boolean: readFlag,
};

const mostTags = 1_000;

function readTags(value: unknown): string[] | undefined {
	const parts: unknown[] = Array.isArray(value) ? value : splitTags(value);
	if (parts.length > mostTags) return refused('has more than 1,000 entries');
	const tags = parts.flatMap((part) => readValue(part, 'text') ?? []);
	return tags.length > 0 ? (tags as string[]) : undefined;
}

function splitTags(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value];
	const list = /^\s*\[.*\]\s*$/s.test(value) ? jsonIn(value) : undefined;
	return Array.isArray(list) ? list : value.split(/[,;]/, mostTags + 1);
}

type KnownKeys = ReadonlyMap<string, DocumentField>;

/** The fields by their names in camel and in snake case. */
export const bothSpellings = (fields: readonly DocumentField[]): KnownKeys =>
	new Map(fields.flatMap((field) => [field.name, snakeCased(field.name)].map((spelled) => [spelled, field] as const)));

/** The objects in a value that is a list, a single object, or either as JSON text; undefined for anything else. */
export function objectsIn(value: unknown): Item[] | undefined {
	const parsed = typeof value === 'string' ? jsonIn(value) : value;
	const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	return list.every(isEntry) ? list : undefined;
}

/** Their keys stay as written, and values of unknown keys are not read. */
export const readObjects = (entries: readonly Item[], known: KnownKeys, order?: DateOrder): Item[] =>
	entries.map((entry, index) => {
		const read = Object.entries(entry).map(([key, part]) => {
			const kind = known.get(key)?.kind;
			// The label alone names the whole list.
			const inEntry = (reason: string) => refused(`entry ${index + 1}: '${key}' ${reason}`);
			return [key, kind === undefined ? part : reported(() => readValue(part, kind, order), inEntry)];
		});
		return present(Object.fromEntries(read) as Item);
	});

const isEntry = (value: unknown): value is Item => isObject(value) && !isDate(value);

export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && isNothing(value.trim()));

const isNothing = (text: string) => text === '' || (text.length < 5 && standIns.has(text));

/** Defaults of kinds whose fields may stay empty. */
const whenBlank: Partial<Record<Kind, unknown>> = { tags: [], boolean: false };

/** Names, and positions in lists counted from 0: `['principals', 0, 'lastName']`. */
export type Path = ReadonlyArray<string | number>;

/** The value of a parameter; undefined if it is absent, or if it was reported. */
export type Reader<T> = (value: unknown, report: Report) => T | undefined;

export const reading =
	<K extends Kind>(kind: K): Reader<Values[K]> =>
	(value, report) =>
		reported(() => (readValue(value, kind) ?? whenBlank[kind] ?? refused('is required')) as Values[K], report);
