import { saysSomething } from '../../nodes/BusinessVerification/kit/collections';
import { choice, choices, list } from '../../nodes/BusinessVerification/kit/field';
import { isTooDeep, orBegun, partAt } from '../../nodes/BusinessVerification/kit/objects';
import { at } from '../../nodes/BusinessVerification/kit/operation';

const route = 'GET /v1/inquiries/{inquiry_id}/pdf';

it('lets no ID change the path of a request', () => {
	expect(at(route, { inquiry_id: 'a/b?c=d..e' }).path).toBe('/v1/inquiries/a%2Fb%3Fc%3Dd..e/pdf');
	const climbing = [
		'../users',
		'a/../..',
		'..\\users',
		'..%2fusers',
		'%2E%2e%5Cusers',
		'%252e%252E%252Fusers',
		'a/..;/b',
	];
	for (const id of ['.', '..', 'cut \ud83d', ...climbing])
		expect(() => at(route, { inquiry_id: id })).toThrow(`'${id}' is not an ID`);
});

it('reads the part at a path, and nothing that objects inherit', () => {
	const report = { data: [{ seller_id: 's-1' }], text: 'abc' };
	expect(partAt(report, 'data.0.seller_id')).toBe('s-1');
	for (const path of ['text.length', 'data.constructor', 'none.at.all']) expect(partAt(report, path)).toBeUndefined();
	expect(partAt(null, 'data')).toBeUndefined();
});

it('shares one task under way, and begins it again after a failure', async () => {
	const tasks = new Map<string, Promise<number>>();
	let begun = 0;
	const begin = () => (++begun === 1 ? Promise.reject(new Error('down')) : Promise.resolve(begun));
	const two = () => Promise.all([orBegun(tasks, 'a', begin), orBegun(tasks, 'a', begin)]);
	await expect(two()).rejects.toThrow('down');
	expect(await two()).toEqual([2, 2]);
});

it('finds what is nested too deeply, and nothing else', () => {
	const nested = (levels: number): unknown => (levels === 0 ? 'end' : { inside: nested(levels - 1) });
	expect([3, 101, 102].map((levels) => isTooDeep(nested(levels)))).toEqual([false, false, true]);
});

it.each([
	['list', list('Tags')],
	['choices', choices('Tags', {})],
])('%s names each entry that the service would take for two', (_, field) => {
	const report = jest.fn();
	field.read(['gold', 'north,south', 'a,b'], report);
	expect(report.mock.calls.map(([reason, path]) => [reason.slice(0, 23), path])).toEqual([
		['must not contain commas', [1]],
		['must not contain commas', [2]],
	]);
});

it('a choice may have blanks around it, and is the first one if it is blank', () => {
	const report = jest.fn();
	const { read } = choice('Output', { simplified: 'Simplified', raw: 'Raw' });
	expect([' raw ', ' ', undefined].map((value) => read(value, report))).toEqual(['raw', 'simplified', 'simplified']);
	expect(report).not.toHaveBeenCalled();
});

it('a form says nothing as long as it holds only what is the same for all, or untouched', () => {
	const untouched = { lastName: '', searchNpi: false, ownershipPercentage: 0, additionalFields: { npi: '' } };
	const fixed = { principalType: 'owner', state: 'IL', license_state: 'IL', licenseCategory: 'plumbing' };
	expect([{}, untouched, fixed, { ...untouched, ...fixed }].map(saysSomething)).toEqual([false, false, false, false]);
	expect([{ city: 'Springfield' }, { additionalFields: { npi: '7' } }].map(saysSomething)).toEqual([true, true]);
});
