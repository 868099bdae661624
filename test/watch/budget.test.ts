import { Budget, defaultLimits } from '../../nodes/BusinessVerification/watch/budget';
import type { PageQuery } from '../../nodes/BusinessVerification/watch/rows';
import { eachLine } from './table';

// A budget of 100 s, of which 90 s are usable, and of 10 requests.

function budgetOf(pages: Array<{ rows: number; total?: number; ms?: number }>, usedMs = 0) {
	let left = 100_000;
	const source = {
		page: async () => {
			const { rows, ms = 0, ...page } = pages.shift()!;
			left -= ms;
			if (rows < 0) throw new Error('unavailable');
			return {
				...page,
				date: 5_999,
				rows: Array.from({ length: rows }, (_, index) => ({ id: `${index}`, status: 'X' })),
			};
		},
		read: async () => 'gone' as const,
		...{ remainingMs: () => left, hostTime: () => 0 },
	};
	const budget = new Budget(source, { ...defaultLimits, requests: 10 });
	left -= usedMs;
	return budget;
}

eachLine(`
	requests, each of so many ms  allowed: share of the budget, and how many are kept       refused
	0 of 0                        0.05/0 1/9                                               0.05/1 1/10
	3 of 0                        0.4/0 1/6                                                0.3/0 1/7
	8 of 0                        1/0 1/1                                                  1/2 0.8/0
	10 of 0                       -                                                        1/0
	1 of 30000                    1/0 1/1 0.34/0                                           1/2 0.33/0
	1 of 45000                    1/0 0.5/0                                                1/1 0.49/0
	1 of 45001                    -                                                        1/0
	9 of 1000                     1/0                                                      1/1
`)('after %s: %s, not %s', async (requests, allowed, refused) => {
	for (const rows of [0, -1]) {
		const [count, ms] = requests.split(' of ').map(Number);
		const budget = budgetOf(Array.from({ length: count }, () => ({ rows, ms })));
		for (let asked = 0; asked < count; asked++) await budget.page({ limit: 5, offset: 0 }).catch(() => undefined);
		const isAllowed = (text: string) => budget.allows(...(text.split('/').map(Number) as [number, number]));
		const said = (text: string) => (text === '-' ? [] : text.split(' ').map((pair) => [pair, isAllowed(pair)]));
		expect(said(allowed)).toEqual(said(allowed).map(([pair]) => [pair, true]));
		expect(said(refused)).toEqual(said(refused).map(([pair]) => [pair, false]));
		// A failed request is none that was answered.
		expect([budget.answers, budget.dateHeader]).toEqual(rows < 0 || count === 0 ? [0, 0] : [count, 5]);
		expect([await budget.read('i'), budget.answers]).toEqual(['gone', rows < 0 ? 1 : count + 1]);
	}
});

it('begins nothing after 90 of 100 s, whoever used them', () => {
	expect([budgetOf([], 90_000).allows(), budgetOf([], 90_001).allows()]).toEqual([true, false]);
});

eachLine(`
	rows of pages  total  of the last page: limit, offset  is the last
	5              10     5 5                              true
	5              10     5 4                              false
	3              9      5 0                              false
	0              9      5 5                              true
	5              none   5 0                              false
	3 3            none   5 3                              false
	3 2            none   5 3                              true
	5 4            none   4 5                              false
	0              none   5 0                              true
`)('pages of %s rows, a total of %s, limit and offset %s: the last: %s', async (sizes, total, query, expected) => {
	const pages = sizes
		.split(' ')
		.map((rows) => ({ rows: Number(rows), ...(total !== 'none' && { total: Number(total) }) }));
	const budget = budgetOf([...pages]);
	const [limit, offset] = query.split(' ').map(Number);
	let isLast = false;
	for (const [place] of pages.entries())
		({ isLast } = await budget.page(
			(place === pages.length - 1 ? { limit, offset } : { limit: 9, offset: 0 }) as PageQuery,
		));
	expect(String(isLast)).toBe(expected);
});
