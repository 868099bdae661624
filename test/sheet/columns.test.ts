import fc from '../harness/seed';
import { collectHeaders, columnUnder, planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import type { ColumnPlan } from '../../nodes/BusinessVerification/sheet/columns';
import { listTargets } from '../../nodes/BusinessVerification/sheet/targets';
import { Row } from '../../nodes/BusinessVerification/sheet/row';

const targets = ({ mapped }: ColumnPlan) => Object.fromEntries(mapped.map(({ header, name }) => [header, name]));

const missing = (plan: ColumnPlan) => plan.missing.map(({ key }) => key);

/** As a person maps fields to columns. */
const byHand = (headers: Record<string, string>) =>
	new Map(Object.entries(headers).map(([target, header]) => [target, columnUnder(header)]));

test('a sheet with more columns than can be matched at once is refused', () => {
	const row = (columns: number) => Object.fromEntries(Array.from({ length: columns }, (_, n) => [`Column ${n}`, n]));
	expect(collectHeaders([row(2_000), row(1)])).toHaveLength(2_000);
	expect(() => collectHeaders([row(2_000), { Another: 1 }])).toThrow(
		expect.objectContaining({
			message: 'The sheet has 2,001 columns, and at most 2,000 can be read',
			details: expect.objectContaining({
				description:
					"Nothing was submitted. Keep only the columns of the businesses, for example with n8n's 'Edit Fields' node.",
			}),
		}),
	);
});

describe('automatic mapping', () => {
	test.each([
		['Business Name', 'businessName'],
		['Legal Business Name', 'businessName'],
		['businessName', 'businessName'],
		['BUSINESS-LEGAL-NAME', 'businessName'],
		['\uFEFFBusiness Name', 'businessName'],
		['Company', 'businessName'],
		['Merchant Name', 'businessName'],
		['Name', 'businessName'],
		['DBA', 'businessDba'],
		['Billing Address City', 'businessCity'],
		['business state', 'businessState'],
		['EIN', 'businessEin'],
		['EIN #', 'businessEin'],
		['Address', 'businessAddressLine1'],
		['Business Address Line 2', 'businessAddressLine2'],
		['Zip', 'businessZip'],
		['ZIP Code', 'businessZip'],
		['Ｚｉｐ', 'businessZip'],
		['Phone Number', 'businessPhone'],
		['E-Mail', 'businessEmail'],
		['Website', 'businessDomain'],
		['SOS ID', 'businessSosId'],
		['Tags', 'tags'],
		['External ID', 'externalId'],
		['Ext. ID', 'externalId'],
		['Organization', 'businessName'],
		['Vendor Name', 'businessName'],
		['principals', 'principals'],
		['Licenses (JSON)', 'licenses'],
		['Principal 1 Last Name', 'principal1_lastName'],
		['principal2_dob', 'principal2_dob'],
		['principals[0].firstName', 'principal0_firstName'],
		['Principal Last Name', 'principal1_lastName'],
		['Principal Given Name', 'principal1_firstName'],
		['Principal State', 'principal1_state'],
		['Principal Suffix', 'principal1_suffix'],
		['License State', 'license1_license_state'],
		['Licenses 2 State', 'license2_license_state'],
		['Principal Addr2', 'principal1_addr2'],
		['Principal 3 Address 2', 'principal3_addr2'],
		['Beneficial Owner 2 Ownership %', 'principal2_ownershipPercentage'],
		['Principal 1 Role', 'principal1_principalType'],
		['Principal 1 NPI Number', 'principal1_npi'],
		['License 1 ID', 'license1_license_id'],
		['license_3_license_state', 'license3_license_state'],
		['Licence Category', 'license1_license_category'],
	])('%s is %s', (header, target) => {
		// Without a last name, nothing of a person is read, and nothing of a license without these four.
		const [, entry, group] = /^((principal|license)\d+)_/.exec(target) ?? [];
		const license = ['license_name', 'license_id', 'license_state', 'license_category'];
		const needed = { principal: ['lastName'], license }[group] ?? [];
		const others = needed.map((name) => `${entry}_${name}`).filter((name) => name !== target);
		const expected = { [header]: target, ...Object.fromEntries(others.map((name) => [name, name])) };
		expect(targets(planColumns([header, ...others]))).toEqual(expected);
	});

	test('people counted from 0 are two', () => {
		const { parts } = planColumns(['principals[0].lastName', 'principals[1].lastName']);
		expect(parts).toMatchObject([{ groups: [[{ number: 0 }], [{ number: 1 }]] }]);
	});

	test('a Customer ID is the External ID only if no other column is, and two of its kind are refused', () => {
		const read = (...headers: string[]) => planColumns(headers);
		expect(targets(read('Customer ID', 'External ID'))).toEqual({ 'External ID': 'externalId' });
		expect(read('Customer ID', 'External ID').ignored).toEqual(['Customer ID']);
		expect(targets(read('Customer ID', 'Name'))).toEqual({ 'Customer ID': 'externalId', Name: 'businessName' });
		expect(read('Customer ID', 'Vendor ID').ambiguous).toEqual([
			{ target: 'externalId', used: 'Customer ID', unused: ['Vendor ID'] },
		]);
	});

	test('columns of a person without a last name, or of half a license, are not read, so that they make no row wrong', () => {
		const read = ['Company', 'Principal 2 Phone', 'Principal 2 Last Name'];
		const plan = planColumns([...read, 'Owner Email', 'Principal Email', 'License Number', 'License State']);
		expect(targets(plan)).toEqual({
			Company: 'businessName',
			'Principal 2 Phone': 'principal2_phone',
			'Principal 2 Last Name': 'principal2_lastName',
		});
		expect(plan.ignored).toEqual(['Owner Email', 'Principal Email', 'License Number', 'License State']);
		expect(plan.ambiguous).toEqual([]);
	});

	test('they are read beside what was mapped by hand', () => {
		const given = { principal1_lastName: 'Owner Name', license1_license_name: 'Trade' };
		const license = ['License Number', 'License State', 'License Category'];
		const plan = planColumns(['Owner Name', 'Owner Email', 'Trade', ...license], byHand(given));
		expect(plan.mapped.map(({ name }) => name)).toEqual([
			...['principal1_lastName', 'license1_license_name', 'principal1_email'],
			...['license1_license_id', 'license1_license_state', 'license1_license_category'],
		]);
	});

	test.each([
		'',
		'   ',
		'__EMPTY',
		'Notes',
		'Contact Name',
		'Contact Email',
		'State of Incorporation',
		'Principal 1 SSN',
		'Principal Phone 2',
		'Principal Last Name 2',
		'Principal Address 3',
		'License Type',
		'Business Licenses',
		'License',
		'Account Number',
		'constructor',
		'__proto__',
		'名前',
	])('%p is ignored, not guessed', (header) => {
		const plan = planColumns([header]);
		expect(plan.mapped).toEqual([]);
		expect(plan.ignored).toEqual([header]);
	});

	test('the number of a row is neither a field nor a column that was not sent', () => {
		expect(planColumns(['row_number'])).toMatchObject({ mapped: [], ignored: [] });
	});

	test('of two headers for one target the same one is used in any order, and both are named', () => {
		const plan = planColumns(['EIN', 'City', 'Tax ID', 'business_ein']);
		expect(plan.ambiguous).toEqual([{ target: 'businessEin', used: 'business_ein', unused: ['EIN', 'Tax ID'] }]);
		for (const headers of [
			['Phone', 'Telephone'],
			['Telephone', 'Phone'],
		])
			expect(planColumns(headers).ambiguous).toEqual([
				{ target: 'businessPhone', used: 'Phone', unused: ['Telephone'] },
			]);
		expect(planColumns(['Business Name', 'business_name']).ambiguous).toEqual([
			{ target: 'businessName', used: 'Business Name', unused: ['business_name'] },
		]);
		expect(planColumns(['Owner Last Name', 'Principal 1 DOB', 'principals[1].dob']).ambiguous).toEqual([
			{ target: 'principal1_dob', used: 'Principal 1 DOB', unused: ['principals[1].dob'] },
		]);
	});

	test.each([
		['a bare word', 'Name', 'Business Name'],
		['the name of a brand', 'Company', 'Legal Name'],
	])('%s yields to the header that names the business', (_, other, own) => {
		const plan = planColumns([other, own]);
		expect(targets(plan)).toEqual({ [own]: 'businessName' });
		expect(plan.ambiguous).toEqual([{ target: 'businessName', used: own, unused: [other] }]);
	});

	test('required targets without a column are missing', () => {
		expect(missing(planColumns(['Notes']))).toEqual(['businessName', 'businessCity', 'businessState']);
		expect(missing(planColumns(['DBA', 'City']))).toEqual(['businessState']);
		expect(planColumns(['DBA', 'City', 'State']).missing).toEqual([]);
	});

	test('every header is mapped, ignored or unused by ambiguity, exactly once', () => {
		const header = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.constantFrom(
				'Name',
				'business name',
				'EIN',
				'Tax ID',
				'Zip',
				'Principal 1 Last Name',
				'principal_1_last_name',
				'License ID',
			),
		);
		fc.assert(
			fc.property(fc.uniqueArray(header), (headers) => {
				const plan = planColumns(headers);
				const all = [
					...plan.mapped.map((column) => column.header),
					...plan.ignored,
					...plan.ambiguous.flatMap(({ unused }) => unused),
				];
				expect(all.sort()).toEqual([...headers].sort());
			}),
		);
	});
});

describe('explicit mapping', () => {
	test('what it does not say is matched by its header, if it is open', () => {
		const given = { businessName: 'A', principal2_lastName: 'B' };
		const plan = planColumns(
			['A', 'B', 'City', 'State', 'Zip', 'Name'],
			byHand(given),
			({ name }) => !['businessZip', 'businessState'].includes(name),
		);
		expect(targets(plan)).toEqual({ A: 'businessName', B: 'principal2_lastName', City: 'businessCity' });
		expect(plan.ignored).toEqual(['State', 'Zip', 'Name']);
		expect(plan.refused).toEqual([]);
		expect(missing(plan)).toEqual(['businessState']);
	});

	test('a header that every object inherits is read only from rows that have it', () => {
		const { mapped } = planColumns(
			['constructor', 'City'],
			byHand({ businessName: 'constructor', businessCity: 'City' }),
		);
		const cells = [{ constructor: 'Acme', City: 'Reno' }, { City: 'Elko' }].map((row, index) =>
			mapped.map(({ cellOf }) => cellOf(new Row(index, row))),
		);
		expect(cells).toEqual([
			['Acme', 'Reno'],
			[undefined, 'Elko'],
		]);
	});

	test('a mapping that cannot be followed is refused', () => {
		const given = { businessname: 'A', businessCity: 'Z', principal1_license_id: 'A', principal01_dob: 'A' };
		const plan = planColumns(['A'], byHand(given));
		expect(plan.refused).toEqual([
			{ target: 'businessname', header: 'A' },
			{ target: 'businessCity', header: 'Z' },
			{ target: 'principal1_license_id', header: 'A' },
			{ target: 'principal01_dob', header: 'A' },
		]);
	});

	test('every listed target can be mapped by its name, and is found by it as a header', () => {
		const names = listTargets().map(({ name }) => name);
		expect(names).toHaveLength(16 + 2 * 17 + 2 * 4);
		const identity = Object.fromEntries(names.map((name) => [name, name]));
		expect(targets(planColumns(names, byHand(identity)))).toEqual(identity);
		expect(targets(planColumns(names))).toEqual(identity);
	});
});

test('headers are collected from all rows, in order of appearance', () => {
	expect(collectHeaders([{ b: 1, a: 2 }, {}, { a: 1, c: null }])).toEqual(['b', 'a', 'c']);
});

it('50,000 spellings of one header are planned in a moment', () => {
	const spellings = Array.from({ length: 50_000 }, (_, n) => `City${'.'.repeat(n % 300)}${' '.repeat(n / 300)}`);
	const before = process.cpuUsage();
	const { ambiguous } = planColumns(spellings);
	const { user, system } = process.cpuUsage(before);
	expect(ambiguous[0].unused).toHaveLength(49_999);
	// Sixteen seconds of processor time if each spelling is compared with each.
	expect((user + system) / 1e6).toBeLessThan(4);
});
