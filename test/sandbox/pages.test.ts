import { business, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const list = async (query = {}) => (await sandbox.get('/v1/inquiries/', { params: query })).data;
const seed = (count: number) => sandbox.it.inquiries.seed(count, { externalIdPrefix: 'n' });
const ids = (rows: Array<{ externalId: string }>) => rows.map(({ externalId }) => externalId);
const create = async (externalId: string) =>
	(await sandbox.post('/v1/inquiries/', { ...business, externalId })).data.id as string;

switched(
	'listForm',
	async () => {
		seed(1);
		const answer = await list({ limit: 2 });
		return JSON.parse(JSON.stringify(answer, (_key, value) => value?.externalId ?? value));
	},
	[
		['named', { total: 1, limit: 2, offset: 0, items: ['n1'] }],
		['bare', ['n1']],
		['inData', { total: 1, limit: 2, offset: 0, data: { items: ['n1'] } }],
		['keyed', { total: 1, limit: 2, offset: 0, items: { 'row-1': 'n1' } }],
	],
);

switched('listBeside', async () => Object.entries(await list()), [
	[
		'nothing',
		[
			['total', 0],
			['limit', 100],
			['offset', 0],
			['items', []],
		],
	],
	[
		'emptyList',
		[
			['total', 0],
			['limit', 100],
			['offset', 0],
			['errors', []],
			['items', []],
		],
	],
	[
		'words',
		[
			['total', 0],
			['limit', 100],
			['offset', 0],
			['tags', ['a', 'b']],
			['items', []],
		],
	],
	[
		'records',
		[
			['total', 0],
			['limit', 100],
			['offset', 0],
			['lenders', [{ id: expect.any(String), name: 'Lender 1' }]],
			['items', []],
		],
	],
]);

switched(
	'emptyList',
	async () => {
		const { status, data } = await sandbox.get('/v1/inquiries/');
		seed(1);
		return [status, status === 200 ? data : typeof data, (await list({ offset: 1 })).items];
	},
	[
		['list', [200, { total: 0, limit: 100, offset: 0, items: [] }, []]],
		['null', [200, { total: 0, limit: 100, offset: 0, items: null }, []]],
		['absent', [200, { total: 0, limit: 100, offset: 0 }, []]],
		['notFound', [404, 'object', []]],
		['noContent', [204, 'string', []]],
	],
);

switched(
	'listTotal',
	async () => {
		seed(5);
		return (await list({ limit: 2 })).total;
	},
	[
		['exact', 5],
		['absent', undefined],
		['text', '5'],
		['ofPage', 2],
		['tooLow', 4],
		['tooHigh', 8],
	],
);

const pages = async (...queries: object[]) => {
	seed(6);
	const answers = await Promise.all(queries.map((query) => list(query)));
	return answers.map(({ items, limit, detail }) => (items ? [limit, ids(items)] : detail));
};

switched('pageCap', () => pages({ limit: 4 }), [
	[0, [[4, ['n6', 'n5', 'n4', 'n3']]]],
	[2, [[2, ['n6', 'n5']]]],
]);

switched(
	'overPageCap',
	() => {
		sandbox.it.switches.pageCap = 2;
		return pages({ limit: 4 }, { limit: 1, offset: 1 });
	},
	[
		[
			'shortened',
			[
				[2, ['n6', 'n5']],
				[1, ['n5']],
			],
		],
		[
			'shortenedUnsaid',
			[
				[4, ['n6', 'n5']],
				[1, ['n5']],
			],
		],
		['refused', ['limit must be 2 or less', [1, ['n5']]]],
	],
);

switched('offsetCounts', () => pages({ limit: 2, offset: 1 }), [
	['rows', [[2, ['n5', 'n4']]]],
	['pages', [[2, ['n4', 'n3']]]],
	['nothing', [[2, ['n6', 'n5']]]],
]);

switched(
	'hiddenRows',
	async () => {
		seed(3);
		const answers = [
			await list({ limit: 2 }),
			await list({ limit: 3, offset: 2 }),
			await list({ limit: 1, offset: 4 }),
		];
		return answers.map(({ total, items }) => [total, ids(items)]);
	},
	[
		[
			false,
			[
				[3, ['n3', 'n2']],
				[3, ['n1']],
				[3, []],
			],
		],
		[
			true,
			[
				[6, ['n3']],
				[6, ['n2']],
				[6, []],
			],
		],
	],
);

switched(
	'listOrder',
	async () => {
		const seeded = seed(4);
		const inOrder = [...seeded].sort();
		const listed = (await list({ sort_by: 'created_at', sort_order: 'asc' })).items.map(({ id }: { id: string }) => id);
		return [listed.join() === seeded.join(), listed.join() === inOrder.join()];
	},
	[
		['asAsked', [true, expect.any(Boolean)]],
		['byId', [expect.any(Boolean), true]],
	],
);

switched(
	'listRefused',
	async () => {
		const batchId = sandbox.it.inquiries.seedBatch('May', 1);
		const paths = ['/v1/inquiries/', '/v1/inquiries/?search=a', '/v1/batch-inquiries/'];
		const answers = [...paths, `/v1/batch-inquiries/${batchId}/inquiries`].map((path) => sandbox.get(path));
		return (await Promise.all(answers)).map(({ status }) => status);
	},
	[
		['none', [200, 200, 200, 200]],
		['inquiries', [403, 403, 200, 200]],
		['search', [200, 403, 200, 200]],
		['batches', [200, 200, 403, 200]],
		['batchInquiries', [200, 200, 200, 403]],
	],
);

switched(
	'batchMembersListed',
	async () => {
		seed(1);
		const batchId = sandbox.it.inquiries.seedBatch('May', 1, { status: 'RUNNING', externalIdPrefix: 'b' });
		const running = ids((await list()).items);
		sandbox.it.inquiries.finishBatch(batchId);
		return [running, ids((await list()).items)];
	},
	[
		[
			'always',
			[
				['b1', 'n1'],
				['b1', 'n1'],
			],
		],
		['whenEnded', [['n1'], ['b1', 'n1']]],
		['never', [['n1'], ['n1']]],
	],
);

switched(
	'listWindowMs',
	async () => {
		await create('a');
		await sandbox.post('/v1/batch-inquiries/', { name: 'May', inquiries: [business] });
		sandbox.it.clock.advance(60_000);
		await create('b');
		const batches = (await sandbox.get('/v1/batch-inquiries/')).data.total;
		return [ids((await list()).items), batches];
	},
	[
		[0, [['b', null, 'a'], 1]],
		[60_000, [['b'], 0]],
	],
);

/** What is found at once, and half a minute later. */
const soonAndLate = async (...queries: object[]) => {
	const id = await create('late');
	const look = async () => [
		...(await Promise.all(queries.map(async (query) => (await list(query)).total))),
		(await sandbox.get(`/v1/inquiries/${id}`)).status,
	];
	const soon = await look();
	sandbox.it.clock.advance(30_000);
	return [soon, await look()];
};

switched('searchDelayMs', () => soonAndLate({}, { search: 'late' }, { status: 'PLANNING,COMPLETED' }), [
	[
		0,
		[
			[1, 1, 1, 200],
			[1, 1, 1, 200],
		],
	],
	[
		30_000,
		[
			[1, 0, 1, 200],
			[1, 1, 1, 200],
		],
	],
]);

switched('filterDelayMs', () => soonAndLate({}, { search: 'late' }, { status: 'PLANNING,COMPLETED' }), [
	[
		0,
		[
			[1, 1, 1, 200],
			[1, 1, 1, 200],
		],
	],
	[
		30_000,
		[
			[1, 1, 0, 200],
			[1, 1, 1, 200],
		],
	],
]);

switched('readDelayMs', () => soonAndLate({}), [
	[
		0,
		[
			[1, 200],
			[1, 200],
		],
	],
	[
		30_000,
		[
			[1, 404],
			[1, 200],
		],
	],
]);

switched(
	'replicaLagMs',
	async () => {
		await create('new');
		const totals = [];
		for (let read = 0; read < 4; read += 1) totals.push((await list()).total);
		return totals;
	},
	[
		[0, [1, 1, 1, 1]],
		[30_000, [1, 0, 1, 0]],
	],
);

switched(
	'batchRowDelayMs',
	async () => {
		const inquiries = [business, business, business];
		const { batchId } = (await sandbox.post('/v1/batch-inquiries/', { name: 'May', inquiries })).data;
		const rows = async () => (await sandbox.get(`/v1/batch-inquiries/${batchId}/inquiries`)).data.items.length;
		const soon = await rows();
		sandbox.it.clock.advance(2_000);
		return [soon, await rows(), (await sandbox.get(`/v1/batch-inquiries/${batchId}`)).data.total];
	},
	[
		[0, [3, 3, 3]],
		[1_000, [0, 2, 3]],
	],
);
