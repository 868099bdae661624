import {
	createdSaid,
	inquiryIdOf,
	inquiryOutput,
	sayNext,
	withFinality,
} from '../../nodes/BusinessVerification/inquiry/record';
import type { INodeParameters } from 'n8n-workflow';
import { hurry } from '../harness/hurry';
import { sandbox, useSandbox } from '../harness/sandbox';
import { runNode } from '../harness/inProcess';

// What comes out of a record, as the user chose: simplified, raw, or the fields they name.

beforeAll(() => hurry());
useSandbox();

const run = (operation: string, parameters: INodeParameters, ...items: object[]) =>
	runNode({
		parameters: { resource: 'inquiry', operation, ...parameters },
		credential: { baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey },
		items: items as never[],
		onError: 'continueErrorOutput',
	});

const get = (parameters: INodeParameters, ...items: object[]) =>
	run('get', { inquiryId: '={{ $json.id }}', ...parameters }, ...items);
const fields = (outputFields: string) => ({ output: 'selectedFields', outputFields });

const id = '3f0c9a52-6d1b-4a7e-9c55-0d6f7a1b2c3d';
const record = {
	id,
	status: 'COMPLETED',
	externalId: 'crm-1',
	submittedBy: 'nathan@example.com',
	createdAt: '2026-03-02T09:00:00Z',
	startedAt: '2026-03-02T09:00:10Z',
	completedAt: '2026-03-02T09:04:10Z',
	progress: null,
	links: { pdf: `/v1/inquiries/${id}/pdf` },
	scorecardScore: 82,
	businesses: [
		{
			name: 'Acme Trading LLC',
			address: { city: 'Springfield', state: 'IL' },
			filings: [{ sosId: '1' }, { sosId: '2' }],
		},
		{ name: 'Acme Holding', address: null, filings: [] },
	],
};
const answers = (body: object, path = /^\/v1\/inquiries\//) =>
	sandbox.faults.add({ path, method: 'GET', status: 200, body, times: Infinity });

describe('simplified', () => {
	it('has the most important fields, at most ten', async () => {
		answers({ ...record, businessName: 'Acme Trading LLC' });
		const { items } = await get({}, { id });
		expect(Object.entries(items[0].json)).toEqual([
			['businessName', 'Acme Trading LLC'],
			['status', 'COMPLETED'],
			['scorecardScore', 82],
			[
				'summary',
				'Acme Trading LLC: COMPLETED, score 82 (provider scale). 2 businesses found: Acme Trading LLC, Acme Holding.',
			],
			['externalId', 'crm-1'],
			['isFinal', true],
			['id', id],
			['createdAt', '2026-03-02T09:00:00Z'],
			['completedAt', '2026-03-02T09:04:10Z'],
		]);
	});

	it('names the business as it was submitted where the service does not say it again', async () => {
		sandbox.switches.echoBusinessName = false;
		const business = { businessCity: 'Springfield', businessState: 'IL' };
		const made = await run(
			'create',
			{ ...business, businessName: '={{ $json.name }}', additionalFields: { businessDba: '={{ $json.dba }}' } },
			{ name: 'Acme Trading LLC' },
			{ dba: 'Beta Coffee' },
		);
		expect(made.items.map(({ json }) => json.businessName)).toEqual(['Acme Trading LLC', 'Beta Coffee']);
		made.items.forEach(({ json }) => sandbox.inquiries.finish(json.id as string));
		const ofCrm = { id: sandbox.inquiries.seed(1)[0], businessName: 'a record of a CRM' };
		for (const operation of ['wait', 'get']) {
			const items = [...made.items.map(({ json }) => json), ofCrm];
			const ended = await run(operation, { inquiryId: '={{ $json.id }}' }, ...items);
			const names = ['Acme Trading LLC', 'Beta Coffee', undefined];
			expect(ended.items.map(({ json }) => json.businessName)).toEqual(names);
		}
	});

	it('a row is told by its name, else by the external ID, else by its ID, else by its status alone', async () => {
		const status = 'COMPLETED';
		const rows = [
			{ id: 'i-0', businessDba: 'Acme' },
			{ id: 'i-3', business_name: 'Beta', businessDba: 'Shop' },
			{ id: 'i-4', businessName: 'Gamma', business_name: 'Old' },
			{ id: 'i-1', externalId: 'crm-1' },
			{ id: 'i-2', externalId: null },
			{},
			{ id: 'i-5', status: null },
		];
		answers({ total: 7, limit: 50, offset: 0, items: rows.map((row) => ({ status, ...row })) });
		const { items, failed } = await run('getAll', {}, {});
		expect(failed).toEqual([]);
		expect(items.map(({ json }) => json.summary)).toEqual([
			'Acme: COMPLETED.',
			'Beta: COMPLETED.',
			'Gamma: COMPLETED.',
			'External ID crm-1: COMPLETED.',
			'Inquiry i-2: COMPLETED.',
			'Inquiry: COMPLETED.',
			'Inquiry i-5: status unknown.',
		]);
		expect(items[4].json).not.toHaveProperty('externalId');
	});

	it.each(['null', 'absent'] as const)('a list of a new account whose rows are %s is empty', async (emptyList) => {
		sandbox.switches.emptyList = emptyList;
		const { items, failed } = await run('getAll', {}, {}, {});
		expect([items, failed]).toEqual([[], []]);
		answers({ total: 3, items: null }, /^\/v1\/inquiries\/$/);
		expect((await run('getAll', {}, {}, {})).failed).toHaveLength(2);
	});

	it('says beside the output what to do where checks failed, once for all items', async () => {
		const processStatuses = [{ processType: 'IL_SOS', status: 'FAILED' }];
		answers({ ...record, status: 'PARTIAL_SUCCESS', processStatuses }, /partial/);
		answers({ ...record, status: 'FAILED', processStatuses: null }, /failed/);
		answers(record, /done/);
		const words =
			"which says nothing about the business. 'Inquiry: Retry Failed' runs again what can be retried, which is billed.";
		const first = await get({}, { id: 'partial' }, { id: 'failed' }, { id: 'done' });
		expect(first.hints).toEqual([`Checks failed (see 'failedProcesses'), ${words} The same for 1 more item.`]);
		answers({ ...record, status: 'FAILED', processStatuses: null }, /failed/);
		expect((await get({}, { id: 'failed' })).hints).toEqual([`Checks failed, ${words}`]);
		answers(record, /done/);
		expect((await get({}, { id: 'done' })).hints).toEqual([]);
	});

	it('says of a status that the document does not know it, and else nothing', () => {
		const records = [{ status: 'Completed' }, { status: 'running' }, { status: 'ARCHIVED' }, {}];
		expect(records.map(withFinality)).toEqual([
			{ isFinal: true },
			{ isFinal: false },
			{ isFinal: false, statusKnown: false },
			{ isFinal: false, statusKnown: false },
		]);
	});

	it('says when an inquiry was created, in the words of the service where they are no time', () => {
		const times = ['2026-03-02T10:00:59+01:00', 'on Monday', null, undefined];
		const said = ['2026-03-02 09:00 UTC', 'on Monday', 'unknown date', 'unknown date'];
		expect(times.map((createdAt) => createdSaid({ createdAt }))).toEqual(said);
	});

	it('tells an agent for five minutes that findings may still come', () => {
		const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
		const told = (completedAt: string, more: object = {}) => {
			const said: string[] = [];
			const service = { advise: (...texts: string[]) => void said.push(...texts), remark: () => undefined };
			sayNext(service, { status: 'COMPLETED', completedAt, ...more });
			return said;
		};
		const again = 'Results are still being filled in: read it again in 30 seconds.';
		const last = 'Status and score are facts, not a verdict: the user decides.';
		// Without a zone it is UTC.
		for (const written of [ago, (seconds: number) => ago(seconds).slice(0, -1)])
			expect([told(written(290)), told(written(310))]).toEqual([[again, last], [last]]);
		expect([told(ago(-3_600)), told(ago(0), { businesses: [] })]).toEqual([[last], [last]]);
		const nothing = 'The checks gave no result. This says nothing about the business.';
		expect(told(ago(0), { status: 'FAILED' })).toEqual([nothing, last]);
	});

	it('takes for the ID what can only be the ID of the inquiry, and the ID of the row last', () => {
		const inquiry = { inquiryId: 'c', inquiry_id: 'd', id: 'e' };
		const rows = [
			{ inquiryId: 'a', inquiry_id: 'b', inquiry, id: 'f' },
			{ inquiry_id: 'b', inquiry, id: 'f' },
			{ inquiry, id: 'f' },
			{ inquiry: { inquiry_id: 'd', id: 'e' }, id: 'f' },
			{ inquiry: { id: 'e' }, id: 'f' },
			{ inquiry: {}, id: 7 },
		];
		expect(rows.map(inquiryIdOf)).toEqual(['a', 'b', 'c', 'd', 'e', '7']);
	});

	/** Of 14 checks two failed, in a record that says nothing else. */
	const checks = ['TX_FILINGS', 'STATUS_OF_IL_SOS', ...Array.from({ length: 12 }, (_, place) => `SOURCE_${place}`)].map(
		(processType, place) => ({ processType, taskId: `task-${place}`, status: place < 2 ? 'FAILED' : 'NO_ERROR' }),
	);
	const partial = { id, status: 'PARTIAL_SUCCESS', scorecardScore: 48, businesses: [{ name: 'Pine Tree' }] };
	const told =
		'Pine Tree Dairy: PARTIAL_SUCCESS, score 48 (provider scale). 1 business found: Pine Tree. 2 of 14 checks failed: TX FILINGS, STATUS OF IL SOS.';
	const named = 'TX FILINGS (task-0), STATUS OF IL SOS (task-1)';
	const unread = 'Pine Tree Dairy: PARTIAL_SUCCESS, score 48 (provider scale). 1 business found: Pine Tree.';

	it.each([
		['a list of records', checks, told, named],
		['records by task ID', Object.fromEntries(checks.map(({ taskId, ...rest }) => [taskId, rest])), told, named],
		['records by type', Object.fromEntries(checks.map(({ processType, ...rest }) => [processType, rest])), told, named],
		[
			'statuses by type',
			Object.fromEntries(checks.map(({ processType, status }) => [processType, status])),
			told,
			'TX FILINGS, STATUS OF IL SOS',
		],
		['numbers by status', { FAILED: 2, DONE: 12 }, unread, undefined],
		['a record of its own', { status: 'FAILED', phase: 'SOURCE' }, unread, undefined],
		['a list of records without a status', checks.map(({ taskId }) => ({ taskId })), unread, undefined],
		['nothing', null, unread, undefined],
		['an empty list', [], unread, undefined],
	])('says in a sentence what failed, of %s', async (_, processStatuses, summary, failedProcesses) => {
		answers({ ...partial, businessName: 'Pine Tree Dairy', processStatuses }, /pine/);
		answers({ ...partial, status: 'FAILED', processStatuses: [{ status: 'Error', taskId: 't-1' }] }, /other/);
		const { items } = await get({}, { id: 'pine' }, { id: 'gone' }, { id: 'other' });
		expect(items.map(({ json }) => [json.summary, json.failedProcesses])).toEqual([
			[summary, failedProcesses],
			[
				`Inquiry ${id}: FAILED, score 48 (provider scale). 1 business found: Pine Tree. 1 of 1 check failed: t-1.`,
				't-1',
			],
		]);
	});

	it('leaves the task IDs of failed checks as they are', async () => {
		const processStatuses = { tsk_9f3: 'FAILED', WATCH_LIST: { status: 'FAILED', taskId: 'JOB_12' } };
		answers({ ...partial, processStatuses });
		const { items } = await get({}, { id });
		expect(items[0].json.failedProcesses).toBe('tsk_9f3, WATCH LIST (JOB_12)');
	});

	it('says no score that is no finite number', () => {
		const summaries = ['1e999', '82'].map((score) => {
			const inquiry = JSON.parse(`{"id":"a","status":"COMPLETED","businessName":"Acme","scorecardScore":${score}}`);
			return inquiryOutput(inquiry, {}).summary;
		});
		expect(summaries).toEqual(['Acme: COMPLETED.', 'Acme: COMPLETED, score 82 (provider scale).']);
	});

	it.each([
		['null', { businesses: null }, 'Acme: COMPLETED.'],
		['absent', {}, 'Acme: COMPLETED.'],
		['none', { businesses: [] }, 'Acme: COMPLETED. No businesses listed.'],
		[
			'none of a failed one',
			{ businesses: [], status: 'FAILED' },
			'Acme: FAILED. This says nothing about the business.',
		],
		['none yet', { businesses: [], status: 'RUNNING' }, 'Acme: not finished yet (RUNNING).'],
		[
			'absent, and checks failed so far',
			{ status: 'PLANNING', processStatuses: checks },
			'Acme: not finished yet (PLANNING).',
		],
		['absent, and no check failed', { processStatuses: checks.slice(2) }, 'Acme: COMPLETED.'],
		// A word for a failure that nobody knows.
		[
			'absent, as some checks',
			{ status: 'PARTIAL_SUCCESS', processStatuses: checks.slice(2) },
			'Acme: PARTIAL_SUCCESS.',
		],
		[
			'two',
			{ businesses: [{}, {}], scorecardScore: 0 },
			'Acme: COMPLETED, score 0 (provider scale). 2 businesses found.',
		],
		['named', { businesses: [{ legal_name: 'Acme\n Ltd' }] }, 'Acme: COMPLETED. 1 business found: Acme Ltd.'],
		[
			'many',
			{ businesses: [...'ABCD'].map((name) => ({ name })) },
			'Acme: COMPLETED. 4 businesses found: A, B, C, and 1 more.',
		],
		[
			'named in several ways',
			{ businesses: [{ businessName: 'A', business_name: 'B' }, { business_name: 'C' }, { legalName: 'D' }] },
			'Acme: COMPLETED. 3 businesses found: A, C, D.',
		],
		['named in part', { businesses: [{ name: 'A' }, { id: 2 }] }, 'Acme: COMPLETED. 2 businesses found.'],
		['named by no text', { businesses: [{ name: { legal: 'A' } }] }, 'Acme: COMPLETED. 1 business found.'],
		['IDs', { businesses: ['b-1', 'b-2'] }, 'Acme: COMPLETED. 2 businesses found.'],
	])('tells businesses that are %s', async (_, given, summary) => {
		answers({ id, status: 'COMPLETED', businessName: ' Acme\n', ...given });
		const { items } = await get({}, { id }, { id });
		expect(items.map(({ json }) => json.summary)).toEqual([summary, summary]);
	});

	it('stays a sentence however much there is', async () => {
		const businesses = Array.from({ length: 40 }, () => ({ text: 'x'.repeat(1000) }));
		const processStatuses = checks.map((check) => ({ ...check, status: 'FAILED' }));
		answers({ ...partial, businessName: 'Acme '.repeat(100), businesses, processStatuses });
		const { items } = await get({}, { id });
		expect(items[0].json.summary).toBe(
			`${'Acme '.repeat(20)}…: PARTIAL_SUCCESS, score 48 (provider scale). 40 businesses found. 14 of 14 checks failed: TX FILINGS, STATUS OF IL SOS, SOURCE 0, SOURCE 1, SOURCE 2, and 9 more.`,
		);
	});
});

describe('raw', () => {
	it('is all that the service said, and whether it is final', async () => {
		answers({ ...record, isFinal: 'of the service' });
		const { items } = await get({ output: 'raw' }, { id });
		expect(items[0].json).toEqual({ ...record, isFinal: true });
		const row = { id, status: 'PLANNING', batchId: 'of the service' };
		const output = inquiryOutput(row, { output: 'raw' }, { extra: { batchId: 'b', isFinal: 'timed out' } });
		expect(output).toEqual({ id, status: 'PLANNING', batchId: 'b', isFinal: 'timed out' });
	});
});

describe('selected fields', () => {
	it('may be in any row of a list', async () => {
		answers({ total: 2, limit: 50, offset: 0, items: [{ id: 'a' }, { id: 'b', flags: { risk: 'low' } }] });
		const { items, failed } = await run('getAll', fields('flags.risk'), {});
		expect(failed).toEqual([]);
		expect(items.map(({ json }) => json)).toEqual([
			{ id: 'a', flags: null },
			{ id: 'b', flags: { risk: 'low' } },
		]);
	});

	it('that are mistyped hide nothing of what was submitted', async () => {
		const { items } = await run(
			'create',
			{ businessName: '={{ $json.name }}', businessCity: 'Springfield', businessState: 'IL', options: fields('score') },
			{ name: 'Acme' },
			{ name: 'Beta' },
		);
		expect(items.map(({ json }) => json)).toEqual([
			{ id: expect.any(String), score: null },
			{ id: expect.any(String), score: null },
		]);
		expect(sandbox.ledger.map((entry) => entry.id)).toEqual(items.map(({ json }) => json.id));
	});
});

describe('batches', () => {
	it('simplified have their name and progress first, in ten fields', async () => {
		const batchId = sandbox.inquiries.seedBatch('March leads', 2);
		const { items } = await run('get', { resource: 'batch', batchId: '={{ $json.id }}' }, { id: batchId });
		expect(Object.keys(items[0].json).slice(0, 3)).toEqual(['batchName', 'status', 'donePercent']);
		expect(Object.keys(items[0].json)).toHaveLength(10);
	});

	it('whose counts a list does not show have no progress', async () => {
		sandbox.switches.batchListCounts = false;
		sandbox.inquiries.seedBatch('March leads', 2);
		const { items } = await run('getAll', { resource: 'batch' }, {});
		expect(items[0].json).toMatchObject({ batchName: 'March leads', donePercent: undefined, isFinal: undefined });
	});

	it('selected fields are taken as those of inquiries', async () => {
		const batchId = sandbox.inquiries.seedBatch('March leads', 2);
		const parameters = { resource: 'batch', batchId: '={{ $json.id }}', ...fields('total, donePercent, totals') };
		const { items } = await run('get', parameters, { id: batchId }, { id: batchId });
		const selected = { batchId, total: 2, donePercent: 100, totals: null };
		expect(items.map(({ json }) => json)).toEqual([selected, selected]);
	});
});
