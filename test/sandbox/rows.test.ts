import { business, switched, useSandbox } from './harness';

const sandbox = useSandbox();

const inquiryRow = async () => {
	sandbox.it.inquiries.seed(1, { externalIdPrefix: 'n' });
	return (await sandbox.get('/v1/inquiries/')).data.items[0];
};
const batchListRow = async () => {
	sandbox.it.inquiries.seedBatch('May', 1);
	return (await sandbox.get('/v1/batch-inquiries/')).data.items[0];
};
const batchInquiryRow = async () => {
	const batchId = sandbox.it.inquiries.seedBatch('May', 1, { externalIdPrefix: 'n' });
	return (await sandbox.get(`/v1/batch-inquiries/${batchId}/inquiries`)).data.items[0];
};

const id = expect.stringMatching(/^[0-9a-f-]{36}$/);

switched('listRowsId', async () => (({ id, inquiryId, inquiry }) => ({ id, inquiryId, inquiry }))(await inquiryRow()), [
	['id', { id }],
	['inquiryId', { inquiryId: id }],
	['both', { id: expect.stringMatching(/^row-/), inquiryId: id }],
	['nested', { inquiry: { id } }],
	['none', {}],
]);

const rowFields = ['id', 'externalId', 'status', 'progress', 'sourceRecordCount', 'createdAt'];

switched('batchRowsShape', async () => Object.keys(await batchInquiryRow()), [
	['flat', rowFields],
	['snakeCase', ['id', 'external_id', 'status', 'progress', 'source_record_count', 'created_at']],
	['nested', ['inquiry']],
	['onlyPrinted', ['status', 'progress', 'sourceRecordCount']],
]);

const keysOf = async (wanted: string[]) => Object.keys(await batchListRow()).filter((key) => wanted.includes(key));

switched('batchIdKey', () => keysOf(['batchId', 'id', 'batch_id']), [
	['batchId', ['batchId']],
	['id', ['id']],
	['batch_id', ['batch_id']],
]);

switched('batchNameKey', () => keysOf(['batchName', 'name', 'batch_name']), [
	['batchName', ['batchName']],
	['name', ['name']],
	['batch_name', ['batch_name']],
	['none', []],
]);

switched('batchListCounts', () => keysOf(['batchId', 'total', 'completed', 'progressPercentage', 'createdAt']), [
	[true, ['batchId', 'total', 'completed', 'progressPercentage', 'createdAt']],
	[false, ['batchId', 'createdAt']],
]);

/** What an inquiry shows at its end, a second later, and three seconds later. */
const afterTheEnd = async (field: string) => {
	const { data } = await sandbox.post('/v1/inquiries/', business);
	sandbox.it.inquiries.finish(data.id);
	const seen = [];
	for (const seconds of [0, 1, 2]) {
		sandbox.it.clock.advance(seconds * 1_000);
		const read = await sandbox.get(`/v1/inquiries/${data.id}`);
		seen.push([read.data.status, read.data[field]]);
	}
	return seen;
};
const noon = '2024-05-01T12:00:00.000Z';

switched('completedAtDelayMs', () => afterTheEnd('completedAt'), [
	[
		0,
		[
			['COMPLETED', noon],
			['COMPLETED', noon],
			['COMPLETED', noon],
		],
	],
	[
		1_000,
		[
			['COMPLETED', null],
			['COMPLETED', noon],
			['COMPLETED', noon],
		],
	],
	[
		3_000,
		[
			['COMPLETED', null],
			['COMPLETED', null],
			['COMPLETED', noon],
		],
	],
]);
