import { failureOf } from '../../nodes/BusinessVerification/engine/failures';
import { secretsOf } from '../../nodes/BusinessVerification/engine/request';
import { redact, withoutSecrets } from '../../nodes/BusinessVerification/engine/redaction';
import type { Request } from '../../nodes/BusinessVerification/kit/service';
import { longestStop } from '../safety/eventLoop';

const request: Request = { method: 'GET', path: '/v1/users/me', kind: 'read' };

/** What the reader of a refused request sees, the way it is made for every request. */
const shown = (said: string, credential: Record<string, string>): string =>
	failureOf(request, { status: 400, headers: {}, body: { detail: said } }, (words) =>
		redact(words, request, secretsOf(credential)),
	).message;

it('a key on the place where a long reason is cut shows in no part', () => {
	const key = 'bvk_0123456789abcdef';
	for (const before of [985, 990, 995, 999]) {
		const message = shown(`${'x'.repeat(before)}${key} ${'y'.repeat(50)}`, { apiKey: key });
		expect(message).not.toContain('bvk');
		expect(message.endsWith('…')).toBe(true);
	}
});

it.each(['apiKey', 'accessToken', 'clientSecret', 'callbackSecret', 'externalHeaderValue'])(
	'a secret that was pasted with its word before it is known without that word too: %s',
	(name) => {
		const said = 'Invalid key abcdef-123456, sent as Token  abcdef-123456';
		expect(shown(said, { [name]: 'Token  abcdef-123456' })).toContain('Invalid key ***, sent as ***');
	},
);

it.each(['abcdef-123456', 'ü~ÿ?>-123456', 'k3y-5678'])('a key is not shown in Base64 either: %s', (apiKey) => {
	for (const before of ['', 'u:', 'us:', 'user:'])
		for (const form of ['base64', 'base64url'] as const)
			for (const after of ['', ':more']) {
				const encoded = Buffer.from(before + apiKey + after).toString(form);
				const message = shown(`Basic ${encoded} and other words`, { apiKey });
				expect(message).toMatch(/Basic .{0,7}\*\*\*.{0,10} and other words$/);
			}
});

it.each([
	['a short key', '{"X-Gateway-Key": "abcd"}', 'key abcd refused', 'key *** refused'],
	[
		'a key after the word before it',
		'{"X-Gateway-Key": "Bearer abcdef-123456"}',
		'key abcdef-123456 refused',
		'key *** refused',
	],
	['a long value', '{"X-Client": "0123456789"}', 'client 0123456789 refused', 'client *** refused'],
])('an extra header that holds %s', (_, extraHeaders, said, expected) => {
	expect(shown(said, { extraHeaders })).toContain(expected);
});

it.each([
	...['1980-03-04', '1980/03/04', '03/04/1980', '3/4/1980', '04.03.1980', '4-3-1980', '19800304', '03041980', '3/4/80'],
	...['March 4, 1980', 'Mar 4 1980', '04 March 1980', '04-Mar-1980', '1980-03-04T00:00:00Z'],
	...['4th of March, 1980', 'March 4th, 1980', 'Mar-4-1980', '1980, 3, 4', '1980 03 04'],
])('a date of birth is not repeated, whichever way it is written: %s', (written) => {
	const body = { principals: [{ lastName: 'Moore', dob: '1980-03-04' }, { dob: 'unknown' }] };
	const said = redact(`dob ${written} is in the future`, { body }, []);
	expect(said).toMatch(/^dob \*{3}.* is in the future$/);
	expect(said).not.toMatch(/1980|Mar|80/);
});

it.each(['dob', 'date_of_birth', 'dateOfBirth', 'altDob', 'business_dob'])(
	'nor is %s, in whichever form it was sent',
	(name) => {
		const said = redact('born 4/3/80, seen on 2026-05-06', { body: { owner: { [name]: 'March 4, 80' } } }, []);
		expect(said).toBe('born ***, seen on ***');
		expect(redact('born 4/3/80', { body: { [name]: { year: 1980, month: 3, day: 4 } } }, [])).toBe('born ***');
		expect(redact('seen on 2026-05-06', { body: { note: `"${name}":` } }, [])).toBe('seen on 2026-05-06');
	},
);

it.each([
	'businessEin',
	'ein',
	'search',
	'businessEmail',
	'email',
	'businessPhone',
	'phone',
	'alt_phone',
	'lastName',
	'firstName',
	...['middleName', 'middle_name', 'last_name', 'first_name', 'dob', 'date_of_birth', 'dateOfBirth', 'npi', 'ssn'],
])('what %s holds is not repeated, and what the next field holds is', (name) => {
	const body = { principals: [{ [name]: 'Quimby-77', suffix: 'Junior' }] };
	expect(redact('Quimby-77 Junior is on a list', { body }, [])).toBe('*** Junior is on a list');
});

it.each<[string, string, string, Pick<Request, 'query'>?]>([
	['a bearer token', 'sent as "bearer  aB3.d-x", refused', 'sent as "Bearer ***", refused'],
	['a JWT', 'eyJhbGci.eyJzdWIi.c2lnbmF0 has expired', '*** has expired'],
	['a JWT without a signature', 'eyJhbGci.eyJzdWIi. has expired', '*** has expired'],
	['a parameter of a URL', '/a?token=aB3.d-x&page=2 and key=1', '/a?token=***&page=2 and key=***'],
	['a proof in a URL', '/a?signature=aB3.d-x&page=2 and secret=1', '/a?signature=***&page=2 and secret=***'],
	['a tax number', 'EIN 12-3456789 or 123456789, SSN 123-45-6789 or 123 45 6789', 'EIN *** or ***, SSN *** or ***'],
	['a longer number', 'run 1234567890 of batch_123456789', 'run 1234567890 of batch_123456789'],
	[
		'a birthday',
		'born date(1980, 3, 4) or 3/4/1980 or 4th of March 1980 or Mar 4, 2005',
		'born date(***) or *** or *** or ***',
	],
	[
		'a birthday behind a number',
		'item 5 - 03/04/1980, principal 1. March 4, 1980 at 12:00 03/04/1980 or 19800304, 03042005',
		'item 5 - ***, principal 1. *** at 12:00 *** or ***, ***',
	],
	[
		'a birthday in any month',
		'jan 4 2012 feb 4 2012 mar 4 2012 apr 4 2012 may 4 2012 jun 4 2012 jul 4 2012 aug 4 2012 sep 4 2012 oct 4 2012 nov 4 2012 dec 4 2012 20121204 04122012',
		'*** *** *** *** *** *** *** *** *** *** *** *** *** ***',
	],
	['a birthday with its time', 'born 2005-03-04T00:00:00Z', 'born ***T00:00:00Z'],
	[
		'a date of these years',
		'from 2026-01-31 until 1/2/2027 or March 4, 2026',
		'from 2026-01-31 until 1/2/2027 or March 4, 2026',
	],
	['a licensee', 'Quimby-77 has no license', '*** has no license', { query: { licensee_name: 'Quimby-77' } }],
	['a phone number without its blanks', 'call 12345678', 'call ***', { query: { phone: '12 34 56 78' } }],
	['a number', 'npi 1234567 is unknown', 'npi *** is unknown', { query: { npi: 1_234_567 } }],
])('%s is not repeated, and the words beside it are', (_, said, expected, request = {}) => {
	expect(redact(said, request, [])).toBe(expected);
});

it('settings of a login that are no secrets may be repeated', () => {
	const urls = { authUrl: 'https://a.example.com', accessTokenUrl: 'https://b.example.com' };
	const lists = { authQueryParameters: 'audience=kyb', allowedDomains: 'c.example.com', authentication: 'header' };
	const said = [...Object.values(urls), ...Object.values(lists)].join(' or ');
	expect(shown(said, { ...urls, ...lists })).toContain(said);
});

it('a record loses the secrets of its request, and is otherwise the same', () => {
	const record = { id: 'a', callback: 'https://n8n.example.com/?nonce=abc123', codes: ['7', { abc123: null }] };
	const clean = { id: 'a', callback: 'https://n8n.example.com/?***', codes: ['7', { '***': null }] };
	expect(withoutSecrets(['abc123', /nonce=(\*+)/], record)).toEqual(clean);
	for (const secrets of [undefined, [], ['zzz999']]) expect(withoutSecrets(secrets, record)).toBe(record);
});

const secret = 'Ab+/c d"e(01)3';

it.each([
	['in a URL', 'key Ab%2B%2Fc%20d%22e(01)3 refused'],
	['in a query of n8n', 'key Ab%2B%2Fc%20d%22e%2801%293 refused'],
	['in a form', 'key Ab%2B%2Fc+d%22e(01)3 refused'],
	['in JSON', 'key Ab+/c d\\"e(01)3 refused'],
	['in another case', 'key AB+/C D"E(01)3 refused'],
	['after a letter that is two in lower case', 'İ key Ab+/c d"e(01)3 refused'],
])('a secret %s is not repeated', (_, said) => {
	expect(redact(said, {}, [secret])).toMatch(/^(İ )?key \*{3} refused$/);
});

it('of a text of a megabyte a small part is searched, and a thousand characters are shown', () => {
	let searched = 0;
	const search = (text: string) => {
		searched = text.length;
		return text;
	};
	const pattern = Object.assign(/y/, { [Symbol.replace]: search });
	const shown = redact('x'.repeat(1_000_000), { secrets: [pattern] }, [secret]);
	expect(searched).toBe(10_001);
	expect(shown).toHaveLength(1_001);
});

it.each(['emailKind', 'homeEmail', 'businessName', 'state'])('the value of %s may be repeated', (name) => {
	expect(redact('Quimby-77 is on a list', { body: { [name]: 'Quimby-77' } }, [])).toBe('Quimby-77 is on a list');
});

it('the refusal of a batch of 250 companies stops n8n for less than 100 ms', async () => {
	const owner = (n: number) => ({ lastName: `Moore ${n}`, dob: new Date(n * 86_400_000).toISOString().slice(0, 10) });
	const rows = Array.from({ length: 250 }, (_, n) => ({ businessEin: `12-${3_000_000 + n}`, principals: [owner(n)] }));
	const body = Buffer.from(JSON.stringify({ inquiries: rows }));
	const refuse = () => Promise.resolve(redact('Each field has to be right. '.repeat(400), { body }, [secret]));
	expect(await longestStop(refuse, 100)).toBeLessThan(100);
});
