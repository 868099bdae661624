/** A megabyte each: texts that took quadratic time somewhere, and others of their kind. A long run, then what does not fit. */

const filledWith = (piece: string, end = 'x') => piece.repeat((2 ** 20 - end.length) / piece.length) + end;

export const attacks: Record<string, string> = {
	zeros: filledWith('0'),
	tokens: filledWith('eyJ-'),
	slashes: filledWith('/'),
	blanks: `x${filledWith(' ')}`,
	commas: filledWith('a,'),
	brackets: filledWith('[{"a":', ''),
};

/** The value with an attack in each text of it; all together have a megabyte. */
export function attacked(value: unknown, attack: string): unknown {
	const parts = textsIn(value);
	const share = Math.floor(attack.length / Math.max(parts, 1));
	return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
		typeof part === 'string' ? attack.slice(-share) : part,
	) as unknown;
}

function textsIn(value: unknown): number {
	if (typeof value === 'string') return 1;
	if (typeof value !== 'object' || value === null) return 0;
	return Object.values(value).reduce((sum: number, part) => sum + textsIn(part), 0);
}

/** As many copies of a part as a megabyte of JSON holds. */
const many = (part: unknown): unknown[] =>
	Array<unknown>(Math.floor(2 ** 20 / (JSON.stringify(part).length + 1))).fill(part);

const numbered = (count: number, part: unknown) =>
	Object.fromEntries(Array.from({ length: count }, (_, number) => [`p${number}`, part]));

const nested = (levels: number, inside: unknown): unknown =>
	levels === 0 ? inside : { detail: [nested(levels - 1, inside)] };

/** JSON of a megabyte each that is no text: whoever reads it visits many parts, or one part many times. */
export const shapes: Record<string, string> = written({
	'a list of numbers': many(1),
	'a list of empty objects': many({}),
	'a list of empty lists': many([]),
	'rows without IDs': many({ status: 'PLANNING' }),
	'rows with IDs': many({ id: 'id', status: 'COMPLETED' }),
	'a map of texts': numbered(58_000, 'COMPLETED'),
	'a map of objects': numbered(26_000, { status: 'FAILED', task: 't' }),
	'a map of empty lists': numbered(58_000, []),
	'lists in lists of numbers': nested(4, many(1)),
	'lists in lists of empty objects': nested(9, many({})),
});

function written(values: Record<string, unknown>): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
}
