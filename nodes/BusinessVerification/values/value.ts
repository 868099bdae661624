import type { Kind } from '../document';
import { readDate, timeOf } from './dates';
import type { Place, Reader } from './reader';
import { asText, jsonIn, trimmed } from './text';

type Read = (value: unknown, place: Place, reader: Reader) => unknown;

/** The value to send, or undefined where there is none: it is blank, or it was reported as a problem. */
export function readValue(value: unknown, kind: Kind, place: Place, reader: Reader): unknown {
	if (value === undefined) return undefined;
	if (value === null) return reader.change(place, 'blankDropped');
	if (kind === 'tags') return readTags(value, place, reader);
	const plain = typeof value === 'string' ? trimmed(value, place, reader) : value;
	return plain === undefined ? undefined : (readers[kind] ?? asText)(plain, place, reader);
}

/** Codes of a fixed number of digits, which a number cell loses the leading zeros of. */
const digits =
	(name: string, width: number, longer?: number): Read =>
	(value, place, reader) => {
		if (typeof value === 'string') {
			if (value.length >= width || !/^\d+$/.test(value)) return value;
			const { restoreZerosInText } = reader.settings;
			reader.change(place, restoreZerosInText ? 'zerosRestored' : 'zerosPerhapsLost');
			return restoreZerosInText ? value.padStart(width, '0') : value;
		}
		if (typeof value !== 'number') return asText(value, place, reader);
		const text = String(value);
		const fits = value < 10 ** width || text.length === longer;
		if (!Number.isInteger(value) || value <= 0 || !fits)
			return reader.problem(place, `is a number that cannot be ${name}`);
		reader.change(place, text.length < width ? 'zerosRestored' : 'convertedToText');
		return text.padStart(width, '0');
	};

const readDay: Read = (value, place, reader) => {
	const reading = readDate(value, reader.settings.dateOrder);
	if ('reason' in reading) return reader.problem(place, reading.reason);
	if (reading.date !== value) reader.change(place, 'dateRewritten');
	return reading.date;
};

const readTime: Read = (value, place, reader) =>
	timeOf(value)?.toISOString() ?? reader.problem(place, 'must be a date, for example 2026-01-31T09:00:00Z');

const readNumber: Read = (value, place, reader) => {
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	const isPlain = typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) && Number.isFinite(Number(value));
	if (!isPlain) return reader.problem(place, 'is not a plain number');
	reader.change(place, 'convertedFromText');
	return Number(value);
};

const readInteger: Read = (value, place, reader) => {
	const number = readNumber(value, place, reader);
	return number === undefined || Number.isInteger(number) ? number : reader.problem(place, 'must be a whole number');
};

const yes = ['true', 'yes', 'y', '1'];
const no = ['false', 'no', 'n', '0'];

const readFlag: Read = (value, place, reader) => {
	if (typeof value === 'boolean') return value;
	const word = String(value).toLowerCase();
	if (!yes.includes(word) && !no.includes(word)) return reader.problem(place, 'is neither yes nor no');
	reader.change(place, 'convertedFromText');
	return yes.includes(word);
};

/** Whatever has none here is text. */
const readers: Partial<Record<Kind, Read>> = {
	zip: digits('a ZIP code', 5, 9),
	zip4: digits('a ZIP+4 extension', 4),
	ein: digits('an EIN', 9),
	date: readDay,
	time: readTime,
	number: readNumber,
	integer: readInteger,
	boolean: readFlag,
};

function readTags(value: unknown, place: Place, reader: Reader): string[] | undefined {
	const parts = Array.isArray(value) ? value : splitTags(value);
	const tags: string[] = [];
	for (const part of parts) {
		const plain = typeof part === 'string' ? trimmed(part, place, reader) : (part ?? undefined);
		const tag = plain === undefined ? undefined : asText(plain, place, reader);
		if (tag !== undefined) tags.push(tag);
	}
	return tags.length > 0 ? tags : undefined;
}

function splitTags(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value];
	const list = /^\s*\[.*\]\s*$/s.test(value) ? jsonIn(value) : undefined;
	return Array.isArray(list) ? list : value.split(/[,;]/);
}
