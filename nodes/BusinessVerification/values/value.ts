import type { Kind } from '../document';
import { readDate, timeOf } from './dates';
import type { Listener, Place } from './listener';
import { asText, jsonIn, trimmed } from './text';

type Read = (value: unknown, place: Place, listener: Listener) => unknown;

/** The value to send, or undefined where there is none: it is blank, or it was reported as a problem. */
export function readValue(value: unknown, kind: Kind, place: Place, listener: Listener): unknown {
	if (value === undefined) return undefined;
	if (value === null) return listener.change(place, 'blankDropped');
	if (kind === 'tags') return readTags(value, place, listener);
	const plain = typeof value === 'string' ? trimmed(value, place, listener) : value;
	return plain === undefined ? undefined : (readers[kind] ?? asText)(plain, place, listener);
}

/** Codes of a fixed number of digits, which a number cell loses the leading zeros of. */
const digits =
	(name: string, width: number, longer?: number): Read =>
	(value, place, listener) => {
		if (typeof value === 'string') {
			if (value.length >= width || !/^\d+$/.test(value)) return value;
			const { restoreZerosInText } = listener.settings;
			listener.change(place, restoreZerosInText ? 'zerosRestored' : 'zerosPerhapsLost');
			return restoreZerosInText ? value.padStart(width, '0') : value;
		}
		if (typeof value !== 'number') return asText(value, place, listener);
		const text = String(value);
		const fits = value < 10 ** width || text.length === longer;
		if (!Number.isInteger(value) || value <= 0 || !fits)
			return listener.problem(place, `is a number that cannot be ${name}`);
		listener.change(place, text.length < width ? 'zerosRestored' : 'convertedToText');
		return text.padStart(width, '0');
	};

const readDay: Read = (value, place, listener) => {
	const reading = readDate(value, listener.settings.dateOrder);
	if ('reason' in reading) return listener.problem(place, reading.reason);
	if (reading.date !== value) listener.change(place, 'dateRewritten');
	return reading.date;
};

const readTime: Read = (value, place, listener) =>
	timeOf(value)?.toISOString() ?? listener.problem(place, 'must be a date, for example 2026-01-31T09:00:00Z');

const readNumber: Read = (value, place, listener) => {
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	const isPlain = typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) && Number.isFinite(Number(value));
	if (!isPlain) return listener.problem(place, 'is not a plain number');
	listener.change(place, 'convertedFromText');
	return Number(value);
};

const readInteger: Read = (value, place, listener) => {
	const number = readNumber(value, place, listener);
	return number === undefined || Number.isInteger(number) ? number : listener.problem(place, 'must be a whole number');
};

const yes = ['true', 'yes', 'y', '1'];
const no = ['false', 'no', 'n', '0'];

const readFlag: Read = (value, place, listener) => {
	if (typeof value === 'boolean') return value;
	const word = String(value).toLowerCase();
	if (!yes.includes(word) && !no.includes(word)) return listener.problem(place, 'is neither yes nor no');
	listener.change(place, 'convertedFromText');
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

function readTags(value: unknown, place: Place, listener: Listener): string[] | undefined {
	const parts = Array.isArray(value) ? value : splitTags(value);
	const tags: string[] = [];
	for (const part of parts) {
		const plain = typeof part === 'string' ? trimmed(part, place, listener) : (part ?? undefined);
		const tag = plain === undefined ? undefined : asText(plain, place, listener);
		if (tag !== undefined) tags.push(tag);
	}
	return tags.length > 0 ? tags : undefined;
}

function splitTags(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value];
	const list = /^\s*\[.*\]\s*$/s.test(value) ? jsonIn(value) : undefined;
	return Array.isArray(list) ? list : value.split(/[,;]/);
}
