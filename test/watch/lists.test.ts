import { walk } from '../../nodes/BusinessVerification/watch/lists';
import type { ListedRow } from '../../nodes/BusinessVerification/watch/source';

// Pages of five rows, of a service that also shows what was created in the second before the bound.

const rowsOf = (second: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: `${second}-${index}`,
		status: 'RUNNING',
		createdAt: new Date(second * 1_000).toISOString(),
	})) as unknown as ListedRow[];

/** Reads pages of these rows, at most `pages` of them, and lists what was asked for. */
async function walkThrough(rows: ListedRow[], start: { at: number; offset: number }, pages = 30) {
	const seen = new Set<string>();
	const asked: string[] = [];
	const walked = await walk(
		{
			page: async ({ from, to = Infinity, offset }) => {
				asked.push(`${from} to ${to}, ${offset}`);
				const second = ({ createdAt }: ListedRow) => Date.parse(createdAt!) / 1_000;
				const within = rows.filter((row) => second(row) >= from - 1 && second(row) < to);
				return { rows: within.slice(offset, offset + 5), total: within.length };
			},
			mayGoOn: () => asked.length < pages,
			see: ({ id }) => Boolean(seen.add(id)),
			counts: true,
			size: 5,
		},
		start,
	);
	return { ...walked, seen: [...seen].sort(), asked };
}

const idsOf = (rows: ListedRow[]) => rows.map(({ id }) => id).sort();

it('gets past a page that lies wholly in the second before', async () => {
	const rows = [...rowsOf(99, 12), ...rowsOf(100, 8), ...rowsOf(101, 3)];
	const { next, covered, seen } = await walkThrough(rows, { at: 100, offset: 0 });
	expect(next).toBeNull();
	expect(covered).toEqual([{ from: 100, to: Infinity }]);
	expect(seen).toEqual(idsOf(rows));
});

it('continues within a second where it stopped, which then does not count as read', async () => {
	const rows = [...rowsOf(100, 12), ...rowsOf(101, 3)];
	const begun = await walkThrough(rows, { at: 100, offset: 0 }, 2);
	expect([begun.next, begun.covered]).toEqual([{ at: 100, offset: 10 }, []]);
	const { next, covered, seen, asked } = await walkThrough(rows, { at: 100, offset: 10 });
	expect(asked[0]).toBe('100 to 101, 10');
	expect([next, covered]).toEqual([null, [{ from: 101, to: Infinity }]]);
	expect(seen).toEqual(expect.arrayContaining(idsOf(rows.slice(10))));
});

it('asks for nothing after a second that holds all the rest, and for what comes after any other', async () => {
	const rows = [...rowsOf(100, 3), ...rowsOf(102, 12)];
	const { next, covered, seen, asked } = await walkThrough(rows, { at: 100, offset: 0 });
	expect([next, covered]).toEqual([null, [{ from: 100, to: Infinity }]]);
	expect(seen).toEqual(idsOf(rows));
	expect(asked.at(-1)).toBe('102 to 103, 10');
	const more = await walkThrough([...rows, ...rowsOf(103, 1)], { at: 100, offset: 0 });
	expect(more.asked).toContain('103 to Infinity, 0');
	expect(more.seen).toContain('103-0');
});
