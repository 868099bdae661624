import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { Budget, defaultLimits } from '../../nodes/BusinessVerification/watch/budget';
import { type PageQuery, secondsOf } from '../../nodes/BusinessVerification/watch/rows';
import { readRows } from '../../nodes/BusinessVerification/watch/walk';
import { sources } from '../../nodes/BusinessVerification/watch/sources';

// What the trigger takes from an answer, and how many requests it allows a poll.

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
			rows: [{ id: 'i-1', status: 'RUNNING', createdAt: row.createdAt, completedAt: null, record: row }],
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
		[{ status: 'RUNNING' }, 'A row carries no ID, so it cannot be followed'],
		[{ id: 'i-1' }, 'A row carries no status, so it cannot be followed'],
		[{ id: 'i-1', status: '' }, 'A row carries no status, so it cannot be followed'],
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

it('an inquiry that the service no longer knows is gone; any other failure is one', async () => {
	const refused = (httpCode: number) => answering(new Failure('Refused', { httpCode })).asking;
	expect(await inquiries(refused(404)).read('i-1')).toBe('gone');
	await expect(inquiries(refused(403)).read('i-1')).rejects.toThrow('Refused');
});

it.each(['0001-01-01T00:00:00Z', 'no date', '', null, undefined])('%s is no time', (text) => {
	expect(secondsOf(text)).toBe(0);
});

it('does not pass a second if its pages never showed as many inquiries as there are', async () => {
	const createdAt = '2026-03-02T09:00:00Z';
	// The second page shows those of the first again, and ten are on neither.
	const readPage = async ({ limit, offset }: Partial<PageQuery>) => {
		const rows = Array.from({ length: limit! }, (_, index) => ({ id: `i-${index}`, status: 'RUNNING', createdAt }));
		return { rows, total: 30, isLast: offset !== 0 };
	};
	expect(await readRows(0, Infinity, { readPage, limit: 20 })).toBe(Date.parse(createdAt) / 1_000);
});

describe('the budget of a poll', () => {
	/** 100 s, of which 90 s are usable, and 10 requests that take as long as the test says. Lists can be unavailable. */
	function budgeted(fails = false) {
		let left = 100_000;
		let takes = 0;
		const source = {
			page: async () => {
				left -= takes;
				if (fails) throw new Error('unavailable');
				return { rows: [] };
			},
			read: async () => 'gone' as const,
			remainingMs: () => left,
			hostTime: () => 0,
		};
		const budget = new Budget(source, { ...defaultLimits, requests: 10 });
		const ask = async (count: number, ms = 0) => {
			takes = ms;
			for (let asked = 0; asked < count; asked++) await budget.page({} as never);
		};
		return { budget, ask };
	}

	it('counts requests, with those in reserve', async () => {
		const { budget, ask } = budgeted();
		await ask(8);
		expect([budget.allows(), budget.allows(1, 1), budget.allows(1, 2)]).toEqual([true, true, false]);
		await ask(1);
		expect([budget.allows(), budget.allows(1, 1)]).toEqual([true, false]);
		await ask(1);
		expect(budget.allows()).toBe(false);
	});

	it('leaves the rest of the requests to later stages, but allows each stage the first one', async () => {
		const { budget, ask } = budgeted();
		expect([budget.allows(0.05), budget.allows(0.05, 1)]).toEqual([true, false]);
		await ask(3);
		expect([budget.allows(0.4), budget.allows(0.3)]).toEqual([true, false]);
		await ask(1);
		expect([budget.allows(0.5), budget.allows(0.4)]).toEqual([true, false]);
	});

	it('allows a request that fits if it takes as long as the slowest, with those in reserve', async () => {
		const { budget, ask } = budgeted();
		await ask(1, 30_000);
		// 30 s are used: two more of 30 s end at 90 s.
		expect([budget.allows(), budget.allows(1, 1), budget.allows(1, 2)]).toEqual([true, true, false]);
		await ask(2, 15_000);
		// 60 s are used, and the slowest took 30 s.
		expect([budget.allows(), budget.allows(1, 1)]).toEqual([true, false]);
		await ask(1, 1);
		expect(budget.allows()).toBe(false);
	});

	it('begins a request of a stage until its share of the usable time has passed', async () => {
		const { budget, ask } = budgeted();
		await ask(1, 36_000);
		expect([budget.allows(0.5), budget.allows(0.4), budget.allows(0.39)]).toEqual([true, true, false]);
	});

	it('takes the time of a failed request for one that the next can take, too', async () => {
		const { budget, ask } = budgeted(true);
		await expect(ask(1, 50_000)).rejects.toThrow('unavailable');
		expect(budget.allows()).toBe(false);
	});

	it('counts a failed request, but not as an answer', async () => {
		const { budget, ask } = budgeted(true);
		for (let asked = 0; asked < 9; asked++) await expect(ask(1, 1_000)).rejects.toThrow('unavailable');
		expect([budget.answers, budget.allows()]).toEqual([0, true]);
		expect(await budget.read('i-1')).toBe('gone');
		expect([budget.answers, budget.allows()]).toEqual([1, false]);
	});
});
