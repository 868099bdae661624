import { numberIn } from '../../nodes/BusinessVerification/sheet/batches';
import {
	anotherSheet,
	anyway,
	asReturned,
	billed,
	externalIds,
	importing,
	type Row,
	sheet,
	twice,
	useWorld,
	withoutIds,
	world,
} from './importer';

useWorld();

const noneShown = 'Not sent. The service shows no external IDs, so a later run cannot match the rows';
const otherName = "Import only the new rows, with another 'Batch Name'.";
const onlyNew = 'From now on, import only rows that were not submitted.';

describe('what a service makes of external IDs', () => {
	it('sends no row without an ID again, however many others were corrected before', async () => {
		world.sandbox.switches.externalIdStored = 'upperCase';
		const run = importing();
		const corrected = (zip: number) => withoutIds(sheet(4)).map((row) => ({ ...row, Zip: `0214${zip}` }));
		for (let zip = 1; zip <= 5; zip++) await run(corrected(zip));
		expect(billed()).toBe(20);
		const { error } = await run(corrected(5));
		expect(error?.message).toMatch(
			/^External IDs differ from those of earlier runs: 'row-\w+' here, 'ROW-\w+' in the service$/,
		);
		expect([error?.description, billed()]).toEqual([`Nothing new was sent. ${asReturned} ${anyway}`, 20]);
	});

	const url = (index: number) => `https://crm.example/companies/of/the/spring/campaign/${index}`;
	it.each([
		['upperCase', 'crm-1', 'CRM-1', (index: number) => `crm-${index + 1}`],
		['number', '001', '1', (index: number) => `00${index + 1}`],
		['cut', url(0), url(0).slice(0, 40), url],
		['dropped', 'crm-1', undefined, (index: number) => `crm-${index + 1}`],
	] as const)(
		'%s: stops after the first batch, and sends nothing in later runs',
		async (stored, sent, returned, idOf) => {
			world.sandbox.switches.externalIdStored = stored;
			const rows = sheet(10).map((row, index) => ({ ...row, 'External ID': idOf(index) }));
			const run = importing();
			const first = await run(rows);
			expect([first.error?.message, first.error?.description]).toEqual([
				returned === undefined
					? noneShown
					: `Not sent. The service changes external IDs: sent '${sent}', the service returned '${returned}'`,
				`${returned === undefined ? onlyNew : asReturned} ${anyway} 4 of 10 rows were submitted.`,
			]);
			for (const again of [rows, [...rows].reverse(), rows.slice(1)]) {
				const later = await run(again);
				expect(later.error?.description).toBe(
					`Nothing new was sent. ${returned === undefined ? otherName : asReturned} ${anyway}`,
				);
			}
			expect([billed(), twice()]).toEqual([4, []]);
			const all = await importing()(rows, { options: { ifUncertain: 'send' } });
			expect([all.error, billed()]).toEqual([undefined, 14]);
		},
	);

	it('is seen in the batch that is the first one accepted', async () => {
		world.sandbox.switches.externalIdStored = 'upperCase';
		world.sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', status: 400 });
		const { error } = await importing()(sheet(20));
		expect([error?.message, billed()]).toEqual([
			"Not sent. The service changes external IDs: sent 'crm-5', the service returned 'CRM-5'",
			4,
		]);
	});

	it('a sheet of one batch says so', async () => {
		world.sandbox.switches.externalIdStored = 'upperCase';
		const run = importing();
		const { hints, error } = await run(sheet(3));
		expect([error, hints]).toEqual([
			undefined,
			[
				'3 rows were sent and billed, in 1 batch.',
				`The service changes external IDs: sent 'crm-1', the service returned 'CRM-1'. ${asReturned} ${anyway}`,
			],
		]);
		expect((await run(sheet(3))).error?.message).toBe(
			"External IDs differ from those of earlier runs: 'crm-1' here, 'CRM-1' in the service",
		);
		expect(billed()).toBe(3);
	});

	it('also when n8n tries the node again', async () => {
		world.sandbox.switches.externalIdStored = 'upperCase';
		const { error } = await importing()(sheet(20), { retryOnFail: true });
		expect([error?.message, billed()]).toEqual([
			"Not sent. The service changes external IDs: sent 'crm-1', the service returned 'CRM-1'",
			4,
		]);
	});

	it('goes on once the sheet has the IDs as the service returns them', async () => {
		world.sandbox.switches.externalIdStored = 'upperCase';
		const run = importing();
		const { hints } = await run(sheet(6), { onError: 'continueErrorOutput' });
		expect(hints[1]).toBe(
			`4 rows were sent and billed, in 1 batch. Not sent: items 5, 6. Each says why. The service changes external IDs: sent 'crm-1', the service returned 'CRM-1'. ${asReturned} ${anyway}`,
		);
		const { error } = await run(
			sheet(10).map((row) => ({ ...row, 'External ID': String(row['External ID']).toUpperCase() })),
		);
		expect([error, billed()]).toEqual([undefined, 10]);
	});

	const withIds = (ids: string[]) => ids.map((id) => ({ ...sheet(1)[0], 'External ID': id }));
	const long = (index: number) => `${index}.crm.example/companies/of/the/spring/campaign`;
	it.each([
		['upperCase', 'crm-4', 'CRM-4'],
		['number', '005', '5'],
		['cut', long(3), long(3).slice(0, 40)],
	] as const)('%s: is seen if the sheet keeps one of the rows that were sent', async (stored, sent, returned) => {
		world.sandbox.switches.externalIdStored = stored;
		const run = importing();
		const options = { chunkSize: 10 };
		await run(withIds(['CRM-1', '22', long(3), 'crm-4', '005', long(6), 'CRM-7']), { options });
		const { error } = await run(withIds(['31', '32', '33', sent]), { options: { chunkSize: 1 } });
		expect(error?.message).toBe(
			`External IDs differ from those of earlier runs: '${sent}' here, '${returned}' in the service`,
		);
		expect([billed(), twice()]).toEqual([7, []]);
	});

	it.each([
		['zeros', ['0015', '0016', '0107'], ['15', '16', '107', '201']],
		['hyphens', ['a-1', 'a-2', 'b-3'], ['a1', 'a2', 'b3', 'b4']],
		['zeros behind hyphens', ['2026-001', '2026-002', '2026-010'], ['2026-1', '2026-2', '2026-10', '2026-11']],
		['hyphens before zeros', ['9-0a2', '9-0a3', '9-0a4'], ['90a2', '90a3', '90a4', '90a5']],
		[
			'hyphens, of more than 16 letters',
			['abcdefgh-ijklmnop-1', 'b-1', 'c-1'],
			['abcdefghijklmnop1', 'b1', 'c1', 'd1'],
		],
		['capitals', ['A-1', 'A-2', 'B-3'], ['a-1', 'a-2', 'b-3', 'b-4']],
		['small letters', ['a-1', 'a-2', 'b-3'], ['A-1', 'A-2', 'B-3', 'B-4']],
		['spaces', ['a 1', 'a 2', 'b 3'], ['a1', 'a2', 'b3', 'b4']],
		['dots', ['a.1', 'a.2', 'b.3'], ['a1', 'a2', 'b3', 'b4']],
		['whole numbers', ['4000', '4711', '4800'], ['4000.00', '4711.00', '4800.00', '4900.00']],
	])('keeps them, but the sheet has lost its %s: refused', async (_, ids, without) => {
		const run = importing();
		await run(withIds(ids));
		const { error } = await run(withIds(without));
		expect([error?.message, billed()]).toEqual([
			`External IDs differ from those of earlier runs: '${without[0]}' here, '${ids[0]}' in the service`,
			3,
		]);
	});

	it('keeps them: new rows may have IDs that look like those of earlier rows', async () => {
		const run = importing();
		const page = (index: number) => `https://crm.example/${index}`;
		await run(withIds(['0015A', '0015b', ...Array.from({ length: 9 }, (_, index) => page(index + 1))]));
		const { error } = await run(withIds(['0015a', '0015B', page(10)]));
		expect([error, billed()]).toEqual([undefined, 14]);
	});

	it.each([{}, { listRowsExternalId: false }])(
		'rows without external IDs: the list or the records are read %s',
		async (switches) => {
			Object.assign(world.sandbox.switches, { batchRowsExternalId: false, ...switches });
			const run = importing();
			await run(sheet(40));
			world.sandbox.clock.advance(60_000);
			await run([...sheet(41)].reverse());
			world.sandbox.requests.clear();
			await run(sheet(41));
			expect(world.submissions()).toEqual(externalIds(41));
			const records = world.sandbox.requests.filter(({ path }) => /^\/v1\/inquiries\/.+/.test(path));
			expect(records).toHaveLength('listRowsExternalId' in switches ? 41 : 0);
		},
	);

	it.each([
		['onlyPrinted', { batchRowsShape: 'onlyPrinted' }],
		['no IDs', { batchRowsExternalId: false, batchRowsId: 'none' }],
	])('shows none (%s): stops after the first batch, and sends no row again', async (_, switches) => {
		Object.assign(world.sandbox.switches, switches);
		const run = importing();
		const first = await run(sheet(10));
		expect(first.error?.message).toBe(noneShown);
		const second = await run(sheet(10));
		expect(second.error?.message).toMatch(
			/^The service shows no external IDs for batch 'import \d+', so its rows cannot be matched$/,
		);
		expect(second.error?.description).toBe(`Nothing new was sent. ${otherName} ${anyway}`);
		expect(billed()).toBe(4);
		const all = await importing()(sheet(10), { options: { ifUncertain: 'send' } });
		expect([all.hints, billed()]).toEqual([['10 rows were sent and billed, in 3 batches.'], 14]);
	});

	it.each([3, 300])('the column of external IDs of %s rows is gone: refused', async (count) => {
		const run = importing();
		await run(sheet(count));
		const { error } = await run(withoutIds(sheet(count)));
		expect([error?.message, error?.description]).toEqual([
			`Only 0 of the ${count} rows without an external ID are among the ${count} rows submitted before whose IDs are not in the sheet`,
			`Nothing new was sent. ${anotherSheet} ${anyway}`,
		]);
		expect(billed()).toBe(count);
		// Not that of all rows: some are new, and have none.
		await run([...sheet(count), ...withoutIds(sheet(2, 1_001))]);
		expect([billed(), twice()]).toEqual([count + 2, []]);
	});
});

it.each(['id', 'batch_id', 'batchId'] as const)(
	'a list whose rows call the ID of a batch %s, and its name otherwise',
	async (batchIdKey) => {
		for (const batchNameKey of ['batchName', 'name', 'none'] as const) {
			world.sandbox.reset();
			Object.assign(world.sandbox.switches, { batchIdKey, batchNameKey, batchListCounts: batchNameKey !== 'name' });
			const run = importing();
			await run(sheet(10));
			await run([...sheet(12)].reverse());
			expect(world.submissions()).toEqual(externalIds(12));
		}
	},
);

describe('names of batches', () => {
	it.each([
		['May', 1],
		['MAY ', 1],
		['May · 12', 12],
		// The service cut the number.
		['May · ', 0],
		['May ·', 0],
		['May 2', undefined],
		['May · 2b', undefined],
		['Mayor', undefined],
		['', undefined],
	])("'%s' is number %s of the import 'may'", (name, number) => {
		expect(numberIn(' may', name)).toBe(number);
	});

	it('are the one of the import, and numbered', async () => {
		world.sandbox.switches.uniqueBatchNames = true;
		const run = importing();
		await run(sheet(2));
		await run(sheet(10));
		const { error } = await run([...sheet(1), ...sheet(4, 11)]);
		expect(error).toBeUndefined();
		const numbers = world.sandbox.ledger.map(({ key }) => String(key).replace(/^import \d+/, ''));
		expect(numbers).toEqual(['', ' · 2', ' · 3', ' · 4']);
	});

	it.each(['upperCase', 'dropped'] as const)('that come back %s', async (batchNameStored) => {
		world.sandbox.switches.batchNameStored = batchNameStored;
		const run = importing();
		const first = await run(sheet(10));
		expect(first.error).toBeUndefined();
		await run([...sheet(12)].reverse());
		expect(world.submissions()).toEqual(externalIds(12));
	});

	it.each([
		['stamped', 'Spring', 'Spring (2)'],
		['cut', 'Leads of the spring campaign, all states, all agencies', 'Leads of the spring campaign, all states'],
	] as const)('that come back %s: says which one to use', async (batchNameStored, name, stored) => {
		world.sandbox.switches.batchNameStored = batchNameStored;
		const run = (name: string, rows: Row[]) =>
			world.import({ rows, more: { name }, options: { chunkSize: 4 }, retryOnFail: true });
		const { error } = await run(name, sheet(10));
		expect([error?.message, error?.description]).toEqual([
			`Not sent. The service renamed a batch to '${stored}', so a later run could not find it`,
			`From now on, use this name as 'Batch Name', so that its rows are matched. ${anyway} 4 of 10 rows were submitted.`,
		]);
		expect(billed()).toBe(4);
		const all = { rows: sheet(10), more: { name: `All ${name}` }, options: { chunkSize: 4, ifUncertain: 'send' } };
		if (batchNameStored === 'stamped') return expect((await world.import(all)).error).toBeUndefined();
		const second = await run(stored, sheet(10));
		expect([second.error, billed(), twice()]).toEqual([undefined, 10, []]);
		await run(stored, sheet(12));
		expect(world.submissions()).toEqual(externalIds(12));
	});

	it('that lose our sign: says that a later run finds the first batch alone', async () => {
		world.sandbox.switches.batchNameStored = 'ascii';
		const run = () => world.import({ rows: sheet(8), more: { name: 'Ascii' }, options: { chunkSize: 4 } });
		const { error, hints } = await run();
		expect([error, billed()]).toEqual([undefined, 8]);
		expect(hints).toEqual([
			'8 rows were sent and billed, in 2 batches.',
			`The service renamed a batch to 'Ascii  2', so a later run could not find it. From now on, import only rows that were not submitted. ${anyway}`,
		]);
	});

	it('of "March leads" beside "March leads 2": each has its rows', async () => {
		const run = (name: string) => world.import({ rows: sheet(3), more: { name } });
		await run('beside 2');
		await run('beside');
		expect(billed()).toBe(6);
		await run('beside 2');
		await run('beside');
		expect(billed()).toBe(6);
	});
});
