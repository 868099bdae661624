import { DateTime } from 'luxon';

/** How a sheet reads 03/04/1990. With 'report' and elsewhere it is refused: a wrong guess would check the wrong person. */
export type DateOrder = 'report' | 'monthFirst' | 'dayFirst';

type DateReading = { date: string } | { reason: string };

const not = (what: string) => ({ reason: `is ${what}; write it YYYY-MM-DD` });
const notADate = not('not a date that can be read');
export const ambiguous = not('an ambiguous date (day or month first?)');
const zoned = not('a date with a time, and the day depends on the time zone');

const monthNames = 'january february march april may june july august september october november december'.split(' ');

const msPerDay = 86_400_000;

/** A date of birth as YYYY-MM-DD, from a text, a date, or the serial number of a spreadsheet. */
export function readDate(value: unknown, order?: DateOrder): DateReading {
	if (typeof value === 'string') return dayInText(value, order);
	if (typeof value === 'number') return dayInNumber(value);
	if (isDate(value)) return dayInText(isoOf(value));
	// In its own zone, not in UTC, where it may be another day.
	return isLuxon(value) ? dayInText(String(value.toISO())) : notADate;
}

/**
 * A time in ISO 8601; undefined if the value may be anything else. A day, or a time without a zone, is read in the zone
 * of the workflow, which may differ from the one of the server.
 */
export function readMoment(value: unknown, zone: () => string): string | undefined {
	if (isDate(value) || isLuxon(value)) return new Date(value.valueOf()).toJSON() ?? undefined;
	if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}([T ]\d|$)/i.test(value)) return undefined;
	const moment = DateTime.fromISO(value.toUpperCase().replace(' ', 'T'), { zone: zone() });
	return moment.isValid ? moment.toUTC().toISO() : undefined;
}

/** Not instanceof: n8n has its own copy of Luxon with another class. */
const isLuxon = (value: unknown): value is { toISO(): string | null; valueOf(): number } =>
	typeof value === 'object' && value !== null && 'toISO' in value;

// Not instanceof: a date from a Code node may be of another realm, with another class.
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

/** Databases return a day as midnight in the zone of the server. */
function isoOf(value: Date): string {
	const isLocalDay = new Date(value).setHours(0, 0, 0, 0) === value.getTime();
	return isLocalDay ? [value.getFullYear(), value.getMonth() + 1, value.getDate()].join('-') : String(value.toJSON());
}

function calendarDate(year: number, month: number, day: number): DateReading {
	if (!(year >= 1800 && year <= 2199 && month >= 1 && month <= 12 && day >= 1)) return notADate;
	if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return notADate;
	return { date: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` };
}

/** Excel and databases write it after a day without a time. */
const midnight = / (0?0:00(:00)?|12:00(:00)? AM)$/i;

function dayInText(text: string, order?: DateOrder): DateReading {
	const [, isoDay, time, zone] = /^(\d{4}-\d{2}-\d{2})[T ]([\d:.]+) ?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? [];
	// A time with a zone is a day only at midnight. A time without a zone is local, so its day is clear.
	if (zone && /[1-9]/.test(time)) return zoned;
	const written = (isoDay ?? text.replace(midnight, '')).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
	const parts = written.toLowerCase().split(/[\s,./-]+/, 4);
	const [first, second, last] = parts.map(figureIn);
	if (parts.length !== 3) return notADate;
	if (isYear(parts[0])) return calendarDate(first, second, last);
	if (!isYear(parts[2])) return notADate;
	const monthFirst = calendarDate(last, first, second);
	const dayFirst = calendarDate(last, second, first);
	const known = monthIn(parts[0]) ? 'monthFirst' : monthIn(parts[1]) ? 'dayFirst' : order;
	if (known === 'monthFirst') return monthFirst;
	if (known === 'dayFirst') return dayFirst;
	if ('reason' in monthFirst) return dayFirst;
	return 'reason' in dayFirst || dayFirst.date === monthFirst.date ? monthFirst : ambiguous;
}

const isYear = (part: string): boolean => /^\d{4}$/.test(part);

const monthIn = (part: string): number =>
	part.length < 3 ? 0 : monthNames.findIndex((month) => month.startsWith(part)) + 1;

/** The number of a day, a month, or a year, as in 3, 3rd, or March; NaN for anything else. */
const figureIn = (part: string): number => monthIn(part) || Number(/^(\d+)(st|nd|rd|th)?$/.exec(part)?.[1]);

function dayInNumber(value: number): DateReading {
	if (/^\d{8}$/.test(String(value))) return dayInText(String(value));
	const mayBeYear = Number.isInteger(value) && value >= 1_900 && value <= 2_199;
	// Spreadsheets treat 1900 as a leap year, so their first 60 days are other ones.
	if (mayBeYear || !(value > 60)) return notADate;
	return dayInText(String(new Date(Date.UTC(1899, 11, 30) + Math.floor(value) * msPerDay).toJSON()));
}
