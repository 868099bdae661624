/** Creation times, in seconds, from the first up to but not including the last. */
export interface Range {
	from: number;
	to: number;
}

/** What is left of a range without some seconds of it. */
export function without(holes: ReadonlySet<number>, from: number, to: number): Range[] {
	const ranges: Range[] = [];
	let begin = from;
	for (const hole of [...holes].filter((time) => time >= from && time < to).sort((a, b) => a - b)) {
		if (hole > begin) ranges.push({ from: begin, to: hole });
		begin = hole + 1;
	}
	if (to > begin) ranges.push({ from: begin, to });
	return ranges;
}

export const isIn = (ranges: readonly Range[], created: number): boolean =>
	ranges.some(({ from, to }) => created >= from && created < to);
