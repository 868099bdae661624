/** What a design reported, and what there was to report. */
export interface Score {
	completions: number;
	emitted: number;
	lost: number;
	superseded: number;
	repeated: number;
	early: number;
	blinks: number;
	blinksFound: number;
	latencies: number[];
	blinkLatencies: number[];
	bytes: number;
	requests: number;
	polls: number;
}

export function emptyScore(): Score {
	return {
		completions: 0,
		emitted: 0,
		lost: 0,
		superseded: 0,
		repeated: 0,
		early: 0,
		blinks: 0,
		blinksFound: 0,
		latencies: [],
		blinkLatencies: [],
		bytes: 0,
		requests: 0,
		polls: 0,
	};
}

export function add(sum: Score, score: Score): void {
	const { latencies, blinkLatencies, bytes, ...counts } = score;
	for (const [key, count] of Object.entries(counts) as Array<[keyof typeof counts, number]>) sum[key] += count;
	sum.latencies = sum.latencies.concat(latencies);
	sum.blinkLatencies = sum.blinkLatencies.concat(blinkLatencies);
	sum.bytes = Math.max(sum.bytes, bytes);
}
