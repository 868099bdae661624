import { externalIds, forResults, mapped, type Row, sheet, useWorld, verificationsOf, world } from './importer';

useWorld();

const crm: Row[] = [
	{
		'Company Name': ' Acme Trading LLC ',
		City: 'Springfield',
		ST: 'IL',
		'Tax ID': 12345678,
		Zip: 2139,
		Notes: 'call back',
		'Owner 1 Last Name': 'Moore',
	},
	{
		'Company Name': 'Bolt GmbH',
		City: 'Portland',
		ST: 'OR',
		'Tax ID': '98-7654321',
		Zip: '97201',
		Notes: '',
		'Owner 1 Last Name': '',
	},
];

it('understands the headers of a sheet and says what it ignored', async () => {
	const born = (row: Row) => row['Owner 1 Last Name'] && '3/4/1980';
	const rows = crm.map(({ ST, ...row }) => ({ ...row, State: ST, 'Owner 1 DOB': born(row) }));
	const { items, hints, error } = await world.import({ rows, options: { dateOrder: 'dayFirst' } });
	expect(error).toBeUndefined();
	expect(world.sentItems()).toEqual([
		{
			businessName: 'Acme Trading LLC',
			businessCity: 'Springfield',
			businessState: 'IL',
			businessEin: '012345678',
			businessZip: '02139',
			principals: [{ lastName: 'Moore', dob: '1980-04-03' }],
		},
		{
			businessName: 'Bolt GmbH',
			businessCity: 'Portland',
			businessState: 'OR',
			businessEin: '98-7654321',
			businessZip: '97201',
		},
	]);
	expect(items[0].json).toMatchObject({ ...rows[0], verification: { row: 1 } });
	const sent = `2 rows were sent and billed, in 1 batch. No column was read as External ID, so a row is billed again whenever the data change. ${forResults}`;
	expect(hints).toEqual([sent, 'Columns not sent: Notes.']);
});

it('follows a mapping of columns, fixed values and expressions, and hands the rows on as they came', async () => {
	const value = {
		businessName: '={{ $json["Company Name"] }}',
		businessCity: '={{ $json.City }}',
		businessState: "={{ $json['ST'] }}",
		businessZip: '',
		businessEmail: null,
		businessAddressLine2: '=Floor 2{{ $json.Wing }}',
		tags: 'march,web',
		externalId: '={{ "crm-" + $json.City.toLowerCase() + "-" + $itemIndex }}',
		license1_license_name: 'General',
		license1_license_id: '={{ $json.Zip + 1 }}',
		license1_license_state: "={{ $json['ST'] }}",
		license1_license_category: 'contractor',
	};
	const { columns, columnsFrom } = mapped(value);
	const schema = ['businessZip', 'businessEin', 'principal1_lastName'].map((id) => ({
		id,
		// An empty field that is left is matched by its header.
		removed: id !== 'principal1_lastName',
	}));
	const run = await world.import({ rows: crm, columns: { columnsFrom, columns: { ...columns, schema } } });
	expect(run.error).toBeUndefined();
	const license = { license_name: 'General', license_category: 'contractor' };
	expect(world.sentItems()).toEqual([
		{
			businessName: 'Acme Trading LLC',
			businessCity: 'Springfield',
			businessState: 'IL',
			businessAddressLine2: 'Floor 2',
			tags: ['march', 'web'],
			externalId: 'crm-springfield-0',
			principals: [{ lastName: 'Moore' }],
			licenses: [{ ...license, license_id: '2140', license_state: 'IL' }],
		},
		{
			businessName: 'Bolt GmbH',
			businessCity: 'Portland',
			businessState: 'OR',
			businessAddressLine2: 'Floor 2',
			tags: ['march', 'web'],
			externalId: 'crm-portland-1',
			licenses: [{ ...license, license_id: '972011', license_state: 'OR' }],
		},
	]);
	expect(
		run.items.map(
			({ json: { verification: _, verificationStatus, verificationProblem, inquiryId, batchId, ...row } }) => row,
		),
	).toEqual(crm);
	expect(verificationsOf(run).map(({ row }) => row)).toEqual([1, 2]);
});

it('takes a text that was only switched to an expression for fixed, and an emptied one for no mapping', async () => {
	const rows = [
		{ 'Business Name': 'Acme', City: 'Salem' },
		{ 'Business Name': '', City: '' },
	];
	const { items } = await world.import({ rows, columns: mapped({ businessState: '=OR', businessCity: '=' }) });
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['sent', 'skipped']);
	expect(world.sentItems()).toEqual([{ businessName: 'Acme', businessCity: 'Salem', businessState: 'OR' }]);
});

it('skips a row in which nothing is filled in but what is fixed in the mapping, or a header', async () => {
	const value = {
		businessName: '={{ $json["Company Name"] }}',
		businessState: 'IL',
		businessCity: '={{ $json.Town }}',
	};
	const rows = [
		{ row_number: 2, 'Company Name': 'Acme', Town: 'Salem', State: 'x' },
		{ row_number: 3, 'Company Name': ' ', Town: null },
		{ row_number: 4, 'Company Name': '', Town: 'Salem' },
		// As an earlier run may have written it back.
		{ row_number: 5, 'Company Name': '', Town: '', verificationStatus: 'skipped' },
		{ row_number: 6, 'Company Name': 'company name', Town: 'TOWN', State: 'State' },
	];
	const { items, hints } = await world.import({ rows, columns: mapped(value) });
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual([
		['sent', ''],
		['skipped', 'the row is blank or a header'],
		['not sent', 'Company Name or a Business DBA is required'],
		['skipped', 'the row is blank or a header'],
		['skipped', 'the row is blank or a header'],
	]);
	expect(hints).toContain('Columns not sent: State, verificationStatus.');
});

it('takes a row whose expressions find little for incomplete, and for one without ID', async () => {
	const value = {
		businessName: '={{ $json.of.name }}',
		businessCity: '={{ $json.of.city }}',
		businessState: '={{ $json.of.state }}',
		externalId: '=crm-{{ $json.id }}',
	};
	const salem = { city: 'Salem', state: 'MA' };
	const rows = [{ id: 1, of: { name: 'Acme', ...salem } }, { of: { name: 'Beta', city: 'Salem' } }, { of: {} }];
	rows.push({ of: { name: 'Gamma', ...salem } });
	const { items, hints } = await world.import({ rows, columns: mapped(value) });
	expect(items.map(({ json }) => [json.verificationStatus, json.verificationProblem])).toEqual([
		['sent', ''],
		['not sent', 'State is required'],
		['skipped', 'the row is blank or a header'],
		['sent', ''],
	]);
	expect(world.sentItems().map(({ externalId }) => externalId)).toEqual(['crm-1', undefined]);
	expect(hints.join()).not.toContain('Columns not sent');
});

it.each([
	[
		'nothing in the first row',
		'=Leads {{ $json.month }}',
		[{}, { month: 'March' }],
		"'Batch Name' is empty because its expression returned nothing",
		'Nothing was submitted.',
	],
	[
		'no value in it',
		"={{ 'Leads ' + $json.month }}",
		[{}, {}],
		"'Batch Name' contains 'undefined': an expression in it found no value",
		'Nothing was submitted.',
	],
	[
		'nothing at its end',
		"={{ 'Leads ' + $json.month }}",
		[{ month: null }, { month: null }],
		"The Batch Name of item 1 is missing, or not that of the first row: 'Leads null'",
		'Nothing was sent. Give all rows one name: under another one, they are submitted and billed again.',
	],
	[
		'nothing at its start',
		"={{ $json.month + ' leads' }}",
		[{ month: null }, { month: null }],
		"The Batch Name of item 1 is missing, or not that of the first row: 'null leads'",
		'Nothing was sent. Give all rows one name: under another one, they are submitted and billed again.',
	],
	[
		'another in a row',
		'=Leads {{ $json.month }} ',
		[{ month: 'May' }, { month: 'May' }, { month: 'June' }],
		"The Batch Name of item 3 is missing, or not that of the first row: 'Leads June'",
		'Nothing was sent. Give all rows one name: under another one, they are submitted and billed again.',
	],
])('sends nothing if an expression gives the batches %s', async (_, name, months, message, description) => {
	const rows = sheet(months.length).map((row, index) => ({ ...row, ...months[index] }));
	const { error } = await world.import({ rows, more: { name } });
	expect([error?.message, error?.description]).toEqual([message, description]);
	expect(error?.context?.kind).toBe(message.startsWith('The Batch Name') ? 'settings' : 'row');
	expect(world.submissions().size).toBe(0);
});

it('wants no batch name of a blank row', async () => {
	const [first, second] = sheet(2).map((row) => ({ ...row, Group: 'May' }));
	const { items } = await world.import({ rows: [first, { Group: '' }, second], more: { name: '={{ $json.Group }}' } });
	expect(items.map(({ json }) => json.verificationStatus)).toEqual(['sent', 'skipped', 'sent']);
});

it('sends a sheet whose batches are named by the time', async () => {
	const { error } = await world.import({
		rows: sheet(2),
		more: { name: '=Leads {{ $now.toMillis() }} {{ Math.random() }}' },
	});
	expect(error).toBeUndefined();
	expect(world.submissions()).toEqual(externalIds(2));
});

it.each([
	['by headers', undefined],
	['of a mapping that leaves it open', { businessName: '={{ $json["Business Name"] }}' }],
])('sends nothing if two columns can be the External ID, %s', async (_, value) => {
	const rows = sheet(2).map((row, index) => ({ 'Record ID': `r-${index}`, ...row }));
	const { error } = await world.import({ rows, columns: value && mapped(value) });
	expect(error?.message).toBe('Two columns can be the External ID: External ID, Record ID');
	expect(error?.description).toBe(
		"Nothing was sent. Rename the one that is not, or set 'Columns' to 'Map Manually' and choose.",
	);
	expect(world.sandbox.requests.total).toBe(0);
	const chosen = { externalId: '={{ $json["External ID"] }}' };
	expect((await world.import({ rows, columns: mapped(chosen) })).error).toBeUndefined();
	expect([...world.submissions().keys()]).toEqual(['crm-1', 'crm-2']);
});

it('says which mapped column is gone, if a required field is missing for that', async () => {
	const value = { businessName: '={{ $json["Business Name"] }}', businessCity: '={{ $json.Town }}' };
	const rows = sheet(1).map(({ City, ...row }) => ({ ...row, Place: City }));
	const { error } = await world.import({ rows, columns: mapped(value) });
	expect(error?.message).toBe("No column was found for 'City'");
	expect(error?.description).toBe(
		"Columns not used: Place. Nothing was sent. 'Town' was not mapped to 'City': the sheet has no column of this name. Map it again.",
	);
});

it('keeps a fixed value apart from a column of the same name', async () => {
	const rows = [
		{ businessCity: 'Acme', State: 'IL' },
		{ businessCity: 'Bolt', State: 'OR' },
	];
	const value = {
		businessDba: '={{ $json.businessCity }}',
		businessCity: 'Springfield',
		businessState: '={{ $json.State }}',
	};
	await world.import({ rows, columns: mapped(value) });
	expect(world.sentItems()).toEqual([
		{ businessDba: 'Acme', businessCity: 'Springfield', businessState: 'IL' },
		{ businessDba: 'Bolt', businessCity: 'Springfield', businessState: 'OR' },
	]);
});

it('reads the column of which a person typed the header, instead of dragging it', async () => {
	const rows = sheet(2).map(({ 'External ID': Kundennummer, ...row }) => ({ Kundennummer, ...row }));
	const { hints } = await world.import({ rows, columns: mapped({ externalId: 'Kundennummer', businessCity: 'City' }) });
	expect(world.submissions()).toEqual(externalIds(2));
	expect(hints).toEqual([
		`2 rows were sent and billed, in 1 batch. External ID is read from 'Kundennummer'. ${forResults}`,
	]);
});

it('asks for what a mapping lacks in the mapping', async () => {
	const rows = ['Acme', 'Bolt'].map((Firma) => ({ Firma, Ort: 'Springfield', State: 'IL' }));
	const { error } = await world.import({ rows, columns: mapped({ businessName: '={{ $json.Firma }}' }) });
	expect(error?.description).toBe(
		"Columns not used: Ort. Nothing was sent. Fill in these fields under 'Values to Send'.",
	);
});

it('names what a sheet lacks altogether', async () => {
	const { error } = await world.import({
		rows: [
			{ Firma: 'Acme', City: 'Springfield' },
			{ Firma: 'Bolt', City: 'Portland' },
		],
	});
	expect(error?.message).toBe("No column was found for 'Business Name' and 'State'");
	expect(error?.description).toBe(
		"Columns not used: Firma. Nothing was sent. Rename a column, or set 'Columns' to 'Map Manually' and fill in these fields.",
	);
	expect(world.sandbox.requests.total).toBe(0);
});

it('says so when a mapping names a column that the sheet does not have', async () => {
	const value = {
		businessName: '={{ $json.City }}',
		businessCity: '={{ $json.City }}',
		businessState: '={{ $json.ST }}',
		businessEin: '={{ $json.EIN }}',
	};
	const { hints, error } = await world.import({ rows: crm, columns: mapped(value) });
	expect(error).toBeUndefined();
	expect(hints[1]).toBe(
		"'EIN' was not mapped to 'EIN': the sheet has no column of this name. Columns not sent: Company Name, Tax ID, Notes, Owner 1 Last Name.",
	);
});

it.each([
	[{}, "Nothing was sent. The items have no fields. Read a file with 'Extract from File' first."],
	[
		{ City: 'Salem' },
		"Nothing was sent. Rename a column, or set 'Columns' to 'Map Manually' and fill in these fields.",
	],
])('names the node that reads files where items have no fields at all: %j', async (row, description) => {
	const { error } = await world.import({ rows: [row, row] });
	expect(error?.description).toBe(description);
});
