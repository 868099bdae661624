import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/BusinessVerification/operations';
import { cases, hasData, writes } from '../contract/cases';
import { costsMoney } from '../../nodes/BusinessVerification/kit/operation';
import { asTool, description, dropped, offered, operations, toolList, toolOf } from './toolList';

const nameOf = ({ resource, operation }: (typeof operations)[0]) => `${resource}.${operation}`;
const names = offered.map(nameOf);
const optionsOf = (resource: string, operation: string) => {
	const { options } = resources[resource].operations[operation].fields.options.property;
	return Object.fromEntries((options as INodeProperties[]).map((option) => [option.name, option]));
};

const toolText = (resource: string, operation: string) =>
	String(dropped(asTool, resource, operation).toolDescription ?? '');

it.each(offered)(
	'$resource $operation says first what it costs, or that it is free',
	({ resource, operation, definition }) => {
		const text = toolText(resource, operation);
		expect(text).toMatch(costsMoney(definition) ? /^COSTS MONEY: \w/ : /^FREE\. \w/);
		expect(text).not.toMatch(/["'`{}\\]|undefined|\.\./);
		expect(text.length).toBeLessThan(400);
	},
);

it('an operation that models may not use has no text for them', () => {
	const withText = description.properties
		.filter(({ name }) => name === 'toolDescription')
		.map(({ displayOptions }) => [displayOptions?.show?.resource, displayOptions?.show?.operation].join('.'));
	expect(withText).toHaveLength(offered.length);
	for (const hidden of ['user.getApiKey', 'user.acceptTerms', 'sellerSearch.submitAndWait'])
		expect(withText).not.toContain(hidden);
	expect(withText).toEqual(expect.arrayContaining(['user.getProfile', 'sellerSearch.submit']));
});

it('only an operation that submits data says that it does so once: to retry once more is meant', () => {
	const once = offered.filter(({ resource, operation }) => 'submitAgain' in optionsOf(resource, operation));
	const withData = writes.filter(([operation, row]) => hasData(row) && names.includes(operation));
	expect(once.map(nameOf).sort()).toEqual(withData.map(([operation]) => operation).sort());
	for (const one of offered) {
		const says = toolText(one.resource, one.operation).includes('A call repeated in this execution bills nothing.');
		expect([nameOf(one), says]).toEqual([nameOf(one), once.includes(one) && costsMoney(one.definition)]);
	}
});

it('a paid operation has a limit for agents', () => {
	const limited = offered.filter(({ resource, operation }) => 'spendingLimit' in optionsOf(resource, operation));
	expect(limited.map(nameOf)).toEqual(offered.filter(({ definition }) => costsMoney(definition)).map(nameOf));
});

it('a dropped tool leaves to the model what the operation asks for, and nothing else', () => {
	const leftTo = (resource: string, operation: string) =>
		[...JSON.stringify(dropped(asTool, resource, operation)).matchAll(/\$fromAI\('([^']+)'/g)].map(([, name]) => name);
	expect(leftTo('inquiry', 'get')).toEqual(['inquiryId', 'detail', 'part']);
	expect(leftTo('inquiry', 'addFiling').sort()).toEqual(['inquiryId', 'sosId', 'sosState']);
	expect(leftTo('batch', 'get')).toEqual(['batchId', 'part']);
	expect(leftTo('user', 'getProfile')).toEqual([]);
});

it('a field without a text for models shows them the example of its form', () => {
	const person = JSON.stringify(dropped(asTool, 'inquiry', 'addPrincipal'));
	expect(person).toContain("$fromAI('firstName', `e.g. Nathan.`, 'string', '')");
	expect(person).toContain("$fromAI('email', `e.g. nathan@example.com.`, 'string', '')");
});

it('a submission is called paid, unless the document bills nothing for it', () => {
	const billed = operations.filter(({ definition }) => costsMoney(definition));
	const submits = writes.filter(([, { isFree }]) => !isFree).map(([operation]) => operation);
	expect(billed.map(nameOf).sort()).toEqual(submits.sort());
	const saysSo = operations.filter(({ definition }) => definition.bills !== undefined);
	const changes = cases.filter(([, { submits, isFree }]) => submits !== undefined || isFree);
	expect(saysSo.map(nameOf).sort()).toEqual(changes.map(([operation]) => operation).sort());
});

it('every rule of what is shown is a rule: an older n8n reads each', () => {
	const rules = description.properties.flatMap(({ displayOptions = {} }) => Object.values(displayOptions));
	expect(rules.filter((rule) => rule === undefined)).toEqual([]);
});

it('a workflow sees nothing of it', () => {
	for (const { resource, operation } of operations) {
		const parameters = JSON.stringify(dropped(description, resource, operation));
		expect(parameters).not.toMatch(/fromAI|toolDescription|submitAgain/);
	}
});

it('a model reads which values to give', () => {
	const create = dropped(asTool, 'inquiry', 'create');
	expect(create.businessCity).toBe(
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('businessCity', `e.g. Springfield.`, 'string') }}",
	);
	expect((create.additionalFields as Record<string, string>).businessDba).toMatch(/`Trade name\.`, 'string', ''\) }}$/);
	expect(create.additionalFields).toHaveProperty('businessEin');
	expect(dropped(asTool, 'inquiry', 'get').inquiryId).toEqual({
		__rl: true,
		mode: 'id',
		value: expect.stringContaining("$fromAI('inquiryId', `ID of the inquiry.`, 'string')"),
	});
	expect(dropped(asTool, 'license', 'verify').licensee_category).toMatch(/homeServices or healthcare/);
});

it('whatever is asked of a model is a field', () => {
	const names = offered.flatMap(({ resource, operation, definition: { asks = [] } }) =>
		asks.filter(
			(path) => !JSON.stringify(dropped(asTool, resource, operation)).includes(`$fromAI('${path.split('.').at(-1)}'`),
		),
	);
	expect(names).toEqual([]);
});

describe('as n8n makes a tool of it', () => {
	it.each(offered)('$resource $operation: every argument is described', ({ resource, operation }) => {
		const { description, schema } = toolOf(resource, operation);
		expect(description).toBe(toolText(resource, operation));
		for (const argument of Object.values(schema.shape)) expect(argument.description).toMatch(/\w+/);
	});

	it('a model may leave out values that it does not know, and a list may be empty', () => {
		const { schema } = toolOf('inquiry', 'create');
		const given = { businessCity: 'Springfield', businessState: 'IL' };
		expect(schema.safeParse(given).success).toBe(true);
		expect(schema.safeParse({ ...given, principalsJson: '[]' }).success).toBe(true);
		expect(schema.safeParse({ businessCity: 'Springfield' }).success).toBe(false);
	});

	/** As this very function counted the list before the texts were written for models: a client sends it with every turn. */
	const before = 18_415;

	it('the list of all of them takes at most four fifths of what it took, with the arguments that came since', () => {
		const { tools } = toolList();
		expect(tools).toHaveLength(offered.length);
		expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(0.8 * before);
		const argumentsOf = (name: string) =>
			Object.keys((tools.find((tool) => tool.name === name)!.inputSchema as { properties: object }).properties);
		expect(argumentsOf('inquiry_get')).toEqual(['inquiryId', 'detail', 'part']);
		expect(argumentsOf('inquiry_getAll')).toEqual(['page', 'search', 'status', 'created_at_from', 'created_at_to']);
		expect(argumentsOf('batch_getInquiries')).toEqual(['batchId', 'page']);
		expect(argumentsOf('sellerSearch_getResult')).toEqual(['requestId', 'part']);
	});

	it('a license ID is needed under one category only, and the tool says so', () => {
		const { schema } = toolOf('license', 'verify');
		const given = {
			seller_id: 'seller-1',
			licensee_name: 'Acme',
			licensee_state: 'IL',
			licensee_category: 'healthcare',
		};
		expect(schema.safeParse(given).success).toBe(true);
		expect(schema.shape.licensee_id.description).toBe('Needed for homeServices.');
	});
});

it('where a text sends to another tool, there is one', () => {
	const actions = offered.map(({ definition }) => definition.action);
	const sent = toolList().tools.flatMap(({ description }) =>
		[...description.matchAll(/\buse ([A-Z][\w ]*?)(?: with [^.,]*)?(?=[.,])/g)].map(([, action]) => action),
	);
	expect(sent.length).toBeGreaterThan(15);
	expect(sent.filter((start) => !actions.some((action) => action.startsWith(start)))).toEqual([]);
});
