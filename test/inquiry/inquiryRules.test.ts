import { validateInquiry } from '../../nodes/BusinessVerification/inquiry/newInquiry';

const good = { businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' };
const license = { license_name: 'Acme', license_id: '7', license_state: 'IL', license_category: 'plumbing' };

test.each<[string, object]>([
	['the least', good],
	['a DBA instead of a name', { businessDba: 'Acme', businessCity: 'Springfield', businessState: 'IL' }],
	[
		'nulls where the document allows them',
		{ ...good, businessDba: null, businessEin: null, principals: null, licenses: null, tags: null },
	],
	['empty lists', { ...good, principals: [], licenses: [], tags: [] }],
	[
		'a principal with everything typed',
		{ ...good, principals: [{ lastName: 'Smith', dob: '1990-01-31', ownershipPercentage: 0, searchNpi: false }] },
	],
	[
		'a principal of nulls and a name',
		{ ...good, principals: [{ lastName: 'Smith', dob: null, ownershipPercentage: null }] },
	],
	[
		'licenses in both spellings',
		{ ...good, licenses: [license, { licenseName: 'A', licenseId: '7', licenseState: 'IL', licenseCategory: 'x' }] },
	],
	['keys the document does not know', { ...good, extra: 5, principals: [{ lastName: 'Smith', extra: [] }] }],
])('%s may be sent', (_, item) => {
	expect(validateInquiry(item)).toEqual([]);
});

test.each<[string, object, Array<[path: Array<string | number> | string, reason: string]>]>([
	[
		'nothing',
		{},
		[
			['businessName', "or 'Business DBA' is required"],
			['businessCity', 'is required'],
			['businessState', 'is required'],
		],
	],
	[
		'blanks',
		{ businessName: ' ', businessDba: '', businessCity: '\t', businessState: 'IL' },
		[
			['businessName', "or 'Business DBA' is required"],
			['businessCity', 'is required'],
		],
	],
	[
		'a number as text',
		{ ...good, businessZip: 2139, externalId: 7 },
		[
			['businessZip', 'must be text'],
			['externalId', 'must be text'],
		],
	],
	['tags as text', { ...good, tags: 'a,b' }, [['tags', 'must be a list of texts']]],
	['a tag that is a number', { ...good, tags: ['a', 1] }, [['tags', 'must be a list of texts']]],
	['principals that are no list', { ...good, principals: { lastName: 'Smith' } }, [['principals', 'must be a list']]],
	['a principal that is text', { ...good, principals: ['Smith'] }, [[['principals', 0], 'must be an object']]],
	[
		'the second principal without last name',
		{ ...good, principals: [{ lastName: 'Smith' }, { firstName: 'Nathan' }] },
		[[['principals', 1, 'lastName'], 'is required']],
	],
	[
		'a principal mistyped',
		{
			...good,
			principals: [{ lastName: 'Smith', dob: '31/01/1990', ownershipPercentage: '5', searchNpi: null, npi: 7 }],
		},
		[
			[['principals', 0, 'dob'], 'must be a date written YYYY-MM-DD'],
			[['principals', 0, 'npi'], 'must be text'],
			[['principals', 0, 'ownershipPercentage'], 'must be a number'],
			[['principals', 0, 'searchNpi'], 'must be a boolean'],
		],
	],
	[
		'a day that does not exist',
		{ ...good, principals: [{ lastName: 'Smith', dob: '1991-02-29' }] },
		[[['principals', 0, 'dob'], 'must be a date written YYYY-MM-DD']],
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
	[
		'a license ID that is a number',
		{ ...good, licenses: [{ ...license, license_id: 7 }] },
		[[['licenses', 0, 'license_id'], 'must be text']],
	],
])('%s may not', (_, item, problems) => {
	expect(validateInquiry(item)).toEqual(problems.map(([path, reason]) => ({ path: [path].flat(), reason })));
});
