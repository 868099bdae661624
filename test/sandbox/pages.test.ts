import { business, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const list = async (query = {}) => (await sandbox.get('/v1/inquiries/', { params: query })).data;
const seed = (count: number) => sandbox.it.inquiries.seed(count, { externalIdPrefix: 'n' });
const ids = (rows: Array<{ externalId: string }>) => rows.map(({ externalId }) => externalId);
const create = async (externalId: string) =>
	(await sandbox.post('/v1/inquiries/', { ...business, externalId })).data.id as string;

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
