import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart } from './chart';
import { boundOf, type Conclusion, type Goal, isMet, type Table } from './report';

/** The figures of the last runs, a JSON line for each row, and the pages that show them. */

const root = join(__dirname, '..');
const store = 'docs/development/figures.jsonl';
const picture = 'docs/pictures/performance.svg';
const pages = [
	'docs/development/performance.md',
	'docs/development/measured-import.md',
	'docs/development/scaling.md',
	'docs/development/measured-trigger.md',
];

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const stored = (): Conclusion[] =>
	existsSync(join(root, store))
		? read(store)
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => JSON.parse(line) as Conclusion)
		: [];

/** Everything that shows figures, by its path, as it has to be. */
export function written(conclusions: readonly Conclusion[] = stored()): Record<string, string> {
	return Object.fromEntries([
		[store, conclusions.map((conclusion) => `${JSON.stringify(conclusion)}\n`).join('')],
		[picture, chart(conclusions)],
		...pages.map((page) => [page, filled(read(page), conclusions)]),
	]) as Record<string, string>;
}

/** What was run takes the place of what was run before. */
export function record(run: readonly Conclusion[]): void {
	const byName = new Map([...stored(), ...run].map((conclusion) => [conclusion.bench, conclusion]));
	const all = [...byName.values()].sort((a, b) => a.bench.localeCompare(b.bench));
	for (const [path, text] of Object.entries(written(all))) writeFileSync(join(root, path), text);
}

/** A page with the figures of each row between its marks. */
export const filled = (page: string, conclusions: readonly Conclusion[]): string =>
	page.replace(/(<!-- bench (\S+) -->\n)[^]*?(<!-- end -->)/g, (_, begin: string, name: string, end: string) => {
		const conclusion = conclusions.find(({ bench }) => bench === name);
		return `${begin}\n${conclusion === undefined ? 'Not run yet.' : shown(conclusion)}\n\n${end}`;
	});

const shown = ({ tables, goals, day, commit, load }: Conclusion): string =>
	[
		...tables.map(({ title, head, rows }: Table) => `${title}:\n\n${lines([head, ...rows])}`),
		lines([['goal', 'figure', 'bound', ''], ...goals.map(judged)]),
		`Run on ${day} at ${commit}, load of the machine ${load}.`,
	].join('\n\n');

const judged = (goal: Goal): string[] => [
	goal.name,
	goal.value.toLocaleString('en', { maximumSignificantDigits: 4 }),
	boundOf(goal),
	isMet(goal) ? 'met' : '**missed**',
];

function lines([head, ...rows]: string[][]): string {
	const line = (row: string[]) => `| ${row.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	const bold = (row: string[]) => (row[0] === 'this node' ? row.map((cell) => `**${cell}**`) : row);
	return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map((row) => line(bold(row)))].join('\n');
}
