import { hasZone, momentOf, timeText } from '../../nodes/BusinessVerification/document/vocabulary';

/** All are one moment, June 1, 2026, 12:00 UTC, wherever the test runs: `npm test` runs it in two other zones as well. */
const noon = 1_780_315_200_000;

it.each<[string, boolean]>([
	['2026-06-01T12:00:00Z', true],
	['2026-06-01T12:00:00.000Z', true],
	['2026-06-01T12:00:00z', true],
	['2026-06-01T14:00:00+02:00', true],
	['2026-06-01T07:00:00.000000-0500', true],
	['Mon, 01 Jun 2026 12:00:00 GMT', true],
	['2026-06-01T12:00:00', false],
	['2026-06-01T12:00:00.000', false],
	['2026-06-01 12:00:00', false],
])('reads %s', (text, isZoned) => {
	expect(momentOf(text)).toBe(noon);
	expect(hasZone(text)).toBe(isZoned);
});

it('reads a day as its beginning in UTC', () => {
	expect(momentOf('2026-06-01')).toBe(noon - 12 * 3_600_000);
	expect(hasZone('2026-06-01')).toBe(true);
});

it.each(['', 'soon', 'soon: 12:00'])('reads no time in "%s"', (text) => {
	expect(momentOf(text)).toBeNaN();
});

it('writes a time as the service does', () => {
	expect(timeText(noon)).toBe('2026-06-01T12:00:00.000Z');
	expect(timeText(noon, true)).toBe('2026-06-01T12:00:00.000');
});
