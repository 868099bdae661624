import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { secondsOf } from '../../nodes/BusinessVerification/watch/rows';
import { concernsScheduler, sources } from '../../nodes/BusinessVerification/watch/sources';

// What the trigger takes from an answer.

const answering = (body: unknown, headers: object = {}) => {
	const asked: unknown[] = [];
	const asking = {
		exchange: async (request: unknown) => {
			asked.push(request);
			if (body instanceof Error) throw body;
			return { status: 200, body, headers };
		},
		settings: { listItemsField: '' },
		remainingMs: () => 1_000,
	};
	return { asked, asking: asking as never };
};
const inquiries = (asking: never) => sources.inquiry(asking, { filters: {} });
const query = { sort_order: 'asc', limit: 500, offset: 0 } as never;

describe('a page', () => {
	const row = { id: 'i-1', status: 'running ', createdAt: '2026-03-02T09:00:00Z', completedAt: null };

	it('has its rows, how many there are in all, and the time of the service', async () => {
		const date = 'Mon, 02 Mar 2026 09:00:00 GMT';
		const { asked, asking } = answering({ items: [row], total: 1_201 }, { date });
		expect(await sources.inquiry(asking, { filters: { tags: 'crm' } }).page(query)).toEqual({
			rows: [{ id: 'i-1', status: 'RUNNING', createdAt: row.createdAt, completedAt: null, json: row }],
			total: 1_201,
			date: Date.UTC(2026, 2, 2, 9),
		});
		expect(asked).toMatchObject([{ query: { tags: 'crm', sort_order: 'asc', limit: 500, offset: 0 }, kind: 'read' }]);
	});

	it.each([{ items: [row], total: '1201' }, { items: [row] }, [row]])('%j has no total', async (body) => {
		const page = await inquiries(answering(body).asking).page(query);
		expect(page).not.toHaveProperty('total');
		expect(page).not.toHaveProperty('date');
		expect(page.rows).toHaveLength(1);
	});

	it.each([
		[{ status: 'RUNNING' }, "The service's response has no 'id'"],
		[{ id: 'i-1' }, "The service's response has no 'status'"],
		[{ id: 'i-1', status: 5 }, "The service's response has no 'status'"],
		[{ id: 'i-1', status: ' ' }, "The service's response has no 'status'"],
	])('%j cannot be followed', async (odd, message) => {
		await expect(inquiries(answering([row, odd]).asking).page(query)).rejects.toThrow(message);
	});

	it('has the beginning of a status that fills a megabyte, because the memory holds it', async () => {
		const page = await inquiries(answering([{ ...row, status: 'x'.repeat(1_000_000) }]).asking).page(query);
		expect(page.rows[0].status).toBe('X'.repeat(50));
	});

	it('of batches shows the progress of each in place of a status', async () => {
		const counts = { total: 2, completed: 2, partialSuccess: 0, failed: 0, planning: 0, running: 0 };
		const page = await sources
			.batch(answering({ items: [{ batchId: 'b-1', ...counts }], total: 1 }).asking)
			.page(query);
		expect(page.rows).toMatchObject([{ id: 'b-1', status: 'COMPLETED' }]);
		const numbered = await sources.batch(answering([{ batchId: 17, ...counts }]).asking).page(query);
		expect(numbered.rows[0].id).toBe('17');
		await expect(sources.batch(answering([counts]).asking).page(query)).rejects.toThrow('A batch carries no batchId');
		await expect(sources.batch(answering([{ batchId: 'b-1' }]).asking).page(query)).rejects.toThrow('shows no counts');
	});
});

it.each([
	['inquiry', '/v1/inquiries/', '/v1/inquiries/x'],
	['batch', '/v1/batch-inquiries/', '/v1/batch-inquiries/x'],
	['batchInquiry', '/v1/batch-inquiries/b/inquiries', '/v1/inquiries/x'],
] as const)('of %s, the list is %s, and a record %s', async (watch, list, record) => {
	const { asked, asking } = answering([]);
	const source = sources[watch](asking, { filters: {}, batchId: 'b' });
	await source.page(query);
	await source.read('x').catch(() => undefined);
	expect(asked.map((request) => (request as { path: string }).path)).toEqual([list, record]);
});

it('an inquiry that the service no longer knows is gone; any other failure is one', async () => {
	const refused = (httpCode: number) => answering(new Failure('Refused', { httpCode })).asking;
	expect(await inquiries(refused(404)).read('i-1')).toBe('gone');
	await expect(inquiries(refused(403)).read('i-1')).rejects.toThrow('Refused');
});

it.each(['0001-01-01T00:00:00Z', 'no date', '', null, undefined])('%s is no time', (text) => {
	expect(secondsOf(text)).toBe(0);
});

it.each([
	[401, true],
	[403, false],
	[429, true],
	[500, false],
])('%i concerns the scheduler, and ends the poll: %s', (httpCode, expected) => {
	expect(concernsScheduler(new Failure('Refused', { httpCode }))).toBe(expected);
});
