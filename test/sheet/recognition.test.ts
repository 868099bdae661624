import { nameOfRange, nameOfRows } from '../../nodes/BusinessVerification/sheet/names';
import { Recognition } from '../../nodes/BusinessVerification/sheet/recognition';
import { GoodRows, Row } from '../../nodes/BusinessVerification/sheet/rows';

/** Rows called a, b, c …, as if each second row of the sheet were bad. */
const sheet = (letters: string) =>
	new GoodRows(
		'May',
		[...letters].map((letter, place) =>
			Object.assign(new Row(2 * place, { Name: letter }), { item: { businessName: letter } }),
		),
	);

const hashOf = (good: GoodRows, from: number, to: number) => good.hashOf(good.rows.slice(from - 1, to));

const atPlace = (letters: string, from: number, to: number, batchId: string, total = to - from + 1) => ({
	batchId,
	batchName: nameOfRange('May', { from, to, hash: hashOf(sheet(letters), from, to) }),
	total,
});
const rowByRow = (letters: string, batchId: string, total = letters.length) => ({
	batchId,
	batchName: nameOfRows('May', sheet(letters).digests),
	total,
});

function recognise(letters: string, ...batches: Array<Record<string, unknown>>): Recognition {
	const seen = new Recognition(sheet(letters));
	for (const batch of batches) seen.see(batch);
	return seen;
}
const namesOf = (rows: readonly Row[]) => rows.map(({ item }) => item.businessName).join('');
const rest = (seen: Recognition) => namesOf(seen.rest());

describe('batches matched by their place', () => {
	const batches = [atPlace('abcdef', 1, 4, '1'), atPlace('abcdef', 5, 6, '2')];

	test.each([
		['unchanged', 'abcdef', '', 0],
		['appended', 'abcdefgh', 'gh', 0],
		['the first row corrected', 'Abcdef', 'Abcd', 1],
		['a row inserted on top', 'xabcdef', 'xabcdef', 2],
		['a row inserted between them', 'abcdxef', 'xef', 1],
		['the last row removed', 'abcde', 'e', 1],
		['two rows exchanged', 'abdcef', 'abdc', 1],
	])('%s', (_what, letters, left, changed) => {
		const seen = recognise(letters, ...batches);
		expect([rest(seen), seen.changed.size]).toEqual([left, changed]);
	});

	test('a hole that a killed run has left is found, whatever the batches were cut by', () => {
		expect(rest(recognise('abcdef', batches[1]))).toBe('abcd');
		expect(rest(recognise('abcdef', atPlace('abcdef', 2, 3, '7')))).toBe('adef');
	});
});

describe('batches matched row by row', () => {
	test.each([
		['unchanged', 'abcd', ''],
		['sorted', 'dcba', ''],
		['removed', 'bd', ''],
		['inserted, corrected and appended', 'xaBcde', 'xBe'],
	])('%s', (_what, letters, left) => {
		const seen = recognise(letters, rowByRow('abc', '1'), rowByRow('d', '2'));
		expect([rest(seen), seen.changed.size, seen.rowsTold]).toEqual([left, 0, 4]);
	});

	test('both ways of telling go together', () => {
		expect(rest(recognise('abcdef', atPlace('ab', 1, 2, '1'), rowByRow('fd', '2')))).toBe('ce');
	});
});

test('a batch on two pages is one, two batches of a row are two', () => {
	const seen = recognise('abc', rowByRow('ab', '1'), rowByRow('ab', '1'), rowByRow('bc', '2'));
	expect(seen.good.rows.map((row) => seen.holdersOf(row).map(({ batchId }) => batchId))).toEqual([
		['1'],
		['1', '2'],
		['2'],
	]);
});

test('a batch keeps its rows whatever the service counts, and what it counts is handed on', () => {
	const seen = recognise('ab', rowByRow('ab', '1', 1));
	expect(seen.rest()).toEqual([]);
	expect([...seen.known.values()]).toEqual([
		{ batchId: '1', batchName: nameOfRows('May', sheet('ab').digests), total: 1, count: 2, rows: seen.good.rows },
	]);
	expect(recognise('ab', { batchId: '1', batchName: rowByRow('ab', '1').batchName }).rest()).toEqual([]);
});

test('names that are missing, cut or changed are distinguished from those of others', () => {
	const cut = { batchId: '1', batchName: rowByRow('ab', '1').batchName.slice(0, 20) };
	const nameless = { batchId: '2', batchName: null };
	const other = { batchId: '3', batchName: 'May 2 1-2 #3f0c9a526d' };
	const seen = recognise('ab', cut, nameless, other);
	expect([cut, nameless, other].map((batch) => seen.isUnclear(batch))).toEqual([true, true, false]);
	expect([seen.unreadable.size, seen.nameless, seen.seen, seen.ids]).toEqual([1, 1, 3, ['1']]);
});
