import fc from '../harness/seed';
import { type ListPage, pageIn } from '../../nodes/BusinessVerification/engine/checkedAnswer';
import { listPage, listRows } from '../../nodes/BusinessVerification/engine/paging';
import type { Json } from '../../nodes/BusinessVerification/kit/service';
import { randomFrom } from '../watch/random';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';

const idOf = (row: Json) => row.id as string | undefined;

/** A list as a service would keep it; a test may change it before any page. */
class List {
	rows: Json[];
	requests: Array<{ limit: number; offset: number }> = [];
	total = () => this.rows.length as number | undefined;
	largestPage = 500;
	beforePage: (page: number) => void = () => undefined;

	constructor(count: number) {
		this.rows = Array.from({ length: count }, (_, index) => ({ id: `row-${index}` }));
	}

	readPage = async (_: string, query: Json): Promise<ListPage> => {
		const { limit, offset } = query as { limit: number; offset: number };
		if (!(limit >= 1 && limit <= 500)) throw new Error(`The service refuses a limit of ${limit}`);
		this.requests.push({ limit, offset });
		await Promise.resolve();
		this.beforePage(this.requests.length);
		const answered = Math.min(limit, this.largestPage);
		return pageIn({ total: this.total(), limit: answered, offset, items: this.page(offset, limit) }, '');
	};

	page = (offset: number, limit: number) => this.rows.slice(offset, offset + Math.min(limit, this.largestPage));

	read = async (limit?: number) => (await listRows(this.readPage, { path: '/list', limit, idOf })).map(idOf);
	ids = () => this.rows.map(idOf);
}

it.each([0, 1, 499, 500, 501, 998, 999, 1000, 1203, 5000])('reads %i rows, each once and in order', async (count) => {
	const list = new List(count);
	expect(await list.read()).toEqual(list.ids());
	expect(list.requests.length).toBeLessThanOrEqual(Math.ceil(count / 499) + 1);
});

it.each([1, 2, 499, 500, 501, 900, 1000, 1203, 4000])('reads no more than %i', async (limit) => {
	const list = new List(1203);
	expect(await list.read(limit)).toEqual(list.ids().slice(0, limit));
	expect(list.requests.length).toBeLessThanOrEqual(Math.ceil(limit / 499) + 1);
	if (limit <= 500) expect(list.requests).toEqual([{ limit, offset: 0 }]);
});

describe.each([
	['is not told', undefined],
	['is too small', 7],
	['is smaller than a page and a half', 600],
	['is one short', 1202],
	['is no number', 'many' as never],
])('a total that %s', (_, total) => {
	it('changes nothing', async () => {
		const list = new List(1203);
		list.total = () => total;
		expect(await list.read()).toEqual(list.ids());
		expect(list.requests.length).toBeLessThanOrEqual(14);
	});
});

it.each([1204, 5_000, 1_000_000_000])('a total of %i is believed: 1,203 rows are too few', async (total) => {
	const list = new List(1203);
	list.total = () => total;
	await expect(list.read()).rejects.toThrow(
		`${total - 1203} of the ${total} records that the service counts are missing`,
	);
	expect(list.requests.length).toBeLessThanOrEqual(42);
});

it('more than 100,000 rows are read where a limit asks for them', async () => {
	expect(await new List(101_000).read(100_900)).toHaveLength(100_900);
});

it('an agent reads pages of at most ten rows', async () => {
	const list = new List(25);
	const read = (number: number, limit?: number) => listPage(list.readPage, { path: '/list', limit, idOf }, number);
	expect(await read(3)).toEqual({ rows: list.rows.slice(20), page: { number: 3, size: 10, rows: 5, total: 25 } });
	expect(await read(2, 4)).toEqual({ rows: list.rows.slice(4, 8), page: { number: 2, size: 4, rows: 4, total: 25 } });
});

it('a list with the newest first ends, although each reading finds new rows and counts more', async () => {
	const list = new List(1203);
	const there = list.ids();
	list.beforePage = (page) => void list.rows.unshift({ id: `new-${page}` });
	const read = await list.read();
	expect(read).toEqual(expect.arrayContaining(there));
	expect(new Set(read).size).toBe(read.length);
	expect(list.requests.length).toBeLessThanOrEqual(8);
});

describe('where rows of one rank change places from page to page', () => {
	/** Every page shows its rows in a new order; ranks of 40 rows each, or one rank for all. */
	const shuffled = (size: number, rank: number, random: () => number): List => {
		const list = new List(size);
		const rankOf = (place: number) => Math.floor(place / rank);
		list.page = (offset, limit) =>
			list.rows
				.map((row, place) => ({ row, key: rankOf(place) + random() * 0.9 }))
				.sort((one, other) => one.key - other.key)
				.map(({ row }) => row)
				.slice(offset, offset + limit);
		return list;
	};

	it('every row comes once, or the list is refused, whatever the orders', async () => {
		const refusal = /^\d+ of the \d+ records that the service counts are missing from its list$/;
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 501, max: 2_500 }), fc.integer({ min: 1 }), async (size, seed) => {
				const found = await shuffled(size, 40, randomFrom(seed))
					.read()
					.catch(({ message }: Error) => message);
				if (typeof found === 'string') return expect(found).toMatch(refusal);
				expect([found.length, new Set(found).size]).toEqual([size, size]);
			}),
			{ numRuns: 10 },
		);
	});

	it('a row that the first reading did not show is found by the next, and comes last', async () => {
		const list = new List(1203);
		list.page = (offset, limit) =>
			list.rows.slice(offset, offset + limit).filter(({ id }) => list.requests.length > 3 || id !== 'row-700');
		expect(await list.read()).toEqual([...list.ids().filter((id) => id !== 'row-700'), 'row-700']);
		expect(list.requests).toHaveLength(6);
	});
});

it.each([2, 100, 250])('a service that makes pages of %i at most is read to its end', async (largestPage) => {
	const list = new List(503);
	list.largestPage = largestPage;
	expect(await list.read()).toEqual(list.ids());
	// It counts nothing, but says how large its pages are.
	list.total = () => undefined;
	expect(await list.read()).toEqual(list.ids());
});

it('a service that ignores limit and offset and sends everything is believed', async () => {
	const list = new List(1203);
	list.page = () => list.rows;
	expect(await list.read()).toEqual(list.ids());
});

it.each([1203, undefined])(
	'a service that sends the first page again and again is not believed (total %s)',
	async (total) => {
		const list = new List(1203);
		list.total = () => total;
		list.page = () => list.rows.slice(0, 500);
		await expect(list.read()).rejects.toThrow('The list cannot be read completely');
		expect(list.requests.length).toBeLessThanOrEqual(16);
	},
);

it('a service that sends its last page for everything behind it is read to its end', async () => {
	const list = new List(1203);
	list.page = (offset, limit) => {
		const start = Math.min(offset, list.rows.length - limit);
		return list.rows.slice(start, start + limit);
	};
	expect(await list.read()).toEqual(list.ids());
});

it('rows without an ID are distinguished by their contents', async () => {
	const list = new List(1203);
	list.rows = list.rows.map((_, place) => ({ place }));
	const rows = await listRows(list.readPage, { path: '/list', idOf });
	expect(rows).toEqual(list.rows);
});

it.each([1203, undefined])(
	'a page of rows without an ID that comes again and again ends too (total %s)',
	async (total) => {
		const list = new List(600);
		list.rows = list.rows.map((_, place) => ({ place }));
		list.total = () => total;
		list.page = () => list.rows.slice(0, 500);
		await expect(listRows(list.readPage, { path: '/list', idOf })).rejects.toMatchObject({
			message: 'The list cannot be read completely: the service keeps returning the same records',
			details: {
				description: expect.stringMatching(`^500 of ${total ?? 'an unknown number of'} records were returned`),
			},
		});
	},
);

it('a page of more rows than anybody asked for is refused', () => {
	const page = (rows: number) => pageIn({ items: Array.from({ length: rows }, () => ({})) }, '');
	expect(page(10_000).rows).toHaveLength(10_000);
	expect(() => page(10_001)).toThrow('A page of the list has more than 10000 records');
});

it('an ID that a page holds twice comes out once', async () => {
	const list = new List(3);
	list.rows = [{ id: 'a' }, { id: 'b' }, { id: 'a' }];
	expect(await list.read()).toEqual(['a', 'b']);
});

interface Change {
	page: number;
	kind: 'append' | 'remove' | 'insert';
	count: number;
	where: number;
}

const change = (kinds: Change['kind'][]) =>
	fc.record({
		page: fc.integer({ min: 1, max: 14 }),
		kind: fc.constantFrom(...kinds),
		count: fc.integer({ min: 1, max: 300 }),
		where: fc.double({ min: 0, max: 1, noNaN: true }),
	});

/** Reads while the list changes between pages; says which rows were there from beginning to end. */
async function readShifting(size: number, changes: Change[], adapt: (list: List) => void = () => undefined) {
	const list = new List(size);
	adapt(list);
	const always = new Set(list.ids());
	let added = 0;
	list.beforePage = (page) => {
		for (const { kind, count, where } of changes.filter((one) => one.page === page)) {
			const place = kind === 'append' ? list.rows.length : kind === 'insert' ? 0 : Math.floor(where * list.rows.length);
			if (kind === 'remove') for (const row of list.rows.splice(place, count)) always.delete(idOf(row));
			else list.rows.splice(place, 0, ...Array.from({ length: count }, () => ({ id: `new-${added++}` })));
		}
	};
	return { found: await list.read(), always, requests: list.requests.length };
}

it.each([1, 2, 3, 100])(
	'%i rows of the first page vanish just before a last page that holds only one more',
	async (count) => {
		const { found, always } = await readShifting(501, [{ page: 2, kind: 'remove', count, where: 0 }]);
		expect(found.filter((id) => always.has(id))).toEqual([...always]);
	},
);

it('sorted by age, nothing that stays is lost or doubled while rows appear at the end and vanish anywhere', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 4000 }),
			fc.array(change(['append', 'remove']), { maxLength: 4 }),
			async (size, changes) => {
				const { found, always, requests } = await readShifting(size, changes);
				expect(new Set(found).size).toBe(found.length);
				expect(found.filter((id) => always.has(id)).join()).toBe([...always].join());
				expect(requests).toBeLessThanOrEqual(80);
			},
		),
		{ numRuns: 150 },
	);
});

it.each([
	['told', undefined],
	['not told', 'none'],
	['made of pages of 200', 'small'],
])('however rows come and go between pages of a list whose total is %s, none that stays is lost', async (_, oddity) => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 3200 }),
			fc.array(change(['append', 'insert', 'remove', 'remove', 'remove']), { maxLength: 6 }),
			async (size, changes) => {
				const { found, always, requests } = await readShifting(size, changes, (list) => {
					if (oddity === 'none') list.total = () => undefined;
					if (oddity === 'small') list.largestPage = 200;
				});
				expect(new Set(found).size).toBe(found.length);
				expect(found.filter((id) => always.has(id))).toHaveLength(always.size);
				expect(requests).toBeLessThanOrEqual(80);
			},
		),
		{ numRuns: 150 },
	);
});

describe('through the node', () => {
	useSandbox();
	const credential = (settings = {}) => ({ baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey, ...settings });
	const all = { resource: 'inquiry', operation: 'getAll', returnAll: true };

	it.each(['items', 'results', 'data', 'inquiries', 'somethingElse'])(
		'1,203 rows come out of the field %s, paired to their item',
		async (field) => {
			sandbox.switches.inquiryListField = field;
			const ids = sandbox.inquiries.seed(1203);
			const { items } = await runNode({ parameters: all, credential: credential() });
			expect(items.map(({ json }) => json.id)).toEqual([...ids].reverse());
			expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(new Set(['{"item":0}']));
			expect(sandbox.requests.length).toBe(3);
		},
	);

	it.each(['items', 'results', 'data', 'inquiries', 'batches'])(
		'rows in the field %s, whatever other list stands beside it',
		async (field) => {
			const body = { warnings: [{ text: 'slow' }], [field]: [{ id: 'one', status: 'RUNNING' }], total: 1 };
			sandbox.faults.add({ path: '/v1/inquiries/', status: 200, body, times: Infinity });
			const { items } = await runNode({ parameters: all, credential: credential() });
			expect(items.map(({ json }) => json.id)).toEqual(['one']);
		},
	);

	it('has one order, all of it or a part: the newest first', async () => {
		const run = (parameters: object, items: object[] = [{}]) =>
			runNode({
				parameters: { resource: 'inquiry', ...parameters } as never,
				credential: credential(),
				items: items as never,
			});
		const business = { businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL' };
		for (const name of ['A', 'B', 'C', 'D']) await run({ operation: 'create', ...business }, [{ name }]);
		const names = async (parameters: object) =>
			(await run({ operation: 'getAll', output: 'raw', ...parameters })).items.map(({ json }) => json.id);
		const newestFirst = await names({ limit: 10 });
		expect(newestFirst).toHaveLength(4);
		expect(await names({ returnAll: true })).toEqual(newestFirst);
		const oldestFirst = await names({ returnAll: true, sort: { sort_order: 'asc' } });
		expect(oldestFirst).toEqual([...newestFirst].reverse());
	});

	it('the field may be named, and a wrong name is reported', async () => {
		sandbox.switches.inquiryListField = 'rows';
		sandbox.inquiries.seed(3);
		for (const listItemsField of ['rows', ' rows\n']) {
			const named = await runNode({ parameters: all, credential: credential({ listItemsField }) });
			expect(named.items).toHaveLength(3);
		}
		const { error } = await runNode({ parameters: all, credential: credential({ listItemsField: 'lines' }) });
		expect(error?.message).toContain('No list of records was found');
		expect(error?.description).toContain("'List Items Field'");
	});

	it('a page that fails is an error, not a shorter list', async () => {
		sandbox.inquiries.seed(1203);
		sandbox.faults.add({ path: '/v1/inquiries/', skip: 1, status: 501 });
		const { items, failed } = await runNode({
			parameters: all,
			credential: credential(),
			items: [{}, {}],
			onError: 'continueErrorOutput',
		});
		expect(failed.map(({ json }) => json.error)).toMatchObject([{ httpCode: 501 }]);
		expect(items).toHaveLength(1203);
	});
});
