import { loadavg } from 'node:os';

type Cell = string | number;

/** Prints a table. */
export function table(title: string, head: string[], rows: Cell[][]): void {
	const shown = (cell: Cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell);
	const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(shown).join(' | ')} |`);
	console.log(`\n${title}\n\n${lines.join('\n')}`);
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

export function quantile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
