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
		const says = toolText(one.resource, one.operation).includes(
			'Repeating an accepted call in this execution bills nothing.',
		);
		expect([nameOf(one), says]).toEqual([nameOf(one), once.includes(one) && costsMoney(one.definition)]);
	}
});

it('a paid operation has a limit for agents', () => {
	const limited = offered.filter(({ resource, operation }) => 'spendingLimit' in optionsOf(resource, operation));
	expect(limited.map(nameOf)).toEqual(offered.filter(({ definition }) => costsMoney(definition)).map(nameOf));
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
	expect(create.toolDescription).toMatch(
		/^COSTS MONEY: one inquiry, unless one with its External ID is reused\. Repeating an accepted call in this execution bills nothing\. Verifies a business/,
	);
	expect(create.businessCity).toBe(
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('businessCity', `e.g. Springfield.`, 'string') }}",
	);
	expect((create.additionalFields as Record<string, string>).businessDba).toBe(
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('businessDba', `Trade name.`, 'string', '') }}",
	);
	expect(dropped(asTool, 'inquiry', 'get').inquiryId).toEqual({
		__rl: true,
		mode: 'id',
		value: expect.stringContaining("$fromAI('inquiryId', `ID of the inquiry.`, 'string')"),
	});
});

describe('as n8n makes a tool of it', () => {
	it('every argument is described, by words or by the example of its form', () => {
		const said = offered.flatMap(({ resource, operation }) => {
			const { description, schema } = toolOf(resource, operation);
			expect(description).toBe(toolText(resource, operation));
			return Object.entries(schema.shape).map(([name, argument]) => [name, argument.description] as const);
		});
		const isExample = (description = '') => description.startsWith('e.g. ');
		expect(said.filter(([, description]) => isExample(description))).toContainEqual(['firstName', 'e.g. Nathan.']);
		expect(Object.fromEntries(said.filter(([, description]) => !isExample(description)))).toEqual({
			rowsJson:
				'JSON list of businesses, each with businessName, businessCity and businessState, and with businessEin, businessAddressLine1, businessZip and externalId where they are known.',
			batchId: 'ID of the batch.',
			part: 'Part of a long record, starting at 1.',
			page: 'Page of the list, starting at 1.',
			businessName: 'Legal name with LLC or Inc; this or businessDba.',
			businessDba: 'Trade name.',
			businessEin: 'Tax ID, e.g. 12-3456789; improves matching.',
			businessAddressLine1: 'Street; with businessZip unlocks Secretary of State and address checks.',
			businessPhone: 'Unlocks phone verification.',
			businessEmail: 'Unlocks email verification.',
			businessDomain: 'Unlocks domain verification, e.g. example.com.',
			principalsJson: 'JSON list of principals, each with lastName, and with firstName and dob where they are known.',
			licensesJson: 'JSON list of licenses, each with license_name, license_id, license_state, and license_category.',
			inquiryId: 'ID of the inquiry.',
			detail: 'summary, processes or businesses.',
			search: 'Name, EIN or external ID.',
			status: 'PLANNING, RUNNING, ENRICHING, COMPLETED, PARTIAL_SUCCESS, FAILED; several by commas.',
			created_at_from: 'Created after, 2026-03-31T00:00:00Z.',
			created_at_to: 'Created before.',
			dob: 'Birth date, YYYY-MM-DD.',
			licenseCategory: 'As the service spells it.',
			seller_id: 'From the Seller Report.',
			licensee_category: 'homeServices or healthcare.',
			licensee_id: 'Needed for homeServices.',
			ref: 'Your own reference.',
			requestId: 'From the seller search.',
		});
	});

	it('a model may leave out values that it does not know, and a list may be empty', () => {
		const { schema } = toolOf('inquiry', 'create');
		const given = { businessCity: 'Springfield', businessState: 'IL' };
		expect(schema.safeParse(given).success).toBe(true);
		expect(schema.safeParse({ ...given, principalsJson: '[]' }).success).toBe(true);
		expect(schema.safeParse({ businessCity: 'Springfield' }).success).toBe(false);
		const license = { seller_id: 's', licensee_name: 'Acme', licensee_state: 'IL', licensee_category: 'healthcare' };
		expect(toolOf('license', 'verify').schema.safeParse(license).success).toBe(true);
	});

	/** As this very function counted the list before the texts were written for models: a client sends it with every turn. */
	const before = 18_415;

	it('the list of all of them takes at most four fifths of what it took', () => {
		const { tools } = toolList();
		expect(tools).toHaveLength(offered.length);
		expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(0.8 * before);
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
