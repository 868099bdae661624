import { DateTime } from 'luxon';

/** How to read 03/04/1990. Without it, such a date is refused, because a wrong guess would check the wrong person. */
export type DateOrder = 'monthFirst' | 'dayFirst';

type DateReading = { kind: 'date'; date: string } | { kind: 'problem'; reason: string };

const not = (what: string): DateReading & { kind: 'problem' } => ({
	kind: 'problem',
	reason: `is ${what}; write it YYYY-MM-DD`,
});
const notADate = not('not a date that can be read');
export const ambiguous = not('an ambiguous date (day or month first?)');
const shortYear = not('a date with a two-digit year');
const zoned = not('a date with a time, and the day depends on the time zone');
const yearOrSerial = not('a number that may be a year or a spreadsheet date');

const monthNames = 'january february march april may june july august september october november december'.split(' ');

const msPerDay = 86_400_000;

/** A date of birth as YYYY-MM-DD, from a text, a date, or the serial number of a spreadsheet. */
export function readDate(value: unknown, order?: DateOrder): DateReading {
	if (typeof value === 'string') return dayInText(value, order);
	if (typeof value === 'number') return dayInNumber(value);
	if (isDate(value)) return fromDate(value);
	// In its own zone, not in UTC, where it may be another day.
	if (isLuxon(value)) return dayInText(String(value.toISO()), order);
	return notADate;
}

const dayAndTime = /^(\d{4}-\d{2}-\d{2})[T ](.*)$/i;
const isoTime = /^\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/**
 * A time in ISO 8601; undefined if the value may be anything else. A day, or a time without a zone, is read in the zone
 * of the workflow, which may differ from the one of the server.
 */
export function readMoment(value: unknown, zone: () => string): string | undefined {
	const given = isLuxon(value) ? value.toJSDate() : isDate(value) ? value : undefined;
	if (given !== undefined) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	const [, date, time] = (typeof value === 'string' && dayAndTime.exec(value)) || [];
	if (time !== undefined) return isoTime.test(time) ? inZone(`${date}T${time}`, zone) : undefined;
	const day = readDate(value);
	if (day.kind === 'problem') return undefined;
	// A fraction of a day would be lost silently, and a small number is probably not a date.
	const isDoubtful = typeof value === 'number' && (!Number.isInteger(value) || day.date < '2000');
	return isDoubtful ? undefined : inZone(day.date, zone);
}

const inZone = (text: string, zone: () => string): string | undefined => {
	const moment = DateTime.fromISO(text, { zone: zone() });
	return moment.isValid ? moment.toUTC().toISO() : undefined;
};

/** Not instanceof: n8n has its own copy of Luxon with another class. */
const isLuxon = (value: unknown): value is { toISO(): string | null; toJSDate(): Date } =>
	typeof value === 'object' && value !== null && 'toISO' in value && 'toJSDate' in value;

// Not instanceof: a date from a Code node may be of another realm, with another class.
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

function calendarDate(year: number, month: number, day: number): DateReading {
	if (!(year >= 1800 && year <= 2199 && month >= 1 && month <= 12 && day >= 1)) return notADate;
	if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return notADate;
	return { kind: 'date', date: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` };
}

/** Excel and databases write it after a day without a time. */
const midnight = / (0?0:00(:00)?|12:00(:00)? AM)$/i;

function dayInText(given: string, order?: DateOrder): DateReading {
	const text = given.replace(midnight, '');
	const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([\d:.]+) ?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text);
	if (iso) {
		// A time with a zone is a day only at midnight. A time without a zone is local, so its day is clear.
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
	if (monthFirst.kind === 'problem') return dayFirst;
	if (dayFirst.kind === 'problem' || dayFirst.date === monthFirst.date) return monthFirst;
	return ambiguous;
}

function withMonthName(text: string): DateReading {
	const parts = text.toLowerCase().split(/[\s,./-]+/);
	if (parts.length !== 3) return notADate;
	const monthAt = parts.findIndex((part) => /^[a-z]/.test(part));
	const month = monthAt < 0 ? 0 : monthIn(parts[monthAt]);
	if (month === 0 || monthAt === 2) return notADate;
	const [first, last] = parts.filter((_, index) => index !== monthAt);
	const day = first.replace(/(?<=\d)(st|nd|rd|th)$/, '');
	if (!/^\d{1,2}$/.test(day)) return notADate;
	if (/^\d{2}$/.test(last)) return shortYear;
	return /^\d{4}$/.test(last) ? calendarDate(Number(last), month, Number(day)) : notADate;
}

const monthIn = (word: string): number =>
	monthNames.findIndex((month) => month === word || (/^(...|sept)$/.test(word) && month.startsWith(word))) + 1;

function dayInNumber(value: number): DateReading {
	if (!Number.isFinite(value) || value < 1) return notADate;
	if (Number.isInteger(value) && value >= 18_000_101 && value <= 21_991_231) return dayInText(String(value));
	if (Number.isInteger(value) && value >= 1_900 && value <= 2_199) return yearOrSerial;
	const day = Math.floor(value);
	// Spreadsheets count from 1900 and treat it as a leap year: their day 60 is a 29 February that never was.
	if (day === 60) return notADate;
	return fromParts(new Date(Date.UTC(1899, 11, day < 60 ? 31 : 30) + day * msPerDay));
}

function fromDate(value: Date): DateReading {
	if (Number.isNaN(value.getTime())) return notADate;
	if (value.getTime() % msPerDay === 0) return fromParts(value);
	const atLocalMidnight = value.getHours() + value.getMinutes() + value.getSeconds() + value.getMilliseconds() === 0;
	return atLocalMidnight ? calendarDate(value.getFullYear(), value.getMonth() + 1, value.getDate()) : zoned;
}

const fromParts = (utc: Date): DateReading =>
	calendarDate(utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate());
