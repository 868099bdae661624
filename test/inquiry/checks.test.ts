import { checksUnlockedBy } from '../../nodes/BusinessVerification/inquiry/newInquiry';

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

test('one principal of several is enough, and everything together unlocks all eight', () => {
	const dated = { lastName: 'Smith', dob: '1990-01-31' };
	expect(checksUnlockedBy({ ...bare, principals: [{ lastName: 'Jones' }, dated] })).toEqual([
		'person-level searches',
		'extra background checks of principals',
	]);
	const all = {
		businessEin: '1',
		businessAddressLine1: '1',
		businessZip: '1',
		businessPhone: '1',
		businessDomain: 'a',
		businessEmail: 'a@example.com',
	};
	expect(checksUnlockedBy({ ...bare, ...all, principals: [dated], licenses: [{}] })).toHaveLength(8);
});
