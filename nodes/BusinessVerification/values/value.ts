import type { Kind } from '../document';
import type { Listener, Place } from './changes';
import { type DateOrder, readDate, timeOf } from './dates';
import { asText, jsonIn, trimmed } from './text';

export interface ReadingSettings {
	dateOrder?: DateOrder;
	/** Also restore zeros where the value is text: a CSV file that Excel has saved has lost them there too. */
	restoreZerosInText?: boolean;
}

/** Codes of a fixed number of digits, which a number cell loses the leading zeros of. */
const codes = {
	zip: { widths: [5, 9], name: 'a ZIP code' },
	zip4: { widths: [4], name: 'a ZIP+4 extension' },
	ein: { widths: [9], name: 'an EIN' },
};

/** The value to send, or undefined where there is none: it is blank, or it was reported as a problem. */
export function readValue(
	value: unknown,
	kind: Kind,
	place: Place,
	settings: ReadingSettings,
	listener: Listener,
): unknown {
	if (value === undefined) return undefined;
	if (value === null) {
		listener.change(place.index, 'blankDropped');
		return undefined;
	}
	if (kind === 'tags') return readTags(value, place, listener);
	const plain = typeof value === 'string' ? trimmed(value, place, listener) : value;
	if (plain === undefined) return undefined;
	switch (kind) {
		case 'zip':
		case 'zip4':
		case 'ein':
			return readDigits(plain, kind, place, settings, listener);
		case 'date':
			return readDay(plain, place, settings, listener);
		case 'time':
			return readTime(plain, place, listener);
		case 'number':
			return readNumber(plain, place, listener);
		case 'integer':
			return readInteger(plain, place, listener);
		case 'boolean':
			return readFlag(plain, place, listener);
		default:
			return asText(plain, place, listener);
	}
}

function readDigits(
	value: unknown,
	kind: keyof typeof codes,
	place: Place,
	settings: ReadingSettings,
	listener: Listener,
): string | undefined {
	const {
		widths: [width, longer],
		name,
	} = codes[kind];
	if (typeof value === 'string') {
		if (value.length >= width || !/^\d+$/.test(value)) return value;
		listener.change(place.index, settings.restoreZerosInText ? 'zerosRestored' : 'zerosPerhapsLost');
		return settings.restoreZerosInText ? value.padStart(width, '0') : value;
	}
	if (typeof value !== 'number') return asText(value, place, listener);
	const text = String(value);
	const fits = value < 10 ** width || text.length === longer;
	if (!Number.isInteger(value) || value <= 0 || !fits) {
		listener.problem(place.header, `is a number that cannot be ${name}`);
		return undefined;
	}
	listener.change(place.index, text.length < width ? 'zerosRestored' : 'convertedToText');
	return text.padStart(width, '0');
}

function readDay(value: unknown, place: Place, settings: ReadingSettings, listener: Listener): string | undefined {
	const reading = readDate(value, settings.dateOrder);
	if ('reason' in reading) {
		listener.problem(place.header, reading.reason);
		return undefined;
	}
	if (reading.date !== value) listener.change(place.index, 'dateRewritten');
	return reading.date;
}

function readTime(value: unknown, place: Place, listener: Listener): string | undefined {
	const moment = timeOf(value);
	if (moment === undefined) listener.problem(place.header, 'must be a date, for example 2026-01-31T09:00:00Z');
	return moment?.toISOString();
}

function readNumber(value: unknown, place: Place, listener: Listener): number | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) && Number.isFinite(Number(value))) {
		listener.change(place.index, 'convertedFromText');
		return Number(value);
	}
	listener.problem(place.header, 'is not a plain number');
	return undefined;
}

function readInteger(value: unknown, place: Place, listener: Listener): number | undefined {
	const number = readNumber(value, place, listener);
	if (number === undefined || Number.isInteger(number)) return number;
	listener.problem(place.header, 'must be a whole number');
	return undefined;
}

const yes = ['true', 'yes', 'y', '1'];
const no = ['false', 'no', 'n', '0'];

function readFlag(value: unknown, place: Place, listener: Listener): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const word = String(value).toLowerCase();
	if (!yes.includes(word) && !no.includes(word)) {
		listener.problem(place.header, 'is neither yes nor no');
		return undefined;
	}
	listener.change(place.index, 'convertedFromText');
	return yes.includes(word);
}

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
