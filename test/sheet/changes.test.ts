import type { RunResult } from '../harness/inProcess';
import { errorsOf, externalIds, type Row, sheet, verificationsOf, World } from './importer';

let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.sandbox.close());
beforeEach(() => world.sandbox.reset());

type Mode = 'once' | 'keepInStep';
let imports = 0;

/** An import that runs again and again; what a run has sent is told by the external IDs in the ledger. */
function importer(importMode: Mode, options: Row = {}) {
	const name = `Sheet ${++imports}`;
	return async (rows: Row[], more: Row = {}): Promise<{ sent: string[]; run: RunResult }> => {
		const before = world.sandbox.ledger.length;
		const run = await world.import({ rows, more: { name, importMode, ...more }, options });
		return { run, sent: world.sandbox.ledger.slice(before).flatMap(({ keys = [] }) => keys.map(String)) };
	};
}

const corrected = (rows: Row[], ...numbers: number[]) =>
	rows.map((row, index) => (numbers.includes(index + 1) ? { ...row, City: 'Salem' } : row));
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `crm-${from + index}`);

it('sends one row when one row is added below 500', async () => {
	const run = importer('once');
	await run(sheet(500));
	const { sent, run: result } = await run(sheet(501));
	expect(sent).toEqual(['crm-501']);
	expect(verificationsOf(result).filter(({ reused }) => reused === false)).toEqual([
		expect.objectContaining({ row: 502, batchName: expect.stringMatching(/^Sheet \d+ 501-501 #/) }),
	]);
});

it('sends the corrected row alone when one bad row of 1,000 is corrected in a synced sheet', async () => {
	const name = `Sheet ${++imports}`;
	const rows = sheet(1_000).map((row, index) => (index === 9 ? { ...row, City: '' } : row));
	const run = (given: Row[]) =>
		world.import({ rows: given, more: { name, importMode: 'keepInStep' }, onError: 'continueErrorOutput' });
	expect(errorsOf(await run(rows)).map(({ itemIndex }) => itemIndex)).toEqual([9]);
	expect((await run(sheet(1_000))).failed).toEqual([]);
	expect(world.submissions()).toEqual(externalIds(1_000));
	expect(world.batchSizes().at(-1)).toBe(1);
});

describe('edits of an imported sheet of ten rows', () => {
	const rows = sheet(10);
	const edits: Array<[string, Row[], string[], boolean]> = [
		['unchanged', rows, [], false],
		['two rows added below', sheet(12), ids(11, 12), false],
		['two rows inserted on top', [...sheet(2, 11), ...rows], ids(11, 12), true],
		['rows 3 and 7 corrected', corrected(rows, 3, 7), ['crm-3', 'crm-7'], true],
		['rows 2 to 4 removed', [...rows.slice(0, 1), ...rows.slice(4)], [], true],
		['sorted the other way round', [...rows].reverse(), [], true],
		['columns moved', rows.map((row) => Object.fromEntries(Object.entries(row).reverse())), [], false],
		['a column added that is not sent', rows.map((row) => ({ ...row, Notes: 'called' })), [], false],
		['a blank row in between', [...rows.slice(0, 5), { City: ' ' }, ...rows.slice(5)], [], false],
		[
			'corrected, removed, moved and added at once',
			[...sheet(1, 11), ...corrected(rows, 9).slice(4)],
			['crm-11', 'crm-9'],
			true,
		],
	];

	it.each(edits)('sync: %s', async (_what, edited, expected) => {
		const run = importer('keepInStep');
		await run(rows);
		const { sent, run: result } = await run(edited);
		expect(sent).toEqual(expected);
		expect(result.error).toBeUndefined();
		expect((await run(edited)).sent).toEqual([]);
		// And back: what was there once is known.
		expect((await run(rows)).sent).toEqual([]);
	});

	it.each(edits)('once: %s', async (_what, edited, expected, isNoticed) => {
		const run = importer('once', { chunkSize: 4 });
		await run(rows);
		const writesBefore = world.sandbox.requests.filter(({ method }) => method === 'POST').length;
		const { sent, run: result } = await run(edited);
		expect(sent).toEqual(isNoticed ? [] : expected);
		if (!isNoticed) expect(result.error).toBeUndefined();
		else {
			expect(result.error?.message).toContain('The sheet changed since it was imported: the rows of batch ');
			for (const choice of [
				'Undo the changes',
				"another 'Batch Name'",
				'Sync With the Sheet',
				'If Rows Cannot Be Matched',
			]) {
				expect(result.error?.description).toContain(choice);
			}
			expect(world.sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(writesBefore);
		}
		expect((await run(rows)).sent).toEqual([]);
	});

	it.each<Mode>(['once', 'keepInStep'])('%s: another batch size changes nothing', async (mode) => {
		const name = `Sheet ${++imports}`;
		for (const chunkSize of [3, 250, 1]) {
			const { error } = await world.import({
				rows: sheet(10),
				more: { name, importMode: mode },
				options: { chunkSize },
			});
			expect(error).toBeUndefined();
		}
		expect(world.submissions()).toEqual(externalIds(10));
	});
});

it('sends what it cannot match if the user says so', async () => {
	const name = `Sheet ${++imports}`;
	const run = (rows: Row[]) => world.import({ rows, more: { name }, options: { ifUncertain: 'send', chunkSize: 5 } });
	await run(sheet(10));
	expect((await run(corrected(sheet(10), 7))).error).toBeUndefined();
	expect(world.batchSizes()).toEqual([5, 5, 5]);
	expect(world.submissions().get('crm-6')).toBe(2);
});

it('sends rows again whose batch was listed and has been deleted at the service since', async () => {
	const run = importer('once');
	await run(sheet(3));
	world.sandbox.reset();
	const { sent, run: result } = await run(sheet(3));
	expect(sent).toEqual(ids(1, 3));
	expect(verificationsOf(result).map(({ reused }) => reused)).toEqual([false, false, false]);
});

it('goes on from an import that was made once, as long as its rows are where they were', async () => {
	const run = importer('once');
	await run(sheet(10));
	expect((await run(sheet(12), { importMode: 'keepInStep' })).sent).toEqual(ids(11, 12));
	expect((await run(sheet(13))).sent).toEqual(['crm-13']);
	const { run: refused } = await run(corrected(sheet(13), 5), { importMode: 'keepInStep' });
	expect(refused.error?.message).toContain('The sheet changed since');
	expect(refused.error?.description).not.toContain('Sync With the Sheet');
	expect(world.submissions()).toEqual(externalIds(13));
});

it('asks before it sends nearly all of a synced sheet again', async () => {
	const run = importer('keepInStep');
	await run(sheet(300));
	const mapped = sheet(300).map((row) => ({ ...row, Zip: '02140' }));
	const { run: refused, sent } = await run(mapped);
	expect(refused.error?.message).toContain(
		'300 of 300 rows would be sent as new, although 300 rows of this import were already submitted',
	);
	expect(sent).toEqual([]);
	// It may grow, and lose most of its rows.
	expect((await run(sheet(900))).sent).toHaveLength(600);
	expect((await run([...sheet(20, 880), ...sheet(20, 901)])).sent).toEqual(ids(901, 920));
});

it.each([
	[4, 2],
	[5, 3],
])('reads the list before and after a synced sheet of %i rows: %i times', async (rows, times) => {
	const { sent } = await importer('keepInStep')(sheet(rows));
	expect(sent).toEqual(ids(1, rows));
	const lists = world.sandbox.requests.filter(
		({ method, path }) => method === 'GET' && path === '/v1/batch-inquiries/',
	);
	expect(lists).toHaveLength(times);
});

it('distinguishes businesses of one name in one city by EIN and address', async () => {
	const plain = { 'Business Name': 'Acme', City: 'Springfield', State: 'IL' };
	const rows = [
		{ ...plain, EIN: '12-3456789', Address: '' },
		{ ...plain, EIN: '98-7654321', Address: '' },
		{ ...plain, EIN: '', Address: '1 Main Street' },
		{ ...plain, EIN: '', Address: '2 Main Street' },
	];
	const { run } = await importer('once')(rows);
	expect(run.error).toBeUndefined();
	expect(world.batchSizes()).toEqual([4]);
	const repeated = await importer('once')([...rows, rows[1]]);
	expect(repeated.run.error?.description).toContain("Row 6: 'EIN' is the same as in row 3");
});

it.each<Mode>(['once', 'keepInStep'])(
	'%s: sends rows that repeat each other where the user wants each',
	async (mode) => {
		const run = importer(mode, { ifDuplicate: 'send' });
		const rows = [...sheet(2), ...sheet(2), ...sheet(1)];
		expect((await run(rows)).sent.sort()).toEqual(['crm-1', 'crm-1', 'crm-1', 'crm-2', 'crm-2']);
		expect((await run(rows)).sent).toEqual([]);
		expect((await run([...rows, ...sheet(1, 2)])).sent).toEqual(['crm-2']);
	},
);

it('lets rows leave as sent when the list cannot be read afterwards, and says what is not known', async () => {
	world.sandbox.faults.add({ method: 'GET', path: /batch-inquiries\/$/, skip: 1, times: 2, status: 500 });
	const name = `Sheet ${++imports}`;
	const run = await world.import({ rows: sheet(600), more: { name }, onError: 'continueErrorOutput' });
	expect(run.failed).toEqual([]);
	expect(run.items).toHaveLength(600);
	expect(verificationsOf(run)[0]).toMatchObject({
		batchId: world.sandbox.ledger[0].id,
		reused: false,
		warnings: [expect.stringMatching(/^Sent, but the list of batches could not be read afterwards \(.*500/)],
	});
	await world.import({ rows: sheet(600), more: { name } });
	expect(world.submissions()).toEqual(externalIds(600));
});

it.each<Mode>(['once', 'keepInStep'])(
	'%s: n8n tries again with a name that is another one each time',
	async (importMode) => {
		// The second batch gets no answer, but the service has it.
		world.sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', skip: 1, after: true, drop: true });
		world.sandbox.faults.add({ method: 'POST', path: '/v1/batch-inquiries/', skip: 2, status: 400 });
		await world.import({
			rows: sheet(12),
			more: { name: '={{ "March " + Math.random() }}', importMode },
			options: { chunkSize: 3, concurrency: 1 },
			retryOnFail: true,
		});
		expect([...world.submissions().values()].filter((times) => times > 1)).toEqual([]);
	},
);
