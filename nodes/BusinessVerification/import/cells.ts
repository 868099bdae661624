import { readDate } from './dates';
import type { DateOrder } from './dates';
import type { Findings } from './findings';
import type { CellKind } from './targets';
import { asText, trimmed } from './text';
import type { CellPlace } from './text';

export interface ReadingSettings {
	dateOrder?: DateOrder;
	/** Also restore zeros where the cell is text: a CSV file that Excel has saved has lost them there too. */
	restoreZerosInText?: boolean;
}

const zipWidth = 5;
const zipPlusFourWidth = 9;
const einWidth = 9;

/** The value to send, or undefined where there is none: the cell is blank, or it was reported as a problem. */
export function readCell(
	value: unknown,
	kind: CellKind,
	place: CellPlace,
	settings: ReadingSettings,
	findings: Findings,
): unknown {
	if (value === undefined) return undefined;
	if (value === null) {
		findings.change(place.index, 'blankDropped');
		return undefined;
	}
	if (kind === 'tags') return readTags(value, place, findings);
	const plain = typeof value === 'string' ? trimmed(value, place, findings) : value;
	if (plain === undefined) return undefined;
	switch (kind) {
		case 'zip':
		case 'ein':
			return readDigits(plain, kind, place, settings, findings);
		case 'date':
			return readDay(plain, place, settings, findings);
		case 'number':
			return readNumber(plain, place, findings);
		case 'boolean':
			return readFlag(plain, place, findings);
		default:
			return asText(plain, place, findings);
	}
}

function readDigits(
	value: unknown,
	kind: 'zip' | 'ein',
	place: CellPlace,
	settings: ReadingSettings,
	findings: Findings,
): string | undefined {
	const width = kind === 'zip' ? zipWidth : einWidth;
	if (typeof value === 'string') {
		if (value.length >= width || !/^\d+$/.test(value)) return value;
		findings.change(place.index, settings.restoreZerosInText ? 'zerosRestored' : 'zerosPerhapsLost');
		return settings.restoreZerosInText ? value.padStart(width, '0') : value;
	}
	if (typeof value !== 'number') return asText(value, place, findings);
	const text = String(value);
	const fits = value < 10 ** width || (kind === 'zip' && text.length === zipPlusFourWidth);
	if (!Number.isInteger(value) || value <= 0 || !fits) {
		findings.problem(
			place.header,
			kind === 'zip' ? 'is a number that cannot be a ZIP code' : 'is a number that cannot be an EIN',
		);
		return undefined;
	}
	findings.change(place.index, text.length < width ? 'zerosRestored' : 'convertedToText');
	return text.padStart(width, '0');
}

function readDay(value: unknown, place: CellPlace, settings: ReadingSettings, findings: Findings): string | undefined {
	const reading = readDate(value, settings.dateOrder);
	if ('reason' in reading) {
		findings.problem(place.header, reading.reason);
		return undefined;
	}
	if (reading.date !== value) findings.change(place.index, 'dateRewritten');
	return reading.date;
}

function readNumber(value: unknown, place: CellPlace, findings: Findings): number | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) return value;
	if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) && Number.isFinite(Number(value))) {
		findings.change(place.index, 'convertedFromText');
		return Number(value);
	}
	findings.problem(place.header, 'is not a plain number');
	return undefined;
}

const yes = ['true', 'yes', 'y', '1'];
const no = ['false', 'no', 'n', '0'];

function readFlag(value: unknown, place: CellPlace, findings: Findings): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const word = String(value).toLowerCase();
	if (!yes.includes(word) && !no.includes(word)) {
		findings.problem(place.header, 'is neither yes nor no');
		return undefined;
	}
	findings.change(place.index, 'convertedFromText');
	return yes.includes(word);
}

function readTags(value: unknown, place: CellPlace, findings: Findings): string[] | undefined {
	const parts = Array.isArray(value) ? value : splitTags(value);
	const tags: string[] = [];
	for (const part of parts) {
		const plain = typeof part === 'string' ? trimmed(part, place, findings) : (part ?? undefined);
		const tag = plain === undefined ? undefined : asText(plain, place, findings);
		if (tag !== undefined) tags.push(tag);
	}
	return tags.length > 0 ? tags : undefined;
}

function splitTags(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value];
	if (/^\s*\[.*\]\s*$/s.test(value)) {
		try {
			return JSON.parse(value) as unknown[];
		} catch {
			return value.split(/[,;]/);
		}
	}
	return value.split(/[,;]/);
}
