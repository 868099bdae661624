import { cutIntoChunks } from '../../nodes/BusinessVerification/sheet/names';

test('rows are dealt into chunks of a size; the last holds what is left', () => {
	expect(cutIntoChunks([0, 1, 2, 3, 4], 2, true)).toEqual([[0, 1], [2, 3], [4]]);
	expect(cutIntoChunks([], 2, true)).toEqual([]);
	expect(() => cutIntoChunks([0], 0, true)).toThrow(RangeError);
	expect(() => cutIntoChunks([0], 2.5, true)).toThrow(RangeError);
});

test('a chunk that is told by its ends has no hole', () => {
	const places = [0, 1, 4, 5, 6, 9];
	expect(cutIntoChunks(places, 2, true)).toEqual([[0, 1], [4, 5], [6], [9]]);
	expect(cutIntoChunks(places, 4, false)).toEqual([
		[0, 1, 4, 5],
		[6, 9],
	]);
});
