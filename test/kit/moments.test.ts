import { DateTime } from 'luxon';
import { readDate, readMoment } from '../../nodes/BusinessVerification/kit/dates';
import { readValue } from '../../nodes/BusinessVerification/kit/value';
import type { Kind } from '../../nodes/BusinessVerification/document/vocabulary';

// A time of a filter is a moment, read in the zone of the workflow; a date of birth is a day, and has no zone.

const moment = (value: unknown) => readMoment(value, () => 'America/New_York');

it.each([
	['2026-01-31T10:00', '2026-01-31T15:00:00.000Z'],
	['2026-07-31 10:00', '2026-07-31T14:00:00.000Z'],
	['2026-01-31T10:00:30', '2026-01-31T15:00:30.000Z'],
	['2026-01-31T10:00:30.5', '2026-01-31T15:00:30.500Z'],
	['2026-01-31T10:00:30.123456789Z', '2026-01-31T10:00:30.123Z'],
	['2026-01-31t10:00z', '2026-01-31T10:00:00.000Z'],
	['2026-01-31t10:00', '2026-01-31T15:00:00.000Z'],
	['2026-01-31T10:00+02', '2026-01-31T08:00:00.000Z'],
	['2026-01-31T10:00:30-0230', '2026-01-31T12:30:30.000Z'],
	['2026-01-31T10:00:30.5+02:00', '2026-01-31T08:00:30.500Z'],
	['2026-01-31', '2026-01-31T05:00:00.000Z'],
	[new Date('2026-01-31T10:00:00.250Z'), '2026-01-31T10:00:00.250Z'],
	[DateTime.fromISO('2026-01-31T10:00:00', { zone: 'Europe/Berlin' }), '2026-01-31T09:00:00.000Z'],
])('%p is the moment %s', (value, expected) => {
	expect(moment(value)).toBe(expected);
});

it.each([
	...['2026-01-31T', '2026-01-31T10:00 Z', '2026-01-31T10:00Zulu'],
	...['2026-01-31T10:00+2', '2026-02-30T10:00', '2026-01-31T24:30', '2026-1-31T10:00', 'x2026-01-31T10:00'],
	...['03/04/2026', '31 January 2026', 'yesterday', '', 2026, 46_053, new Date(NaN), null, undefined, true, {}],
])('%p is no moment', (value) => {
	expect(moment(value)).toBeUndefined();
});

const not = (what: string) => ({ reason: `is ${what}; write it YYYY-MM-DD` });
const notADate = not('not a date that can be read');

it.each([
	['1800-01-01', { date: '1800-01-01' }],
	['2199-12-31', { date: '2199-12-31' }],
	['1799-12-31', notADate],
	['2200-01-01', notADate],
	['1980-12-00', notADate],
	['1980-13-01', notADate],
	['12/31/1980 12:00:00 AM', { date: '1980-12-31' }],
	['12/31/1980 12:00 AM', { date: '1980-12-31' }],
	['12/31/1980 12:00:00 PM', notADate],
	['03/04/1980', not('an ambiguous date (day or month first?)')],
	['1980-12-31 and more', notADate],
	['1980-12-31T00:00:00Z or so', notADate],
	['1980-12-31T10:00:00Z', not('a date with a time, and the day depends on the time zone')],
	['1980-12-31T00:00:00+0000', { date: '1980-12-31' }],
	['May 2nd, 1980', { date: '1980-05-02' }],
	['3rd sept 1980', { date: '1980-09-03' }],
	['4th. of May', notADate],
	['th May 1980', notADate],
	[59, notADate],
	[60, notADate],
	[61, { date: '1900-03-01' }],
	[1899, { date: '1905-03-13' }],
	...[1900, 2199].map((year): [number, object] => [year, notADate]),
	[2200, { date: '1906-01-08' }],
])('%p is the day %j', (value, expected) => {
	expect(readDate(value)).toEqual(expected);
});

it('an order that was chosen is kept, but for a month by its name', () => {
	const written = ['May 2nd, 1980', '2 May 1980', '12/31/1980', '31/12/1980'];
	const days = [{ date: '1980-05-02' }, { date: '1980-05-02' }, notADate, { date: '1980-12-31' }];
	expect(written.map((text) => readDate(text, 'dayFirst'))).toEqual(days);
	expect(readDate('31/12/1980', 'monthFirst')).toEqual(notADate);
});

it('nobody is born later than tomorrow, which is today somewhere', () => {
	const dayIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);
	expect(readValue(dayIn(24), 'date')).toBe(dayIn(24));
	expect(() => readValue(dayIn(48), 'date')).toThrow('is in the future');
});

it.each<[Kind, unknown, unknown]>([
	['zip', '213', '00213'],
	['zip', '21', '21'],
	['zip', 213_912_345, '213912345'],
	['zip4', '042', '0042'],
	['zip4', '42', '42'],
	['zip4', 42, '0042'],
	['ein', '12345678', '012345678'],
	['ein', '1234567', '1234567'],
	['boolean', 'Y', true],
	['boolean', 'n', false],
	['text', '–', undefined],
	['text', '—', undefined],
])('of the kind %s, %p is read as %p', (kind, value, expected) => {
	expect(readValue(value, kind)).toBe(expected);
});
