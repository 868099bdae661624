import { loadavg } from 'node:os';

type Cell = string | number;

/** Prints a table. */
export function table(title: string, head: string[], rows: Cell[][]): void {
	const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)));
	const text = [head, ...cells];
	const widths = head.map((_, column) => Math.max(...text.map((row) => row[column].length)));
	const line = (row: string[]) =>
		row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  ');
	console.log(`\n${title}\n${line(head)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
	for (const row of cells) console.log(line(row));
}

export interface Goal {
	name: string;
	value: number;
	atMost?: number;
	atLeast?: number;
}

/** The bound that is shown is the one that decides: nothing is added to it. */
const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Goal) => value <= atMost && value >= atLeast;

const boundOf = ({ atMost, atLeast }: Goal): string =>
	atMost === undefined ? `at least ${exactly(atLeast!)}` : `at most ${exactly(atMost)}`;

const exactly = (bound: number) => bound.toLocaleString('en', { maximumFractionDigits: 10 });

/** Where n8n's own means do not reach a goal, its bound is a tenth from what they reach, measured in the same run and shown beside. */
export function besideFloor(goal: Goal, floor: number, called = "n8n's own"): Goal {
	const name = `${goal.name} (${called}: ${rounded(floor)})`;
	return goal.atMost === undefined
		? { ...goal, name, atLeast: rounded(Math.min(goal.atLeast!, floor / 1.1)) }
		: { ...goal, name, atMost: rounded(Math.max(goal.atMost, floor * 1.1)) };
}

/** What is counted is exact. */
const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));

/** Prints each figure with its one bound, and returns whether all are met. */
export function conclude(bench: string, goals: Goal[]): boolean {
	const judged = goals.map((goal) => ({ ...goal, value: rounded(goal.value) }));
	const shown = (goal: Goal) => goal.value.toLocaleString('en', { maximumSignificantDigits: 4 });
	table(
		`${bench}, load of the machine ${loadavg()[1].toFixed(1)}`,
		['goal', 'figure', 'bound', ''],
		judged.map((goal) => [goal.name, shown(goal), boundOf(goal), isMet(goal) ? 'met' : 'MISSED']),
	);
	return judged.every(isMet);
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
