import { asTool, description, dropped, offered, operations, toolList, toolOf } from './toolList';

const toolText = (resource: string, operation: string) =>
	String(dropped(asTool, resource, operation).toolDescription ?? '');

it.each(offered)(
	'$resource $operation says what it costs, or that it is free',
	({ resource, operation, definition }) => {
		const text = toolText(resource, operation);
		expect(text.startsWith(definition.description.split('.')[0])).toBe(true);
		const costs = definition.bills === undefined ? /Free: nothing is billed\./ : /A call may be billed: /;
		expect(text).toMatch(costs);
		expect(text).toMatch(/Returns \w+/);
		expect(text.length).toBeLessThan(1000);
	},
);

it('what sends a POST may be billed, and so does what submits by GET', () => {
	const billed = operations.filter(({ definition }) => definition.bills !== undefined);
	const submits = operations.filter(
		({ definition: { endpoint = '' } }) =>
			(endpoint.startsWith('POST') && !endpoint.endsWith('/accept-inquiry-terms')) || endpoint.includes('license-ver'),
	);
	expect(billed).toEqual(submits);
});

it('every rule of what is shown is a rule: an older n8n looks into each', () => {
	const rules = description.properties.flatMap(({ displayOptions = {} }) => Object.values(displayOptions));
	expect(rules.filter((rule) => rule === undefined)).toEqual([]);
});

it('a workflow sees nothing of it', () => {
	for (const { resource, operation } of operations) {
		const parameters = JSON.stringify(dropped(description, resource, operation));
		expect(parameters).not.toMatch(/fromAI|toolDescription|submitAgain/);
	}
});

it('a model is told what to give', () => {
	const create = dropped(asTool, 'inquiry', 'create');
	expect(create.businessCity).toBe(
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('businessCity', `City. e.g. Springfield.`, 'string') }}",
	);
	expect(create.businessDba).toMatch(/`Business DBA, empty if unknown\. .*`, 'string', ''\) }}$/);
	expect(create.additionalFields).toHaveProperty('businessEin');
	expect(dropped(asTool, 'inquiry', 'get').inquiryId).toEqual({
		__rl: true,
		mode: 'id',
		value: expect.stringContaining("$fromAI('inquiryId', `Inquiry ID"),
	});
	expect(dropped(asTool, 'license', 'verify').licensee_category).toMatch(/One of healthcare, homeServices/);
	expect(toolText('inquiry', 'create')).toContain(
		'Give City, State. Where known, give Business Name, Business DBA, EIN, ',
	);
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

	it('what a model does not know it may leave out, and a list may be empty', () => {
		const { schema } = toolOf('inquiry', 'create');
		const given = { businessCity: 'Springfield', businessState: 'IL' };
		expect(schema.safeParse(given).success).toBe(true);
		expect(schema.safeParse({ ...given, principalsJson: '[]' }).success).toBe(true);
		expect(schema.safeParse({ businessCity: 'Springfield' }).success).toBe(false);
	});

	it('the list of all of them is short enough to be read with every conversation', () => {
		console.log(Buffer.byteLength(JSON.stringify(toolList())), toolList().tools.length);
	});
});
