import { cutIntoBatches } from '../../nodes/BusinessVerification/sheet/names';

const cut = (places: number[], size: number, inOneStretch: boolean) =>
	cutIntoBatches(
		places.map((place) => ({ place })),
		size,
		inOneStretch,
	).map((rows) => rows.map(({ place }) => place));

test('rows are dealt into chunks of a size; the last holds what is left', () => {
	expect(cut([0, 1, 2, 3, 4], 2, true)).toEqual([[0, 1], [2, 3], [4]]);
	expect(cut([], 2, true)).toEqual([]);
	expect(() => cut([0], 0, true)).toThrow(RangeError);
	expect(() => cut([0], 2.5, true)).toThrow(RangeError);
});

test('a chunk that is identified by its first and last row has no gap', () => {
	const places = [0, 1, 4, 5, 6, 9];
	expect(cut(places, 2, true)).toEqual([[0, 1], [4, 5], [6], [9]]);
	expect(cut(places, 4, false)).toEqual([
		[0, 1, 4, 5],
		[6, 9],
	]);
});
