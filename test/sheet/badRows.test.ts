import { errorsOf, externalIds, type Row, sheet, verificationsOf, World } from './importer';

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.sandbox.close());
beforeEach(() => world.sandbox.reset());

const isBad = (row: number) => row % 27 === 10;

/** Rows 10, 37, 64 … of 1,000 have no city: 37 of them. */
const withBadRows = (): Row[] => sheet(1000).map((row, index) => (isBad(index + 1) ? { ...row, City: '' } : row));
const badNumbers = Array.from({ length: 37 }, (_, index) => 10 + 27 * index);
const goodOnes = () => new Map([...externalIds(1000)].filter(([id]) => !isBad(Number(id.slice(4)))));

const lost = {
	method: 'POST',
	path: '/v1/batch-inquiries/',
	bodyContains: 'March leads 501-750',
	after: true,
	drop: true,
};

it('names the first five bad rows under "Stop" and sends nothing', async () => {
	const { error } = await world.import({ rows: withBadRows() });
	expect(error?.message).toContain('37 of 1000 rows cannot be imported, so nothing was sent');
	const first = [11, 38, 65, 92, 119].map((row) => `Row ${row}: 'City' is required`).join('; ');
	expect(error?.description).toBe(
		`${first}; and 32 more. Correct them ('Dry Run' lists all), or set 'On Error' to 'Continue (using error output)' to send the others.`,
	);
	expect(world.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	expect(world.sandbox.ledger).toEqual([]);
});

it('names bad rows under "Continue" even when the service is away, where no other is left to be sent', async () => {
	world.sandbox.faults.add({ drop: true, times: Infinity });
	const run = await world.import({
		rows: sheet(2).map((row) => ({ ...row, State: '' })),
		onError: 'continueErrorOutput',
	});
	expect(errorsOf(run).map(({ message }) => message)).toEqual([
		"Row 2: 'State' is required",
		"Row 3: 'State' is required",
	]);
});

it.each([
	['at once', 0],
	['late, so that the look-up finds nothing', 60_000],
])(
	'sends the good rows under "Continue" although one batch gets no answer; batches listed %s',
	async (_when, batchListDelayMs) => {
		world.sandbox.switches.batchListDelayMs = batchListDelayMs;
		world.sandbox.faults.add(lost);
		const run = await world.import({ rows: withBadRows(), onError: 'continueErrorOutput' });

		const bad = run.failed.filter(({ json }) => json.City === '');
		expect(bad.map(({ json }) => (json.error as unknown as Row).message)).toEqual(
			badNumbers.map((row) => `Row ${row + 1}: 'City' is required`),
		);
		// n8n adds the source fields of the item that the error is paired to.
		expect(bad[1].json).toMatchObject({ 'Business Name': 'Business 37', 'External ID': 'crm-37', Zip: '02139' });
		expect(world.submissions()).toEqual(goodOnes());
		expect(world.batchSizes()).toEqual([250, 250, 250, 213]);

		const unknown = errorsOf(run).filter(({ submission }) => submission === 'unknown');
		if (batchListDelayMs === 0) {
			expect(unknown).toEqual([]);
			expect(run.items).toHaveLength(963);
		} else {
			expect(unknown).toHaveLength(250);
			expect(run.items).toHaveLength(713);
			expect(unknown[0].message).toMatch(
				/^Row \d+, batch 'March leads 501-750 #[0-9a-f]{10}': The connection was lost before the service responded/,
			);
			expect(unknown[0].description).toContain('Run the same import again later');
		}

		// Running the import once more finds the third batch and sends nothing.
		world.sandbox.clock.advance(batchListDelayMs);
		const again = await world.import({ rows: withBadRows(), onError: 'continueErrorOutput' });
		expect(again.failed).toHaveLength(37);
		expect(verificationsOf(again).every(({ reused }) => reused === true)).toBe(true);
		expect(world.submissions()).toEqual(goodOnes());
	},
);

it('flags a row that repeats another one', async () => {
	const rows = [
		...sheet(3),
		{ ...sheet(1)[0], City: 'Elsewhere' },
		{ 'Business Name': 'Plain', City: 'Salem', State: 'OR' },
		{ 'Business Name': 'PLAIN', City: 'Salem', State: 'OR' },
	];
	const { error } = await world.import({ rows });
	expect(error?.description?.split('; ').slice(0, 2)).toEqual([
		"Row 5: 'External ID' is the same as in row 2",
		expect.stringMatching(/^Row 7: 'Business Name' and address are the same as in row 6/),
	]);
});

it('skips blank rows and says which', async () => {
	const blank = { 'Business Name': '', City: '', State: '', Zip: null, 'External ID': ' ' };
	const rows = [...sheet(2), blank, ...sheet(1, 3), blank];
	const run = await world.import({ rows });
	expect(world.batchSizes()).toEqual([3]);
	expect(verificationsOf(run).map(({ row, skipped }) => [row, skipped])).toEqual([
		[2, undefined],
		[3, undefined],
		[4, 'the row is blank'],
		[5, undefined],
		[6, 'the row is blank'],
	]);
	expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3, 4].map((item) => ({ item })));
	expect(run.hints).toContain('Skipped 2 blank rows, the first is row 4.');
});

it('warns of rows whose results nothing leads back to them, where other rows have an ID', async () => {
	const withoutId = { 'Business Name': 'Plain', City: 'Salem', State: 'OR', 'External ID': '' };
	const rows = [...sheet(2), withoutId, { ...withoutId, City: '' }, { ...withoutId, City: 'Boston' }];
	const warning = '2 rows without an external ID, first row 4. Results are matched to rows by this ID.';
	const dry = await world.import({ rows, more: { dryRun: true } });
	expect(dry.items[0].json.rowsWithoutId).toEqual([4, 6]);
	const run = await world.import({ rows, onError: 'continueErrorOutput' });
	expect(run.hints).toContain(warning);
	expect(run.failed).toHaveLength(1);
	const unnamed = rows.map(({ 'External ID': _, ...row }) => row);
	const without = await world.import({
		rows: unnamed,
		more: { name: 'no IDs at all' },
		onError: 'continueErrorOutput',
	});
	expect(without.hints.join()).not.toContain('without an external ID');
});

it('refuses more rows than the user allowed', async () => {
	const { error } = await world.import({ rows: sheet(6), options: { maxRows: 5 } });
	expect(error?.message).toContain("The sheet has 6 rows, more than 'Maximum Rows' allows (5)");
	expect(world.sandbox.requests.total).toBe(0);
	expect((await world.import({ rows: sheet(5), options: { maxRows: 5 } })).error).toBeUndefined();
	expect(world.batchSizes()).toEqual([5]);
});

it('names the setting when a batch is too large for the organization', async () => {
	world.sandbox.organisation.batchLimit = 2;
	const { error } = await world.import({ rows: sheet(7), options: { chunkSize: 3, concurrency: 1 } });
	expect(error?.message).toContain('Batch with rows 2 to 4: The service rejected the request with status 422');
	expect(error?.description).toContain("lower 'Rows per Batch' in the options");
	expect(error?.description).toContain('0 of 3 batches were submitted. 2 more failed too.');
	// Under "Stop" a refusal ends the sending: the others would be refused as well.
	expect(world.sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);

	const run = await world.import({ rows: sheet(7), options: { chunkSize: 3 }, onError: 'continueErrorOutput' });
	expect(world.batchSizes()).toEqual([1]);
	expect(errorsOf(run).map(({ itemIndex, httpCode, parameter }) => [itemIndex, httpCode, parameter])).toEqual(
		[0, 1, 2, 3, 4, 5].map((item) => [item, 422, 'options.chunkSize']),
	);
	expect(run.items.map(({ json }) => json['External ID'])).toEqual(['crm-7']);
});
