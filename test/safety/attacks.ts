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
