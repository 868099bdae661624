import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart } from '../../bench/chart';
import { filled, written } from '../../bench/pages';
import { conclude, type Conclusion, table } from '../../bench/report';

const root = join(__dirname, '../..');

it.each(Object.entries(written()))('%s shows the figures of the last runs', (path, text) => {
	expect(existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined).toBe(text);
});

const run: Conclusion = {
	bench: 'fetch',
	day: '2026-01-31',
	commit: '0123abc',
	load: 0.4,
	goals: [
		{ name: 'times a bare client', value: 1.75, atMost: 1.6 },
		{ name: 'times quicker', value: 1_234.56, atLeast: 15 },
		{ name: 'failed items', value: 1, atMost: 0 },
	],
	bars: { 'this node': 1, 'HTTP Request': 12.5 },
	tables: [
		{
			title: '2 records',
			head: ['variant', 'ms'],
			rows: [
				['this node', '1,000'],
				['a | b', '12,500'],
			],
		},
	],
};

it('a page takes the tables and goals of a row between its marks, and keeps the rest', () => {
	const page =
		'Before\n\n<!-- bench fetch -->\nold\n<!-- end -->\n\nBetween\n\n<!-- bench other -->\n<!-- end -->\nAfter\n';
	const expected = `Before

<!-- bench fetch -->

2 records:

| variant | ms |
|---|---|
| **this node** | **1,000** |
| a \\| b | 12,500 |

| goal | figure | bound |  |
|---|---|---|---|
| times a bare client | 1.75 | at most 1.6 | **missed** |
| times quicker | 1,235 | at least 15 | met |
| failed items | 1 | at most 0 | **missed** |

Run on 2026-01-31 at 0123abc, load of the machine 0.4.

<!-- end -->

Between

<!-- bench other -->

Not run yet.

<!-- end -->
After
`;
	expect(filled(page, [run])).toBe(expected);
	expect(filled(expected, [run])).toBe(expected);
});

it('the chart has a bar for everything that has a ratio', () => {
	const drawn = chart([run, { ...run, bench: 'silent', bars: undefined }]);
	expect(drawn.match(/<rect [^>]*height="14"/g)).toHaveLength(2);
	expect(drawn).toContain('>12.5×<');
	expect(drawn).not.toContain('silent');
});

it('a conclusion holds the tables printed for it, and no others', () => {
	const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
	jest.spyOn(console, 'error').mockImplementation(() => undefined);
	table('First', ['variant', 'ms'], [['this node', 1_500]]);
	expect(conclude('first', [{ name: 'times', value: 2.00049, atMost: 1 }])).toBe(false);
	expect(conclude('second', [])).toBe(true);
	const told = print.mock.calls.map(([line]) => String(line).trim()).filter((line) => line.startsWith('{'));
	jest.restoreAllMocks();
	expect(told.map((line) => JSON.parse(line) as Conclusion)).toMatchObject([
		{
			bench: 'first',
			goals: [{ value: 2 }],
			tables: [{ title: 'First', rows: [['this node', '1,500']] }],
		},
		{ bench: 'second', goals: [], tables: [] },
	]);
});
