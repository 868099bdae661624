import fc from '../harness/seed';
import { bodyDigest, readReport, requestIdIn, sellerIdIn } from '../../nodes/BusinessVerification/seller/report';
import { Refusal } from '../../nodes/BusinessVerification/seller/signing';

const read = (body: unknown, rawBody?: string | Buffer, headers: Record<string, unknown> = {}) =>
	readReport({ body, rawBody: rawBody === undefined ? undefined : Buffer.from(rawBody as string), headers });

const empty = 'The body is empty, but a Seller Report was expected';
const refusedAs = (why: string) => expect.objectContaining({ status: 422, message: why });

describe('a report', () => {
	it.each<[string, unknown, string | Buffer | undefined, unknown]>([
		['a JSON object with unknown keys', { seller_id: 's', later: [1] }, '{…}', { seller_id: 's', later: [1] }],
		['a JSON list', [{ seller_id: 's' }], '[…]', [{ seller_id: 's' }]],
		['a form', { request_id: 'r' }, 'request_id=r', { request_id: 'r' }],
		['plain text', 'complete', 'complete', 'complete'],
		['JSON sent as text', '{"request_id":"r"}', '{"request_id":"r"}', { request_id: 'r' }],
		['JSON of a type n8n does not parse', {}, '{"request_id":"r"}', { request_id: 'r' }],
		['text of a type n8n does not parse', undefined, 'complete', 'complete'],
		[
			'bytes in Latin-1',
			{},
			Buffer.from('{"request_id":"r","name":"é"}', 'latin1'),
			{ request_id: 'r', name: '\uFFFD' },
		],
		['text with a byte-order mark', '\uFEFF{"request_id":"r"}', '\uFEFF{…}', { request_id: 'r' }],
		['plain text with a byte-order mark', '\uFEFFcomplete', undefined, 'complete'],
	])('is read from %s', (_what, body, rawBody, report) => {
		expect(read(body, rawBody)).toEqual(report);
	});

	it.each<[string, unknown, string | undefined, string | undefined]>([
		['at the path that was set', { data: { key: 'a' }, seller_id: 'b' }, 'data.key', 'a'],
		['at its top without a path', { seller_id: 'b', other: { seller_id: 'c' } }, undefined, 'b'],
		['not below its top without a path', { a: { seller_id: 'd' } }, undefined, undefined],
		['nowhere else than at the path', { seller_id: 'b' }, 'data.key', undefined],
	])('holds the ID of its seller %s', (_, report, path, id) => {
		expect(sellerIdIn(report, path)).toBe(id);
	});

	it('is JSON that the sender calls a form, but not what a form holds', () => {
		const headers = { 'content-type': 'Application/x-www-form-urlencoded; charset=utf-8' };
		const report = { request_id: 'r', seller_id: 's' };
		const text = JSON.stringify(report);
		expect(read({ [text]: '' }, text, headers)).toEqual(report);
		expect(read({ payload: text }, `payload=${encodeURIComponent(text)}`, headers)).toEqual({ payload: text });
		expect(() => read({}, '', headers)).toThrow(refusedAs(empty));
	});

	it('is the fields of a multipart form, without its files', () => {
		const headers = { 'content-type': 'Multipart/form-data; boundary=x' };
		const files = { scan: { name: 'scan.pdf' } };
		expect(read({ data: { request_id: 'r' }, files }, undefined, headers)).toEqual({ request_id: 'r' });
		expect(() => read({ data: {}, files }, undefined, headers)).toThrow(refusedAs(empty));
		expect(() => read({}, undefined, headers)).toThrow(refusedAs(empty));
	});

	it.each<[string, unknown, string | Buffer | undefined, string]>([
		['nothing', undefined, undefined, empty],
		['an empty body', {}, '', empty],
		['blanks', '  \n', '  \n', empty],
		['an empty object', {}, '{}', empty],
		['an empty list', [], '[]', empty],
		['nothing, as JSON says it', {}, 'null', empty],
		['a number', 7, '7', 'A JSON object or list was expected'],
		['true', true, 'true', 'A JSON object or list was expected'],
		['broken JSON', '{"a":', '{"a":', 'The body is not valid JSON'],
		['bytes that are no text', {}, Buffer.from([0x25, 0x50, 0xff, 0xfe, 0x00]), 'The body is neither JSON nor text'],
		['text with a zero byte', 'a\0b', 'a\0b', 'The body is neither JSON nor text'],
		['endless nesting', JSON.parse('['.repeat(300) + ']'.repeat(300)), undefined, 'The body is nested too deeply'],
	])('is not made from %s', (_what, body, rawBody, reason) => {
		expect(() => read(body, rawBody)).toThrow(refusedAs(reason));
	});

	it('may have a hundred levels below its top and no more', () => {
		const nested = (levels: number): unknown => (levels === 0 ? {} : { inner: [nested(levels - 1)] });
		expect(read(nested(50))).toEqual(nested(50));
		expect(() => read(nested(51))).toThrow(refusedAs('The body is nested too deeply'));
	});

	it('is read or refused, whatever is sent', () => {
		const form = 'application/x-www-form-urlencoded';
		const types = ['application/json', form, 'multipart/form-data; boundary=x', undefined];
		fc.assert(
			fc.property(
				fc.anything(),
				fc.option(fc.uint8Array(), { nil: undefined }),
				fc.constantFrom(...types),
				(body, bytes, type) => {
					const headers = { 'content-type': type };
					try {
						expect(readReport({ body, rawBody: bytes && Buffer.from(bytes), headers })).toBeDefined();
					} catch (error) {
						expect(error).toBeInstanceOf(Refusal);
					}
				},
			),
		);
	});
});

describe('an identifier', () => {
	it.each<[string, unknown, string | undefined]>([
		['the top', { seller_id: 'a' }, 'a'],
		['a number', { seller_id: 42 }, '42'],
		['a nested object, which it may belong to', { data: { seller_id: 'a' } }, undefined],
		['a list', [{ seller_id: 'a' }], undefined],
		['a text with blanks around it', { seller_id: ' a ' }, 'a'],
		['a blank text, which is none', { seller_id: ' ' }, undefined],
		['a number that JSON cannot hold', { seller_id: Infinity }, undefined],
		['below an empty text', { seller_id: '', data: { seller_id: 'b' } }, undefined],
		['an object, which is none', { seller_id: { id: 1 } }, undefined],
		['a text', 'seller_id', undefined],
	])('is looked for at %s', (_where, report, expected) => {
		expect(sellerIdIn(report)).toBe(expected);
	});

	it('is taken from the path the user set, and from nowhere else', () => {
		const report = { requests: [{ key: 'a' }], request_id: 'other' };
		expect(requestIdIn(report, 'requests.0.key')).toBe('a');
		expect(requestIdIn(report, 'requests.1.key')).toBeUndefined();
		expect(requestIdIn(report, 'constructor.name')).toBeUndefined();
		expect(requestIdIn([{ request_id: 'a' }], '0.request_id')).toBe('a');
		expect(requestIdIn(report)).toBe('other');
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
