import fc from '../harness/seed';
import { planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { readDate } from '../../nodes/BusinessVerification/kit/dates';
import { type ImportSettings, mapRow } from '../../nodes/BusinessVerification/sheet/check';
import { madeKey, Row } from '../../nodes/BusinessVerification/sheet/row';

function read(cells: Record<string, unknown>, settings: Partial<ImportSettings> = {}) {
	const plan = planColumns(Object.keys(cells));
	const row = new Row(0, cells);
	const item = mapRow(plan, row, { dateOrder: 'report', ...settings });
	return {
		item,
		problems: Object.fromEntries(row.problems.map(({ column, reason }) => [column, reason])),
	};
}

describe('text', () => {
	test.each<[unknown, string | undefined]>([
		['Acme', 'Acme'],
		['  Acme  Trading\u00a0', 'Acme  Trading'],
		['', undefined],
		[' \t\n', undefined],
		[null, undefined],
		[undefined, undefined],
		['Café 東京 👩‍👩‍👧 é', 'Café 東京 👩‍👩‍👧 é'],
		['=SUM(A1:A9)', '=SUM(A1:A9)'],
		['+1', '+1'],
		['@cmd', '@cmd'],
		['#1 Pizza', '#1 Pizza'],
		[0, '0'],
		[7, '7'],
		[1.5, '1.5'],
		[9007199254740991, '9007199254740991'],
		[0.000001, '0.000001'],
		[12345678901234567890n, '12345678901234567890'],
		[true, 'true'],
		[['Acme'], 'Acme'],
		['Null', 'Null'],
		['N/A', undefined],
		[' none ', undefined],
		['NULL', undefined],
		['-', undefined],
	])('%p', (cell, text) => {
		const item = text === undefined ? {} : { businessName: text };
		expect(read({ 'Business Name': cell })).toEqual({ item, problems: {} });
	});

	test.each([
		['https://www.acme.example/about?x=1', 'www.acme.example'],
		['acme.example#top', 'acme.example'],
		['intranet/about', 'intranet'],
	])('the website %j is sent as the domain %j', (cell, businessDomain) => {
		expect(read({ Website: cell })).toEqual({ item: { businessDomain }, problems: {} });
	});

	// In the table its title would be as long, which no runner that chooses tests by title takes.
	it('of 50,000 characters stays whole', () => {
		const text = 'x'.repeat(50_000);
		expect(read({ 'Business Name': text })).toEqual({ item: { businessName: text }, problems: {} });
	});

	test.each<[unknown, string]>([
		[1e21, 'is a number with too many digits to be exact; format the column as text'],
		[1e-7, 'is a number with too many digits to be exact; format the column as text'],
		[12345678901234567000, 'is a number with too many digits to be exact; format the column as text'],
		[new Date(0), 'is not text'],
		[['Acme', 'Beta'], 'is not text'],
		['Acme undefined', "contains 'undefined': an expression in it found no value"],
		[{ a: 1 }, 'is not text'],
		['1.23457E+11', 'is a number with too many digits to be exact; format the column as text'],
		['#N/A', "is a spreadsheet error such as '#N/A'"],
		['{{ $json.x }}', "contains '{{', which n8n did not evaluate: switch the field to 'Expression'"],
	])('%p is refused', (cell, reason) => {
		expect(read({ 'Business Name': cell })).toEqual({ item: {}, problems: { 'Business Name': reason } });
	});
});

describe('ZIP codes and EINs', () => {
	test.each<[unknown, string]>([
		[2139, '02139'],
		[501, '00501'],
		[62701, '62701'],
		[123456789, '123456789'],
		['02139', '02139'],
		['02139-1234', '02139-1234'],
		['2139', '02139'],
		['2139.0', '02139'],
		['62701.00', '62701'],
		['62701.5', '62701.5'],
		['K1A 0B1', 'K1A 0B1'],
		['213A', '213A'],
		['A213', 'A213'],
	])('ZIP %p', (cell, zip) => {
		expect(read({ Zip: cell })).toEqual({ item: { businessZip: zip }, problems: {} });
	});

	test.each<[unknown, string | undefined]>([
		[2139, '02139'],
		[62701, '62701'],
		['02139', '02139'],
		['02139-1234', '02139'],
		[123456789, '12345'],
		['02139-12', undefined],
		['K1A 0B1', undefined],
	])('zip5 %p takes five digits only', (cell, zip5) => {
		const { item, problems } = read({ 'Principal 1 Last Name': 'Smith', 'Principal 1 Zip': cell });
		expect(item).toEqual({ principals: [{ lastName: 'Smith', ...(zip5 !== undefined && { zip5 }) }] });
		expect(problems).toEqual(zip5 === undefined ? { 'Principal 1 Zip': 'must have five digits, as in 02139' } : {});
	});

	test.each<[unknown, string]>([
		[12345678, '012345678'],
		[123456789, '123456789'],
		['12-3456789', '12-3456789'],
		[' 12345678', '012345678'],
	])('EIN %p', (cell, ein) => {
		expect(read({ EIN: cell }).item).toEqual({ businessEin: ein });
	});

	test.each([0, -2139, 2139.5, 213999, 1e21, NaN])('the number %p is neither', (cell) => {
		expect(read({ Zip: cell }).problems).toEqual({ Zip: 'is a number that cannot be a ZIP code' });
		expect(read({ EIN: cell === 213999 ? 1234567890 : cell }).problems).toEqual({
			EIN: 'is a number that cannot be an EIN',
		});
	});

	test('other numbers keep their digits: no width is known', () => {
		const person = { 'Principal Last Name': 'Smith', 'Principal NPI': 1234567893 };
		expect(read({ Phone: 5550100, 'SOS ID': 42, ...person }).item).toEqual({
			businessPhone: '5550100',
			businessSosId: '42',
			principals: [{ lastName: 'Smith', npi: '1234567893' }],
		});
	});
});

test.each([
	['Principal 1 Role', 'Owner'],
	['Principal 1 State', 'IL'],
	['License 1 State', 'IL'],
	['License 1 Category', 'plumbing'],
])('%s alone names nobody: it may be fixed for every row', (header, cell) => {
	expect(read({ [header]: cell }).item).toEqual({});
});

describe('dates of birth', () => {
	const ambiguous = 'is an ambiguous date (day or month first?); write it YYYY-MM-DD';
	const unclear = 'is not a date that can be read; write it YYYY-MM-DD';
	const zoned = 'is a date with a time, and the day depends on the time zone; write it YYYY-MM-DD';

	test.each<[unknown, string]>([
		['1990-01-31', '1990-01-31'],
		['1992-02-29', '1992-02-29'],
		['1990-01-31T00:00:00.000Z', '1990-01-31'],
		['1990-01-31T00:00:00+05:00', '1990-01-31'],
		['1990-01-31 13:45', '1990-01-31'],
		['1990/1/31', '1990-01-31'],
		['1990.01.02', '1990-01-02'],
		['19900131', '1990-01-31'],
		['1/31/1990', '1990-01-31'],
		['31.01.1990', '1990-01-31'],
		['4-4-1990', '1990-04-04'],
		['Jan 31, 1990', '1990-01-31'],
		['31 January 1990', '1990-01-31'],
		['3-Apr-1990', '1990-04-03'],
		['1990 Jan 31', '1990-01-31'],
		['September 1st, 1990', '1990-09-01'],
		['1 Sept. 1990', '1990-09-01'],
		[32874, '1990-01-01'],
		[32874.75, '1990-01-01'],
		[61, '1900-03-01'],
		[19900131, '1990-01-31'],
		[new Date('1990-01-31T00:00:00Z'), '1990-01-31'],
		[new Date(1990, 0, 31), '1990-01-31'],
	])('%p', (cell, date) => {
		expect(readDate(cell)).toEqual({ date });
	});

	test.each<[unknown, string]>([
		['3/4/1990', ambiguous],
		['03.04.1990', ambiguous],
		['1/31/90', unclear],
		['31-Jan-90', unclear],
		['1990-01-31T05:00:00.000Z', zoned],
		[new Date('1990-01-31T05:17:09Z'), zoned],
		[1990, unclear],
		['1990', unclear],
		['32874', unclear],
		['1991-02-29', unclear],
		['1st1 March 1990', unclear],
		['13/13/1990', unclear],
		['0000-00-00', unclear],
		['31 Foo 1990', unclear],
		['31 Maying 1990', unclear],
		['yesterday', unclear],
		[0, unclear],
		[60, unclear],
		[-5, unclear],
		[NaN, unclear],
		[628300800000, unclear],
		[new Date(NaN), unclear],
		[true, unclear],
		[{}, unclear],
	])('%p is refused', (cell, reason) => {
		expect(readDate(cell)).toEqual({ reason });
	});

	test('the order chosen decides, and a date that contradicts it is refused', () => {
		expect(readDate('3/4/1990', 'monthFirst')).toEqual({ date: '1990-03-04' });
		expect(readDate('3/4/1990', 'dayFirst')).toEqual({ date: '1990-04-03' });
		expect(readDate('31/1/1990', 'monthFirst')).toEqual({ reason: unclear });
		expect(readDate('1990-03-04', 'dayFirst')).toEqual({ date: '1990-03-04' });
	});

	test('any day survives each unambiguous spelling', () => {
		const day = fc.date({ min: new Date('1800-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
		fc.assert(
			fc.property(day, (moment) => {
				const iso = moment.toISOString().slice(0, 10);
				const [year, month, date] = iso.split('-');
				const midnight = new Date(`${iso}T00:00:00Z`);
				const long = midnight.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
				for (const cell of [
					iso,
					`${year}/${month}/${date}`,
					`${year}${month}${date}`,
					`${iso}T00:00:00Z`,
					midnight,
					long,
				]) {
					expect(readDate(cell)).toEqual({ date: iso });
				}
				expect(readDate(`${month}/${date}/${year}`, 'monthFirst')).toEqual({ date: iso });
				expect(readDate(`${date}/${month}/${year}`, 'dayFirst')).toEqual({ date: iso });
			}),
		);
	});

	test('no text or number becomes a date that does not exist', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.double(), fc.integer(), fc.stringMatching(/^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/)),
				(cell) => {
					const reading = readDate(cell);
					if ('date' in reading)
						expect(new Date(`${reading.date}T00:00:00Z`).toISOString()).toBe(`${reading.date}T00:00:00.000Z`);
				},
			),
		);
	});
});

describe('tags', () => {
	test.each<[unknown, string[] | undefined]>([
		['priority, partner;north', ['priority', 'partner', 'north']],
		[' , ;', undefined],
		['', undefined],
		[2024, ['2024']],
		[
			['a', ' b ', '', null, 3],
			['a', 'b', '3'],
		],
		['["a","b, c"]', ['a', 'b, c']],
		['[\n "Smith, John",\n "vip"\n]', ['Smith, John', 'vip']],
		['[vip]', ['[vip]']],
	])('%p', (cell, tags) => {
		expect(read({ Tags: cell }).item).toEqual(tags === undefined ? {} : { tags });
	});
});

it('an ownership of 0 alone makes no principal', () => {
	const second = { 'Owner 2 First Name': '', 'Owner 2 Last Name': '', 'Owner 2 Ownership': 0 };
	const { item, problems } = read({ 'Owner 1 Last Name': 'Smith', ...second });
	expect([item, problems]).toEqual([{ principals: [{ lastName: 'Smith' }] }, {}]);
});

describe('principals and licenses', () => {
	test('blank numbers are skipped, the order is that of the numbers', () => {
		const row = {
			'Principal 3 Last Name': 'Third',
			'Principal 2 Last Name': '',
			'Principal 2 Search NPI': false,
			'Principal 10 Last Name': 'Tenth',
			'Principal 1 Last Name': 'First',
		};
		expect(read(row).item.principals).toEqual([{ lastName: 'First' }, { lastName: 'Third' }, { lastName: 'Tenth' }]);
	});

	test.each([NaN, Infinity])('the share %p is refused, and 25 is sent', (cell) => {
		const shares = { 'Principal 1 Ownership Percentage': cell, 'Principal 2 Ownership Percentage': 25 };
		const { item, problems } = read({ 'Principal 1 Last Name': 'Lee', 'Principal 2 Last Name': 'Kim', ...shares });
		expect(problems).toEqual({ 'Principal 1 Ownership Percentage': 'is not a number' });
		expect(item.principals).toEqual([{ lastName: 'Lee' }, { lastName: 'Kim', ownershipPercentage: 25 }]);
	});

	test('JSON is read like columns, unknown keys pass through, columns follow it', () => {
		const principals = '[{"lastName":" Smith ","dob":32874,"zip5":2139,"email":"","nickname":{"a":[1]}}]';
		const licenses = { licenseName: 'Acme', license_id: 7, note: null };
		expect(read({ principals, licenses, 'Principal 1 Last Name': 'Jones' }).item).toEqual({
			principals: [
				{ lastName: 'Smith', dob: '1990-01-01', zip5: '02139', nickname: { a: [1] } },
				{ lastName: 'Jones' },
			],
			licenses: [{ license_name: 'Acme', license_id: '7', note: null }],
		});
	});

	test.each<[unknown]>([['[]'], [[]], [''], ['  '], [null]])('%p is no principals', (cell) => {
		expect(read({ principals: cell })).toEqual({ item: {}, problems: {} });
	});

	test.each<[unknown]>([['John Smith'], ['[1]'], ['["Smith"]'], ['0'], ['[null]'], [5], [new Date(0)], [[['Smith']]]])(
		'%p is refused as principals',
		(cell) => {
			expect(read({ principals: cell }).problems).toEqual({ principals: 'is not a JSON list of principals' });
		},
	);

	test('a hostile key stays a key', () => {
		const { item } = read({ principals: '{"lastName":"Smith","__proto__":{"dob":"1990-01-01"}}' });
		expect(item.principals?.[0].dob).toBeUndefined();
		expect(JSON.stringify(item.principals)).toBe('[{"lastName":"Smith","__proto__":{"dob":"1990-01-01"}}]');
	});
});

// A later version that made another ID would send and bill each of these rows again.
test('the ID that is made for a row stays the same in every version', () => {
	const { item } = read({ Name: 'Acme', City: 'Springfield', State: 'IL' });
	expect(madeKey(item, 'May')).toBe('row-741b01d08aa4063ccb28');
	expect(madeKey(item, 'June')).not.toBe(madeKey(item, 'May'));
});

test('the order of the columns changes neither item nor key order', () => {
	const cells = {
		Tags: 'a',
		Zip: 2139,
		City: 'Springfield',
		'Principal DOB': 32874,
		'Principal Last Name': 'Smith',
		Name: 'Acme',
	};
	fc.assert(
		fc.property(fc.shuffledSubarray(Object.entries(cells), { minLength: 6 }), (entries) => {
			expect(JSON.stringify(read(Object.fromEntries(entries)).item)).toBe(
				'{"businessCity":"Springfield","businessName":"Acme","businessZip":"02139",' +
					'"principals":[{"dob":"1990-01-01","lastName":"Smith"}],"tags":["a"]}',
			);
		}),
	);
});
