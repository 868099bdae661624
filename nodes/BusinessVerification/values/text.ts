import { isDate } from './dates';
import type { Listener, Place } from './listener';

const sheetErrors = new Set('#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #ERROR! #SPILL! #CALC!'.split(' '));

/** The text without the white space around it; nothing where only that was there. */
export function trimmed(value: string, place: Place, listener: Listener): string | undefined {
	const text = value.trim();
	if (text === '') return listener.change(place, 'blankDropped');
	if (text.length !== value.length) listener.change(place, 'trimmed');
	if (text.charCodeAt(0) === 35 && sheetErrors.has(text))
		return listener.problem(place, "is an error of the spreadsheet, such as '#N/A'");
	return text;
}

/** What JSON text holds; undefined where it is none. */
export function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Any value a text field can hold, as text. */
export function asText(value: unknown, place: Place, listener: Listener): string | undefined {
	if (typeof value === 'string') return value;
	const text = textOf(value);
	if (text === undefined) return listener.problem(place, notText(value));
	listener.change(place, 'convertedToText');
	return text;
}

function textOf(value: unknown): string | undefined {
	if (typeof value === 'number') return isExact(value) ? numberText(value) : undefined;
	return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : undefined;
}

// Beyond this a number cell has already lost digits: two IDs may have become one.
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

function notText(value: unknown): string {
	if (typeof value === 'number') return 'is a number too long to be exact; format the column as text';
	return isDate(value) ? 'is a date where text is expected' : 'is not text';
}

/** Every digit of a number, never 1e-7. */
function numberText(value: number): string {
	const text = String(value);
	const [, sign, whole, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
	return exponent === undefined ? text : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}
