import { business, endpoint, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const row = (externalId: string) => ({ ...business, externalId });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`r${index + 1}`));
const submit = async (name: string, inquiries: unknown) =>
	(await sandbox.post('/v1/batch-inquiries/', { name, inquiries })).data;
const get = async (id: string) => (await sandbox.get(`/v1/batch-inquiries/${id}`)).data;
const inquiriesOf = async (id: string, query = {}) =>
	(await sandbox.get(`/v1/batch-inquiries/${id}/inquiries`, { params: query })).data;
const list = async (query = {}) => (await sandbox.get('/v1/batch-inquiries/', { params: query })).data;
const names = async (query = {}) => (await list(query)).items.map((item: { batchName: string }) => item.batchName);

endpoint('POST /v1/batch-inquiries/', 'creates an inquiry for each item', async () => {
	const answer = await submit('March', rows(3));
	expect(answer).toEqual({ batchId: expect.any(String), batchName: 'March', total: 3, message: '3 inquiries queued' });
	expect((await sandbox.get('/v1/inquiries/')).data.total).toBe(3);
	expect(sandbox.it.ledger).toHaveLength(1);
	expect(sandbox.it.ledger[0]).toMatchObject({ kind: 'batch', key: 'March', count: 3, keys: ['r1', 'r2', 'r3'] });
	expect([sandbox.it.ledger.times('r2'), sandbox.it.ledger.times('March'), sandbox.it.ledger.times('r9')]).toEqual([
		1, 1, 0,
	]);
});

test('a batch that the document does not allow is refused', async () => {
	const refused = async (body: unknown) => {
		const { status, data } = await sandbox.post('/v1/batch-inquiries/', body);
		return `${status} ${data.detail}`;
	};
	expect(await refused({ inquiries: rows(1) })).toMatch(/^422 body\.name: is required/);
	expect(await refused({ name: 'a' })).toMatch(/^422 body\.inquiries: is required/);
	expect(await refused({ name: '', inquiries: rows(1) })).toMatch(/^422 body\.name: must not be blank/);
	expect(await refused({ name: 'a', inquiries: [] })).toMatch(/^422 body\.inquiries: must not be empty/);
	expect(await refused({ name: 'a', inquiries: rows(1), colour: 1 })).toMatch(/^422 body\.colour: is not a field/);
	expect(await refused({ name: 'a', inquiries: [row('1'), { businessName: 'B' }] })).toMatch(
		/^422 body\.inquiries\.1\.businessCity: is required/,
	);
	expect(await refused({ name: 'a', inquiries: rows(251) })).toMatch(/^422 .*holds 251 inquiries, at most 250/);
	expect(sandbox.it.ledger).toHaveLength(0);
	sandbox.it.organization.batchLimit = 300;
	expect((await submit('a', rows(251))).total).toBe(251);
});

endpoint('GET /v1/batch-inquiries/{batch_id}', 'counts the inquiries in each status', async () => {
	for (const [externalId, end] of [
		['r1', 'FAILED'],
		['r2', 'PARTIAL_SUCCESS'],
	] as const) {
		sandbox.it.inquiries.outcome(externalId, end);
	}
	const { batchId } = await submit('March', rows(4));
	expect(await get(batchId)).toEqual({
		batchId,
		batchName: 'March',
		operationType: 'CREATE',
		status: 'IN_PROGRESS',
		total: 4,
		planning: 4,
		running: 0,
		completed: 0,
		partialSuccess: 0,
		failed: 0,
		progressPercentage: 0,
		createdAt: '2024-05-01T12:00:00.000Z',
		phaseProgress: null,
		sourceRecordTotals: null,
		timingSummary: null,
	});
	sandbox.it.clock.advance(1_000);
	expect(await get(batchId)).toMatchObject({ planning: 0, running: 4 });
	sandbox.it.clock.advance(2_000);
	expect(await get(batchId)).toMatchObject({ planning: 0, running: 0, completed: 0 });
	sandbox.it.clock.advance(1_000);
	expect(await get(batchId)).toMatchObject({
		status: 'DONE',
		running: 0,
		completed: 2,
		partialSuccess: 1,
		failed: 1,
		progressPercentage: 100,
	});
	expect((await sandbox.get('/v1/batch-inquiries/none')).status).toBe(404);
});

endpoint('GET /v1/batch-inquiries/', 'pages through batches with their status', async () => {
	for (const name of ['a', 'b', 'c']) await submit(name, rows(1));
	expect(await list()).toMatchObject({ total: 3, limit: 100, offset: 0 });
	expect((await list()).items[0]).toMatchObject({ batchName: 'c', planning: 1 });
	expect(await names({ limit: 2, offset: 1 })).toEqual(['b', 'a']);
	expect((await sandbox.get('/v1/batch-inquiries/?limit=501')).status).toBe(422);
	expect((await sandbox.get('/v1/batch-inquiries/?status=DONE')).status).toBe(422);
});

endpoint('GET /v1/batch-inquiries/{batch_id}/inquiries', 'pages through the inquiries of the batch', async () => {
	const { batchId } = await submit('a', rows(3));
	await submit('b', rows(1));
	const page = await inquiriesOf(batchId, { limit: 2, offset: 1 });
	expect(page).toMatchObject({ batchId, total: 3, limit: 2, offset: 1 });
	expect(page.items.map((item: { externalId: string }) => item.externalId)).toEqual(['r2', 'r3']);
	sandbox.it.clock.advance(4_000);
	expect((await inquiriesOf(batchId)).items[0]).toEqual({
		id: expect.any(String),
		externalId: 'r1',
		status: 'COMPLETED',
		progress: { stage: 'done', current_step: 3, total_steps: 3 },
		sourceRecordCount: 3,
		createdAt: '2024-05-01T12:00:00.000Z',
	});
	expect((await sandbox.get(`/v1/batch-inquiries/${batchId}/inquiries?search=r1`)).status).toBe(422);
	expect((await sandbox.get('/v1/batch-inquiries/none/inquiries')).status).toBe(404);
});

test('a seeded batch, and what vanishes from one', async () => {
	const batchId = sandbox.it.inquiries.seedBatch('old', 2, { status: 'RUNNING', externalIdPrefix: 'o' });
	expect(await get(batchId)).toMatchObject({ batchName: 'old', total: 2, running: 2 });
	sandbox.it.inquiries.vanish(sandbox.it.inquiries.find('o1')[0].id);
	expect((await inquiriesOf(batchId)).total).toBe(1);
	sandbox.it.inquiries.finishBatch(batchId, 'FAILED');
	expect(await get(batchId)).toMatchObject({ total: 2, failed: 1, running: 0 });
});

switched(
	'batchBodyField',
	async () => {
		const named = async (field: string) =>
			(await sandbox.post('/v1/batch-inquiries/', { name: 'a', [field]: rows(1) })).status;
		return [await named('inquiries'), await named('items')];
	},
	[
		['inquiries', [200, 422]],
		['items', [422, 200]],
	],
);

switched('batchListField', async () => Object.keys(await list()).at(-1), [
	['items', 'items'],
	['batches', 'batches'],
]);

switched('batchInquiryListField', async () => Object.keys(await inquiriesOf((await submit('a', rows(1))).batchId)), [
	['items', ['batchId', 'total', 'limit', 'offset', 'items']],
	['inquiries', ['batchId', 'total', 'limit', 'offset', 'inquiries']],
]);

const firstRowKeys = async () => Object.keys((await inquiriesOf((await submit('a', rows(1))).batchId)).items[0]);
const always = ['status', 'progress', 'sourceRecordCount', 'createdAt'];

switched('batchRowsId', firstRowKeys, [
	['id', ['id', 'externalId', ...always]],
	['inquiryId', ['inquiryId', 'externalId', ...always]],
	['both', ['id', 'inquiryId', 'externalId', ...always]],
	['none', ['externalId', ...always]],
]);

switched('batchRowsExternalId', firstRowKeys, [
	[true, ['id', 'externalId', ...always]],
	[false, ['id', ...always]],
]);

switched(
	'batchListDelayMs',
	async () => {
		const { batchId } = await submit('late', rows(1));
		const soon = await names();
		sandbox.it.clock.advance(30_000);
		return [soon, await names(), (await get(batchId)).batchName];
	},
	[
		[0, [['late'], ['late'], 'late']],
		[30_000, [[], ['late'], 'late']],
	],
);

const sorted = (list: string[]) => [...list].sort();

switched(
	'batchOrder',
	async () => {
		const ids: string[] = [];
		for (let n = 0; n < 12; n += 1) ids.push((await submit('b', rows(1))).batchId);
		const listed = (await list()).items.map((item: { batchId: string }) => item.batchId);
		const same = (order: string[]) => listed.join() === order.join();
		if (same([...ids].reverse())) return 'newest first';
		return same(ids) ? 'oldest first' : same(sorted(ids)) && 'by id';
	},
	[
		['newest', 'newest first'],
		['oldest', 'oldest first'],
		['byId', 'by id'],
	],
);

switched(
	'batchRowOrder',
	async () => {
		const { items } = await inquiriesOf((await submit('b', rows(12))).batchId);
		const ids = items.map((item: { id: string }) => item.id);
		const externalIds = items.map((item: { externalId: string }) => item.externalId);
		if (externalIds.join() === 'r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12') return 'as submitted';
		return ids.join() === sorted(ids).join() && 'by id';
	},
	[
		['submitted', 'as submitted'],
		['byId', 'by id'],
	],
);

switched(
	'invalidBatchItems',
	async () => {
		const inquiries = [row('1'), { businessName: 'no city' }, row('3')];
		const { status, data } = await sandbox.post('/v1/batch-inquiries/', { name: 'a', inquiries });
		return [status, data.total ?? null, sandbox.it.ledger[0]?.keys ?? null];
	},
	[
		['rejectAll', [422, null, null]],
		['skip', [200, 2, ['1', '3']]],
	],
);

switched(
	'uniqueBatchNames',
	async () => {
		const status = async () => (await sandbox.post('/v1/batch-inquiries/', { name: 'a', inquiries: rows(1) })).status;
		return [await status(), await status()];
	},
	[
		[false, [200, 200]],
		[true, [200, 409]],
	],
);

switched(
	'progressScale',
	async () => {
		const { batchId } = await submit('a', rows(4));
		sandbox.it.inquiries.finish(sandbox.it.inquiries.find('r1')[0].id);
		return (await get(batchId)).progressPercentage;
	},
	[
		['percent', 25],
		['fraction', 0.25],
		['always100', 100],
		['null', null],
	],
);
