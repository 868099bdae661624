import { hurry } from '../harness/hurry';
import type { Switches } from '../../sandbox';
import { sheet, verificationsOf, World } from './importer';

let world: World;
beforeAll(async () => {
	hurry();
	world = await World.open();
});
afterAll(() => world.sandbox.close());
beforeEach(() => {
	world.sandbox.reset();
	Object.assign(world.sandbox.switches, { planningMs: 0, runningMs: 50, enrichingMs: 50, batchRowOrder: 'byId' });
});

const waiting = (name: string, output = 'row') => ({
	more: { name, outputPer: output, waitForCompletion: true },
	options: { chunkSize: 3 },
});

it('waits until the batches are done and joins each row to its inquiry by external ID', async () => {
	const rows = sheet(7);
	const run = await world.import({ rows, ...waiting('joined') });
	expect(run.error).toBeUndefined();
	expect(run.items.map(({ json, pairedItem }) => [json['External ID'], pairedItem])).toEqual(
		rows.map((row, item) => [row['External ID'], { item }]),
	);
	expect(
		verificationsOf(run).map(({ row, externalId, joinedBy, isFinal }) => ({
			row,
			externalId,
			joinedBy,
			isFinal,
		})),
	).toEqual(
		rows.map((row, index) => ({
			row: index + 2,
			externalId: row['External ID'],
			joinedBy: index === 6 ? 'onlyRow' : 'externalId',
			isFinal: true,
		})),
	);
});

/** Reads of single inquiries. */
const reads = () => world.sandbox.requests.filter(({ path }) => /^\/v1\/inquiries\/.+/.test(path)).length;

it('joins by what the inquiry itself carries where the rows of the batch do not tell, at one read a row', async () => {
	world.sandbox.switches.batchRowsExternalId = false;
	const run = await world.import({ rows: sheet(4), ...waiting('apart') });
	expect(verificationsOf(run).map(({ externalId, joinedBy }) => [externalId, joinedBy])).toEqual([
		['crm-1', 'externalId'],
		['crm-2', 'externalId'],
		['crm-3', 'externalId'],
		// The last batch holds one row, which needs no telling.
		[undefined, 'onlyRow'],
	]);
	expect(reads()).toBe(3);
});

it.each<[string, Partial<Switches>]>([
	['an ID of their own beside that of the inquiry', { batchRowsId: 'both' }],
	['the inquiry inside', { batchRowsShape: 'nested' }],
	['the inquiry inside, and snake case', { batchRowsShape: 'snakeCase', batchRowsId: 'inquiryId' }],
	['external IDs in other letters', { externalIdStored: 'upperCase' }],
])('joins rows that have %s by what they tell, without a read', async (_, switches) => {
	Object.assign(world.sandbox.switches, switches);
	const run = await world.import({ rows: sheet(4), ...waiting('spelled') });
	const ids = ['crm-1', 'crm-2', 'crm-3', 'crm-4'].map((id) => world.sandbox.inquiries.find(id)[0].id);
	expect(run.items.map(({ json }) => [json.inquiryId, json.verificationStatus])).toEqual(
		ids.map((id) => [id, 'COMPLETED']),
	);
	expect(verificationsOf(run).map(({ id, joinedBy }) => [id, joinedBy])).toEqual(
		ids.map((id, place) => [id, place === 3 ? 'onlyRow' : 'externalId']),
	);
	expect(reads()).toBe(0);
});

it('joins external IDs that the service keeps as numbers', async () => {
	world.sandbox.switches.externalIdStored = 'number';
	const rows = sheet(3).map((row, place) => ({ ...row, 'External ID': `00${place + 7}` }));
	const run = await world.import({ rows, ...waiting('numbers') });
	expect(verificationsOf(run).map(({ externalId, joinedBy }) => [externalId, joinedBy])).toEqual([
		[7, 'externalId'],
		[8, 'externalId'],
		[9, 'externalId'],
	]);
	expect(reads()).toBe(0);
});

it('says plainly of a row that it cannot be joined', async () => {
	Object.assign(world.sandbox.switches, { batchRowsExternalId: false, batchRowsId: 'none' });
	const rows = sheet(4).map((row, index) => (index === 0 ? { ...row, 'External ID': '' } : row));
	const run = await world.import({ rows, ...waiting('unjoined') });
	const reason = 'nothing in the response distinguishes this row';
	expect(verificationsOf(run).map(({ notJoinable, joinedBy }) => notJoinable ?? joinedBy)).toEqual([
		`${reason}; give every row an external ID`,
		`${reason}, not even its external ID`,
		`${reason}, not even its external ID`,
		'onlyRow',
	]);
	expect(reads()).toBe(0);
	expect(run.hints).toContainEqual(
		expect.stringMatching(/results could not be matched\. Give every row an 'External ID'/),
	);
});

it('keeps rows that are sent out of the errors when their results cannot be read, and says what is not known', async () => {
	world.sandbox.faults.add({ method: 'GET', path: /\/inquiries$/, bodyContains: '', status: 500, times: Infinity });
	const run = await world.import({ rows: sheet(4), ...waiting('unread'), onError: 'continueErrorOutput' });
	expect(run.failed).toEqual([]);
	const [first, second] = world.sandbox.ledger;
	expect(verificationsOf(run).map(({ batchId, warnings }) => [batchId, warnings])).toEqual(
		[first.id, first.id, first.id, second.id].map((id) => [
			id,
			[expect.stringMatching(/^Sent, but the results could not be read \(.*500.*\)\. Run the same/)],
		]),
	);
});

it('outputs one item per batch, paired to its rows, with the counts', async () => {
	const run = await world.import({ rows: sheet(5), ...waiting('counted', 'batch') });
	expect(run.items).toHaveLength(2);
	expect(run.items[1]).toMatchObject({
		json: {
			batchName: expect.stringMatching(/^counted 4-5 #/),
			reused: false,
			total: 2,
			rows: 2,
			firstRow: 5,
			lastRow: 6,
			isFinal: true,
			donePercent: 100,
		},
		pairedItem: [{ item: 3 }, { item: 4 }],
	});
});

it('outputs one item per batch without waiting', async () => {
	const run = await world.import({
		rows: sheet(5),
		more: { name: 'quick', outputPer: 'batch' },
		options: { chunkSize: 3 },
	});
	expect(run.items.map(({ json }) => json)).toEqual([
		{
			batchId: expect.any(String),
			batchName: expect.stringMatching(/^quick 1-3 #/),
			reused: false,
			total: 3,
			rows: 3,
			firstRow: 2,
			lastRow: 4,
		},
		{
			batchId: expect.any(String),
			batchName: expect.stringMatching(/^quick 4-5 #/),
			reused: false,
			total: 2,
			rows: 2,
			firstRow: 5,
			lastRow: 6,
		},
	]);
});

it('returns the rows of a batch that is not done in time as not finished, and the same import waits again', async () => {
	world.sandbox.switches.lifecycle = 'manual';
	const options = { chunkSize: 3, maxWait: 0 };
	const state = await world.import({
		rows: sheet(4),
		more: { name: 'slow', waitForCompletion: true },
		options,
	});
	expect(verificationsOf(state).map(({ isFinal, timedOut }) => [isFinal, timedOut])).toEqual(
		Array(4).fill([false, true]),
	);

	expect(state.items[0].json).toMatchObject({
		verificationStatus: 'PLANNING',
		verificationProblem: 'Not finished: run the same import again to wait longer. Nothing is submitted twice.',
	});

	const [first, second] = world.sandbox.ledger;
	world.sandbox.inquiries.finishBatch(first.id, 'COMPLETED');
	world.sandbox.inquiries.finishBatch(second.id, 'FAILED');
	const done = await world.import({ rows: sheet(4), more: { name: 'slow', waitForCompletion: true }, options });
	expect(verificationsOf(done).map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED']);
	expect(world.sandbox.ledger.count('batch')).toBe(2);
});

it('does not hold other runs of the import while it waits', async () => {
	world.sandbox.switches.lifecycle = 'manual';
	const first = world.import({ rows: sheet(2), more: { name: 'held', waitForCompletion: true } });
	while (world.sandbox.ledger.count('batch') === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	const second = await world.import({ rows: sheet(2), more: { name: 'held' } });
	expect(verificationsOf(second)[0].reused).toBe(true);
	world.sandbox.inquiries.finishBatch(world.sandbox.ledger[0].id, 'COMPLETED');
	expect(verificationsOf(await first)[0].status).toBe('COMPLETED');
});
