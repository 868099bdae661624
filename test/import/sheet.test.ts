import * as fc from 'fast-check';
import { collectHeaders, planColumns } from '../../nodes/BusinessVerification/import/columns';
import { BatchRecognition } from '../../nodes/BusinessVerification/import/recognition';
import { checkSheet } from '../../nodes/BusinessVerification/import/sheet';
import type { ImportSettings } from '../../nodes/BusinessVerification/import/sheet';
import { validateInquiry } from '../../nodes/BusinessVerification/import/validation';

type Rows = Array<Record<string, unknown>>;

const check = (rows: Rows, settings: Partial<ImportSettings> = {}) =>
	checkSheet(rows, planColumns(collectHeaders(rows)), { name: 'May', ...settings });
const business = (index: number, more: object = {}) => ({
	Name: `Acme ${index}`,
	City: 'Springfield',
	State: 'IL',
	...more,
});
const businesses = (count: number) => Array.from({ length: count }, (_, index) => business(index));

describe('bad rows', () => {
	test('all are reported together, with row, header and reason', () => {
		const rows = [
			business(1, { 'Principal 2 Last Name': 'Smith', 'Principal 2 DOB': '3/4/1990', 'Lic. No': 7 }),
			business(2, { City: ' ' }),
			business(3),
			business(4, { 'Principal 2 DOB': 32874, Zip: 0 }),
			business(5, { 'License 1 ID': 7 }),
			business(6, { principals: '[{"firstName":"Nathan"}]' }),
		];
		expect(check(rows).problems).toEqual([
			{
				row: 1,
				column: 'Principal 2 DOB',
				reason: 'is an ambiguous date (day or month first?); write it YYYY-MM-DD or choose the date order',
			},
			{ row: 2, column: 'City', reason: 'is required' },
			{ row: 4, column: 'Zip', reason: 'is a number that cannot be a ZIP code' },
			{ row: 4, column: 'Principal 2 Last Name', reason: 'is required' },
			{ row: 5, column: 'license1_license_name', reason: 'is required' },
			{ row: 5, column: 'license1_license_state', reason: 'is required' },
			{ row: 5, column: 'license1_license_category', reason: 'is required' },
			{ row: 6, column: 'principals', reason: 'is required' },
		]);
		expect(check(rows).chunks.map((chunk) => chunk.rows)).toEqual([[3]]);
	});

	test('a cell that cannot be read is not also called missing', () => {
		expect(check([business(1, { City: new Date(0) }), business(2)]).problems).toEqual([
			{ row: 1, column: 'City', reason: 'is a date where text is expected' },
		]);
	});

	test('without a required column every row is bad, also a blank one', () => {
		expect(
			check([{ Name: 'Acme', City: 'Springfield' }, { Name: '' }]).problems.map(({ row, column }) => [row, column]),
		).toEqual([
			[1, 'businessState'],
			[2, 'Name'],
			[2, 'City'],
			[2, 'businessState'],
		]);
	});

	test('rows with nothing in a mapped column are blank, not bad', () => {
		const report = check([business(1), { Name: '', City: null, State: '  ', row_number: 3 }, {}, business(2)]);
		expect(report).toMatchObject({ problems: [], blankRows: [2, 3], chunks: [{ rows: [1, 4] }] });
	});
});

describe('duplicates', () => {
	test('by external ID, exactly as written', () => {
		const rows = [
			business(1, { 'External ID': 'a1' }),
			business(1, { 'External ID': 'A1' }),
			business(9, { 'External ID': 'a1' }),
		];
		expect(check(rows).problems).toEqual([
			{ row: 3, column: 'External ID', reason: 'is the external ID of row 1 too' },
		]);
	});

	test('else by name, state and city, in any case', () => {
		const rows = [
			{ Name: 'Acme', DBA: '', City: 'Springfield', State: 'IL' },
			{ Name: ' ACME', DBA: '', City: 'springfield', State: 'il' },
			{ Name: 'Acme', DBA: '', City: 'Chicago', State: 'IL' },
			{ Name: '', DBA: 'acme', City: 'Springfield', State: 'IL' },
		];
		const reason = 'is the business of row 1 too: same name, state and city';
		expect(check(rows).problems).toEqual([
			{ row: 2, column: 'Name', reason },
			{ row: 4, column: 'DBA', reason },
		]);
	});

	test('a bad row does not make a good one a duplicate', () => {
		const rows = [business(1, { 'External ID': 'a', City: '' }), business(1, { 'External ID': 'a' })];
		expect(check(rows)).toMatchObject({ problems: [{ row: 1, column: 'City' }], chunks: [{ rows: [2] }] });
	});
});

describe('changes and checks', () => {
	test('changes are counted by column, with the first row', () => {
		const rows = [
			business(1, { Zip: '62701' }),
			business(2, { Zip: 2139 }),
			business(3, { Zip: 2140, Name: ' Best ' }),
			business(4, { Zip: '' }),
		];
		expect(check(rows).changes).toEqual([
			{ column: 'Name', change: 'trimmed', cells: 1, firstRow: 3 },
			{ column: 'Zip', change: 'blankDropped', cells: 1, firstRow: 4 },
			{ column: 'Zip', change: 'zerosRestored', cells: 2, firstRow: 2 },
		]);
	});

	test('checks count only rows that would be sent', () => {
		const rows = [
			business(1, { Email: 'a@example.com' }),
			business(2, { Email: 'b@example.com', City: '' }),
			business(3),
		];
		expect(check(rows).checks.find(({ check }) => check === 'email verification')).toMatchObject({ rows: 1, times: 1 });
	});
});

describe('chunks', () => {
	test('hold 250 rows, or as many as asked', () => {
		expect(check(businesses(501)).chunks.map(({ rows }) => rows.length)).toEqual([250, 250, 1]);
		expect(check(businesses(10), { chunkSize: 4 }).chunks.map(({ rows }) => rows)).toEqual([
			[1, 2, 3, 4],
			[5, 6, 7, 8],
			[9, 10],
		]);
		expect(check([]).chunks).toEqual([]);
		expect(() => check([], { chunkSize: 0 })).toThrow(RangeError);
	});

	test('are named by import, place and rows', () => {
		const names = check(businesses(5), { chunkSize: 2 }).chunks.map(({ name }) => name);
		expect(names).toEqual([
			expect.stringMatching(/^May 1\/3 #[0-9a-f]{10}$/),
			expect.stringMatching(/^May 2\/3 #[0-9a-f]{10}$/),
			expect.stringMatching(/^May 3\/3 #[0-9a-f]{10}$/),
		]);
		expect(check(businesses(5), { chunkSize: 2 }).chunks.map(({ name }) => name)).toEqual(names);
	});

	test('keep the name these rows have always had: a new version must find the batches of the old', () => {
		const [chunk] = check([business(1, { Zip: 2139 })]).chunks;
		// First ten digits of the SHA-256 of {"businessName":"Acme 1","businessCity":"Springfield","businessState":"IL","businessZip":"02139"} and a line feed.
		expect(chunk.name).toBe('May 1/1 #cd79041856');
	});

	test('change their name with a cell that is sent, with the mapping and with the setting; not with one that is ignored', () => {
		const name = (rows: Rows, settings: Partial<ImportSettings> = {}) => check(rows, settings).chunks[0].name;
		const license = { 'License 1 Name': 'A', 'License 1 ID': '7', 'License 1 State': 'IL', 'License 1 Category': 'x' };
		const base = name([business(1, license)]);
		expect(name([business(1, { ...license, Notes: 'call back' })])).toBe(base);
		expect(name([business(1, { ...license, Zip: 62701 })])).not.toBe(base);
		expect(name([business(1, license)], { licenseKeys: 'camelCase' })).not.toBe(base);
		expect(name([business(2, license)])).not.toBe(base);
	});
});

describe('recognising batches', () => {
	const { chunks } = check(businesses(5), { chunkSize: 2 });
	const [first, second, third] = chunks;

	test('by exact name and total', () => {
		const recognition = new BatchRecognition(chunks);
		const taken = { batchId: '1', batchName: second.name, total: 2 };
		recognition.see({ batchId: '7', batchName: null, total: 2 });
		recognition.see({ batchId: '8', batchName: `${first.name} `, total: 2 });
		recognition.see({ total: 2 });
		recognition.see(taken);
		expect([...recognition.found]).toEqual([[second, taken]]);
		expect(recognition.complete).toBe(false);
		recognition.see({ batchId: '2', batchName: first.name, total: 2 });
		recognition.see({ batchId: '3', batchName: third.name, total: 1 });
		expect(recognition.complete).toBe(true);
	});

	test('another total is not ours, a second batch is a double, the same on two pages is not', () => {
		const recognition = new BatchRecognition(chunks);
		const short = { batchId: '1', batchName: first.name, total: 1 };
		const whole = { batchId: '2', batchName: first.name, total: 2 };
		const again = { batchId: '3', batchName: first.name, total: 2 };
		for (const batch of [short, whole, whole, again]) recognition.see(batch);
		expect(recognition.found.get(first)).toBe(whole);
		expect(recognition.differing).toEqual([{ chunk: first, batch: short }]);
		expect(recognition.doubled).toEqual([{ chunk: first, batch: again }]);
	});
});

describe('whatever the cells hold', () => {
	const secret = '987654321';
	const cell = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom<unknown>(
			'',
			'  ',
			null,
			undefined,
			'=1+1',
			'+cmd',
			'#REF!',
			'[{"lastName":"Smith"}]',
			'{}',
			'Acme',
			'IL',
			secret,
			Number(secret),
		),
		fc.integer({ min: 0, max: 99_999 }),
		fc.double(),
		fc.bigInt(),
		fc.boolean(),
		fc.date({ noInvalidDate: false }),
		fc.constant('x'.repeat(40_000)),
		fc.array(fc.string()),
		fc.jsonValue(),
	);
	const header = fc.constantFrom(
		'Name',
		'Business Name',
		'DBA',
		'City',
		'State',
		'EIN',
		'Tax ID',
		'Zip',
		'Website',
		'Tags',
		'External ID',
		'principals',
		'licenses',
		'Principal 1 Last Name',
		'Principal 1 DOB',
		'principal_2_last_name',
		'Principal 2 Ownership',
		'Principal 2 Search NPI',
		'License 1 ID',
		'License 1 Name',
		'License 1 State',
		'License 1 Category',
		'Notes',
		'__proto__',
		'',
	);
	const mostlyGood = fc
		.tuple(fc.dictionary(header, cell, { maxKeys: 4 }), fc.integer({ min: 0, max: 30 }), fc.boolean())
		.map(([cells, index, good]) => (good ? { ...cells, ...business(index) } : cells));
	const sheet = fc.array(mostlyGood, { maxLength: 25 });
	const options = { numRuns: 100 };

	test('every row is in one chunk, reported, or blank; the order is kept; what is sent keeps the rules', () => {
		fc.assert(
			fc.property(sheet, fc.integer({ min: 1, max: 7 }), (rows, chunkSize) => {
				const plan = planColumns(collectHeaders(rows));
				const settings: ImportSettings = { name: 'May', chunkSize };
				const report = checkSheet(rows, plan, settings);
				const sent = report.chunks.flatMap((chunk) => chunk.rows);
				const bad = [...new Set(report.problems.map(({ row }) => row))];
				for (const list of [sent, bad, report.blankRows]) expect(list).toEqual([...list].sort((a, b) => a - b));
				expect([...sent, ...bad, ...report.blankRows].sort((a, b) => a - b)).toEqual(rows.map((_, index) => index + 1));
				for (const [place, chunk] of report.chunks.entries()) {
					const items = chunk.items();
					expect(items.flatMap(validateInquiry)).toEqual([]);
					expect(chunk.rows.length).toBe(place < report.chunks.length - 1 ? chunkSize : items.length);
				}
			}),
			options,
		);
	});

	test('the same sheet always gives the same chunks, and is left as it was', () => {
		fc.assert(
			fc.property(sheet, (rows) => {
				const copy = structuredClone(rows);
				const seen = (sheet: Rows) => ({
					...check(sheet),
					chunks: check(sheet).chunks.map(({ name, rows: numbers }) => ({ name, numbers })),
				});
				const once = seen(rows);
				expect(seen(rows)).toEqual(once);
				expect(seen(copy)).toEqual(once);
				expect(rows).toEqual(copy);
			}),
			options,
		);
	});

	test('nothing is invented and nothing lost: text that is sent is the trimmed cell', () => {
		const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !value.startsWith('#'));
		const columns = {
			Name: 'businessName',
			City: 'businessCity',
			State: 'businessState',
			Phone: 'businessPhone',
			'External ID': 'externalId',
		};
		const row = fc.record(Object.fromEntries(Object.keys(columns).map((name) => [name, fc.option(text)])));
		fc.assert(
			fc.property(fc.array(row, { minLength: 1, maxLength: 10 }), (rows) => {
				const plan = planColumns(Object.keys(columns));
				for (const chunk of checkSheet(rows, plan, { name: 'May' }).chunks) {
					for (const [place, item] of chunk.items().entries()) {
						const cells = Object.entries(rows[chunk.rows[place] - 1])
							.map(([name, value]) => [columns[name as keyof typeof columns], value?.trim()])
							.filter(([, value]) => value);
						expect(item).toEqual(Object.fromEntries(cells));
					}
				}
			}),
			options,
		);
	});

	test('no reason repeats what a cell holds', () => {
		const marked = fc.constantFrom<unknown>(
			secret,
			Number(secret),
			-Number(secret),
			`${secret}x`,
			[secret],
			{ [secret]: secret },
			`[${secret}]`,
			`{"lastName":${secret}}`,
		);
		fc.assert(
			fc.property(fc.array(fc.dictionary(header, marked, { maxKeys: 6 }), { maxLength: 6 }), (rows) => {
				expect(JSON.stringify(check(rows).problems)).not.toContain(secret);
			}),
			options,
		);
	});
});
