/** A role, a state and a category are often the same for all rows: alone they make no principal and no license. */
import { newInquiry } from '../../nodes/BusinessVerification/inquiry/inquiryForm';
import { planColumns } from '../../nodes/BusinessVerification/sheet/columns';
import { mapRow } from '../../nodes/BusinessVerification/sheet/check';
import { Row } from '../../nodes/BusinessVerification/sheet/row';

const inForm = (list: 'principals' | 'licenses', ...row: object[]) =>
	newInquiry[list].read({ row }, (reason) => {
		throw new Error(reason);
	});
const inSheet = (row: Record<string, unknown>) => {
	const plan = planColumns(Object.keys(row));
	return mapRow(plan, new Row(0, row), { dateOrder: 'report' });
};

it.each([
	['principalType', 'Principal 1 Role', 'Owner', { principalType: 'Owner' }],
	['state', 'Principal 1 State', 'IL', { additionalFields: { state: 'IL' } }],
])('%s makes no principal', (key, header, value, fields) => {
	const principals = [{ lastName: 'Moore', [key]: value }];
	expect(inForm('principals', fields, { lastName: 'Moore', ...fields })).toEqual([{ lastName: 'Moore', ...fields }]);
	expect(inSheet({ 'Principal 1 Last Name': '', [header]: value })).toEqual({});
	expect(inSheet({ 'Principal 1 Last Name': 'Moore', [header]: value })).toEqual({ principals });
});

it.each([
	['licenseState', 'license_state', 'License 1 State', 'IL'],
	['licenseCategory', 'license_category', 'License 1 Category', 'plumbing'],
])('%s makes no license', (key, keyInSheet, header, value) => {
	const licenses = [{ licenseId: '77', [key]: value }];
	expect(inForm('licenses', { [key]: value }, ...licenses)).toEqual(licenses);
	const headers = ['License 1 ID', 'License 1 Name', 'License 1 State', 'License 1 Category'];
	const blank = Object.fromEntries(headers.map((one) => [one, '']));
	expect(inSheet({ ...blank, [header]: value })).toEqual({});
	expect(inSheet({ ...blank, 'License 1 ID': '77', [header]: value })).toEqual({
		licenses: [{ license_id: '77', [keyInSheet]: value }],
	});
});
