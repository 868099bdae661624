import type { Answer } from '../../nodes/BusinessVerification/engine/attempt';
import { whatNext } from '../../nodes/BusinessVerification/engine/whatNext';
import type { Request } from '../../nodes/BusinessVerification/kit/service';

const read: Request = { method: 'GET', path: '/v1/inquiries/', kind: 'read' };
const write: Request = { method: 'POST', path: '/v1/inquiries/', kind: 'write' };
const answer = (status: number, headers: Answer['headers'] = {}, body: unknown = {}): Answer => ({
	status,
	headers,
	body,
});
const first = { number: 1, repeats: 4, leftMs: Infinity };
const kinds = (request: Request, statuses: number[], attempt = first) =>
	new Set(statuses.map((status) => whatNext(request, answer(status), attempt).kind));

beforeAll(() => {
	jest.spyOn(Math, 'random').mockReturnValue(1);
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-25T12:00:00Z'));
});
afterAll(() => jest.restoreAllMocks());

it('a read is sent again after a status that a server or a proxy returned before it decided', () => {
	expect(kinds(read, [408, 429, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 599])).toEqual(
		new Set(['sendAgain']),
	);
	expect(kinds(read, [200, 204, 299])).toEqual(new Set(['return']));
	expect(kinds(read, [100, 199, 300, 302, 400, 402, 403, 404, 409, 410, 422, 425, 501, 505])).toEqual(
		new Set(['fail']),
	);
	expect(kinds(read, [429, 500, 503], { ...first, number: 5 })).toEqual(new Set(['fail']));
});

it('a web page in place of a file is no file, however far it is indented', () => {
	const page = answer(200, {}, Buffer.from(`\n${' '.repeat(60)}<!DOCTYPE html><p>Sorry`));
	const file = answer(200, {}, Buffer.from('%PDF-1.7'));
	expect([page, file].map((one) => whatNext(read, one, first).kind)).toEqual(['fail', 'return']);
});

it('a write is sent again only after a rate limit, and a change that may be repeated like a read', () => {
	expect(kinds(write, [408, 500, 502, 503, 504, 522])).toEqual(new Set(['fail']));
	expect(kinds(write, [429])).toEqual(new Set(['sendAgain']));
	expect(kinds({ ...write, kind: 'repeatable' }, [408, 500, 502, 503, 504, 522])).toEqual(new Set(['sendAgain']));
});

it('a refused credential asks the profile, whoever refused it', () => {
	const page = answer(401, {}, '<html>Log in</html>');
	for (const request of [write, read])
		expect([answer(401), page].map((refused) => whatNext(request, refused, first))).toEqual([
			{ kind: 'askProfile' },
			{ kind: 'askProfile' },
		]);
});

it.each<[string, Answer['headers'], number | undefined]>([
	['seconds', { 'retry-after': ' 7 ' }, 7_000],
	['a part of a second', { 'retry-after': '1.125' }, 1_125],
	[
		'a date, by the clock of the service',
		{ 'retry-after': 'Wed, 25 Nov 2026 10:00:09 GMT', date: 'Wed, 25 Nov 2026 10:00:00 GMT' },
		9_000,
	],
	['the reset of a rate limit', { 'ratelimit-reset': '12' }, 12_000],
	['the reset of a rate limit with its older name', { 'x-ratelimit-reset': '60' }, 60_000],
	['the reset of a rate limit with another name', { 'x-rate-limit-reset': '14' }, 14_000],
	['the wait of a rate limit', { 'x-ratelimit-retry-after': '15', 'x-ratelimit-reset': '16' }, 15_000],
	['a reset in seconds since 1970', { 'x-ratelimit-reset': String(Date.parse('2026-11-25T12:00:30Z') / 1000) }, 30_000],
	['the first moment that is no delay', { 'retry-after': '1000000000' }, 500],
	['Retry-After before a reset', { 'retry-after': '3', 'ratelimit-reset': '12' }, 3_000],
	['no seconds to wait', { 'retry-after': '0' }, 500],
	['a reset at this second', { 'x-ratelimit-reset': String(Date.parse('2026-11-25T12:00:00Z') / 1000) }, 500],
	['nothing', {}, 500],
	['a date of another form', { 'retry-after': '2026-11-25' }, 500],
	['a negative number', { 'retry-after': '-1' }, 500],
	['more than a minute', { 'ratelimit-reset': '61' }, undefined],
])('after 429 with %s', (_, headers, afterMs) => {
	const next = whatNext(read, answer(429, headers), first);
	expect(next).toMatchObject(afterMs === undefined ? { kind: 'fail' } : { kind: 'sendAgain', afterMs });
});

it('whoever has no time for the pause gets the failure', () => {
	const after = (seconds: string) =>
		whatNext(read, answer(429, { 'retry-after': seconds }), { ...first, leftMs: 20_000 }).kind;
	expect([after('20'), after('21')]).toEqual(['sendAgain', 'fail']);
});

it('the reset of a quota delays no request that failed for another reason', () => {
	expect(whatNext(read, answer(500, { 'ratelimit-reset': '40' }), first)).toEqual({ kind: 'sendAgain', afterMs: 500 });
});
