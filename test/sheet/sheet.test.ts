import fc from '../harness/seed';
import { collectHeaders, planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { checkSheet } from '../../nodes/BusinessVerification/sheet/check';
import type { ImportSettings } from '../../nodes/BusinessVerification/sheet/check';
import { missingIn } from '../../nodes/BusinessVerification/inquiry/newInquiry';
import type { Batch, Row } from '../../nodes/BusinessVerification/sheet/row';
import { unclearIn } from '../../nodes/BusinessVerification/sheet/sending';
import type { Submitted } from '../../nodes/BusinessVerification/sheet/submitted';
import { finished } from './finished';

const may = { name: 'May', dateOrder: 'report' } as const;

type Rows = Array<Record<string, unknown>>;

/** Rows by their positions in the sheet, from 1. */
function check(rows: Rows, settings: Partial<ImportSettings> = {}) {
	const report = finished(checkSheet(rows, planColumns(collectHeaders(rows)), { ...may, ...settings }));
	const { good } = report;
	const of = ({ index }: Row) => index + 1;
	return {
		rows: report.rows.length,
		perhapsSent: report.perhapsSent.map(of),
		good: { numbers: good.map(of), items: good.map(({ item }) => item) },
		problems: report.rows.flatMap((row) => row.problems.map((problem) => ({ row: of(row), ...problem }))),
		blankRows: report.rows.filter(({ isBlank }) => isBlank).map(of),
	};
}
const business = (index: number, more: object = {}) => ({
	Name: `Acme ${index}`,
	City: 'Springfield',
	State: 'IL',
	...more,
});

describe('bad rows', () => {
	test('all are reported together, with row, header and reason', () => {
		const rows = [
			business(1, { 'Principal 2 Last Name': 'Smith', 'Principal 2 DOB': '3/4/1990', 'Lic. No': 7 }),
			business(2, { City: ' ' }),
			business(3),
			business(4, { 'Principal 2 DOB': 32874, Zip: 0 }),
			business(5, { 'License 1 ID': 7, 'License 1 Name': '', 'License 1 State': null, 'License 1 Category': ' ' }),
			business(6, { principals: '[{"firstName":"Nathan"}]' }),
			business(7, {
				principals: '[{"lastName":"Lee"}]',
				'Principal 2 Last Name': null,
				'Principal 2 DOB': '1990-04-03',
			}),
		];
		expect(check(rows).problems).toEqual([
			{
				row: 1,
				column: 'Principal 2 DOB',
				reason:
					"is an ambiguous date (day or month first?); write it YYYY-MM-DD, or choose 'Date Order' in the sheet options",
			},
			{ row: 2, column: 'City', reason: 'is required' },
			{ row: 4, column: 'Zip', reason: 'is a number that cannot be a ZIP code' },
			{ row: 4, column: 'Principal 2 Last Name', reason: 'is required' },
			{ row: 5, column: 'License 1 Name', reason: 'is required' },
			{ row: 5, column: 'License 1 State', reason: 'is required' },
			{ row: 5, column: 'License 1 Category', reason: 'is required' },
			{ row: 6, column: 'Principal 1: Last Name', reason: 'is required' },
			{ row: 7, column: 'Principal 2 Last Name', reason: 'is required' },
		]);
		expect(check(rows)).toMatchObject({ good: { numbers: [3] }, perhapsSent: [3] });
	});

	test('principals in JSON are read by their kinds in either spelling', () => {
		const principal = (more: object) => JSON.stringify([{ last_name: 7, principal_type: ' Owner ', ...more }]);
		const rows = [
			business(1, { principals: principal({ dob: '3/1/1990', searchNpi: 'yes', npi: 1234567893 }) }),
			business(2, { principals: principal({ dob: '1990-02-30' }) }),
			business(3, { principals: principal({ search_npi: 'perhaps', zip5: 2139 }) }),
		];
		const { good, problems } = check(rows, { dateOrder: 'dayFirst' });
		expect(good.items.map(({ principals }) => principals)).toEqual([
			[{ dob: '1990-01-03', last_name: '7', npi: '1234567893', principal_type: 'Owner', searchNpi: true }],
		]);
		expect(problems).toEqual([
			{ row: 2, column: 'principals', reason: expect.stringContaining('YYYY-MM-DD') },
			{ row: 3, column: 'principals', reason: "entry 1: 'search_npi' is neither yes nor no" },
		]);
	});

	test('a cell that cannot be read is not also called missing', () => {
		expect(check([business(1, { City: new Date(0) }), business(2)]).problems).toEqual([
			{ row: 1, column: 'City', reason: 'is not text' },
		]);
	});
});

test('a repeated header is no business, also where its first cell is empty', () => {
	const header = { 'External ID': '', Name: 'name', City: 'CITY', State: 'State' };
	expect(check([business(1, { 'External ID': 'a' }), header])).toMatchObject({ blankRows: [2], problems: [] });
});

test('rows have the numbers of the sheet only if each says its own', () => {
	const placesOf = (rows: Rows) =>
		finished(checkSheet(rows, planColumns(collectHeaders(rows)), may)).rows.map(({ place }) => place);
	const [one, two] = [business(1, { row_number: 7 }), business(2)];
	expect(placesOf([one, { ...two, row_number: 9 }])).toEqual(['row 7', 'row 9']);
	for (const row_number of [undefined, 0, 1.5])
		expect(placesOf([one, { ...two, row_number }])).toEqual(['item 1', 'item 2']);
});

describe('duplicates', () => {
	test('by external ID, in the same case', () => {
		const rows = [
			business(1, { 'External ID': 'a1' }),
			business(1, { 'External ID': 'A1' }),
			{ 'External ID': 'a1', Name: 'ACME, 1', DBA: 'Shop', City: 'springfield', State: 'Illinois', Zip: '62701' },
		];
		expect(check(rows).problems).toEqual([{ row: 3, column: 'External ID', reason: 'is the same as in item 1' }]);
	});

	test('not if the businesses differ: then no row with the ID is sent, or matched with what was sent before', () => {
		const shared = { 'External ID': 'a1' };
		for (const other of [
			{ Name: 'Beta' },
			{ City: 'Chicago' },
			{ State: 'OR' },
			{ State: 'Ontario' },
			{ Name: 'Beta', City: '' },
			{ Name: '', DBA: 'Beta' },
		]) {
			const rows = [business(1, shared), business(2, { 'External ID': 'a2' }), business(1, { ...shared, ...other })];
			const { problems, perhapsSent } = check(rows);
			const reason = 'is the same in items 1, 3, but the businesses differ, so none is sent or gets an earlier result';
			expect(problems.filter(({ column }) => column === 'External ID')).toEqual(
				[1, 3].map((row) => ({ row, column: 'External ID', reason })),
			);
			expect(perhapsSent).toEqual([2]);
		}
	});

	test('not by an EIN that is masked, which many have', () => {
		const masked = { EIN: 'XX-XXX1234' };
		expect(check([business(1, masked), business(2, masked)]).problems).toEqual([]);
	});

	test('else by EIN, however it is written', () => {
		const rows = [
			business(1, { EIN: '12-3456789' }),
			business(1, { EIN: '98-7654321' }),
			business(2, { EIN: 123456789 }),
			business(3, { EIN: '12-3456789', 'External ID': 'c' }),
		];
		expect(check(rows).problems).toEqual([{ row: 3, column: 'EIN', reason: 'is the same as in item 1' }]);
	});

	test('else by name and full address, in any case', () => {
		const acme = { Name: 'Acme', DBA: '', City: 'Springfield', State: 'IL', Address: '1 Main', Zip: '62701' };
		const rows = [
			acme,
			{ ...acme, Name: ' ACME', City: 'springfield', State: 'Illinois', Address: '1 MAIN' },
			{ ...acme, City: 'Chicago' },
			{ ...acme, State: 'OR' },
			{ ...acme, Address: '2 Main' },
			{ ...acme, Zip: '62702' },
			{ ...acme, 'Address 2': 'Suite 2' },
			{ ...acme, Name: '', DBA: 'acme' },
		];
		const reason = 'and address are the same as in item 1';
		expect(check(rows).problems).toEqual([
			{ row: 2, column: 'Name', reason },
			{ row: 8, column: 'DBA', reason },
		]);
	});

	test('a bad row does not make a good one a duplicate', () => {
		const good = business(1, { 'External ID': 'a' });
		const problems = [
			{ row: 1, column: 'City', reason: 'is required' },
			{ row: 3, column: 'External ID', reason: 'is the same as in item 2' },
		];
		expect(check([{ ...good, City: '' }, good, good])).toMatchObject({ problems, good: { numbers: [2] } });
	});
});

describe('rows without IDs of their own are sent, or taken for those of another sheet', () => {
	/** `before` rows were submitted, of which the sheet has `found`, and `rows` in all. */
	const refusal = (before: number, found: number, rows: number, chunkSize = 250) => {
		const all = Array.from({ length: rows }, (_, index) => business(index));
		const report = finished(checkSheet(all, planColumns(collectHeaders(all)), may));
		// One of them was added by hand, and has no ID.
		const others = Array.from({ length: before - found }, (_, index) =>
			index === 0 ? undefined : `row-${String(index).padStart(20, '0')}`,
		);
		const ids = [...report.rows.slice(0, found).map(({ key }) => key), ...others];
		const batch: Batch = { batchId: 'b-1', batchName: 'May', total: before, ids };
		for (const row of report.rows.slice(0, found)) row.isIn(batch);
		const rowWith = (id: string) => report.rows.find(({ key }) => key === id);
		const rest = report.rows.slice(found);
		const submitted = { batches: new Map([['b-1', batch]]), rows: report.rows, rest, rowWith };
		return unclearIn(submitted as unknown as Submitted, chunkSize)?.message;
	};
	test.each<[why: string, refused: boolean, ...Parameters<typeof refusal>]>([
		['19 new ones cost less than a refusal', false, 30, 0, 19],
		['20 do not', true, 30, 0, 20],
		['half of a batch was submitted', false, 10, 0, 60, 20],
		['more than half', true, 11, 0, 60, 20],
		['one of ten that were submitted is there', false, 20, 2, 100, 30],
		['fewer', true, 20, 1, 100, 30],
		['one of ten of the sheet was submitted', false, 100, 4, 40],
	])('%s: %s', (_, refused, before, found, rows, ...chunkSize) => {
		const said = `Only ${found} of the ${rows} rows without an external ID are among the ${before} rows submitted before whose IDs are not in the sheet`;
		expect(refusal(before, found, rows, ...chunkSize)).toBe(refused ? said : undefined);
	});
});

describe('whatever the cells hold', () => {
	const secret = '987654321';
	const odd = ['', '  ', null, undefined, '=1+1', '+cmd', '#REF!', '[{"lastName":"Smith"}]', '{}', 'Acme', 'IL'];
	const cell = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.constantFrom<unknown>(...odd, secret, Number(secret)),
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
		'Principal 1 Last Name',
		'Principal 1 DOB',
		'principal_2_last_name',
		'Principal 2 Ownership',
		'Principal 2 Search NPI',
		'License 1 ID',
		'License 1 Name',
		'License 1 State',
		'License 1 Category',
		'licenses',
		'Notes',
		'__proto__',
		'',
	);
	const mostlyGood = fc
		.tuple(fc.dictionary(header, cell, { maxKeys: 4 }), fc.integer({ min: 0, max: 30 }), fc.boolean())
		.map(([cells, index, good]) => (good ? { ...cells, ...business(index) } : cells));
	const sheet = fc.array(mostlyGood, { maxLength: 25 });
	const options = { numRuns: 100 };

	test('every row is good, reported, or blank; the order is kept; what is sent keeps the rules', () => {
		fc.assert(
			fc.property(sheet, (rows) => {
				const { good, problems, blankRows } = check(rows);
				const bad = [...new Set(problems.map(({ row }) => row))];
				for (const list of [good.numbers, bad, blankRows]) expect(list).toEqual([...list].sort((a, b) => a - b));
				expect([...good.numbers, ...bad, ...blankRows].sort((a, b) => a - b)).toEqual(
					rows.map((_, index) => index + 1),
				);
				expect(good.items.flatMap((item) => missingIn(item))).toEqual([]);
			}),
			options,
		);
	});

	test('the same sheet always gives the same rows with the same IDs, and is not changed', () => {
		fc.assert(
			fc.property(sheet, (rows) => {
				const copy = structuredClone(rows);
				const seen = (sheet: Rows) => ({
					...check(sheet),
					good: check(sheet).good.items,
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
		const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !/^\s*(#|'\d|\?+\s*$)/.test(value));
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
				const { good } = finished(checkSheet(rows, plan, may));
				for (const { item, cells: row } of good) {
					const cells = Object.entries(row as (typeof rows)[number])
						.map(([name, value]) => [columns[name as keyof typeof columns], value?.trim(), name])
						// However it is written, an ID is one.
						.map(([name, value, header]) => [
							name,
							header === 'External ID' ? value?.normalize().replace(/\s+/g, ' ') : value,
						])
						.filter(([, value]) => value);
					const made = { externalId: expect.stringMatching(/^row-[0-9a-f]{20}$/) as string };
					expect(item).toEqual({ ...made, ...Object.fromEntries(cells) });
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
