import { collectHeaders, planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { checkSheet } from '../../nodes/BusinessVerification/sheet/check';
import { finished } from './finished';

type Row = Record<string, unknown>;

const good = (rows: Row[], name = 'May', licenseKeys?: 'camelCase') =>
	finished(checkSheet(rows, planColumns(collectHeaders(rows)), { name, licenseKeys, allowsDuplicates: true })).good;
const hashOf = (rows: ReturnType<typeof good>, from: number, end: number) => rows.hashOf(rows.rows.slice(from, end));
const acme: Row = { Name: 'Acme', City: 'Springfield', State: 'IL', Zip: 2139 };
const bolt: Row = { Name: 'Bolt', City: 'Chicago', State: 'IL' };

// The first 10 hexadecimal digits, and the first 6 bytes, of the SHA-256 of
// may↵{"businessCity":"Springfield","businessName":"Acme","businessState":"IL","businessZip":"02139"}
// A later version must find the batches of this one.
test('the hash and the digest of these rows stay what they are', () => {
	expect(hashOf(good([acme]), 0, 1)).toBe('9641f4c6e6');
	expect(good([acme]).digests).toEqual(['lkH0xubB']);
});

test('a range is identified by its rows and their order', () => {
	const rows = good([acme, bolt, { ...bolt, Zip: '60601' }]);
	const hashes = [hashOf(rows, 0, 1), hashOf(rows, 0, 2), hashOf(rows, 1, 3), hashOf(good([bolt, acme]), 0, 2)];
	expect(new Set(hashes).size).toBe(4);
	expect(hashOf(good([acme, bolt]), 0, 2)).toBe(hashOf(rows, 0, 2));
});

const license =
	'{"license_name":"A","license_id":"7","license_state":"IL","license_category":"x","more":{"b":1,"a":2}}';
const turned = '{"more":{"a":2,"b":1},"license_category":"x","license_state":"IL","license_id":"7","license_name":"A"}';

test.each<[string, Row, boolean]>([
	[
		'the order of the columns',
		{ Zip: '02139', State: 'IL', City: 'Springfield', Name: 'Acme', Licenses: license },
		true,
	],
	['the order of the keys in a cell', { ...acme, Licenses: turned }, true],
	['a column that is not sent', { ...acme, Licenses: license, Notes: 'call back' }, true],
	['a cell', { ...acme, Licenses: license, Zip: '02140' }, false],
	['a license', { ...acme, Licenses: license.replace('"7"', '"8"') }, false],
])('%s', (_what, row, isSame) => {
	const base = good([{ ...acme, Licenses: license }, bolt]);
	const other = good([row, bolt]);
	expect(other.digests[0] === base.digests[0]).toBe(isSame);
	expect(hashOf(other, 0, 2) === hashOf(base, 0, 2)).toBe(isSame);
});

test('another import, or another setting that changes what is sent, makes other rows', () => {
	const row = { ...acme, Licenses: license };
	const [digest] = good([row]).digests;
	expect(good([row], 'MAY').digests).toEqual([digest]);
	expect(good([row], 'June').digests).not.toEqual([digest]);
	expect(good([row], 'May', 'camelCase').digests).not.toEqual([digest]);
});

test('rows that say the same are counted', () => {
	const rows = good([acme, bolt, acme, acme]);
	expect(new Set(rows.digests).size).toBe(4);
	expect(good([acme, acme]).digests).toEqual([rows.digests[0], rows.digests[2]]);
	expect(rows.digests.map((digest) => rows.rowOf(digest)?.index)).toEqual([0, 1, 2, 3]);
});
