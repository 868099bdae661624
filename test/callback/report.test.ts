import fc from 'fast-check';
import { redactHeaders } from '../../nodes/BusinessVerification/callback/headers';
import { bodyDigest, findIdentifier, readReport } from '../../nodes/BusinessVerification/callback/report';

const kilobyte = 1024;
const read = (body: unknown, rawBody?: string | Buffer, headers: Record<string, unknown> = {}) =>
	readReport({ body, rawBody: rawBody === undefined ? undefined : Buffer.from(rawBody as string), headers }, kilobyte);

describe('a report', () => {
	it.each<[string, unknown, string | Buffer | undefined, unknown]>([
		['a JSON object with unknown keys', { seller_id: 's', later: [1] }, '{…}', { seller_id: 's', later: [1] }],
		['a JSON list', [{ seller_id: 's' }], '[…]', [{ seller_id: 's' }]],
		['a form', { request_id: 'r' }, 'request_id=r', { request_id: 'r' }],
		['plain text', 'complete', 'complete', 'complete'],
		['JSON sent as text', '{"request_id":"r"}', '{"request_id":"r"}', { request_id: 'r' }],
		['JSON of a type n8n does not parse', {}, '{"request_id":"r"}', { request_id: 'r' }],
		['text of a type n8n does not parse', undefined, 'complete', 'complete'],
		['bytes', Buffer.from('[{"a":1}]'), undefined, [{ a: 1 }]],
	])('is read from %s', (_what, body, rawBody, report) => {
		expect(read(body, rawBody)).toEqual({ ok: true, report });
	});

	it('is read from the fields of a multipart form, not from its files', () => {
		const headers = { 'content-type': 'multipart/form-data; boundary=x' };
		expect(read({ data: { request_id: 'r' }, files: {} }, undefined, headers)).toEqual({
			ok: true,
			report: { request_id: 'r' },
		});
		expect(read({ data: {}, files: { report: {} } }, undefined, headers)).toMatchObject({ ok: false, status: 422 });
	});

	it.each<[string, unknown, string | Buffer | undefined, string]>([
		['nothing', undefined, undefined, 'empty'],
		['an empty body', {}, '', 'empty'],
		['blanks', '  \n', '  \n', 'empty'],
		['an empty object', {}, '{}', 'empty'],
		['an empty list', [], '[]', 'empty'],
		['nothing, as JSON says it', {}, 'null', 'empty'],
		['a number', 7, '7', 'unreadable'],
		['true', true, 'true', 'unreadable'],
		['broken JSON', '{"a":', '{"a":', 'unreadable'],
		['bytes that are no text', {}, Buffer.from([0x25, 0x50, 0xff, 0xfe, 0x00]), 'unreadable'],
		['text with a zero byte', 'a\0b', 'a\0b', 'unreadable'],
		['endless nesting', JSON.parse('['.repeat(300) + ']'.repeat(300)), undefined, 'unreadable'],
	])('is not made from %s', (_what, body, rawBody, reason) => {
		expect(read(body, rawBody)).toMatchObject({ ok: false, status: 422, reason });
	});

	it('is refused when it is too large, by its bytes or by its declared length', () => {
		expect(read({ a: 1 }, 'x'.repeat(kilobyte + 1))).toMatchObject({ ok: false, status: 413 });
		expect(read({ a: 1 }, undefined, { 'content-length': String(kilobyte + 1) })).toMatchObject({
			ok: false,
			status: 413,
		});
		expect(read({ a: 1 }, 'x'.repeat(kilobyte))).toMatchObject({ ok: true });
	});

	it('never throws', () => {
		fc.assert(
			fc.property(fc.anything(), fc.option(fc.uint8Array(), { nil: undefined }), (body, bytes) => {
				const outcome = readReport({ body, rawBody: bytes && Buffer.from(bytes), headers: {} }, kilobyte);
				expect(typeof outcome.ok).toBe('boolean');
			}),
		);
	});
});

describe('an identifier', () => {
	const names = ['seller_id', 'sellerId'];

	it.each<[string, unknown, string | undefined]>([
		['the top', { seller_id: 'a' }, 'a'],
		['a nested object', { data: { seller: { seller_id: 'a' } } }, 'a'],
		['a list', [{ other: 1 }, { seller_id: 42 }], '42'],
		['nearest to the top', { deep: { seller_id: 'deep' }, wrapper: 1, seller_id: 'top' }, 'top'],
		['the other spelling', { sellerId: ' a ' }, 'a'],
		['nowhere', { seller: 'a' }, undefined],
		['an empty text', { seller_id: '', data: { seller_id: 'b' } }, 'b'],
		['an object, which is none', { seller_id: { id: 1 } }, undefined],
		['too deep', { a: { b: { c: { d: { seller_id: 'x' } } } } }, undefined],
		['a text', 'seller_id', undefined],
	])('is found at %s', (_where, report, expected) => {
		expect(findIdentifier(report, names)).toBe(expected);
	});

	it('is taken from the path the user set, and from nowhere else', () => {
		const report = { sellers: [{ key: 'a' }], seller_id: 'other' };
		expect(findIdentifier(report, names, 'sellers.0.key')).toBe('a');
		expect(findIdentifier(report, names, 'sellers.1.key')).toBeUndefined();
		expect(findIdentifier(report, names, 'constructor.name')).toBeUndefined();
	});

	it('is replaced by a digest of the bytes, else of the content', () => {
		expect(bodyDigest({ body: {}, rawBody: Buffer.from('abc'), headers: {} }, {})).toBe(
			'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0',
		);
		const one = bodyDigest({ body: {}, headers: {} }, { a: 1 });
		expect(one).toBe(bodyDigest({ body: {}, headers: {} }, { a: 1 }));
		expect(one).not.toBe(bodyDigest({ body: {}, headers: {} }, { a: 2 }));
	});
});

describe('headers', () => {
	it('lose whatever smells like a key', () => {
		expect(
			redactHeaders({
				'content-type': 'application/json',
				'user-agent': 'service/1.0 (+https://service.example.com/about)',
				authorization: 'Bearer abc',
				cookie: 'a=b',
				'x-api-key': 'k',
				'x-hub-signature': 's',
				'x-forwarded-for': ['10.0.0.1', '10.0.0.2'],
				'x-note': 'basic dXNlcjpwYXNz',
				'x-other': 'eyJhbGciOi.eyJzdWIi.c2ln',
				referer: 'https://n8n.example.com/webhook/x?proof=1.A',
				'x-original-url': '/webhook/x/1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000...sig',
				'x-long': 'a'.repeat(40),
				'x-absent': undefined,
			}),
		).toEqual({
			'content-type': 'application/json',
			'user-agent': 'service/1.0 (+https://service.example.com/about)',
			authorization: '[redacted]',
			cookie: '[redacted]',
			'x-api-key': '[redacted]',
			'x-hub-signature': '[redacted]',
			'x-forwarded-for': '10.0.0.1, 10.0.0.2',
			'x-note': '[redacted]',
			'x-other': '[redacted]',
			referer: '[redacted]',
			'x-original-url': '[redacted]',
			'x-long': '[redacted]',
		});
	});
});
