import fc from '../harness/seed';
import type { StatusEvent } from '../../nodes/BusinessVerification/watch/ledger';
import { judgeByResults, readInFull, type Verdicts } from '../../nodes/BusinessVerification/watch/results';
import type { ListedRow, PageQuery } from '../../nodes/BusinessVerification/watch/rows';
import { eachLine } from './table';

// Which events pass the filters on results, and which wait.

const iso = (second: number) => new Date(second * 1_000).toISOString();
const eventOf = (id: string, createdAt: string, values: Partial<StatusEvent> = {}): StatusEvent => ({
	...{ kind: 'ended', row: { id, status: 'COMPLETED', createdAt }, previousStatus: null, key: id, waited: 0 },
	...values,
});

const events = fc.array(
	fc.record({
		second: fc.integer({ min: 1, max: 9 }),
		passes: fc.boolean(),
		waited: fc.constantFrom(0, 14, 15),
		isEnd: fc.boolean(),
	}),
	{ maxLength: 20 },
);

it('lets pass what the filtered list shows, and rejects after 15 minutes what it does not, page by page', async () => {
	await fc.assert(
		fc.asyncProperty(events, fc.constantFrom(Infinity, 1, 2), fc.boolean(), async (all, failsAt, zoneless) => {
			const made = all.map(({ second, waited, isEnd }, index) =>
				eventOf(`i${index}`, zoneless ? iso(second).slice(0, -1) : iso(second), {
					waited,
					kind: isEnd ? 'ended' : 'changed',
				}),
			);
			let asked = 0;
			const page = async (query: PageQuery) => {
				expect(query).toMatchObject({ scorecard_score_min: 700, sort_order: 'asc' });
				expect(query.created_at_from?.endsWith('Z')).toBe(!zoneless);
				if (++asked >= failsAt) return undefined;
				const [from, to] = [query.created_at_from!, query.created_at_to!].map((text) => text.slice(0, 23));
				// Others are in the list, too: pages of seven, of at most four in a second.
				const others = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => ({
					row: eventOf(`other${second}`, iso(second)).row,
				}));
				const found = [...made.filter((_, index) => all[index].passes), ...others]
					.map(({ row }) => row)
					.filter(({ createdAt }) => createdAt!.slice(0, 23) > from && createdAt!.slice(0, 23) < to)
					.sort((a, b) => a.createdAt!.localeCompare(b.createdAt!));
				const rows = found.slice(query.offset, query.offset + 7);
				return { rows, total: found.length, isLast: query.offset + rows.length >= found.length };
			};
			const verdicts = await judgeByResults(made, { scorecard_score_min: 700 }, { page, read: async () => 'gone' });
			for (const [index, event] of made.entries()) {
				const { isEnd, passes, waited } = all[index];
				const expected = !isEnd || passes ? event.row : waited < 15 ? undefined : null;
				const verdict = verdicts.get(event);
				// After a page that failed, nothing is decided on those that it might have shown.
				if (failsAt === Infinity || !isEnd) expect(verdict).toBe(expected);
				else expect([undefined, expected]).toContain(verdict);
			}
			expect(asked).toBeLessThanOrEqual(made.some(({ kind }) => kind === 'ended') ? 20 : 0);
		}),
	);
});

it('lets all pass without a filter, and asks nothing', async () => {
	const all = [eventOf('a', iso(1)), eventOf('b', iso(2), { kind: 'created' })];
	const verdicts = await judgeByResults(all, {}, { page: fail, read: fail });
	expect([...verdicts]).toEqual(all.map((event) => [event, event.row]));
});

const fail = () => Promise.reject(new Error('not asked'));
const records: Record<string, ListedRow | 'gone' | undefined> = {
	filled: { id: 'i', status: 'FAILED', completedAt: iso(9), json: { status: 'FAILED', businesses: [] } },
	lacking: { id: 'i', status: 'COMPLETED', json: { status: 'COMPLETED', businesses: null } },
	gone: 'gone',
	unread: undefined,
};

eachLine(`
	event    its row    record   wait  waited  only   is
	ended    listed     lacking  0     0       -      told in full
	ended    listed     lacking  5     4       -      put off
	ended    listed     lacking  5     5       -      told in full
	ended    failed     lacking  5     0       -      told in full
	ended    listed     gone     0     0       -      told as listed
	ended    listed     gone     5     0       -      put off
	ended    listed     unread   0     9       -      put off
	created  listed     lacking  5     0       -      told in full
	created  listed     unread   0     0       -      put off
	created  listed     lacking  5     0       ended  told as listed, not read
	ended    listed     filled   0     0       ended  told in full
	ended    full       lacking  0     0       -      told as listed, not read
	ended    full       filled   5     0       -      told in full
	ended    rejected   filled   0     0       -      rejected, not read
`)('%s, row %s, record %s, wait %s, waited %s, %s: %s', async (kind, shown, record, wait, waited, only, expected) => {
	const event = eventOf('i', iso(1), { kind: kind as never, waited: Number(waited) });
	const row = {
		...event.row,
		status: shown === 'failed' ? 'FAILED' : 'COMPLETED',
		...(shown === 'full' && { detail: 'full', json: {} }),
	} as ListedRow;
	const verdicts: Verdicts = new Map([[event, shown === 'rejected' ? null : row]]);
	const read = jest.fn().mockResolvedValue(records[record]);
	const options = { waitMinutes: Number(wait), only: only === '-' ? undefined : (only as 'ended') };
	await readInFull(verdicts, { read, page: fail }, options);
	const verdict = verdicts.get(event);
	const isRead = read.mock.calls.length === 1 ? '' : ', not read';
	const said =
		verdict === undefined
			? 'put off'
			: verdict === null
				? 'rejected'
				: verdict === row
					? 'told as listed'
					: 'told in full';
	expect(said + isRead).toBe(expected);
	// The status is that of the list, whatever the record says.
	if (said === 'told in full')
		expect(verdict).toMatchObject({ status: row.status, detail: 'full', json: { status: row.status } });
});
