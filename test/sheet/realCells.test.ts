import { remarksOn } from '../../nodes/BusinessVerification/inquiry/newInquiry';
import { checkSheet } from '../../nodes/BusinessVerification/sheet/check';
import { collectHeaders, planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { finished } from './finished';
import { type Row, useWorld, world } from './importer';

// What people, programs, and their exports have in cells: read, refused with a reason, or sent with a remark.

useWorld();

const business = (number: number): Row => ({ Name: `Acme ${number}`, City: 'Springfield', State: 'IL' });

/** What becomes of each row of a sheet: its problem, else the remarks on it, else what is sent of the cells of the case. */
function read(rows: Row[]): unknown[] {
	const { rows: read } = finished(
		checkSheet(rows, planColumns(collectHeaders(rows)), { name: 'May', dateOrder: 'report' }),
	);
	return read.map((row) => {
		if (row.isBlank) return 'skipped';
		if (row.problems.length > 0) return row.reason;
		const { businessName, businessCity, businessState, externalId, ...cells } = row.item;
		const [remark] = remarksOn(row.item);
		const id = externalId?.startsWith('row-') ? 'no ID' : `ID ${externalId}`;
		return remark ?? (Object.keys(cells).length > 0 ? cells : id);
	});
}

const person = (more: object) => ({ principals: [{ lastName: 'Lee', ...more }] });
const isError = (header: string) => `${header} is a spreadsheet error such as '#N/A'`;
const noState = 'State is not a state such as IL or Illinois';
const several = (label: string) =>
	`'${label}' seems to hold more than one value, or another kind of value. It is not corrected.`;
const severalPeople = "'Last Name' of a principal seems to hold more than one person. It is not corrected.";

it.each<[Row, unknown]>([
	// Rows that are no businesses
	[{ Name: 'NAME', City: 'CITY', State: 'STATE' }, 'skipped'],
	[{ Name: 'name ', City: 'city', State: '' }, 'skipped'],
	[{ Name: 'Grand Total', City: 2, State: 2 }, noState],
	[{ Name: '(legal)', City: '(text)', State: '(text)' }, noState],
	[{ Name: 'Note', City: 'Note', State: 'These are the leads of our agency' }, noState],
	[
		{ State: 'State of the First Six Islands' },
		"'State' is not a US state such as IL or Illinois. It is not corrected.",
	],
	[{ State: 'u.s. virgin islands' }, "'State' is not a US state such as IL or Illinois. It is not corrected."],
	...['PR', 'puerto rico', 'VI', 'Virgin Islands'].map((State): [Row, unknown] => [{ State }, 'no ID']),
	// Shares
	[{ 'Owner Last Name': 'Lee', 'Owner Ownership': '25%' }, person({ ownershipPercentage: 25 })],
	[{ 'Owner Last Name': 'Lee', 'Owner Ownership': '12.5 %' }, person({ ownershipPercentage: 12.5 })],
	// Errors of Excel, Google Sheets, LibreOffice, and of Excel in German and Spanish
	...['#CONNECT!', '#BLOCKED!', '#BUSY!', '#FIELD!', '#UNKNOWN!', '#GETTING_DATA', '#n/a', '#name?', 'Err:508'].map(
		(cell): [Row, unknown] => [{ Name: cell }, isError('Name')],
	),
	...['Loading...', 'Loading…', '#BEZUG!', '#NV', '#¡VALOR!', '#N/D', '########'].map((cell): [Row, unknown] => [
		{ City: cell },
		isError('City'),
	]),
	[{ 'Address 2': '#4' }, { businessAddressLine2: '#4' }],
	[{ DBA: '#Winning!' }, { businessDba: '#Winning!' }],
	// Numbers that Excel shortened
	[{ EIN: '1.23E+08' }, 'EIN is a number with too many digits to be exact; format the column as text'],
	[{ Phone: '2.18E+09' }, 'Phone is a number with too many digits to be exact; format the column as text'],
	// Dates
	[{ 'Owner Last Name': 'Lee', 'Owner DOB': '2080-03-04' }, 'Owner DOB is in the future'],
	// Two things in one cell, or another thing
	[{ 'Owner Last Name': 'Lee; Kim; Park' }, severalPeople],
	[{ Principals: '[{"last_name":"Lee & Kim"}]' }, severalPeople],
	[{ Email: 'a@acme.example, b@acme.example' }, several('Email')],
	[{ Website: 'acme.example; acme.test' }, several('Domain')],
	[{ Website: 'info@acme.example' }, several('Domain')],
	[{ Address: '1 Main St; 2 Oak Ave' }, several('Address Line 1')],
	// IDs that are none, and one ID in several forms
	...['NaN ', '(blank)', 'TBA', 'tbc', 'unknown', 'Pending', '?', 0, '000'].map((cell): [Row, unknown] => [
		{ 'External ID': cell },
		'no ID',
	]),
	[{ 'External ID': '#n/a' }, isError('External ID')],
	[{ 'External ID': 'Cafe\u0301  No.\u00a07' }, 'ID Café No. 7'],
])('%j', (cells, expected) => {
	expect(read([business(1), { ...business(2), ...cells }])[1]).toEqual(expected);
});

it('spaces around a header hide no cell', () => {
	expect(read([{ ...business(1), ' ZIP ': '02139' }])).toEqual([{ businessZip: '02139' }]);
});

it('placeholders for an EIN identify no business', () => {
	const rows = ['00-0000000', '00-0000000', '999999999', 999999999].map((EIN, place) => ({ ...business(place), EIN }));
	expect(read(rows)).toEqual(
		['00-0000000', '00-0000000', '999999999', '999999999'].map((businessEin) => ({ businessEin })),
	);
});

it('a plain column wins over one of the billing address, wherever it is', () => {
	for (const headers of [
		['City', 'Billing City'],
		['Billing City', 'City'],
	])
		expect(planColumns(headers).ambiguous).toEqual([
			{ target: 'businessCity', used: 'City', unused: ['Billing City'] },
		]);
});

it('says that the shares of a business are 1 or less, and sends them', async () => {
	const shared = (number: number, [first, second]: number[]) => ({
		...business(number),
		...{ 'Owner 1 Last Name': 'Lee', 'Owner 1 Ownership': first },
		...{ 'Owner 2 Last Name': 'Kim', 'Owner 2 Ownership': second },
	});
	const told = async (name: string, shares: number[][]) => {
		const { hints } = await world.import({ rows: shares.map((share, place) => shared(place, share)), more: { name } });
		return hints.filter((hint) => hint.includes('Ownership Percentage'));
	};
	const remark = (places: string) =>
		`In ${places}: 'Ownership Percentage' is not above 1: a cell that shows 25% may hold 0.25. It is not corrected.`;
	expect(await told('shares', [[0.25, 0.75], [1]])).toEqual([remark('items 1, 2')]);
	expect(await told('mixed', [[100], [0.25]])).toEqual([remark('item 2')]);
	expect(await told('percent', [[25], [99, 1]])).toEqual([]);
	expect(await told('no shares', [[0], [0, 0]])).toEqual([]);
});
