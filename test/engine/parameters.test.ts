import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import {
	type Field,
	type Fields,
	flag,
	number,
	optional,
	shown,
	text,
} from '../../nodes/BusinessVerification/kit/field';
import { collection, rows, settings } from '../../nodes/BusinessVerification/kit/collections';
import { choice, list } from '../../nodes/BusinessVerification/kit/field';
import type { Kind } from '../../nodes/BusinessVerification/document/vocabulary';
import { form } from '../../nodes/BusinessVerification/fields/form';
import type { Operation } from '../../nodes/BusinessVerification/kit/operation';
import { Failure } from '../../nodes/BusinessVerification/kit/service';
import {
	nameOfItem,
	optionsOfRun,
	parameterReader,
	readParameters,
} from '../../nodes/BusinessVerification/engine/parameters';
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
	principals: rows('Principals', {
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

it('an item is named by the text in its first field, of which a hundred characters are shown', () => {
	const getNode = () => ({ parameters: { businessName: '={{ $json.name }}' }, type: 'businessVerification' });
	const operation = { fields: { businessName: text('Business Name') } } as unknown as Operation;
	const named = (name: unknown) =>
		nameOfItem(strictContext<IExecuteFunctions>({ getNode, getInputData: () => [{ json: { name } }] }), operation, 0);
	expect([` ${'x'.repeat(101)}`, ' ', 7, { mode: 'id', value: ' i-1 ' }].map(named)).toEqual([
		...['x'.repeat(100), undefined, undefined, 'i-1'],
	]);
});

describe('the options of a run', () => {
	const optionsOf = (options: unknown, evaluated: Record<string, unknown> = {}, forAgent = false) => {
		const getNodeParameter = (name: string, item: number) => evaluated[`${name} ${item}`] ?? failure(() => undefined);
		const getNode = () => ({ parameters: { options } });
		return optionsOfRun(strictContext<IExecuteFunctions>({ getNode, getNodeParameter }), forAgent);
	};
	const usual = { concurrency: undefined, timeout: 60_000, submitAgain: false, spendingLimit: Infinity };
	const path = 'options.advanced';

	it.each<[string, unknown, Record<string, unknown>, object]>([
		['have defaults', undefined, {}, {}],
		['are as saved', { submitAgain: true, spendingLimit: 1 }, {}, { submitAgain: true, spendingLimit: 1 }],
		[
			'may be texts',
			{ timeout: '9', spendingLimit: '7', submitAgain: 'false' },
			{},
			{ timeout: 9_000, spendingLimit: 7 },
		],
		['stay within bounds', { timeout: 601, advanced: { concurrency: 33 } }, {}, { timeout: 600_000, concurrency: 32 }],
		[
			'are evaluated',
			{ timeout: '=', advanced: '=' },
			{ 'options.timeout 0': 9, [`${path} 0`]: {} },
			{ timeout: 9_000 },
		],
		['are so inside', { advanced: { concurrency: '=' } }, { [`${path}.concurrency 0`]: '5' }, { concurrency: 5 }],
		['are all one expression', '=', { 'options 0': { timeout: 8 } }, { timeout: 8_000 }],
		['have defaults for what cannot be evaluated', { timeout: '=', advanced: '=' }, {}, {}],
	])('%s', (_, saved, evaluated, expected) => {
		expect(optionsOf(saved, evaluated)).toEqual({ ...usual, ...expected });
	});

	it('let a model wait half as long for an answer, and not repeat for a minute, unless the author chose', () => {
		const forModels = [{}, { timeout: 90 }].map((saved) => optionsOf(saved, {}, true));
		expect(forModels.map(({ timeout, patienceMs }) => [timeout, patienceMs])).toEqual([
			[30_000, 25_000],
			[90_000, 25_000],
		]);
	});

	it.each([0, -1, 1.5, '', 'many', true, [2]])('hold no spending limit of %j', (spendingLimit) => {
		const message = "'Spending Limit' must be a whole number of at least 1";
		expect(failure(() => optionsOf({ spendingLimit }))).toEqual({ message, parameter: 'options.spendingLimit' });
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
