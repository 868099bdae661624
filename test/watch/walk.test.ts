import fc from '../harness/seed';
import type { PageQuery } from '../../nodes/BusinessVerification/watch/rows';
import { readRows } from '../../nodes/BusinessVerification/watch/walk';
import { randomFrom } from './random';
import { eachLine } from './table';

// Whatever a list holds: all rows created before the time that a walk reached were shown to it.

const secondOf = (ms: number) => Math.floor(ms / 1_000);
const iso = (ms: number) => new Date(ms).toISOString();

const cases = fc.record({
	times: fc.array(fc.tuple(fc.nat(7), fc.constantFrom(0, 1, 500, 999)), { maxLength: 50 }),
	limit: fc.integer({ min: 9, max: 14 }),
	from: fc.nat(3),
	to: fc.constantFrom(4, 6, Infinity),
	pages: fc.constantFrom(undefined, 1, 3),
	isInclusive: fc.boolean(),
	isTiedAtRandom: fc.boolean(),
	zoneless: fc.boolean(),
	failsAt: fc.constantFrom(Infinity, Infinity, 1, 2, 5),
	hidesTotal: fc.boolean(),
});

it('has shown all rows created before the time that it reached, and reaches the end unless it may not', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async ({ times, limit, from, to, pages, failsAt, ...service }) => {
			const { isInclusive, isTiedAtRandom, zoneless, hidesTotal } = service;
			const rows = times.map(([second, ms], index) => ({ id: `i${index}`, status: 'X', ms: second * 1_000 + ms }));
			const random = randomFrom(times.length);
			const seen = new Set<string>();
			let [asked, walked] = [0, 0];
			const readPage = async (query: PageQuery) => {
				if (++asked === failsAt) return undefined;
				for (const text of [query.created_at_from, query.created_at_to])
					expect(text?.endsWith('Z')).toBe(text && !zoneless);
				const bounds = [query.created_at_from ?? '1969', query.created_at_to ?? '2099'];
				const [lower, upper] = bounds.map((text) => Date.parse(text.length > 4 && zoneless ? `${text}Z` : text));
				const outside = isInclusive ? 0 : 1;
				const found = rows.filter(({ ms }) => ms >= lower + outside && ms <= upper - outside);
				const rank = new Map(found.map((row, index) => [row, isTiedAtRandom ? random() : index]));
				found.sort((a, b) => a.ms - b.ms || rank.get(a)! - rank.get(b)!);
				const page = found.slice(query.offset, query.offset + query.limit);
				for (const { id } of page) seen.add(id);
				if (query.limit === limit && query.offset === 0) walked++;
				const isLast = query.offset + page.length >= found.length;
				const total = hidesTotal ? {} : { total: found.length };
				return { rows: page.map((row) => ({ ...row, createdAt: iso(row.ms) })), isLast, ...total };
			};
			const reached = await readRows(from, to, { readPage, limit, pages, zoneless });
			const isBefore = ({ ms }: { ms: number }) => secondOf(ms) >= from && secondOf(ms) < reached;
			if (!isTiedAtRandom || !hidesTotal) expect(rows.filter(isBefore).filter(({ id }) => !seen.has(id))).toEqual([]);
			expect(reached).toBeGreaterThanOrEqual(from);
			expect(reached).toBeLessThanOrEqual(to);
			if (failsAt === Infinity && !pages && !isTiedAtRandom) expect(reached).toBe(to);
			// Each of these pages goes at least a second further, or is the first of a crowd's.
			expect(walked).toBeLessThanOrEqual(pages === undefined ? 20 : 2 * pages);
		}),
		{ numRuns: 400 },
	);
});

eachLine(`
	rows created in the seconds         pages  asked: from, size, offset            reached
	-                                   all    0/3/0                                Infinity
	1 2 3 4                             all    0/3/0 3/3/0                          Infinity
	1 2 3 4 5 6                         2      0/3/0 3/3/0                          5
	1 2 2 2 3                           all    0/3/0 2/3/0 2/3/0 3/3/0              Infinity
	2 2 2 2 3                           all    0/3/0 2/3/0 2/3/0 2/3/3 3/3/0        Infinity
`)('%s, %s pages: asks for %s, and reaches %s', async (seconds, pages, asked, end) => {
	const created = seconds === '-' ? [] : seconds.split(' ').map((second) => Number(second) * 1_000);
	const requests: string[] = [];
	const readPage = async ({ created_at_from: from = iso(-1), created_at_to: to = '2', limit, offset }: PageQuery) => {
		requests.push(`${(Date.parse(from) + 1) / 1_000}/${limit}/${offset}`);
		const found = created.filter((ms) => iso(ms) > from && iso(ms) < to);
		const rows = found
			.slice(offset, offset + limit)
			.map((ms, index) => ({ id: `${ms} ${offset + index}`, status: 'X', createdAt: iso(ms) }));
		return { rows, total: found.length, isLast: offset + rows.length >= found.length };
	};
	const walk = { readPage, limit: 3, pages: pages === 'all' ? undefined : Number(pages) };
	expect(String(await readRows(0, Infinity, walk))).toBe(end);
	expect(requests.join(' ')).toBe(asked);
});

eachLine(`
	totals  new on page 2  reached  sizes of the pages
	30 30   none           2        20 20 19 18 17 16 15 14 13
	20 30   none           3        20 20
	30 30   a few          3        20 20 19 18 17
`)(
	'reads a crowd until it has seen all, totals %s, %s, to %s, by pages of %s',
	async (totals, news, reached, expected) => {
		const [sizes, createdAt] = [[] as number[], iso(2_000)];
		// The second page shows those of the first again, but for a few others in each reading. Of two totals, the lesser counts.
		const idOf = (index: number) => (news === 'none' || index < 16 ? index : 4 * sizes.length + index);
		const readPage = async ({ limit, offset }: PageQuery) => {
			if (offset === 0) sizes.push(limit);
			const ids = Array.from({ length: limit }, (_, index) => (offset === 0 ? index : idOf(index)));
			const rows = ids.map((id) => ({ id: `i-${id}`, status: 'X', createdAt }));
			return { rows, total: Number(totals.split(' ')[offset === 0 ? 0 : 1]), isLast: offset !== 0 };
		};
		expect(`${await readRows(2, Infinity, { readPage, limit: 20, pages: 1 })}`).toBe(reached);
		expect(sizes.join(' ')).toBe(expected);
	},
);
