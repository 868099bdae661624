/** Sheets as CRMs and accounting programs export them, without a header changed. The columns of an export are its program's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapped, type Row, useWorld, world } from './importer';

useWorld();

/** Rows of a CSV file, as n8n reads one: every cell is text, and a byte-order mark is none. */
function exported(name: string): Row[] {
	const text = readFileSync(join(__dirname, 'exports', `${name}.csv`), 'utf8').replace(/^\uFEFF/, '');
	const [headers, ...rows] = text
		.trim()
		.split('\n')
		.map((line) =>
			[...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) =>
				(quoted ?? bare).replaceAll('""', '"'),
			),
		);
	return rows.map((cells) => Object.fromEntries(headers.map((header, place) => [header, cells[place]])));
}

const [street, suite] = ['1 Main Street', 'Suite 200'];
const springfield = { businessCity: 'Springfield', businessState: 'IL', businessZip: '62701' };
const portland = { businessCity: 'Portland', businessState: 'OR', businessZip: '97201' };
const names = [{ businessName: 'Pine Tree Dairy' }, { businessName: 'Harbor Freight Lines, Inc.' }];

/** By program: what the first row has besides its name, city, state and ZIP code, and what the second. */
const programs: Record<string, [first: object, second: object]> = {
	hubspot: [
		{
			businessAddressLine1: street,
			businessAddressLine2: suite,
			businessPhone: '+1 555 010 0100',
			businessDomain: 'pinetree.example',
			externalId: '9158604711',
		},
		{ externalId: '9158604712' },
	],
	salesforce: [
		{
			businessAddressLine1: street,
			businessPhone: '(555) 010-0100',
			businessDomain: 'www.pinetree.example',
			externalId: '0015g00000A1bCd',
		},
		{ externalId: '0015g00000A1bCD' },
	],
	pipedrive: [
		{ businessAddressLine1: '1 Main Street, Springfield, IL 62701, USA', businessState: 'Illinois', externalId: '11' },
		{ businessState: 'Oregon', externalId: '12' },
	],
	quickbooks: [
		{ businessAddressLine1: street, businessPhone: '(555) 010-0100', businessEmail: 'jane@pinetree.example' },
		{},
	],
	zoho: [
		{
			businessAddressLine1: street,
			businessPhone: '5550100100',
			businessDomain: 'www.pinetree.example',
			externalId: 'zcrm_4876876000000456001',
		},
		{ externalId: 'zcrm_4876876000000456002' },
	],
	dynamics: [
		{
			businessAddressLine1: street,
			businessAddressLine2: suite,
			businessPhone: '555-010-0100',
			externalId: 'a16b3f4b-1be7-e611-8101-e0071b6af231',
		},
		{ externalId: 'a56b3f4b-1be7-e611-8101-e0071b6af231' },
	],
};

it.each(Object.entries(programs))('an export of %s is understood', async (program, [first, second]) => {
	const { error, hints } = await world.import({ rows: exported(program) });
	expect(error).toBeUndefined();
	expect(world.sentItems()).toEqual([
		{ ...names[0], ...springfield, ...first },
		{ ...names[1], ...portland, ...second },
	]);
	const read = /'Business Name' was read from 'Company name'\. Not sent: Name\./;
	expect(hints.filter((hint) => read.test(hint))).toHaveLength(program === 'quickbooks' ? 1 : 0);
});

describe('one header that is not understood', () => {
	const rows = exported('hubspot').map(({ 'State/Region': region, ...row }): Row => ({ ...row, Kreis: region }));
	const sent = (...others: object[]) =>
		programs.hubspot.map((fields, place) => ({
			...names[place],
			...[springfield, portland][place],
			...fields,
			...others[place],
		}));

	it('is mapped by hand, and nothing else has to be', async () => {
		const { error } = await world.import({
			rows,
			columns: mapped({ businessState: '={{ $json.Kreis }}', businessCity: null }),
		});
		expect(error).toBeUndefined();
		expect(world.sentItems()).toEqual(sent());
	});

	it('leaves out what was taken away from the mapping, and what was not offered', async () => {
		const schema = ['businessPhone', 'businessDomain', 'principal1_lastName'].map((id) => ({ id, removed: true }));
		const columns = {
			columnsFrom: 'mapping',
			columns: { mappingMode: 'defineBelow', value: { businessState: '={{ $json.Kreis }}' }, schema },
		};
		const owned = rows.map((row) => ({ ...row, 'Principal 1 Last Name': 'Moore', 'Principal 2 Last Name': 'Lee' }));
		await world.import({ rows: owned, columns });
		expect(
			world
				.sentItems()
				.map(({ businessPhone, businessDomain, principals }) => [businessPhone, businessDomain, principals]),
		).toEqual([
			[undefined, undefined, undefined],
			[undefined, undefined, undefined],
		]);
	});

	it('takes a column that is mapped by hand for nothing else', async () => {
		await world.import({
			rows,
			columns: mapped({ businessState: '={{ $json.Kreis }}', businessDba: '={{ $json["Company name"] }}' }),
		});
		expect(world.sentItems().map(({ businessName, businessDba }) => [businessName, businessDba])).toEqual(
			names.map(({ businessName }) => [undefined, businessName]),
		);
	});
});
