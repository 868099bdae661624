import {
	anotherSheet,
	anyway,
	onSecondOfMarch,
	type Row,
	sheet,
	theirs,
	useWorld,
	withoutIds,
	world,
} from './importer';

// A dry run answers what a person asks before an import: what will it cost, and which rows are wrong?

useWorld();

interface Dry {
	name: string;
	more?: object;
	options?: Record<string, unknown>;
}

async function dry(rows: Row[], { name, more, options }: Dry) {
	world.sandbox.requests.clear();
	const bills = world.sandbox.ledger.length;
	const { items, hints, error } = await world.import({ rows, more: { name, dryRun: true, ...more }, options });
	const asked = world.sandbox.requests.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, 'ID')}`);
	expect(world.sandbox.ledger).toHaveLength(bills);
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	return { rows: items.map(({ json }) => json), hints, asked };
}

it('counts the rows that are new under the name, and returns each with what would become of it', async () => {
	onSecondOfMarch();
	world.sandbox.clock.freeze();
	await world.import({ rows: sheet(963), more: { name: 'known' } });
	const rows = [...sheet(1_000), { ...sheet(1, 1_001)[0], City: '' }];
	const known = { name: 'known', more: { waitForCompletion: true }, options: { includeDetails: false } };
	const { rows: read, hints, asked } = await dry(rows, known);
	expect(hints).toEqual([
		`37 of 1,001 rows would be sent and billed, in 1 batch. 963 rows were already submitted under 'known' (first on 2026-03-02). ${theirs} 1 row cannot be sent.`,
	]);
	expect(asked).toEqual(['GET /v1/batch-inquiries/', ...Array(4).fill('GET /v1/batch-inquiries/ID/inquiries')]);
	const id = expect.stringMatching(/^.{36}$/) as string;
	expect([read[0], read[963], read[1_000]]).toEqual([
		{ verificationStatus: 'PLANNING', verificationProblem: '', ...rows[0], inquiryId: id },
		{ verificationStatus: 'would be sent', verificationProblem: '', ...rows[963], inquiryId: '' },
		{ verificationStatus: 'not sent', verificationProblem: 'City is required', ...rows[1_000], inquiryId: '' },
	]);
	// The run that follows sends what was said.
	await world.import({ rows, more: { name: 'known' } });
	expect(world.batchSizes().at(-1)).toBe(37);
});

it('says which column is not read, and which row is blank', async () => {
	const rows = [
		{ Company: 'Acme', City: 'Springfield', State: 'IL', Telephone: '555 0100', Colour: 'red' },
		{ Company: 'Bolt', City: '', State: 'OR', Telephone: '', Colour: '' },
		{ Company: '', City: '', State: '', Telephone: '', Colour: 'green' },
	];
	const { rows: read, hints } = await dry(rows, { name: 'details' });
	expect(hints).toEqual([
		"1 of 3 rows would be sent and billed, in 1 batch. None was submitted before under 'details'. 1 row cannot be sent. No column was read as External ID, so a row is billed again whenever the data change.",
		'Columns not sent: Colour.',
	]);
	expect(read.map(({ verificationStatus }) => verificationStatus)).toEqual(['would be sent', 'not sent', 'skipped']);
	expect(read[0].verification).toEqual({ row: 1, externalId: expect.stringMatching(/^row-/) });
});

it('names the column of the External IDs, as the run does, where its header does not', async () => {
	const rows = sheet(2).map(({ 'External ID': id, ...row }, index) => ({
		'Customer ID': index === 0 ? id : '',
		...row,
	}));
	const told =
		"External ID is read from 'Customer ID'. Without External ID: 1 row, billed again whenever the data change.";
	const { hints } = await dry(rows, { name: 'customers' });
	expect(hints[0]).toMatch(new RegExp(`^2 of 2 rows would be .+ under 'customers'\\. ${told}$`));
	const sent = await world.import({ rows, more: { name: 'customers' } });
	expect(sent.hints[0]).toMatch(new RegExp(`^2 rows were sent and billed, in 1 batch\\. ${told} For `));
	// Where no row is new, it does not matter.
	expect((await dry(rows, { name: 'customers' })).hints.join()).not.toContain('is read from');
});

it('says before a run that it would be refused, or that the name is new', async () => {
	onSecondOfMarch();
	const rows = withoutIds(sheet(100));
	await world.import({ rows, more: { name: 'March leads' } });
	const other = await dry(rows, { name: 'March lead', options: { chunkSize: 50 } });
	expect(other.hints[0]).toBe(
		"100 of 100 rows would be sent and billed, in 2 batches. None was submitted before under 'March lead'. No column was read as External ID, so a row is billed again whenever the data change.",
	);
	const changed = await dry(
		rows.map((row) => ({ ...row, Zip: '02140' })),
		{ name: 'March leads' },
	);
	const reason =
		'Only 0 of the 100 rows without an external ID are among the 100 rows submitted before whose IDs are not in the sheet';
	expect(changed.hints[0]).toBe(
		`The run would be refused: ${reason}. Nothing new was sent. ${anotherSheet} ${anyway} If sent anyway, 100 of 100 rows would be billed, in 1 batch. None is matched to the rows submitted before under 'March leads'. No column was read as External ID, so a row is billed again whenever the data change.`,
	);
	expect(changed.rows[0]).toMatchObject({ verificationStatus: 'not sent', verificationProblem: reason });
	const some = sheet(3).map((row, index) => (index === 1 ? { ...row, City: '' } : row));
	const many = await dry(some, { name: 'many', options: { maxRows: 2 } });
	const tooMany = "The sheet has 3 rows, more than 'Maximum Rows' allows (2)";
	expect(many.rows.map((row) => row.verificationProblem)).toEqual([tooMany, 'City is required', tooMany]);
	expect(many.hints[0]).toBe(
		"The run would be refused: The sheet has 3 rows, more than 'Maximum Rows' allows (2). Nothing was sent. Check that this is the right sheet, then raise 'Maximum Rows' in the sheet options (0 means no limit). If sent anyway, 2 of 3 rows would be billed, in 1 batch. None was submitted before under 'many'. 1 row cannot be sent.",
	);
	const same = await dry(rows, { name: 'March leads' });
	expect(same.hints).toEqual([
		"0 of 100 rows would be sent and billed. 100 rows were already submitted under 'March leads' (first on 2026-03-02).",
	]);
});

it.each([
	['refuses the key', { status: 401 }, 'The service does not accept the credential: The service answers 401'],
	[
		'asks to wait',
		{ status: 429, headers: { 'retry-after': '120' } },
		'The service asks for fewer requests: The service answers 429',
	],
	[
		'cuts the connection',
		{ drop: true },
		'The connection was lost before the service responded: (socket hang up|read ECONNRESET)',
	],
])('counts without it if the service %s', async (name, fault, reason) => {
	world.sandbox.faults.add({ path: '/v1/batch-inquiries/', times: Infinity, ...fault });
	const { rows, hints } = await dry(sheet(10), { name });
	const toldSo = `What was submitted before could not be read \\(${reason}\\), so every row counts as new\\.`;
	expect(hints[0]).toMatch(new RegExp(`^10 of 10 rows would be sent and billed, in 1 batch\\. ${toldSo}$`));
	expect(rows[9].verificationStatus).toBe('would be sent');
});
