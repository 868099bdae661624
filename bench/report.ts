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

/** A figure may miss its goal by a tenth, except a goal of zero. */
export const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Goal) =>
	value <= atMost * 1.1 && value >= atLeast / 1.1;

/** A goal that n8n's own means do not reach is a tenth from what they reach, measured in the same run and shown beside. */
export function besideFloor(goal: Goal, floor: number, called = "n8n's own"): Goal {
	const name = `${goal.name} (${called}: ${rounded(floor)})`;
	return goal.atMost === undefined
		? { ...goal, name, atLeast: rounded(Math.min(goal.atLeast!, floor / 1.1)) }
		: { ...goal, name, atMost: rounded(Math.max(goal.atMost, floor * 1.1)) };
}

/** What one row of the benchmark came to. */
export interface Conclusion {
	bench: string;
	ok: boolean;
	/** The day, and what else the machine had to do when it ended: processes that wanted a processor in the last five minutes. */
	day: string;
	load: number;
	goals: Goal[];
	/** How many times as much as this node everything else took, or needed. */
	bars?: Record<string, number>;
	tables: Table[];
}

const rounded = (value: number) => Number(value.toPrecision(4));

/** Prints one JSON line, keeps it for the pages, and tells whether all goals are met. */
export function conclude(bench: string, goals: Goal[], figures: Pick<Conclusion, 'bars'> = {}): boolean {
	const missed = goals.filter((goal) => !isMet(goal)).map(({ name }) => name);
	for (const name of missed) console.error(`missed: ${name}`);
	const conclusion: Conclusion = {
		bench,
		ok: missed.length === 0,
		day: new Date().toISOString().slice(0, 10),
		load: Number(loadavg()[1].toFixed(1)),
		goals: goals.map((goal) => ({ ...goal, value: rounded(goal.value) })),
		...figures,
		tables,
	};
	tables = [];
	concluded.push(conclusion);
	console.log(`\n${JSON.stringify(conclusion)}`);
	return conclusion.ok;
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
