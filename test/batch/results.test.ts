import { errorsOf, sheet, verificationsOf, World } from './world';

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.sandbox.close());
beforeEach(() => {
	world.sandbox.reset();
	Object.assign(world.sandbox.switches, { planningMs: 0, runningMs: 50, enrichingMs: 50, batchRowOrder: 'byId' });
});

const waiting = (name: string, output = 'row') => ({
	more: { name, output, waitForCompletion: true },
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
		verificationsOf(run).map(({ row, externalId, joinedBy, isFinal, statusKnown }) => ({
			row,
			externalId,
			joinedBy,
			isFinal,
			statusKnown,
		})),
	).toEqual(
		rows.map((row, index) => ({
			row: index + 1,
			externalId: row['External ID'],
			joinedBy: index === 6 ? 'onlyRow' : 'externalId',
			isFinal: true,
			statusKnown: true,
		})),
	);
});

it('says plainly of a row that it cannot be joined', async () => {
	world.sandbox.switches.batchRowsExternalId = false;
	const run = await world.import({ rows: sheet(4), ...waiting('apart') });
	const reason = 'the service returned nothing that tells this row from the others; give every row an external ID';
	expect(verificationsOf(run).map(({ notJoinable, joinedBy }) => notJoinable ?? joinedBy)).toEqual([
		reason,
		reason,
		reason,
		'onlyRow',
	]);
});

it('outputs one item per batch, paired to its rows, with the counts', async () => {
	const run = await world.import({ rows: sheet(5), ...waiting('counted', 'batch') });
	expect(run.items).toHaveLength(2);
	expect(run.items[1]).toMatchObject({
		json: {
			batchName: expect.stringMatching(/^counted 2\/2 #/),
			reused: false,
			total: 2,
			rows: 2,
			firstRow: 4,
			lastRow: 5,
			isFinal: true,
			donePercent: 100,
		},
		pairedItem: [{ item: 3 }, { item: 4 }],
	});
});

it('outputs one item per batch without waiting', async () => {
	const run = await world.import({
		rows: sheet(5),
		more: { name: 'quick', output: 'batch' },
		options: { chunkSize: 3 },
	});
	expect(run.items.map(({ json }) => json)).toEqual([
		{
			batchId: expect.any(String),
			batchName: expect.stringMatching(/^quick 1\/2 #/),
			reused: false,
			total: 3,
			rows: 3,
			firstRow: 1,
			lastRow: 3,
		},
		{
			batchId: expect.any(String),
			batchName: expect.stringMatching(/^quick 2\/2 #/),
			reused: false,
			total: 2,
			rows: 2,
			firstRow: 4,
			lastRow: 5,
		},
	]);
});

it('fails the rows of a batch that is not done in time, and the same import waits for it again', async () => {
	world.sandbox.switches.lifecycle = 'manual';
	const options = { chunkSize: 3, maxWait: 0 };
	const late = await world.import({
		rows: sheet(4),
		more: { name: 'slow', waitForCompletion: true },
		options: { ...options, onTimeout: 'fail' },
		onError: 'continueErrorOutput',
	});
	expect(errorsOf(late)).toHaveLength(4);
	const [first, second] = world.sandbox.ledger;
	expect(errorsOf(late)[0].message).toContain(`Row 1, batch 'slow 1/2`);
	expect(errorsOf(late)[0].message).toContain('is not done within 0 minutes');
	expect(errorsOf(late)[0].description).toContain(
		`The rows were sent as batch ${first.id}. Running the same import again sends nothing`,
	);

	const state = await world.import({
		rows: sheet(4),
		more: { name: 'slow', waitForCompletion: true },
		options,
	});
	expect(verificationsOf(state).map(({ isFinal, timedOut }) => [isFinal, timedOut])).toEqual(
		Array(4).fill([false, true]),
	);

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
