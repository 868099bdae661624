import { rowsInName } from './batchNames';

/** Whether a sheet is imported for good, or its changes are followed row by row. */
export type ImportMode = 'once' | 'keepInStep';

/** The places of the rows that go into one batch request. */
export type Chunk = number[];

/** Rows of the first batch of an import that is kept in step: it finds out how much of a name the service keeps. */
export const firstRows = 4;

/** As many rows as a batch may hold and its name can tell. */
export const rowsPerBatch = (importName: string, size: number, nameLength: number): number =>
	Math.min(size, rowsInName(importName, nameLength));

/** Deals the places into chunks; `inOneStretch` when their name is to tell them by where they begin and end. */
export function cutIntoChunks(places: readonly number[], size: number, inOneStretch: boolean): Chunk[] {
	if (!Number.isInteger(size) || size < 1) throw new RangeError('A batch holds at least one row');
	const chunks: Chunk[] = [];
	let chunk: Chunk = [];
	for (const place of places) {
		const continues = chunk.length > 0 && chunk.length < size && !(inOneStretch && chunk.at(-1) !== place - 1);
		if (!continues) chunks.push((chunk = []));
		chunk.push(place);
	}
	return chunks;
}

/** `1-36,38-251`: which rows exactly, however many. */
export function spans(numbers: readonly number[]): string {
	const parts: string[] = [];
	for (let start = 0, index = 1; index <= numbers.length; index++) {
		if (numbers[index] === numbers[index - 1] + 1) continue;
		const [first, last] = [numbers[start], numbers[index - 1]];
		parts.push(first === last ? `${first}` : `${first}-${last}`);
		start = index;
	}
	return parts.join(',');
}
