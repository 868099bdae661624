import { business, NOON, switched, useSandbox } from './harness';

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
