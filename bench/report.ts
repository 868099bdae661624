import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';

type Cell = string | number;

export interface Table {
	title: string;
	head: string[];
	rows: string[][];
}

let tables: Table[] = [];

/** Prints a table; it belongs to the row of the benchmark that is concluded next. */
export function table(title: string, head: string[], rows: Cell[][]): void {
	const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)));
	tables.push({ title, head, rows: cells });
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

/** The bound that the pages show is the one that decides: nothing is added to it. */
export const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Goal) => value <= atMost && value >= atLeast;

export const boundOf = ({ atMost, atLeast }: Goal): string =>
	atMost === undefined ? `at least ${exactly(atLeast!)}` : `at most ${exactly(atMost)}`;

const exactly = (bound: number) => bound.toLocaleString('en', { maximumFractionDigits: 10 });

/** Where n8n's own means do not reach a goal, its bound is a tenth from what they reach, measured in the same run and shown beside. */
export function besideFloor(goal: Goal, floor: number, called = "n8n's own"): Goal {
	const name = `${goal.name} (${called}: ${rounded(floor)})`;
	return goal.atMost === undefined
		? { ...goal, name, atLeast: rounded(Math.min(goal.atLeast!, floor / 1.1)) }
		: { ...goal, name, atMost: rounded(Math.max(goal.atMost, floor * 1.1)) };
}

/** What one row of the benchmark came to. */
export interface Conclusion {
	bench: string;
	/** The day, the commit, and what else the machine had to do when it ended: processes that wanted a processor in the last five minutes. */
	day: string;
	commit: string;
	load: number;
	goals: Goal[];
	/** How many times as much as this node everything else took, or needed. */
	bars?: Record<string, number>;
	tables: Table[];
}

/** What is counted is exact. */
const rounded = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));

/** Prints one JSON line, keeps it for the pages, and tells whether all goals are met. */
export function conclude(bench: string, goals: Goal[], figures: Pick<Conclusion, 'bars'> = {}): boolean {
	const judged = goals.map((goal) => ({ ...goal, value: rounded(goal.value) }));
	const missed = judged.filter((goal) => !isMet(goal));
	for (const goal of missed) console.error(`missed: ${goal.name}: ${goal.value}, bound: ${boundOf(goal)}`);
	const conclusion: Conclusion = {
		bench,
		day: new Date().toISOString().slice(0, 10),
		commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: __dirname, encoding: 'utf8' }).trim(),
		load: Number(loadavg()[1].toFixed(1)),
		goals: judged,
		...figures,
		tables,
	};
	tables = [];
	concluded.push(conclusion);
	console.log(`\n${JSON.stringify(conclusion)}`);
	return missed.length === 0;
}

/** All rows that were run. */
export const concluded: Conclusion[] = [];

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
