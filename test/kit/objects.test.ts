import { collection, rows, saysSomething } from '../../nodes/BusinessVerification/kit/collections';
import { choice, jsonObject, optionalText, text, whole } from '../../nodes/BusinessVerification/kit/field';
import { isTooDeep, orBegun, partAt } from '../../nodes/BusinessVerification/kit/objects';
import { at, isNeeded, within } from '../../nodes/BusinessVerification/kit/operation';
import { stateCode } from '../../nodes/BusinessVerification/kit/unitedStates';

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

it('a choice may have blanks around it, and is the first one if it is blank', () => {
	const report = jest.fn();
	const { read } = choice('Output', { simplified: 'Simplified', raw: 'Raw' });
	expect([' raw ', ' ', undefined].map((value) => read(value, report))).toEqual(['raw', 'simplified', 'simplified']);
	expect(report).not.toHaveBeenCalled();
});

it.each([
	['number', whole('Rows', { default: 5, min: 1, max: 9 }), [' ', 1, 9], [5, 1, 9]],
	[
		'number beyond its bounds',
		whole('Rows', { default: 5, min: 1, max: 9 }),
		[0, 10],
		['must be at least 1', 'must be at most 9'],
	],
	['text', text('ID'), ['4E+17'], ['is a number with too many digits to be exact; format the column as text']],
	['optional text', optionalText('Motto'), [' ', null, 'n/a', ' yes '], [undefined, undefined, undefined, 'yes']],
	['object as JSON', jsonObject('Body'), ['{}', '[]', '{'], [{}, 'must be a JSON object', 'is not valid JSON']],
	['group', collection('More', { name: text('Name') }), [null, []], [{}, 'must be an object']],
	['list', rows('People', { name: text('Name') }), [{}, { row: 'x' }], [[], 'must be a list']],
	['row', rows('People', { name: text('Name') }), [[{}, { name: {} }]], ['1,name: is not text']],
])('%s is read, or refused with a reason', (_, field, values, expected) => {
	const read = (value: unknown) => {
		let said: string | undefined;
		const data = field.read(value, (reason, path = []) => {
			said = path.length > 0 ? `${path.join()}: ${reason}` : reason;
			return undefined;
		});
		return said ?? data;
	};
	expect(values.map(read)).toEqual(expected);
});

it('a number of an option is kept within its bounds, and is the usual one if it is none', () => {
	const bounds = { default: 8, min: 2, max: 32 };
	expect([undefined, 0, NaN, 1, 2, 32, 33].map((figure) => within(bounds, figure))).toEqual([8, 8, 8, 2, 2, 32, 32]);
	expect([{ required: true }, { required: true, displayOptions: {} }, {}].map((one) => isNeeded(one as never))).toEqual(
		[true, false, false],
	);
});

it('knows the states and territories by name and code', () => {
	const known =
		'Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,District of Columbia DC,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY,American Samoa AS,Guam GU,Northern Mariana Islands MP,Puerto Rico PR,Virgin Islands VI';
	for (const state of known.split(',')) {
		const code = state.slice(-2).toLowerCase();
		expect([stateCode(state.slice(0, -3)), stateCode(state.slice(-2))]).toEqual([code, code]);
	}
	expect(['XX', 'Illinoisx'].map(stateCode)).toEqual([undefined, undefined]);
});

it('a form says nothing as long as it holds only what is the same for all, or untouched', () => {
	const untouched = { lastName: '', searchNpi: false, ownershipPercentage: 0, additionalFields: { npi: '' } };
	const fixed = { principalType: 'owner', state: 'IL', license_state: 'IL', licenseCategory: 'plumbing' };
	expect([{}, untouched, fixed, { ...untouched, ...fixed }].map(saysSomething)).toEqual([false, false, false, false]);
	expect([{ city: 'Springfield' }, { additionalFields: { npi: '7' } }].map(saysSomething)).toEqual([true, true]);
});
