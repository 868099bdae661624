import { missingIn } from '../../nodes/BusinessVerification/inquiry/newInquiry';

const good = { businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' };
const license = { license_name: 'Acme', license_id: '7', license_state: 'IL', license_category: 'plumbing' };

test.each<[string, Record<string, unknown>]>([
	['the least', good],
	['a DBA instead of a name', { businessDba: 'Acme', businessCity: 'Springfield', businessState: 'IL' }],
	[
		'nulls where the document allows them',
		{ ...good, businessDba: null, businessEin: null, principals: null, licenses: null, tags: null },
	],
	['an ID that resembles no value', { ...good, externalId: 'nullundefined2 null-1 xfalse' }],
	['empty lists', { ...good, principals: [], licenses: [], tags: [] }],
	[
		'principals and licenses in both spellings',
		{
			...good,
			principals: [{ last_name: 'Smith' }],
			licenses: [license, { licenseName: 'A', licenseId: '7', licenseState: 'IL', licenseCategory: 'x' }],
		},
	],
	[
		'fields of other types, as in Extra Body',
		{
			...good,
			businessZip: 2139,
			tags: 'a,b',
			principals: ['Smith', { lastName: 'Smith', dob: '31/01/1990' }],
			licenses: {},
		},
	],
	['keys the document does not know', { ...good, extra: 5, principals: [{ lastName: 'Smith', extra: [] }] }],
])('%s may be sent', (_, item) => {
	expect(missingIn(item)).toEqual([]);
});

test.each<[string, Record<string, unknown>, Array<[path: Array<string | number> | string, reason: string]>]>([
	[
		'nothing',
		{},
		[
			['businessName', 'or a Business DBA is required'],
			['businessCity', 'is required'],
			['businessState', 'is required'],
		],
	],
	[
		'blanks',
		{ businessName: ' ', businessDba: '', businessCity: '\t', businessState: 'IL' },
		[
			['businessName', 'or a Business DBA is required'],
			['businessCity', 'is required'],
		],
	],
	[
		'the text that an expression makes of a missing ID',
		{ ...good, externalId: 'undefined' },
		[['externalId', "is 'undefined': its expression found no value"]],
	],
	...[
		'crm-undefined',
		'crm-undefined-x',
		'undefined-eu',
		'crm_null',
		'https://crm.example/NaN',
		'of [object Object]',
		'crm-false',
	].map((externalId): [string, object, Array<[string, string]>] => [
		`${externalId}, which is the ID of none,`,
		{ ...good, externalId },
		[['externalId', `is '${externalId}': its expression found no value`]],
	]),
	[
		'the second principal without last name',
		{ ...good, principals: [{ lastName: 'Smith' }, { firstName: 'Nathan' }] },
		[[['principals', 1, 'lastName'], 'is required']],
	],
	[
		'a license of nothing',
		{ ...good, licenses: [license, {}] },
		[
			[['licenses', 1, 'license_name'], 'is required'],
			[['licenses', 1, 'license_id'], 'is required'],
			[['licenses', 1, 'license_state'], 'is required'],
			[['licenses', 1, 'license_category'], 'is required'],
		],
	],
])('%s may not', (_, item, problems) => {
	expect(missingIn(item)).toEqual(problems.map(([path, reason]) => ({ path: [path].flat(), reason })));
});
