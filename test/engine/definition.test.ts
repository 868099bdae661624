import { z } from 'zod';
import { choice, text } from '../../nodes/BusinessVerification/kit/field';
import { outputs } from '../../nodes/BusinessVerification/fields/outputs';
import { nodeProperties, operation } from '../../nodes/BusinessVerification/kit/operation';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import { resources } from '../../nodes/BusinessVerification/operations';

const recall = operation({
	name: 'Recall',
	action: 'Recall inquiry',
	description: 'Call an inquiry back',
	endpoint: 'POST /v1/inquiries/{inquiry_id}/recall',
	bills: 'free',
	fields: { inquiryId: text('Inquiry ID', { description: 'Which inquiry', placeholder: 'e.g. i-1' }) },
	run: async ({ inquiryId }, service, own) =>
		await service.send({
			...own({ inquiry_id: inquiryId }),
			kind: 'write',
			answer: z.object({ id: z.string() }),
		}),
	example: { id: 'a' },
});

it('an operation that is not for agents is only in the menu for people', () => {
	const closed = { ...recall, notForTools: 'it is a test' };
	const menus = nodeProperties({
		inquiry: { name: 'Inquiry', operations: { closed, ...resources.inquiry.operations } },
	}).filter(({ name }) => name === 'operation');
	const holds = menus.map(({ options, displayOptions }) => [
		displayOptions,
		options!.some((option) => 'value' in option && option.value === 'closed'),
	]);
	expect(holds).toEqual([
		[{ show: { resource: ['inquiry'] }, hide: { '@tool': [true] } }, true],
		[{ show: { resource: ['inquiry'], '@tool': [true] } }, false],
	]);
});

it('parameters depend on others only in ways that older hosts can resolve', () => {
	const { properties } = new BusinessVerification().description;
	const names = properties.map(({ name }) => name);
	const conditions = properties.flatMap(({ displayOptions }) =>
		Object.keys({ ...displayOptions?.show, ...displayOptions?.hide }),
	);
	// A value inside another parameter has to be named from the root, or n8n 2.8 waits for it forever.
	expect(conditions.filter((name) => !names.includes(name) && !/^[/@]/.test(name))).toEqual([]);
});

it('a model is asked for what has to be filled in, and for nothing where agents are kept out', () => {
	expect(recall.asks).toEqual(['inquiryId']);
	expect(resources.sellerSearch.operations.submitAndWait.asks).toEqual([]);
	expect(resources.batch.operations.getInquiries.asks).toEqual(['batchId', 'page']);
});

it('a list of choices opens at its first, and shows fewer than five as written, more in alphabetical order', () => {
	const shown = ({ property }: { property: { default?: unknown; options?: unknown } }) => [
		property.default,
		(property.options as Array<{ value: string }>).map(({ value }) => value),
	];
	const four = { low: 'Low', high: ['High', 'Soon'], none: 'None', any: 'Any' } as const;
	expect(shown(choice('Urgency', four))).toEqual(['low', ['low', 'high', 'none', 'any']]);
	expect(shown(choice('Urgency', { ...four, most: 'Most' }))).toEqual(['low', ['any', 'high', 'low', 'most', 'none']]);
	expect(shown(outputs.output)).toEqual(['simplified', ['simplified', 'raw', 'selectedFields']]);
});
