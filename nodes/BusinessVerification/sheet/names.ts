/**
 * A batch is called by its rows: its name is the one thing we write that the service promises to give back. It tells them
 * by their place and a hash, `March leads 1-250 #3f0c9a526d`, or one by one, `March leads 28 Rows kf3x…`.
 */

/** What a column of names holds nearly everywhere. */
export const longestName = 250;
const digestLength = 8;

export interface RowRange {
	/** Places among the rows that can be sent, from 1. */
	from: number;
	to: number;
	hash: string;
}

export const nameOfRange = (importName: string, { from, to, hash }: RowRange): string =>
	`${importName} ${from}-${to} #${hash}`;

export const nameOfRows = (importName: string, digests: readonly string[]): string =>
	`${importName} ${digests.length} Rows ${digests.join('')}`;

/** As long as names may become, so that what the service gives back shows how much of a name it keeps. */
export const paddedName = (name: string): string => `${name.padEnd(longestName - 1, '~')}.`;

/** Rows that a name of this length can tell one by one. */
export const rowsInName = (importName: string, length: number): number =>
	Math.max(0, Math.floor((length - nameOfRows(importName, Array(100).fill('')).length) / digestLength));

interface ReadName {
	/** The rows by their place, or one by one; neither where the name was cut or changed. */
	range?: RowRange;
	digests?: string[];
	/** How much is left of a filled name. */
	kept?: number;
}

const rangeTail = /^(\d+)-(\d+) #([0-9a-f]{10})$/i;
// The word as it is written: digests whose letters were made small or large tell nothing.
const rowsTail = /^(\d+) Rows ([\w-]*)(~*)\.?$/;
/** How a name of ours begins, or looks when its letters were changed. Another import's ("May 2 1-250 #…") does not. */
const spoiltTail = /^\d+(-\d*)?[.…]*( (#.*|r[.…]*|ro[.…]*|row[.…]*|rows[.…]*|rows .*)?)?$/i;
/** A shorter name is somebody's own: no service keeps so little of one. */
const shortestCut = 16;

/** What the name of a batch tells of its rows; nothing when it is no batch of this import. One that may be cut may be its beginning. */
export function readName(importName: string, name: string, mayBeCut = false): ReadName | undefined {
	const start = `${importName} `;
	if (name.slice(0, start.length).toLowerCase() !== start.toLowerCase()) {
		const isBeginning = start.toLowerCase().startsWith(name.toLowerCase());
		return mayBeCut && isBeginning && name.length >= shortestCut ? {} : undefined;
	}
	const tail = name.slice(start.length);
	const [, from, to, hash] = rangeTail.exec(tail) ?? [];
	if (hash !== undefined) return { range: { from: Number(from), to: Number(to), hash: hash.toLowerCase() } };
	const [, count, letters, filler] = rowsTail.exec(tail) ?? [];
	if (letters !== undefined && letters.length === Number(count) * digestLength) {
		const digests = letters.match(/.{8}/g) ?? [];
		return { digests, ...(filler !== '' && { kept: name.length }) };
	}
	return spoiltTail.test(tail) ? {} : undefined;
}

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
