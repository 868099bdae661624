import { anyway, forResults, onSecondOfMarch, sheet, theirs, useWorld, withoutIds, world } from './importer';

// What a person sees of an imported sheet: the status first, one sentence on what happened, and its own row numbers.

useWorld({ planningMs: 0, runningMs: 50, enrichingMs: 50 });

const ended = { waitForCompletion: true };
const reads = () => world.sandbox.requests.filter(({ path }) => /^\/v1\/inquiries\/.+/.test(path)).length;

it('has the result before the columns of the sheet, and the details after them on request', async () => {
	const { items } = await world.import({ rows: sheet(2), more: { name: 'first', ...ended } });
	expect(items.map(({ json }) => Object.keys(json))).toEqual(
		Array(2).fill([
			'verificationStatus',
			'verificationScore',
			'verificationProblem',
			'verificationSubmittedAt',
			'Business Name',
			'City',
			'State',
			'Zip',
			'External ID',
			'inquiryId',
			'verification',
		]),
	);
	expect(items.map(({ json }) => [json.verificationStatus, json.inquiryId])).toEqual(
		items.map(({ json }) => ['COMPLETED', (json.verification as { id: string }).id]),
	);
});

it('wins over columns of the same names that the sheet has from the last time', async () => {
	const rows = sheet(2).map((row) => ({ ...row, verificationStatus: 'RUNNING', inquiryId: 'old' }));
	const { items } = await world.import({ rows, more: { name: 'again', ...ended } });
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['COMPLETED', 'COMPLETED']);
	expect(items.map(({ json }) => json.inquiryId)).not.toContain('old');
});

it('reads scores only when it waits, from the records if no list shows them', async () => {
	const { items } = await world.import({ rows: sheet(3), more: { name: 'scored', ...ended } });
	expect(items.map(({ json }) => json.verificationScore)).toEqual(Array(3).fill(expect.any(Number)));
	const before = reads();
	const without = await world.import({ rows: sheet(3), more: { name: 'scored' } });
	expect(without.items.every(({ json }) => !('verificationScore' in json))).toBe(true);
	expect(reads()).toBe(before);
});

it('reads a row that lacks its score or its checks, and no other', async () => {
	const checks = { WATCHLIST: 'FAILED', SOS: 'DONE' };
	const nothing = { scorecardScore: null, processStatuses: null, businesses: null };
	const listed = [
		{ externalId: 'crm-1', id: 'i-1', status: 'PARTIAL_SUCCESS', scorecardScore: 82 },
		{ externalId: 'crm-2', id: 'i-2', status: 'completed', scorecardScore: null },
		{ externalId: 'crm-3', id: 'i-3', status: 'COMPLETED', scorecardScore: 0, processStatuses: null },
		{ externalId: 'crm-4', id: 'i-4', status: 'PARTIAL_SUCCESS', scorecardScore: 7, processStatuses: checks },
		// The whole inquiry, which has no score yet.
		{ ...nothing, externalId: 'crm-5', id: 'i-5', status: 'COMPLETED' },
	];
	const answers = (path: RegExp, body: object) =>
		world.sandbox.faults.add({ path, method: 'GET', status: 200, body, times: Infinity });
	answers(/batch-inquiries\/[^/]+\/inquiries$/, { total: 5, items: listed });
	answers(/inquiries\/i-1$/, { id: 'i-1', status: 'PARTIAL_SUCCESS', scorecardScore: null, processStatuses: checks });
	answers(/inquiries\/i-2$/, { id: 'i-2', status: 'completed', scorecardScore: 90 });
	answers(/inquiries\/i-3$/, { id: 'i-3', status: 'COMPLETED', scorecardScore: 0, processStatuses: checks });
	const { items, hints } = await world.import({
		rows: [...sheet(5), { ...sheet(1)[0], City: '', verificationScore: 82 }],
		more: { name: 'listed', ...ended },
	});
	expect(hints[0]).toBe(
		'5 rows were sent and billed: 2 PARTIAL_SUCCESS, 1 completed, 2 COMPLETED. Not sent: item 6. Each says why.',
	);
	// A score of an earlier run would stand beside it in the sheet.
	expect(Object.values(items.pop()!.json).slice(0, 4)).toEqual(['not sent', null, 'City is required', '']);
	const problem = '1 of 2 checks failed: WATCHLIST.';
	expect(items.map(({ json }) => [json.verificationScore, json.verificationProblem])).toEqual([
		[82, problem],
		[90, ''],
		[0, problem],
		[7, problem],
		[null, ''],
	]);
	expect(reads()).toBe(3);
});

it('says that scores could not be read, and loses no row for it', async () => {
	world.sandbox.faults.add({ path: /^\/v1\/inquiries\/.+/, method: 'GET', status: 404, times: Infinity });
	const run = await world.import({
		rows: sheet(2),
		more: { name: 'unscored', ...ended },
		onError: 'continueErrorOutput',
	});
	expect(run.failed).toEqual([]);
	expect(run.items.map(({ json }) => [json.verificationStatus, json.verificationScore])).toEqual([
		['COMPLETED', null],
		['COMPLETED', null],
	]);
	expect(run.items[0].json.verificationProblem).toBe(
		"Sent, but the results could not be read (Not found: The service answers 404). Read them later with 'Batch: Get Inquiries'.",
	);
});

it('says what was sent and billed, and that a second run sent nothing', async () => {
	onSecondOfMarch();
	const run = (count: number) => world.import({ rows: sheet(count), more: { name: 'told' } });
	expect((await run(4)).hints).toEqual([`4 rows were sent and billed, in 1 batch. ${forResults}`]);
	const before = "4 rows were already submitted under 'told' (first on 2026-03-02).";
	expect((await run(4)).hints).toEqual([`Nothing was sent or billed. ${before} ${theirs}`]);
	expect((await run(6)).hints).toEqual([`2 rows were sent and billed, in 1 batch. ${before} ${theirs} ${forResults}`]);
	expect(world.submissions().size).toBe(6);
	const mixed = await world.import({ rows: [...withoutIds(sheet(2)), ...sheet(1, 9)], more: { name: 'mixed' } });
	expect(mixed.hints).toEqual([
		`3 rows were sent and billed, in 1 batch. Without External ID: 2 rows, billed again whenever the data change. ${forResults}`,
	]);
});

it('says how it went, once it has waited', async () => {
	world.sandbox.inquiries.outcome('crm-2', 'PARTIAL_SUCCESS');
	world.sandbox.inquiries.outcome('crm-4', 'FAILED');
	const rows = sheet(5).map((row, index) => (index === 4 ? { ...row, City: '' } : row));
	const { hints, items } = await world.import({ rows, more: { name: 'went', ...ended } });
	expect(hints).toEqual([
		'4 rows were sent and billed: 2 COMPLETED, 1 PARTIAL_SUCCESS, 1 FAILED. Not sent: item 5. Each says why.',
	]);
	const again = await world.import({ rows: sheet(5), more: { name: 'went', ...ended } });
	expect(again.hints).toEqual([
		expect.stringMatching(
			`^1 row was sent and billed: 1 COMPLETED\\. 4 rows were already submitted under 'went' \\(first on \\d{4}-\\d\\d-\\d\\d\\): 2 COMPLETED, 1 PARTIAL_SUCCESS, 1 FAILED\\. ${theirs}$`,
		),
	]);
	// A row of the first run is told by its age.
	const submitted = (all: typeof items) => all.map(({ json }) => String(json.verificationSubmittedAt));
	const [first, second] = [submitted(items), submitted(again.items)];
	expect(second.slice(0, 4)).toEqual(first.slice(0, 4));
	expect([first[4], second[4] > second[3]]).toEqual(['', true]);
});

it('stops when the service renames a later batch, because the next run could not find it', async () => {
	world.sandbox.faults.add({
		...{ method: 'POST', path: '/v1/batch-inquiries/', skip: 1, after: true, status: 200 },
		body: { batchId: 'batch-2', batchName: 'Import of Monday', total: 10 },
	});
	const { error } = await world.import({
		rows: sheet(34),
		more: { name: 'renamed' },
		options: { chunkSize: 10, concurrency: 1 },
	});
	expect(world.batchSizes()).toEqual([10, 10]);
	expect([error?.message, error?.description]).toEqual([
		"Not sent. The service renamed a batch to 'Import of Monday', so a later run could not find it",
		`From now on, import only rows that were not submitted. ${anyway} 20 of 34 rows were submitted.`,
	]);
});
