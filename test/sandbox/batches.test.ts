import { business, switched, useSandbox } from './harness';

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
