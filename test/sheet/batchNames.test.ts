import fc from '../harness/seed';
import {
	paddedName,
	nameOfRange,
	nameOfRows,
	readName,
	rowsInName,
} from '../../nodes/BusinessVerification/sheet/names';

const digests = ['abcdefgh', 'ABC-_123'];
const range = { from: 1, to: 250, hash: '3f0c9a526d' };

test('a batch is called by its import and its rows', () => {
	expect(nameOfRange('March leads', range)).toBe('March leads 1-250 #3f0c9a526d');
	expect(nameOfRows('March leads', digests)).toBe('March leads 2 Rows abcdefghABC-_123');
	expect(paddedName('March 1 Rows abcdefgh')).toBe(`March 1 Rows abcdefgh${'~'.repeat(228)}.`);
});

test('a name of 250 characters identifies 28 rows of an import with a name of eleven', () => {
	expect([250, 120, 64, 36, 28, 27, 0].map((length) => rowsInName('March leads', length))).toEqual([
		28, 12, 5, 1, 0, 0, 0,
	]);
	expect(nameOfRows('March leads', Array(28).fill('abcdefgh')).length).toBeLessThanOrEqual(250);
});

test.each([
	['March leads 1-250 #3f0c9a526d', { range }],
	['MARCH LEADS 1-250 #3F0C9A526D', { range }],
	['March leads 2 Rows abcdefghABC-_123', { digests }],
	[`March leads 2 Rows abcdefghABC-_123${'~'.repeat(214)}.`, { digests, kept: 250 }],
	[`March leads 2 Rows abcdefghABC-_123${'~'.repeat(29)}`, { digests, kept: 64 }],
	['March leads 2 Rows abcdefghABC-_12', {}],
	['March leads 2 rows abcdefghabc-_123', {}],
	['MARCH LEADS 2 ROWS ABCDEFGHABC-_123', {}],
	['March leads 2 R', {}],
	['March leads 251-5', {}],
	['March leads 251-500 #3f0c', {}],
	['March leads 1-2…', {}],
	['March leads', undefined],
	['March', undefined],
	['March leads, second part', undefined],
	['March leads 2 1-250 #3f0c9a526d', undefined],
	['March leads again 1-250 #3f0c9a526d', undefined],
	['New March leads 1-250 #3f0c9a526d', undefined],
])('%s', (name, expected) => {
	expect(readName('March leads', name)).toEqual(expected);
});

test('whatever of a name is left, it identifies the rows that it was made of, or none', () => {
	const digest = fc.stringMatching(/^[\w-]{8}$/);
	const importName = fc.stringMatching(/^[A-Z][a-z ]{0,8}[a-z]$/);
	fc.assert(
		fc.property(importName, fc.array(digest, { minLength: 1, maxLength: 4 }), fc.nat(250), (name, rows, length) => {
			const read = readName(name, paddedName(nameOfRows(name, rows)).slice(0, length));
			if (read?.digests !== undefined) expect(read.digests).toEqual(rows);
			if (read?.kept !== undefined) expect(read.kept).toBe(length);
		}),
	);
});
