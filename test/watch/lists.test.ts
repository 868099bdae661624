import { walk } from '../../nodes/BusinessVerification/watch/lists';
import type { ListedRow } from '../../nodes/BusinessVerification/watch/source';

// Pages of five rows, of a service that also shows what was created in the second before the bound.

const rowsOf = (second: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: `${second}-${index}`,
		status: 'RUNNING',
		createdAt: new Date(second * 1_000).toISOString(),
	})) as unknown as ListedRow[];

it('gets past a page that lies wholly in the second before', async () => {
	const rows = [...rowsOf(99, 12), ...rowsOf(100, 8), ...rowsOf(101, 3)];
	const seen = new Set<string>();
	let requests = 0;
	const { next, covered } = await walk(
		{
			page: async ({ from, to = Infinity, offset }) => {
				requests++;
				const second = ({ createdAt }: ListedRow) => Date.parse(createdAt!) / 1_000;
				const within = rows.filter((row) => second(row) >= from - 1 && second(row) < to);
				return { rows: within.slice(offset, offset + 5), total: within.length };
			},
			mayGoOn: () => requests < 30,
			see: ({ id }) => Boolean(seen.add(id)),
			counts: true,
			size: 5,
		},
		{ at: 100, offset: 0 },
	);
	expect(next).toBeNull();
	expect(covered).toEqual([{ from: 100, to: Infinity }]);
	expect([...seen].sort()).toEqual(rows.map(({ id }) => id).sort());
});
