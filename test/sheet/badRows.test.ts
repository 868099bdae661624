import {
	externalIds,
	forResults,
	missingRows,
	onSecondOfMarch,
	orFewer,
	post,
	type Row,
	sheet,
	theirs,
	useWorld,
	verificationsOf,
	world,
} from './importer';

useWorld();

const isBad = (row: number) => row % 27 === 10;

/** Rows 10, 37, 64 … of 1,000 have no city: 37 of them. */
const withBadRows = (): Row[] => sheet(1000).map((row, index) => (isBad(index + 1) ? { ...row, City: '' } : row));
const goodOnes = () => new Map([...externalIds(1000)].filter(([id]) => !isBad(Number(id.slice(4)))));
const named = (name: string) => ({ name });
const times = (items: Array<{ json: Row }>, status: string) =>
	items.filter(({ json }) => json.verificationStatus === status).length;

it.each([
	['at once', 0],
	['late, so that the look-up finds nothing', 60_000],
])('37 bad rows of 1,000, and a batch without an answer; batches listed %s', async (when, batchListDelayMs) => {
	world.sandbox.switches.batchListDelayMs = batchListDelayMs;
	world.sandbox.faults.add({ ...post, bodyContains: ' · 3"', after: true, drop: true });
	const more = named(`bad rows ${when}`);
	const { items, hints, error } = await world.import({ rows: withBadRows(), more });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1000);
	expect(items[9].json).toMatchObject({
		verificationStatus: 'not sent',
		verificationProblem: 'City is required',
		'Business Name': 'Business 10',
	});
	expect(times(items, 'not sent')).toBe(37);
	expect(world.submissions()).toEqual(goodOnes());
	expect(world.batchSizes()).toEqual([250, 250, 250, 213]);
	const unknown = batchListDelayMs === 0 ? 0 : 250;
	expect([times(items, 'not confirmed'), times(items, 'sent')]).toEqual([unknown, 963 - unknown]);
	expect(hints).toEqual(
		unknown === 0
			? [
					`963 rows were sent and billed, in 4 batches. Not sent: items 10, 37, 64, 91, 118, and 32 more. Each says why. ${forResults}`,
				]
			: [
					`713 rows were sent and billed, in 3 batches. 250 rows were not confirmed: run the same import again to check. Not sent: items 10, 37, 64, 91, 118, and 32 more. Each says why.`,
					`The service does not list 3 of the batches that were sent. Do not import these rows again before it does.`,
				],
	);

	// Running the import once more finds the third batch and sends nothing.
	world.sandbox.clock.advance(batchListDelayMs);
	const again = await world.import({ rows: withBadRows(), more });
	expect(times(again.items, 'not sent')).toBe(37);
	expect(world.submissions()).toEqual(goodOnes());
});

it('names the principal and the field, as people do', async () => {
	const rows = [
		{ ...sheet(1)[0], 'Principal 2 Last Name': 'Smith', 'Principal 2 Date of Birth': '3/4/1990' },
		{ ...sheet(1, 2)[0], Principals: '[{"lastName":"Smith"},{"firstName":"Ann"}]' },
	];
	const { items } = await world.import({ rows, more: named('principals') });
	expect(items.map(({ json }) => json.verificationProblem)).toEqual([
		"Principal 2 Date of Birth is an ambiguous date (day or month first?); write it YYYY-MM-DD, or choose 'Date Order' in the sheet options",
		'Principal 2: Last Name is required',
	]);
	expect(world.sandbox.ledger).toHaveLength(0);
});

it('says why the service refused the first batches, also of the rows that were not sent after them', async () => {
	world.sandbox.faults.add({ ...post, status: 400, body: { detail: 'inquiries: field required' }, times: 3 });
	const { error } = await world.import({ rows: sheet(16), more: named('refused'), options: { chunkSize: 4 } });
	expect([error?.message, error?.description]).toEqual([
		'The service rejected the request with status 400: inquiries: field required',
		`Nothing was submitted. Correct the named fields. ${orFewer} 0 of 16 rows were submitted. ${missingRows}`,
	]);
	expect(world.sandbox.ledger.count('batch')).toBe(0);
});

it('says which row of the sheet the service refused, whose errors know only its place in the batch', async () => {
	const detail = [
		{ loc: ['body', 'inquiries', 1, 'ein'], msg: 'is not valid' },
		{ loc: ['body', 'inquiries', 12, 'ein'], msg: 'is not valid' },
	];
	world.sandbox.faults.add({ ...post, skip: 1, status: 422, body: { detail } });
	world.sandbox.faults.add({ ...post, skip: 1, status: 422, body: { error: "'inquiries[0]' has no city" } });
	const rows = [{ ...sheet(1)[0], City: '' }, ...sheet(7, 2)];
	const { items } = await world.import({ rows, more: named('places'), options: { chunkSize: 3, concurrency: 1 } });
	const reason = 'The service rejected the request with status 422: ';
	const second = `${reason}inquiries.1 (item 6).ein: is not valid; inquiries.12.ein: is not valid`;
	const third = `${reason}'inquiries[0] (item 8)' has no city`;
	const problems = ['City is required', '', '', '', second, second, second, third];
	expect(items.map(({ json }) => json.verificationProblem)).toEqual(problems);
});

it('returns the result of a row with an ID, although it cannot be read any more, and says what is wrong', async () => {
	onSecondOfMarch();
	const more = named('known');
	await world.import({ rows: sheet(2), more });
	world.sandbox.clock.advance(86_400_000);
	await world.import({ rows: sheet(3), more });
	const rows = [...sheet(3), { ...sheet(1)[0], City: '' }, { ...sheet(1, 4)[0], EIN: '#N/A' }];
	rows[1] = { ...rows[1], EIN: '#N/A' };
	const { items, hints } = await world.import({ rows, more: { ...more, waitForCompletion: true } });
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual([
		['COMPLETED', ''],
		['COMPLETED', "Submitted before. Now wrong in the sheet: EIN is a spreadsheet error such as '#N/A'."],
		['COMPLETED', ''],
		['not sent', 'City is required'],
		['not sent', "EIN is a spreadsheet error such as '#N/A'"],
	]);
	expect(world.submissions()).toEqual(externalIds(3));
	expect(hints).toEqual([
		`Nothing was sent or billed. 3 rows were already submitted under 'known' (first on 2026-03-02): 3 COMPLETED. ${theirs} Not sent: items 4, 5. Each says why.`,
	]);
});

it('refuses more rows than the user allowed', async () => {
	const { error } = await world.import({ rows: sheet(6), more: named('many'), options: { maxRows: 5 } });
	expect([error?.message, error?.description]).toEqual([
		"The sheet has 6 rows, more than 'Maximum Rows' allows (5)",
		"Nothing was sent. Check that this is the right sheet, then raise 'Maximum Rows' in the sheet options (0 means no limit).",
	]);
	expect(world.sandbox.requests.total).toBe(0);
	expect((await world.import({ rows: sheet(5), more: named('many'), options: { maxRows: 5 } })).error).toBeUndefined();
	expect(world.batchSizes()).toEqual([5]);
	// Batches of no rows would have no end.
	const endless = await world.import({ rows: sheet(1), more: named('endless'), options: { chunkSize: 0 } });
	expect(endless.error?.message).toBe("'Options > Rows per Batch' must be at least 1");
});

it('returns the rows of batches that are too large for the organization, and names the setting', async () => {
	world.sandbox.organization.batchLimit = 2;
	const { items, hints } = await world.import({ rows: sheet(7), more: named('large'), options: { chunkSize: 3 } });
	expect(items.map(({ json }) => json.verificationStatus)).toEqual([...Array(6).fill('not sent'), 'sent']);
	expect(hints).toEqual([
		`1 row was sent and billed, in 1 batch. Not sent: items 1, 2, 3, 4, 5, and 1 more. Each says why. ${forResults}`,
		`Correct the named fields. ${orFewer}`,
	]);
	expect(world.batchSizes()).toEqual([1]);
});

it.each([
	['413, as 422,', { status: 413, body: 'Payload Too Large' }, [`Send less at once. ${orFewer}`]],
	[
		'a batch without any row',
		{ status: 200, body: { batchId: 'b-1', batchName: 'a batch without any row', total: 0 } },
		[],
	],
])('takes %s for a refusal of the rows: the batches after it are sent', async (answer, fault, advice) => {
	world.sandbox.faults.add({ ...post, ...fault, bodyContains: 'crm-1"' });
	const { items, hints, error } = await world.import({
		rows: sheet(4),
		more: named(answer),
		options: { chunkSize: 2 },
	});
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['not sent', 'not sent', 'sent', 'sent']);
	expect(hints).toEqual([
		`2 rows were sent and billed, in 1 batch. Not sent: items 1, 2. Each says why. ${forResults}`,
		...advice,
	]);
});

it('says of rows without an answer that they are not confirmed, and not that they were not submitted', async () => {
	const lost = () => world.sandbox.faults.add({ ...post, bodyContains: 'crm-1"', drop: true });
	lost();
	const stopped = await world.import({ rows: sheet(6), more: named('lost'), options: { chunkSize: 2 } });
	expect(stopped.error?.description).toBe(`0 of 6 rows were submitted, and 2 perhaps. ${missingRows}`);
	expect(stopped.error?.context).toEqual({ kind: 'service', submission: 'unknown' });
	lost();
	const { items, failed } = await world.import({
		rows: sheet(6),
		more: named('lost too'),
		options: { chunkSize: 2 },
		onError: 'continueErrorOutput',
	});
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['not confirmed', 'not confirmed']);
	expect(failed.map(({ json }) => (json.error as Row).message)).toEqual(
		[3, 4, 5, 6].map(
			(item) =>
				`Not sent. The first batch is not confirmed: the connection was lost before the service responded: socket hang up (item ${item})`,
		),
	);
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([2, 3, 4, 5].map((item) => ({ item })));
	// Where the same became of all, it is no result of any row.
	for (const [name, fate] of [
		['all lost', 'unknown'],
		['all refused', undefined],
	] as const) {
		if (fate === undefined) world.sandbox.faults.add({ ...post, status: 422 });
		else lost();
		const all = await world.import({ rows: sheet(2), more: named(name), onError: 'continueErrorOutput' });
		expect(all.items).toEqual([]);
		expect(all.failed.map(({ json }) => (json.error as Row).submission)).toEqual([fate, fate]);
	}
});

it('sends a strange state, ZIP code, or EIN, and says in how many rows and where the first is', async () => {
	const rows = sheet(5).map((row, index) => (index % 2 === 1 ? { ...row, State: 'Ontario', Zip: 'IL' } : row));
	const more = [...rows, ...sheet(1, 6)];
	const remarks = [
		"In items 2, 4: 'State' is not a US state such as IL or Illinois. It is not corrected.",
		"In items 2, 4: 'ZIP Code' does not have five digits as in 02139. It is not corrected.",
	];
	for (const dryRun of [true, false]) {
		const { hints } = await world.import({ rows, more: { ...named('shifted'), dryRun } });
		expect(hints.slice(1)).toEqual([remarks.join(' ')]);
	}
	// Not of rows that were submitted before.
	for (const dryRun of [true, false])
		expect((await world.import({ rows: more, more: { ...named('shifted'), dryRun } })).hints).toHaveLength(1);
	expect(world.submissions()).toEqual(externalIds(6));
});

describe('a service that is away after the first batch', () => {
	const away = () => world.sandbox.faults.add({ ...post, skip: 1, status: 401, times: Infinity });
	const options = { chunkSize: 2, concurrency: 1 };
	const currentKey =
		"Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.";

	it('is an error under "Stop", which counts what was submitted', async () => {
		away();
		const { error } = await world.import({ rows: sheet(6), more: named('stops'), options });
		expect(error?.message).toBe('The service does not accept the credential: The service answers 401');
		expect(error?.description).toBe(`${currentKey} 2 of 6 rows were submitted. ${missingRows}`);
		expect(error?.context).toEqual({ kind: 'credential', submission: 'partial' });
		// The third batch is not sent.
		expect(world.sandbox.requests.filter(({ method }) => method === post.method)).toHaveLength(2);
	});

	it('fails the other rows under "Continue", and the next run sends them', async () => {
		away();
		const run = () => world.import({ rows: sheet(6), more: named('goes on'), options, onError: 'continueErrorOutput' });
		const { items, failed } = await run();
		expect(items.map(({ json }) => json['External ID'])).toEqual(['crm-1', 'crm-2']);
		expect(failed.map(({ json }) => json.error)).toEqual(
			[3, 4, 5, 6].map((item) => ({
				message: `The service does not accept the credential: The service answers 401 (item ${item})`,
				kind: 'credential',
				httpCode: 401,
				row: item,
				itemIndex: item - 1,
				description: currentKey,
			})),
		);
		world.sandbox.faults.clear();
		expect((await run()).failed).toEqual([]);
		expect(world.submissions()).toEqual(externalIds(6));
	});
});

it('numbers rows as their sheet does', async () => {
	const rows = sheet(4).map((row, index) => ({ row_number: 11 + index, ...row, ...(index % 2 === 1 && { City: '' }) }));
	const run = await world.import({ rows, more: named('numbered') });
	expect(verificationsOf(run).map(({ row }) => row)).toEqual([11, 12, 13, 14]);
	expect(run.hints).toEqual([
		`2 rows were sent and billed, in 1 batch. Not sent: rows 12, 14. Each says why. ${forResults}`,
	]);
});
