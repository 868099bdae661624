import type { Row } from './rows';

/**
 * The name of a batch identifies its rows, because of all that the node sends with a batch the service promises to
 * return only the name. It holds the places of the rows and one hash, as in `March leads 1-250 #3f0c9a526d`, or one
 * digest for each row, as in `March leads 28 Rows kf3x…`.
 */

/** For locks and memory. The case of a name does not matter, because a service may change it. */
export const importKey = (importName: string): string => `import ${importName.toLowerCase()}`;

/** Nearly every service can store a name of this length. */
export const longestName = 250;
const digestLength = 8;

interface RowRange {
	/** Places of the first and the last row. */
	from: number;
	to: number;
	hash: string;
}

export const nameOfRange = (importName: string, { from, to, hash }: RowRange): string =>
	`${importName} ${from}-${to} #${hash}`;

export const nameOfRows = (importName: string, digests: readonly string[]): string =>
	`${importName} ${digests.length} Rows ${digests.join('')}`;

/** A name padded to `longestName`, so that the name the service returns shows how much of a name it keeps. */
export const paddedName = (name: string): string => `${name.padEnd(longestName - 1, '~')}.`;

/** How many digests of rows fit into a name of this length. */
export const rowsInName = (importName: string, length: number): number =>
	Math.max(0, Math.floor((length - nameOfRows(importName, Array(100).fill('')).length) / digestLength));

interface ReadName {
	/** One of `range` and `digests`; neither if the name was cut or changed. */
	range?: RowRange;
	digests?: string[];
	/** The length that the service kept of a padded name. */
	kept?: number;
}

const rangeTail = /^(\d+)-(\d+) #([0-9a-f]{10})$/i;
// Not case-insensitive like `rangeTail`, because in another case a base64url digest is a different one.
const rowsTail = /^(\d+) Rows ([\w-]*)(~*)\.?$/;
/**
 * A name of this node that was cut, or whose case was changed. The name of an import that begins with the same words,
 * as in "May 2 1-250 #…" for "May", does not match.
 */
const spoiltTail = /^\d+(-\d*)?[.…]*( (#.*|r[.…]*|ro[.…]*|row[.…]*|rows[.…]*|rows .*)?)?$/i;
/** A shorter name was not cut but chosen by somebody, because no service keeps so few characters. */
const shortestCut = 16;

/**
 * The rows that the name of a batch identifies; undefined if the batch is not of this import. With `mayBeCut`, a name
 * that ends within the name of the import counts as of this import, too.
 */
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

/** Most rows in the first batch of a synced import. It finds out how much of a name the service keeps. */
export const firstRows = 4;

export const rowsPerBatch = (importName: string, size: number, nameLength = longestName): number =>
	Math.min(size, rowsInName(importName, nameLength));

/** `inOneStretch` starts a new batch at every gap, because a range in a name is only its first and last place. */
export function cutIntoBatches<R extends Pick<Row, 'place'>>(
	rows: readonly R[],
	size: number,
	inOneStretch: boolean,
): R[][] {
	if (!Number.isInteger(size) || size < 1) throw new RangeError('A batch holds at least one row');
	const batches: R[][] = [];
	for (const row of rows) {
		const last = batches.at(-1);
		const hasGap = inOneStretch && last?.at(-1)?.place !== row.place - 1;
		if (last === undefined || last.length === size || hasGap) batches.push([row]);
		else last.push(row);
	}
	return batches;
}
