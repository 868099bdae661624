import { checksUnlockedBy, countChecks } from '../../nodes/BusinessVerification/inquiry/newInquiry';

const bare = { businessName: 'Acme', businessCity: 'Springfield', businessState: 'IL' };

test.each<[object, string[]]>([
	[{}, []],
	[{ businessDomain: 'example.com' }, ['domain verification']],
	[{ businessEin: '123456789' }, ['better Secretary of State and business matching']],
	[{ businessAddressLine1: '1 Main Street' }, []],
	[{ businessZip: '02139' }, []],
	[
		{ businessAddressLine1: '1 Main Street', businessZip: '02139' },
		['Secretary of State lookups and address verification'],
	],
	[{ businessPhone: '1', businessEmail: 'a@example.com' }, ['phone verification', 'email verification']],
	[{ principals: [] }, []],
	[{ principals: [{ lastName: 'Smith' }] }, ['person-level searches']],
	[
		{ principals: [{ lastName: 'Smith', dob: '1990-01-31' }] },
		['person-level searches', 'extra background checks of principals'],
	],
	[{ licenses: [{}] }, ['license verification']],
])('%j unlocks %j', (fields, checks) => {
	expect(checksUnlockedBy({ ...bare, ...fields })).toEqual(checks);
});

test('counts rows, and how often each row unlocks a check', () => {
	const items = [
		{ ...bare, principals: [{ lastName: 'Smith', dob: '1990-01-31' }, { lastName: 'Jones' }] },
		{ ...bare, principals: [{ lastName: 'Smith' }], businessEmail: 'a@example.com' },
		bare,
	];
	expect(countChecks(items)).toEqual([
		{ check: 'email verification', needs: ['businessEmail'], rows: 1, times: 1 },
		{ check: 'person-level searches', needs: ['principals'], rows: 2, times: 3 },
		{ check: 'extra background checks of principals', needs: ['principals.dob'], rows: 1, times: 1 },
	]);
	const all = {
		businessEin: '1',
		businessAddressLine1: '1',
		businessZip: '1',
		businessPhone: '1',
		businessDomain: 'a',
	};
	expect(countChecks([...items, { ...bare, ...all, licenses: [{}] }])).toHaveLength(8);
});
