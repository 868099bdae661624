import { ambiguous, type DateOrder, isDate, readDate, readMoment } from './dates';
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
 * Reads every value the same way, whether it is in a form, in JSON, in the call of a model, or in a sheet. A `Listener`
 * is notified why a value cannot be sent, but never gets the value, because values identify people.
 */

export interface ReadingSettings {
	dateOrder?: DateOrder;
}

/** Which value is being read: the column of a sheet, or a field of a form. */
export interface ReadField {
	header: string;
}

export interface Listener {
	readonly settings: ReadingSettings;
	/** Returns undefined, so that a reader can return its result: then nothing is sent. */
	problem(field: ReadField, reason: string): undefined;
}

/**
 * What Excel, Google Sheets, and LibreOffice show instead of a value, in their languages: `#DIV/0!`, `#N/D`, `Err:508`. Not
 * `#4`, which is a suite, nor `#Winning!`.
 */
const sheetError =
	/^(#(N\/?[ADV]|GETTING_DATA|#+|[¡\p{Lu}\d/_]+[!?])|#(n\/a|[\p{Ll}\d/_]+[!?])|Loading(\.{3}|…)|Err:\d{3})$/u;

/** Excel hides the apostrophe that makes a text of a number; some exports do not. */
const textMark = /^'(?=\d[\d.-]*$)/;

/** What people and exports write where there is nothing. Null is a surname. */
const standIns = new Set('n/a N/A none None NONE null NULL - -- – —'.split(' '));

export const hasBraces = (text: string): boolean => text.includes('{{');

/** An expression in a field that the editor has at 'Fixed': all items would send the same text. */
export const unevaluated = "contains '{{', which n8n did not evaluate: switch the field to 'Expression'";

/** As long as a cell of Google Sheets. A text of megabytes would keep n8n from its other workflows while it is read. */
const longestText = 50_000;

function trimmed(value: string, field: ReadField, listener: Listener): string | undefined {
	if (value.length > longestText) return listener.problem(field, 'is longer than 50,000 characters');
	const text = value.trim().replace(textMark, '');
	if (isNothing(text)) return undefined;
	if (sheetError.test(text)) return listener.problem(field, "is a spreadsheet error such as '#N/A'");
	if (text.includes('[object Object]'))
		return listener.problem(field, 'contains an object where text is expected; use one of its fields');
	if (text.includes('undefined'))
		return listener.problem(field, "contains 'undefined': an expression in it found no value");
	if (hasBraces(text)) return listener.problem(field, unevaluated);
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

function asText(value: unknown, field: ReadField, listener: Listener): string | undefined {
	if (typeof value === 'string') return shortened.test(value) ? listener.problem(field, tooLong) : value;
	const isPlain = typeof value === 'number' ? isExact(value) : ['bigint', 'boolean'].includes(typeof value);
	return isPlain ? String(value) : listener.problem(field, notText(value));
}

// A larger number has already lost digits in the cell, so two IDs may have become the same. With an exponent (1e-7) it is
// the rounding error of a formula.
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER && !String(value).includes('e');

/** As a spreadsheet shows a long number, and saves it as CSV: two IDs may have become the same. */
const shortened = /^\d(\.\d+)?E\+\d+$/i;

const tooLong = 'is a number with too many digits to be exact; format the column as text';

function notText(value: unknown): string {
	if (typeof value === 'number') return tooLong;
	return isDate(value) ? 'is a date where text is expected' : 'is not text';
}

type Read = (value: unknown, field: ReadField, listener: Listener) => unknown;

/** The value to send; undefined if it is blank or was reported as a problem. */
export function readValue(value: unknown, kind: Kind, field: ReadField, listener: Listener): unknown {
	if (value === undefined || value === null) return undefined;
	if (kind === 'tags') return readTags(value, field, listener);
	// A lookup of Airtable is a list of one.
	const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	const plain = typeof one === 'string' ? trimmed(one, field, listener) : (one ?? undefined);
	return plain === undefined ? undefined : (readersByKind[kind] ?? asText)(plain, field, listener);
}

/**
 * Codes of a fixed number of digits. Leading zeros are lost in a number cell, and in text if Excel saved the CSV file: a
 * text of less than `shortest` digits is no such code.
 */
const digits =
	(name: string, width: number, shortest: number, longer?: number): Read =>
	(given, field, listener) => {
		// Some tools write a column of numbers with blanks as 2139.0.
		const value = typeof given === 'string' && /^\d{1,12}\.0+$/.test(given) ? Number(given) : given;
		if (typeof value === 'string' && value.length >= shortest && /^\d+$/.test(value)) return value.padStart(width, '0');
		if (typeof value !== 'number') return asText(value, field, listener);
		const text = String(value);
		const fits = value < 10 ** width || text.length === longer;
		if (!Number.isInteger(value) || value <= 0 || !fits)
			return listener.problem(field, `is a number that cannot be ${name}`);
		return text.padStart(width, '0');
	};

const readDay: Read = (value, field, listener) => {
	const reading = readDate(value, listener.settings.dateOrder);
	if (reading === ambiguous && 'dateOrder' in listener.settings)
		return listener.problem(field, `${ambiguous.reason}, or choose 'Date Order' in the sheet options`);
	if (reading.kind === 'problem') return listener.problem(field, reading.reason);
	// Tomorrow is today somewhere.
	const isAhead = momentOf(reading.date) > Date.now() + 86_400_000;
	return isAhead ? listener.problem(field, 'is in the future') : reading.date;
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

const readTime: Read = (value, field, listener) =>
	readMoment(value, zoneOfReading) ??
	listener.problem(field, 'must be a day or a time, for example 2026-01-31 or 2026-01-31T09:00:00Z');

const readNumber: Read = (value, field, listener) => {
	if (Number.isFinite(value)) return value;
	// A column of percentages is exported as 25%.
	const [, number] = (typeof value === 'string' && /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s?%?$/.exec(value)) || [];
	return number !== undefined && Number.isFinite(Number(number))
		? Number(number)
		: listener.problem(field, 'is not a number');
};

const readInteger: Read = (value, field, listener) => {
	const number = readNumber(value, field, listener);
	return number === undefined || Number.isInteger(number) ? number : listener.problem(field, 'must be a whole number');
};

const yes = ['true', 'yes', 'y', '1'];
const no = ['false', 'no', 'n', '0'];

const readFlag: Read = (value, field, listener) => {
	if (typeof value === 'boolean') return value;
	const word = typeof value === 'object' ? '' : String(value).toLowerCase();
	if (!yes.includes(word) && !no.includes(word)) return listener.problem(field, 'is neither yes nor no');
	return yes.includes(word);
};

const readZip = digits('a ZIP code', 5, 3, 9);

/** "Website" columns hold addresses of pages. */
const readDomain: Read = (value, field, listener) => {
	const address = asText(value, field, listener)?.replace(/^https?:\/\//i, '');
	return address?.split(/[/?#]/, 1)[0] || undefined;
};

/** A kind without a reader is text. */
const readersByKind: Partial<Record<Kind, Read>> = {
	zip: readZip,
	zip5: (value, field, listener) => {
		const zip = readZip(value, field, listener);
		const [five] = /^\d{5}(?=(-?\d{4})?$)/.exec(String(zip)) ?? [];
		return zip === undefined || five ? five : listener.problem(field, 'must have five digits, as in 02139');
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

function readTags(value: unknown, field: ReadField, listener: Listener): string[] | undefined {
	const parts: unknown[] = Array.isArray(value) ? value : splitTags(value);
	if (parts.length > mostTags) return listener.problem(field, 'has more than 1,000 entries');
	const tags = parts.flatMap((part) => readValue(part ?? undefined, 'text', field, listener) ?? []);
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

/**
 * The objects in a value that is a list, a single object, or either as JSON text; undefined for anything else. Their keys
 * stay as written, and values of unknown keys are not read.
 */
export function readObjects(
	value: unknown,
	known: KnownKeys,
	field: ReadField,
	listener: Listener,
): Item[] | undefined {
	const parsed = typeof value === 'string' ? jsonIn(value) : value;
	const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
	if (!list.every(isEntry)) return undefined;
	return list.map((entry, index) => {
		const clean = new Map<string, [key: string, value: unknown]>();
		for (const [key, part] of Object.entries(entry)) {
			const { kind, name = key } = known.get(key) ?? {};
			const read = kind === undefined ? part : readValue(part, kind, field, listenerOfEntry(listener, key, index));
			if (read === undefined) continue;
			const first = clean.get(name);
			if (first !== undefined) listener.problem(field, `holds ${first[0]} twice`);
			clean.set(name, [key, read]);
		}
		return Object.fromEntries(clean.values());
	});
}

/** Says where in the list a problem is, because the label alone names the whole list. */
const listenerOfEntry = (listener: Listener, key: string, index: number): Listener => ({
	settings: listener.settings,
	problem: (field, reason) => listener.problem(field, `entry ${index + 1}: '${key}' ${reason}`),
});

const isEntry = (value: unknown): value is Item => isObject(value) && !isDate(value);

export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && isNothing(value.trim()));

const isNothing = (text: string) => text === '' || standIns.has(text);

/** Defaults of kinds whose fields may stay empty. */
const whenBlank: Partial<Record<Kind, unknown>> = { tags: [], boolean: false };

/** Names, and positions in lists counted from 0: `['principals', 0, 'lastName']`. */
export type Path = ReadonlyArray<string | number>;

/** Reports why a value cannot be read. Returns undefined, so that a reader can return its result. */
type Report = (reason: string, path?: Path) => undefined;

/** The value of a parameter; undefined if it is absent, or if it was reported. */
export type Reader<T> = (value: unknown, report: Report) => T | undefined;

export const reading = <K extends Kind>(kind: K): Reader<Values[K]> =>
	readBy(
		(value, field, listener) => (readValue(value, kind, field, listener) ?? whenBlank[kind]) as Values[K] | undefined,
	);

/** For a field of a form, which shows only the first problem. */
export const readBy =
	<T>(read: (value: unknown, field: ReadField, listener: Listener) => T | undefined): Reader<T> =>
	(value, report) => {
		let problem: string | undefined;
		const listener: Listener = {
			settings: {},
			problem: (_, reason) => void (problem ??= reason),
		};
		const plain = read(value, { header: '' }, listener);
		return problem === undefined && plain !== undefined ? plain : report(problem ?? 'is required');
	};
