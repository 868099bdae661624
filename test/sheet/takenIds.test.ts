import { Row as SheetRow } from '../../nodes/BusinessVerification/sheet/row';
import { externalIds, forResults, onSecondOfMarch, post, type Row, sheet, useWorld, world } from './importer';

// A left-over or shared External ID: the result under it is another company's, and the row says so.

useWorld({ planningMs: 0, runningMs: 0, enrichingMs: 0, echoBusinessName: true });

const named = (...names: string[]): Row[] =>
	sheet(names.length).map((row, index) => ({ ...row, 'Business Name': names[index] }));
const seen = ({ items }: Awaited<ReturnType<typeof world.import>>) =>
	items.map(({ json }) => [json.verificationStatus, json.verificationProblem]);

const shownAs = (name: string) =>
	`Under this External ID the service shows '${name}', and this is its result. If the row is another business, give it another External ID, which is billed.`;

it('a row says whose result it has, whether its business was replaced or its name corrected', async () => {
	onSecondOfMarch();
	const more = { name: 'left over', waitForCompletion: true };
	await world.import({ rows: named('Acme LLC', 'Globex Inc.', 'Joes Piza'), more });
	const rows = named('Completely Different Inc', 'GLOBEX  inc', "Joe's Pizza & Pasta");
	const again = await world.import({ rows, more });
	expect(seen(again)).toEqual([
		['COMPLETED', shownAs('Acme LLC')],
		['COMPLETED', ''],
		['COMPLETED', shownAs('Joes Piza')],
	]);
	expect(again.hints).toEqual([
		"Nothing was sent or billed. 3 rows were already submitted under 'left over' (first on 2026-03-02): 3 COMPLETED. Their results are those of the data submitted then: a row that has changed, or names another business, needs another External ID, which is billed.",
	]);
	const dry = await world.import({ rows, more: { name: 'left over', dryRun: true } });
	expect(seen(dry)).toEqual([
		['COMPLETED', shownAs('Acme LLC')],
		['COMPLETED', ''],
		['COMPLETED', shownAs('Joes Piza')],
	]);
	expect(world.submissions()).toEqual(externalIds(3));
	rows[0] = { ...rows[0], 'External ID': 'crm-4' };
	expect(seen(await world.import({ rows, more }))[0]).toEqual(['COMPLETED', '']);
	expect(world.submissions()).toEqual(externalIds(4));
});

it('finds a row by its DBA, also where its name has another spelling or is gone', async () => {
	const more = { name: 'by DBA' };
	const rows = named('Umbrella Holdings', 'Initech', 'Hooli').map((row) => ({ ...row, DBA: 'The Corner Cafe' }));
	await world.import({ rows, more });
	const again = rows.map((row, index) => ({ ...row, 'Business Name': index === 0 ? 'Something Else' : '' }));
	again[2].DBA = '';
	expect(seen(await world.import({ rows: again, more })).map(([, problem]) => problem)).toEqual([
		'',
		'',
		'Submitted before. Now wrong in the sheet: Business Name or a Business DBA is required.',
	]);
});

it('doubts no row without an ID, which is found by its data', () => {
	const row = new SheetRow(0, {});
	row.item = { businessName: 'Acme LLC' };
	const batch = { batchId: 'b-1', batchName: 'May', total: 1, ids: [] };
	row.isIn(batch, { businessName: 'Legal Holdings', businessDba: 'Acme Store' });
	expect(row.otherName).toBeUndefined();
	row.hasOwnId = true;
	expect(row.otherName).toBe('Legal Holdings');
});

it('says nothing of a service that shows no names, but that it may be another list', async () => {
	world.sandbox.switches.echoBusinessName = false;
	onSecondOfMarch();
	const more = { name: 'nameless' };
	await world.import({ rows: named('Acme LLC', 'Globex Inc'), more });
	const { hints, items } = await world.import({ rows: named('Stark Industries', 'Wayne Enterprises'), more });
	expect(items.map(({ json }) => json.verificationProblem)).toEqual(['', '']);
	expect(hints).toEqual([
		"Nothing was sent or billed. 2 rows were already submitted under 'nameless' (first on 2026-03-02). Their results are those of the data submitted then: a row that has changed, or names another business, needs another External ID, which is billed.",
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
