type Cell = string | number;

export function table(title: string, head: string[], rows: Cell[][]): void {
	const text = [head, ...rows].map((row) =>
		row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)),
	);
	const widths = head.map((_, column) => Math.max(...text.map((row) => row[column].length)));
	const line = (row: string[]) =>
		row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  ');
	console.log(`\n${title}\n${line(text[0])}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
	for (const row of text.slice(1)) console.log(line(row));
}

export interface Goal {
	name: string;
	value: number;
	atMost?: number;
	atLeast?: number;
}

/** A figure may miss its goal by a tenth, except a goal of zero. */
const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Goal) =>
	value <= atMost * 1.1 && value >= atLeast / 1.1;

/** Of all that were run, for the chart. */
export const concluded: Array<{ bench: string; figures: Record<string, unknown> }> = [];

/** Prints one JSON line and tells whether all goals are met. */
export function conclude(bench: string, goals: Goal[], figures: Record<string, unknown> = {}): boolean {
	concluded.push({ bench, figures });
	const missed = goals.filter((goal) => !isMet(goal)).map(({ name }) => name);
	for (const name of missed) console.error(`missed: ${name}`);
	const ok = missed.length === 0;
	console.log(`\n${JSON.stringify({ bench, ok, goals, ...figures })}`);
	return ok;
}

/** Repeatable random numbers from 0 to 1. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0 || 1;
	return () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) / 0x1_0000_0000;
	};
}

export function quantile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
