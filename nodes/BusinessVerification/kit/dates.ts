import { DateTime } from 'luxon';

/** How to read 03/04/1990. Without it such a date is refused: guessing would check the wrong person. */
export type DateOrder = 'monthFirst' | 'dayFirst';

type DateReading = { date: string } | { reason: string };

const not = (what: string) => ({ reason: `is ${what}; write it YYYY-MM-DD` });
const unclear = not('not a date that can be read');
export const ambiguous = not('an ambiguous date (day or month first?)');
const shortYear = not('a date with a two-digit year');
const zoned = not('a date with a time of day, and the day depends on the time zone');
const yearOrSerial = not('a number that may be a year or a date of the spreadsheet');

const months = 'january february march april may june july august september october november december'.split(' ');

const msPerDay = 86_400_000;

/** A date of birth as YYYY-MM-DD, from whatever a spreadsheet makes of it. */
export function readDate(value: unknown, order?: DateOrder): DateReading {
	if (typeof value === 'string') return fromText(value, order);
	if (typeof value === 'number') return fromNumber(value);
	if (isDate(value)) return fromDate(value);
	// A day of n8n's own dates is the day in their own zone.
	if (isLuxon(value)) return fromText(String(value.toISO()), order);
	return unclear;
}

const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/**
 * A moment as ISO 8601, from what certainly is one. A day, and a time that names no zone, are those of the user's clock,
 * which is n8n's own zone and need not be the server's.
 */
export function readMoment(value: unknown): string | undefined {
	const given = isLuxon(value) ? value.toJSDate() : isDate(value) ? value : undefined;
	if (given !== undefined) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]/.test(value))
		return isoTime.test(value) ? inZone(value.replace(' ', 'T')) : undefined;
	const day = readDate(value);
	if (!('date' in day)) return undefined;
	// A fraction of a day would be lost without a word, and a small number is rather something else than a day.
	const isDoubtful = typeof value === 'number' && (!Number.isInteger(value) || day.date < '2000');
	return isDoubtful ? undefined : inZone(day.date);
}

const inZone = (text: string): string | undefined => {
	const moment = DateTime.fromISO(text, { zone: zoneOfReading() });
	return moment.isValid ? moment.toUTC().toISO() : undefined;
};

let zoneOfReading = () => 'utc';

/** Reads values where the user's clock is known. Reading waits for nothing, so no other reading comes in between. */
export function readIn<T>(zone: () => string, read: () => T): T {
	const before = zoneOfReading;
	zoneOfReading = zone;
	try {
		return read();
	} finally {
		zoneOfReading = before;
	}
}

/** n8n brings a Luxon of its own, so its class tells nothing. */
const isLuxon = (value: unknown): value is { toISO(): string | null; toJSDate(): Date } =>
	typeof value === 'object' && value !== null && 'toISO' in value && 'toJSDate' in value;

// Not instanceof: a date made by a Code node may come from another realm.
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

export const isCalendarDate = (text: string): boolean => {
	const reading = readDate(text);
	return 'date' in reading && reading.date === text;
};

function calendarDate(year: number, month: number, day: number): DateReading {
	if (!(year >= 1800 && year <= 2199 && month >= 1 && month <= 12 && day >= 1)) return unclear;
	if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return unclear;
	return { date: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` };
}

function fromText(text: string, order?: DateOrder): DateReading {
	const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([\d:.]+) ?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text);
	if (iso) {
		// A moment in some zone names a day only at midnight; a time without a zone is the clock on the wall.
		if (iso[5] && /[1-9]/.test(iso[4])) return zoned;
		return calendarDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
	}
	const yearFirst = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(\d{4})()(\d{2})(\d{2})$/.exec(text);
	if (yearFirst) return calendarDate(Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4]));

	const yearLast = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
	if (yearLast) {
		if (yearLast[4].length === 2) return shortYear;
		return yearComesLast(Number(yearLast[1]), Number(yearLast[3]), Number(yearLast[4]), order);
	}
	return withMonthName(text);
}

function yearComesLast(first: number, second: number, year: number, order?: DateOrder): DateReading {
	const monthFirst = calendarDate(year, first, second);
	const dayFirst = calendarDate(year, second, first);
	if (order) return order === 'monthFirst' ? monthFirst : dayFirst;
	if (!('date' in monthFirst)) return dayFirst;
	if (!('date' in dayFirst) || dayFirst.date === monthFirst.date) return monthFirst;
	return ambiguous;
}

function withMonthName(text: string): DateReading {
	const parts = text.toLowerCase().split(/[\s,./-]+/);
	if (parts.length !== 3) return unclear;
	const named = parts.findIndex((part) => /^[a-z]/.test(part));
	const month = named < 0 ? 0 : monthNamed(parts[named]);
	if (month === 0 || named === 2) return unclear;
	const [first, last] = parts.filter((_, place) => place !== named);
	const day = first.replace(/(?<=\d)(st|nd|rd|th)$/, '');
	if (!/^\d{1,2}$/.test(day)) return unclear;
	if (/^\d{2}$/.test(last)) return shortYear;
	return /^\d{4}$/.test(last) ? calendarDate(Number(last), month, Number(day)) : unclear;
}

/** In full or by three letters, September by four too. */
const monthNamed = (word: string): number =>
	months.findIndex((month) => month === word || (/^(...|sept)$/.test(word) && month.startsWith(word))) + 1;

function fromNumber(value: number): DateReading {
	if (!Number.isFinite(value) || value < 1) return unclear;
	if (Number.isInteger(value) && value >= 18_000_101 && value <= 21_991_231) return fromText(String(value));
	if (Number.isInteger(value) && value >= 1_900 && value <= 2_199) return yearOrSerial;
	const day = Math.floor(value);
	// Spreadsheets count from 1900 and believe that year had a 29 February, which is their day 60.
	if (day === 60) return unclear;
	return fromParts(new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + day * msPerDay));
}

function fromDate(value: Date): DateReading {
	if (Number.isNaN(value.getTime())) return unclear;
	if (value.getTime() % msPerDay === 0) return fromParts(value);
	const atLocalMidnight = value.getHours() + value.getMinutes() + value.getSeconds() + value.getMilliseconds() === 0;
	return atLocalMidnight ? calendarDate(value.getFullYear(), value.getMonth() + 1, value.getDate()) : zoned;
}

const fromParts = (utc: Date): DateReading =>
	calendarDate(utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate());
