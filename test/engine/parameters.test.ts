import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import {
	type Field,
	type Fields,
	flag,
	number,
	optional,
	shown,
	text,
	whole,
} from '../../nodes/BusinessVerification/kit/field';
import { collection, jsonObject, rows, settings } from '../../nodes/BusinessVerification/kit/field';
import { choice, list } from '../../nodes/BusinessVerification/kit/field';
import type { Kind } from '../../nodes/BusinessVerification/document/vocabulary';
import { form } from '../../nodes/BusinessVerification/fields/form';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import { propertiesOf } from '../../nodes/BusinessVerification/kit/field';
import { parameterReader, readParameters } from '../../nodes/BusinessVerification/engine/parameters';
import { strictContext } from '../harness/strictContext';

/** A field of the service's document, of one kind. */
const documented = (kind: Exclude<Kind, 'principals' | 'licenses'>, label = 'D'): Field =>
	(form([{ name: 'one', kind, label }], {}) as Fields).one;

/** What is saved in the node, the items it runs on, and what n8n makes of an expression; counts every evaluation. */
function reader(
	fields: Fields,
	saved: Record<string, unknown>,
	evaluated: (name: string, item: number) => unknown = () => undefined,
	items: object[] = [],
	type = 'businessVerification',
) {
	const evaluations: string[] = [];
	const context = strictContext<IExecuteFunctions>({
		getNode: () => ({ parameters: saved, type }),
		getInputData: () => items.map((json) => ({ json })),
		getTimezone: () => 'America/New_York',
		getNodeParameter: (name: string, item: number) => {
			evaluations.push(`${name} ${item}`);
			return evaluated(name, item);
		},
	});
	return { read: parameterReader(context, fields), evaluations };
}

function failure(act: () => unknown): { message: string; parameter?: string; description?: string } {
	try {
		act();
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return { message: error.message, parameter: error.details.parameter, description: error.details.description };
	}
	throw new Error('Nothing failed');
}

const fields = {
	businessName: text('Business Name'),
	additionalFields: collection('Additional Fields', {
		businessEin: documented('ein', 'EIN'),
		tags: list('Tags'),
		externalId: text('External ID'),
	}),
	principals: rows('Principals', 'Principal', {
		lastName: text('Last Name'),
		ownershipPercentage: documented('number', 'Ownership'),
	}),
};

describe('evaluation', () => {
	it('a parameter without an expression is never evaluated, however many items there are', () => {
		const { read, evaluations } = reader(fields, {
			businessName: 'Acme = Trading',
			additionalFields: { businessEin: '12-3456789' },
			principals: { row: [{ lastName: 'Smith' }] },
		});
		const inputs = Array.from({ length: 1000 }, (_, item) => read(item));
		expect(evaluations).toEqual([]);
		expect(inputs[999]).toMatchObject({ businessName: 'Acme = Trading', principals: [{ lastName: 'Smith' }] });
	});

	it('only parameters with an expression are evaluated, once for each item', () => {
		const { read, evaluations } = reader(
			fields,
			{ businessName: '={{ $json.name.trim() }}', additionalFields: { businessEin: '12-3456789' }, principals: {} },
			(_, item) => `Business ${item}`,
		);
		expect([read(0).businessName, read(1).businessName]).toEqual(['Business 0', 'Business 1']);
		expect(evaluations).toEqual(['businessName 0', 'businessName 1']);
	});

	it('a reference to the item is read from it, and n8n is asked only for an item where it is not plain to see', () => {
		const { read, evaluations } = reader(
			fields,
			{ businessName: '={{ $json.name }}', principals: { row: [{ lastName: "={{ $json.owner['Last Name'] }}" }] } },
			(name) => (name === 'principals' ? [{ lastName: 'by n8n' }] : undefined),
			[
				{ name: 'A', owner: { 'Last Name': 'Smith' } },
				{ name: 4711, owner: null },
				{ name: 'C', owner: { 'Last Name': 'Doe' } },
			],
		);
		expect([0, 1, 2].map(read)).toMatchObject([
			{ businessName: 'A', principals: [{ lastName: 'Smith' }] },
			{ businessName: '4711', principals: [{ lastName: 'by n8n' }] },
			{ businessName: 'C', principals: [{ lastName: 'Doe' }] },
		]);
		expect(evaluations).toEqual(['principals 1']);
	});

	it('when an agent calls, n8n says what the item is', () => {
		const { read, evaluations } = reader(
			fields,
			{ businessName: '={{ $json.name }}' },
			() => 'by n8n',
			[{ name: 'of the input' }],
			'businessVerificationTool',
		);
		expect(read(0).businessName).toBe('by n8n');
		expect(evaluations).toEqual(['businessName 0']);
	});

	it.each([
		['in a collection', { additionalFields: { externalId: '={{ $json.id }}' } }, 'additionalFields'],
		['in a list inside a collection', { additionalFields: { tags: ['a', '={{ $json.tag }}'] } }, 'additionalFields'],
		['in a row', { principals: { row: [{ lastName: 'A' }, { lastName: '={{ $json.name }}' }] } }, 'principals'],
		['in place of a collection', { additionalFields: '={{ $json }}' }, 'additionalFields'],
	])('an expression %s is found', (_, saved, name) => {
		const { read, evaluations } = reader(fields, { businessName: 'Acme', ...saved }, (name) =>
			name === 'principals' ? [] : {},
		);
		read(0);
		read(1);
		expect(evaluations).toEqual([`${name} 0`, `${name} 1`]);
	});

	it('a parameter that was never saved has its default', () => {
		const { read } = reader(
			{
				limit: number('Limit', { default: 50 }),
				simple: flag('Simplify'),
				output: choice('Output', { raw: 'Raw', all: 'All' }),
			},
			{},
		);
		expect(read(0)).toEqual({ limit: 50, simple: false, output: 'raw' });
	});
});

/** As much of n8n's own dates as is read. */
const luxon = (iso: string) => ({ toISO: () => iso, toJSDate: () => new Date(iso) });

describe('values', () => {
	/** How one field reads a value that an expression hands over. */
	const readAs = (field: Fields[string], value: unknown) =>
		reader({ value: field }, { value: '={{ }}' }, () => value).read(0).value;

	it.each<[string, Fields[string], unknown, unknown]>([
		['text is trimmed', text('T'), ' Acme ', 'Acme'],
		['a number becomes text', text('T'), 4711, '4711'],
		['zero becomes text', text('T'), 0, '0'],
		['a boolean becomes text', text('T'), false, 'false'],
		['a code gets its zeros back', documented('zip'), 2139, '02139'],
		['a code given as text stays', documented('zip'), '2139', '2139'],
		['a code with nine digits stays', documented('ein', 'EIN'), 123456789, '123456789'],
		['blank text is absent', optional(text('T')), '  ', undefined],
		['null is absent', optional(text('T')), null, undefined],
		['a number given as text', number('N', { default: 1 }), '7', 7],
		['a blank number is its default', number('N', { default: 50 }), '', 50],
		['a decimal that is blank is absent', optional(documented('number')), '', undefined],
		['a decimal of zero stays', optional(documented('number')), 0, 0],
		['a switch as text', flag('F'), 'true', true],
		['a blank switch is off', flag('F'), '', false],
		['a list from text', list('L'), 'a, b,,', ['a', 'b']],
		['a list in JSON', list('L'), '["a", "b"]', ['a', 'b']],
		['a switch in words', flag('F'), 'Yes', true],
		['a choice with white space', choice('Kind', { a: 'A', b: 'B' }), ' b ', 'b'],
		['a list from a list', list('L'), ['a', 2, ''], ['a', '2']],
		['no list', list('L'), null, []],
		['JSON as text', jsonObject('J'), '{"a":1}', { a: 1 }],
		['JSON as an object', jsonObject('J'), { a: 1 }, { a: 1 }],
		['an ISO time', documented('time'), '2026-01-31T10:00:00+01:00', '2026-01-31T09:00:00.000Z'],
		['an ISO time to the minute', documented('time'), '2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
		['an ISO time with an offset in hours', documented('time'), '2026-01-31T09:00+02', '2026-01-31T07:00:00.000Z'],
		['a day in n8n’s zone', documented('time'), '2026-01-31', '2026-01-31T05:00:00.000Z'],
		['a picked day', documented('time'), '2026-07-31T00:00:00', '2026-07-31T04:00:00.000Z'],
		['a picked time', documented('time'), '2026-01-31 09:30:00', '2026-01-31T14:30:00.000Z'],
		['a day of a spreadsheet', documented('time'), 46053, '2026-01-31T05:00:00.000Z'],
		['a day as one number', documented('time'), 20260131, '2026-01-31T05:00:00.000Z'],
		['a day with its month in words', documented('time'), 'May 3, 2026', '2026-05-03T04:00:00.000Z'],
		['a day that comes first without doubt', documented('time'), '31.01.2026', '2026-01-31T05:00:00.000Z'],
		['a JavaScript date', documented('time'), new Date('2026-01-31T09:00:00Z'), '2026-01-31T09:00:00.000Z'],
		['a Luxon value', documented('time'), luxon('2026-01-31T10:00:00.000+01:00'), '2026-01-31T09:00:00.000Z'],
		['a day', documented('date'), '1980-12-31', '1980-12-31'],
		['the own day of a Luxon value', documented('date'), luxon('1980-12-31T00:00:00.000+01:00'), '1980-12-31'],
		['a day in other words', documented('date'), '31.12.1980', '1980-12-31'],
		['a day of the wall clock', documented('date'), '1980-12-31T23:30:00', '1980-12-31'],
		['a nine-digit ZIP number', documented('zip'), 123456789, '123456789'],
		['yes', documented('boolean'), 'Yes', true],
		['one', documented('boolean'), 1, true],
		['tags in a text', documented('tags'), 'a; b, c', ['a', 'b', 'c']],
		['a tag with a comma, in a list', documented('tags'), ['a, b', 'c'], ['a, b', 'c']],
		['a day from a JavaScript date', documented('date'), new Date('1980-12-31T00:00:00Z'), '1980-12-31'],
		['a leap day', documented('date'), '1984-02-29', '1984-02-29'],
	])('%s', (_, field, value, expected) => {
		expect(readAs(field, value)).toEqual(expected);
	});

	const heldObject = 'contains an object where text is expected; use one of its fields';
	const ambiguous = "'Born' is an ambiguous date (day or month first?); write it YYYY-MM-DD";

	it.each<[string, Fields[string], unknown, string | RegExp]>([
		['required text that is blank', text('Name'), ' ', "'Name' is required"],
		['text that is an object', text('Name'), {}, "'Name' is not text"],
		['an error of a spreadsheet', text('Name'), '#N/A', "'Name' is a spreadsheet error such as '#N/A'"],
		['text that is a date', text('Name'), new Date(0), "'Name' is a date where text is expected"],
		['a number that is a word', number('Limit', { default: 1 }), 'many', "'Limit' is not a number"],
		['a number that is too small', number('Limit', { default: 1, min: 1 }), 0, "'Limit' must be at least 1"],
		['a number that is too large', number('Limit', { default: 1, max: 500 }), '501', "'Limit' must be at most 500"],
		['a switch that is a word', flag('Reveal'), 'maybe', "'Reveal' is neither yes nor no"],
		['an unknown choice', choice('Kind', { a: 'A', b: 'B' }), 'c', "'Kind' must be one of a, b"],
		[
			'a tag with a comma',
			list('Tags'),
			['a,b'],
			"'Tags > 1' must not contain commas, because the service separates entries by them",
		],
		['broken JSON', jsonObject('Extra'), '{', "'Extra' is not valid JSON"],
		['JSON that is a list', jsonObject('Extra'), '[1]', "'Extra' must be a JSON object"],
		...[
			...[
				'yesterday',
				'7',
				'May 3',
				'2026',
				'2026-W05',
				'03/04/2026',
				'03/04/26',
				'2026-02-30',
				'2026-02-30T09:00:00Z',
			],
			...['2026-01-31T25:00:00Z', '2026-01-31T09:00:00+0', 'T09:00:00Z', '2026-01-31T09', 'NaN', {}, [], true],
			...[7, 2026, 1769850000, 1769850000000, 46053.5, NaN, new Date(NaN)],
		].map((time): [string, Field, unknown, string] => [
			`the time ${String(time)} (${typeof time})`,
			documented('time', 'After'),
			time,
			"'After' must be a day or a time, for example 2026-01-31 or 2026-01-31T09:00:00Z",
		]),
		[
			'31 February',
			documented('date', 'Born'),
			'1980-02-31',
			"'Born' is not a date that can be read; write it YYYY-MM-DD",
		],
		...['1980-12-30T23:00:00.000Z', luxon('1980-12-31T23:30:00.000-08:00'), new Date('1980-12-30T22:17:00Z')].map(
			(moment): [string, Field, unknown, string] => [
				`a moment instead of a day (${typeof moment})`,
				documented('date', 'Born'),
				moment,
				"'Born' is a date with a time, and the day depends on the time zone; write it YYYY-MM-DD",
			],
		),
		['a ZIP number of 8 digits', documented('zip', 'ZIP'), 21390001, "'ZIP' is a number that cannot be a ZIP code"],
		['an object in a text', text('Name'), '[object Object] Inc', `'Name' ${heldObject}`],
		['an object in a documented text', documented('text', 'Name'), 'Inc [object Object]', `'Name' ${heldObject}`],
		['a date of which nobody knows the order', documented('date', 'Born'), '03/04/1980', ambiguous],
		...[flag('Bare'), list('Bare'), number('Bare', { default: 1 }), text('Bare'), choice('Bare', { a: 'A' })].map(
			(field): [string, Field, unknown, RegExp] => [
				`an object without a prototype (${field.property.type})`,
				field,
				Object.create(null),
				/^'Bare' (is|must be) /,
			],
		),
		...(['text', 'tags', 'boolean', 'number', 'time', 'date', 'zip'] as const).map(
			(kind): [string, Field, unknown, RegExp] => [
				`an object without a prototype (${kind})`,
				documented(kind, 'Bare'),
				Object.create(null),
				/^'Bare' (is|must be) /,
			],
		),
		['a part of a row', whole('Rows', { default: 1 }), 2.5, "'Rows' must be a whole number"],
		['a part of a score', documented('integer', 'Score'), '80.5', "'Score' must be a whole number"],
	])('%s is refused', (_, field, value, message) => {
		const said = failure(() => readAs(field, value)).message;
		if (typeof message === 'string') expect(said).toBe(message);
		else expect(said).toMatch(message);
	});
});

describe('what is reported about a wrong value', () => {
	it('the path in the words of the form, the name of the parameter, and all else that is wrong', () => {
		const saved = {
			businessName: '',
			additionalFields: {},
			principals: { row: [{ lastName: 'Smith' }, { lastName: 'Doe', ownershipPercentage: 'half' }] },
		};
		expect(failure(() => reader(fields, saved).read(0))).toEqual({
			message: "'Business Name' is required",
			parameter: 'businessName',
			description: "Also: 'Principals > 2 > Ownership' is not a number",
		});
		expect(failure(() => reader(fields, { ...saved, businessName: 'Acme' }).read(0))).toMatchObject({
			message: "'Principals > 2 > Ownership' is not a number",
			parameter: 'principals.ownershipPercentage',
		});
	});
});

describe('a group of settings', () => {
	const options = settings('Options', {
		maxWait: number('Max Wait', { default: 10 }),
		onTimeout: choice('On Timeout', { fail: 'Fail' }),
		note: optional(text('Note')),
	});

	it('has the default of each that was not added', () => {
		expect(reader({ options }, {}).read(0)).toEqual({ options: { maxWait: 10, onTimeout: 'fail' } });
		expect(reader({ options }, { options: { maxWait: 0 } }).read(0)).toEqual({
			options: { maxWait: 0, onTimeout: 'fail' },
		});
	});

	it('is not a group of fields, of which what was not added is absent', () => {
		const fields = collection('Filters', { score: documented('integer', 'Score'), kind: flag('Kind') });
		expect(reader({ fields }, {}).read(0)).toEqual({ fields: {} });
		expect(reader({ fields }, { fields: { score: 0 } }).read(0)).toEqual({ fields: { score: 0 } });
	});

	it('fails an item whose own expression is wrong, and no other', () => {
		const { read } = reader({ options }, { options: { maxWait: '={{ }}' } }, (_, item) => {
			if (item === 0) throw new Error('item 0 has no such field');
			return { maxWait: item === 1 ? 'long' : 5 };
		});
		expect(() => read(0)).toThrow('item 0 has no such field');
		expect(failure(() => read(1)).message).toBe("'Options > Max Wait' is not a number");
		expect(read(2)).toEqual({ options: { maxWait: 5, onTimeout: 'fail' } });
	});
});

describe('a trigger', () => {
	const fields = {
		watch: choice('Watch', { inquiry: 'Inquiries', batch: 'One Batch' }),
		batchId: shown({ watch: ['batch'] }, text('Batch ID')),
		filters: collection('Filters', { tags: list('Tags') }),
	};
	const trigger = (saved: object) =>
		strictContext<IPollFunctions>({
			getNode: () => ({ type: 'businessVerification', parameters: saved }),
			getNodeParameter: (name: string) => (name === 'filters' ? { tags: 'vip' } : `evaluated ${name}`),
		});

	it('has the properties of its fields, and nothing of a resource or an operation', () => {
		expect(propertiesOf(fields)).toMatchObject([
			{ name: 'watch', displayName: 'Watch', default: 'inquiry' },
			{ name: 'batchId', required: true, displayOptions: { show: { watch: ['batch'] } } },
			{ name: 'filters', type: 'collection' },
		]);
		expect(JSON.stringify(propertiesOf(fields))).not.toContain('resource');
	});

	it('is read by the same reader, with its expressions', () => {
		expect(readParameters(trigger({ watch: 'batch', batchId: '={{ }}', filters: { tags: '={{ }}' } }), fields)).toEqual(
			{
				watch: 'batch',
				batchId: 'evaluated batchId',
				filters: { tags: ['vip'] },
			},
		);
	});

	it('misses only what it shows', () => {
		expect(readParameters(trigger({}), fields)).toEqual({ watch: 'inquiry', filters: {} });
		expect(failure(() => readParameters(trigger({ watch: 'batch' }), fields)).message).toBe("'Batch ID' is required");
	});
});
