import { business, endpoint, NOON, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const MINUTE = 60_000;
const list = async (query: Record<string, unknown> = {}) =>
	(await sandbox.get('/v1/inquiries/', { params: query })).data;
const ids = async (query: Record<string, unknown> = {}): Promise<string[]> =>
	(await list(query)).items.map((item: { externalId: string }) => item.externalId);

/** Four inquiries, a minute apart, the last one at noon. */
function seedFour(): string[] {
	return sandbox.it.inquiries.seed(4, { createdFrom: NOON - 3 * MINUTE, createdTo: NOON, externalIdPrefix: 'x' });
}

endpoint('GET /v1/inquiries/', 'has total, limit, offset and the newest first', async () => {
	seedFour();
	expect(await list()).toMatchObject({ total: 4, limit: 100, offset: 0 });
	expect(await ids()).toEqual(['x4', 'x3', 'x2', 'x1']);
	expect(await ids({ limit: 2 })).toEqual(['x4', 'x3']);
	expect(await ids({ limit: 2, offset: 1 })).toEqual(['x3', 'x2']);
	expect(await ids({ limit: 2, offset: 3 })).toEqual(['x1']);
	expect(await ids({ offset: 4 })).toEqual([]);
	expect(await ids({ limit: 2, offset: 3, sort_order: 'asc' })).toEqual(['x4']);
	expect(await ids({ limit: 3, status: 'COMPLETED', offset: 1 })).toEqual(['x3', 'x2', 'x1']);
	expect(await list({ limit: 500, offset: 9 })).toMatchObject({ total: 4, limit: 500, offset: 9, items: [] });
});

test('status: one, several, none', async () => {
	const [a, b] = seedFour();
	sandbox.it.inquiries.move(a, 'RUNNING');
	sandbox.it.inquiries.finish(b, 'FAILED');
	expect(await ids({ status: 'RUNNING' })).toEqual(['x1']);
	expect(await ids({ status: 'RUNNING,FAILED' })).toEqual(['x2', 'x1']);
	expect(await list({ status: 'PLANNING' })).toMatchObject({ total: 0, items: [] });
});

test('search: name, DBA, EIN, external id, whatever the case', async () => {
	const create = (fields: object) => sandbox.post('/v1/inquiries/', { ...business, ...fields });
	await create({ externalId: 'crm-7' });
	await create({ externalId: 'b', businessDba: 'Sunny Side' });
	await create({ externalId: 'c', businessEin: '987654321' });
	expect(await ids({ search: 'acme' })).toEqual(['c', 'b', 'crm-7']);
	expect(await ids({ search: 'SUNNY' })).toEqual(['b']);
	expect(await ids({ search: '98765' })).toEqual(['c']);
	expect(await ids({ search: 'crm-7' })).toEqual(['crm-7']);
	expect(await ids({ search: 'Springfield' })).toEqual([]);
});

test('tags: comma-separated, any of them', async () => {
	sandbox.it.inquiries.seed(1, { externalIdPrefix: 'a', tags: ['vip', 'new'], createdTo: NOON - 2 });
	sandbox.it.inquiries.seed(1, { externalIdPrefix: 'b', tags: ['old'], createdFrom: NOON - 1 });
	sandbox.it.inquiries.seed(1, { externalIdPrefix: 'c', createdFrom: NOON });
	expect(await ids({ tags: 'new,old' })).toEqual(['b1', 'a1']);
	expect(await ids({ tags: 'vip' })).toEqual(['a1']);
	expect(await ids({ tags: 'vi' })).toEqual([]);
});

test('source_filters and scorecard scores', async () => {
	const [a, b, c] = seedFour();
	sandbox.it.inquiries.set(a, { sourceValues: { WATCHLIST: 'HIT', SOS: 'ACTIVE' }, scorecardScore: 0 });
	sandbox.it.inquiries.set(b, { sourceValues: { WATCHLIST: 'HIT' }, scorecardScore: 50 });
	sandbox.it.inquiries.set(c, { scorecardScore: 90 });
	expect(await ids({ source_filters: 'WATCHLIST:HIT' })).toEqual(['x2', 'x1']);
	expect(await ids({ source_filters: 'WATCHLIST:HIT,SOS:ACTIVE' })).toEqual(['x1']);
	expect(await ids({ scorecard_score_min: 50 })).toEqual(['x3', 'x2']);
	expect(await ids({ scorecard_score_max: 50 })).toEqual(['x2', 'x1']);
	expect(await ids({ scorecard_score_min: 0, scorecard_score_max: 0 })).toEqual(['x1']);
});

test('sorts: by each key, both ways', async () => {
	const create = (businessName: string, externalId: string) =>
		sandbox.post('/v1/inquiries/', { ...business, businessName, externalId });
	for (const [name, externalId] of [
		['Birch', '1'],
		['Cedar', '2'],
		['Alder', '3'],
	]) {
		await create(name, externalId);
		sandbox.it.clock.advance(1_000);
	}
	expect(await ids({ sort_by: 'business_name', sort_order: 'asc' })).toEqual(['3', '1', '2']);
	expect(await ids({ sort_by: 'business_name' })).toEqual(['2', '1', '3']);
	expect(await ids({ sort_by: 'created_at', sort_order: 'asc' })).toEqual(['1', '2', '3']);
	sandbox.it.inquiries.finish(sandbox.it.inquiries.find('2')[0].id);
	expect(await ids({ sort_by: 'status', sort_order: 'asc', limit: 1 })).toEqual(['2']);
	expect((await ids({ sort_by: 'submitted_by' })).sort()).toEqual(['1', '2', '3']);
});

test('an older inquiry is put where its time says, and the rest keep their places', async () => {
	seedFour();
	sandbox.it.clock.set(NOON - 90_000);
	await sandbox.post('/v1/inquiries/', { ...business, externalId: 'between' });
	expect(await ids({ sort_order: 'asc' })).toEqual(['x1', 'x2', 'between', 'x3', 'x4']);
});

test('a list request that the document does not allow is refused', async () => {
	const status = async (query: string) => (await sandbox.get(`/v1/inquiries/?${query}`)).status;
	for (const query of [
		'limit=0',
		'limit=501',
		'limit=ten',
		'limit=1.5',
		'limit=',
		'offset=-1',
		'search=',
		'tags=a,,b',
		'status=DONE',
		'status=completed',
		'created_at_from=2024-05-01',
		'created_at_from=2024-05-01T12:00:00',
		'created_at_from=2024-05-01T12:00:00+02:00',
		'created_at_to=2024-13-01T12:00:00Z',
		'sort_by=completed_at',
		'sort_order=up',
		'source_filters=WATCHLIST',
		'scorecard_score_min=high',
		'status=FAILED&status=COMPLETED',
		'page=2',
		'completed_at_from=2024-05-01T12:00:00Z',
	]) {
		expect({ query, status: await status(query) }).toEqual({ query, status: 422 });
	}
	expect(await status('created_at_from=2024-05-01T12:00:00%2B02:00&limit=500&offset=0')).toBe(200);
	expect(await status('status=COMPLETED,FAILED&scorecard_score_min=-1')).toBe(200);
});

test('created after this time, and before that: neither bound counts', async () => {
	seedFour();
	expect(
		await ids({ created_at_from: '2024-05-01T11:58:00Z', created_at_to: '2024-05-01T12:00:00.000000+00:00' }),
	).toEqual(['x3']);
});

switched(
	'sortTies',
	async () => {
		sandbox.it.inquiries.seed(2, { createdFrom: NOON, createdTo: NOON, externalIdPrefix: 'tie' });
		sandbox.it.inquiries.seed(1, { createdTo: NOON - 1, createdFrom: NOON - 1, externalIdPrefix: 'old' });
		return [await ids(), await ids()];
	},
	[
		[
			'stable',
			[
				['tie2', 'tie1', 'old1'],
				['tie2', 'tie1', 'old1'],
			],
		],
		[
			'alternating',
			[
				['tie2', 'tie1', 'old1'],
				['tie1', 'tie2', 'old1'],
			],
		],
	],
);

switched(
	'searchMatch',
	async () => {
		sandbox.it.inquiries.seed(10, { externalIdPrefix: 'crm-' });
		const found = ['crm-1', 'CRM', 'm-1', 'crm', 'Business 10'].map(async (search) => (await ids({ search })).length);
		return await Promise.all(found);
	},
	[
		['part', [2, 10, 2, 10, 1]],
		['whole', [1, 0, 0, 0, 0]],
		['beginning', [2, 10, 0, 10, 0]],
		['plainWords', [0, 10, 0, 10, 10]],
		['names', [0, 0, 0, 0, 1]],
		['everything', [10, 10, 10, 10, 10]],
		['nothing', [0, 0, 0, 0, 0]],
	],
);

switched(
	'inquiryListDelayMs',
	async () => {
		const { data } = await sandbox.post('/v1/inquiries/', { ...business, externalId: 'late' });
		const soon = await ids();
		sandbox.it.clock.advance(30_000);
		return [soon, await ids(), (await sandbox.get(`/v1/inquiries/${data.id}`)).status];
	},
	[
		[0, [['late'], ['late'], 200]],
		[30_000, [[], ['late'], 200]],
		[60_000, [[], [], 200]],
	],
);

switched('inquiryListField', async () => Object.keys(await list()), [
	['items', ['total', 'limit', 'offset', 'items']],
	['records', ['total', 'limit', 'offset', 'records']],
]);

const rowKeys = async () => {
	seedFour();
	return Object.keys((await list()).items[0]).sort();
};
const summary = ['completedAt', 'createdAt', 'externalId', 'id', 'startedAt', 'status', 'submittedBy'];
const full = [...summary, 'businesses', 'links', 'progress', 'scorecardScore'].sort();

switched('listRows', rowKeys, [
	['full', full],
	['summary', summary],
]);

switched('listRowsCompletedAt', rowKeys, [
	[true, full],
	[false, full.filter((key) => key !== 'completedAt' && key !== 'startedAt')],
]);

switched('listRowsExternalId', rowKeys, [
	[true, full],
	[false, full.filter((key) => key !== 'externalId')],
]);
