import { externalIds, forResults, onSecondOfMarch, post, type Row, sheet, useWorld, world } from './importer';

// A left-over or shared External ID: the result under it is another company's, and must not stand in the row.

useWorld({ planningMs: 0, runningMs: 0, enrichingMs: 0, echoBusinessName: true });

const named = (...names: string[]): Row[] =>
	sheet(names.length).map((row, index) => ({ ...row, 'Business Name': names[index] }));
const seen = ({ items }: Awaited<ReturnType<typeof world.import>>) =>
	items.map(({ json }) => [json.verificationStatus, json.verificationProblem]);

const taken = (name: string) =>
	`This External ID was submitted for '${name}'. This row's business was not submitted: give it another External ID.`;
const renamed = (name: string) =>
	`Submitted as '${name}', and this is its result. To verify the row under its present name, which is billed, give it another External ID.`;

it('gives no row the result of another company, and keeps that of a row whose name was corrected', async () => {
	onSecondOfMarch();
	const more = { name: 'left over', waitForCompletion: true };
	await world.import({ rows: named('Acme LLC', 'Globex Inc.', 'Joes Piza'), more });
	const rows = named('Completely Different Inc', 'GLOBEX  inc', "Joe's Pizza & Pasta");
	const again = await world.import({ rows, more });
	expect(seen(again)).toEqual([
		['not sent', taken('Acme LLC')],
		['COMPLETED', ''],
		['COMPLETED', renamed('Joes Piza')],
	]);
	const score = expect.any(Number) as number;
	expect(again.items.map(({ json }) => json.verificationScore)).toEqual([null, score, score]);
	expect(again.items.map(({ json }) => json.inquiryId === '')).toEqual([true, false, false]);
	expect(again.hints).toEqual([
		"Nothing was sent or billed. 2 rows were already submitted under 'left over' (first on 2026-03-02): 2 completed. Not sent: row 2. Each says why. If this is another list, use another 'Batch Name'.",
	]);
	const dry = await world.import({ rows, more: { name: 'left over', dryRun: true } });
	expect(seen(dry)).toEqual([
		['not sent', taken('Acme LLC')],
		['already sent', ''],
		['already sent', renamed('Joes Piza')],
	]);
	expect(world.submissions()).toEqual(externalIds(3));
	rows[0] = { ...rows[0], 'External ID': 'crm-4' };
	expect(seen(await world.import({ rows, more }))[0]).toEqual(['COMPLETED', '']);
	expect(world.submissions()).toEqual(externalIds(4));
});

it.each([
	['Acme Trading LLC', 'Acme LLC', true],
	['Acme Trading, L.L.C.', 'ACME TRADING LLC', true],
	['Smyth Holdings LLC', 'Smith Holdings LLC', true],
	['Amce LLC', 'Acme LLC', true],
	['Jones Holdings LLC', 'Smith Holdings LLC', false],
	['First Bank of Iowa', 'First Bank of Ohio', false],
	['Fox Inc', 'Ant Inc', false],
])('%s, where %s was submitted: the result stays %s', async (now, before, stays) => {
	const more = { name: `${now} for ${before}` };
	await world.import({ rows: named(before, 'Other'), more });
	const [[status]] = seen(await world.import({ rows: named(now, 'Other'), more }));
	expect(status !== 'not sent').toBe(stays);
	expect(world.submissions()).toEqual(externalIds(2));
});

it('finds a row by its DBA, also where its name has another spelling or is gone', async () => {
	const more = { name: 'by DBA' };
	const rows = named('Umbrella Holdings', 'Initech').map((row) => ({ ...row, DBA: 'The Corner Cafe' }));
	await world.import({ rows, more });
	const again = rows.map((row, index) => ({ ...row, 'Business Name': index === 0 ? 'Something Else' : '' }));
	expect(seen(await world.import({ rows: again, more })).map(([, problem]) => problem)).toEqual(['', '']);
});

it('of a whole other list, no row is sent, and the hint says what to do', async () => {
	const more = { name: 'monthly' };
	await world.import({ rows: named('Acme LLC', 'Globex Inc'), more });
	const { hints, items } = await world.import({ rows: named('Stark Industries', 'Wayne Enterprises'), more });
	expect(seen({ items } as never)).toEqual([
		['not sent', taken('Acme LLC')],
		['not sent', taken('Globex Inc')],
	]);
	expect(hints).toEqual([
		"Nothing was sent or billed. Not sent: rows 2, 3. Each says why. If this is another list, use another 'Batch Name'.",
	]);
});

it('says nothing of a service that shows no names, but that it may be another list', async () => {
	world.sandbox.switches.echoBusinessName = false;
	onSecondOfMarch();
	const more = { name: 'nameless' };
	await world.import({ rows: named('Acme LLC', 'Globex Inc'), more });
	const { hints, items } = await world.import({ rows: named('Stark Industries', 'Wayne Enterprises'), more });
	expect(items.map(({ json }) => json.verificationProblem)).toEqual(['', '']);
	expect(hints).toEqual([
		"Nothing was sent or billed. 2 rows were already submitted under 'nameless' (first on 2026-03-02). If this is another list, use another 'Batch Name'.",
	]);
});

it('never doubts what the same run sent, whatever the service makes of a name', async () => {
	world.sandbox.faults.add({
		...{ method: 'GET', path: /batch-inquiries\/[^/]+\/inquiries$/, status: 200 },
		body: { total: 1, items: [{ id: 'i-1', externalId: 'crm-1', status: 'RUNNING', businessName: 'Legal Holdings' }] },
	});
	const { items, hints } = await world.import({ rows: named('Acme LLC'), more: { name: 'legal' } });
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual([['sent', '']]);
	expect(hints).toEqual([`1 row was sent and billed, in 1 batch. ${forResults}`]);
	expect(world.sandbox.requests.filter(({ method }) => method === post.method)).toHaveLength(1);
});
