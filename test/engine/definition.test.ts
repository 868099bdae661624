import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';
import { z } from 'zod';
import { choice, optional, text } from '../../nodes/BusinessVerification/kit/field';
import { collection } from '../../nodes/BusinessVerification/kit/collections';
import { outputs } from '../../nodes/BusinessVerification/fields/outputs';
import { type Operation, operation, type Resource } from '../../nodes/BusinessVerification/kit/operation';
import { BusinessVerification } from '../../nodes/BusinessVerification/BusinessVerification.node';
import type { Json, Service } from '../../nodes/BusinessVerification/kit/service';
import { nodeProperties } from '../../nodes/BusinessVerification/kit/operation';
import { run } from '../../nodes/BusinessVerification/engine/run';
import { resources } from '../../nodes/BusinessVerification/operations';
import { hurry } from '../harness/hurry';
import { strictContext } from '../harness/strictContext';

/** Said once, here; everything below must follow from it. */
const recallBy = (kind: 'write' | 'repeatable') =>
	operation({
		name: 'Recall',
		action: 'Recall inquiry',
		description: 'Call an inquiry back',
		endpoint: 'POST /v1/inquiries/{inquiry_id}/recall',
		bills: 'free',
		fields: {
			inquiryId: text('Inquiry ID', { description: 'Which inquiry', placeholder: 'e.g. i-1' }),
			urgency: choice('Urgency', { low: 'Low', high: ['High', 'Soon'] }),
			additionalFields: collection('Additional Fields', {
				reason: optional(text('Reason', { description: 'Why | at all' })),
			}),
		},
		run: async ({ inquiryId, urgency, additionalFields }, service, own) => {
			const answer = await service.send({
				...own({ inquiry_id: inquiryId }),
				body: { urgency, ...additionalFields },
				kind,
				answer: z.object({ id: z.string() }),
			});
			return { ...answer, recalled: true };
		},
		exampleInput: { urgency: 'high' },
		example: { id: 'a', recalled: true, score: 1.5, tags: ['x'], note: null },
	});
const recall = recallBy('write');

const asRecall = (recall: Operation): Record<string, Resource> => ({
	...resources,
	inquiry: { ...resources.inquiry, operations: { ...resources.inquiry.operations, recall } },
});
const withRecall = asRecall(recall);

describe('from one definition follows', () => {
	const shownFor = (property: { displayOptions?: { show?: Record<string, unknown> } }) =>
		property.displayOptions?.show?.operation;
	const added = nodeProperties(withRecall).filter((property) =>
		(shownFor(property) as string[] | undefined)?.includes('recall'),
	);

	it('its fields in the editor, shown for it alone', () => {
		const displayOptions = { show: { resource: ['inquiry'], operation: ['recall'] } };
		expect(added).toEqual([
			{
				displayName: 'Inquiry ID',
				name: 'inquiryId',
				type: 'string',
				default: '',
				required: true,
				description: 'Which inquiry',
				placeholder: 'e.g. i-1',
				displayOptions,
			},
			{
				displayName: 'Urgency',
				name: 'urgency',
				type: 'options',
				options: [
					{ name: 'High', value: 'high', description: 'Soon' },
					{ name: 'Low', value: 'low' },
				],
				default: 'low',
				displayOptions,
			},
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				options: [{ displayName: 'Reason', name: 'reason', type: 'string', default: '', description: 'Why | at all' }],
				displayOptions,
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					expect.objectContaining({
						name: 'advanced',
						placeholder: 'Add Advanced Option',
						options: [expect.objectContaining({ name: 'concurrency', default: 8 })],
					}),
					expect.objectContaining({ name: 'timeout', default: 60 }),
				],
				displayOptions,
			},
		]);
	});

	/** Runs `recall`, which the service at first answers with these statuses. */
	async function recalled(resources: Record<string, Resource>, ...statuses: number[]) {
		const sent: IHttpRequestOptions[] = [];
		const slept: Date[] = [];
		const inputs = [{ id: 'a', reason: 'error' }, { id: '' }, { id: 'c' }];
		const given: INodeExecutionData[] = inputs.map((json) => ({ json }));
		const context = strictContext<IExecuteFunctions>({
			getNode: () => ({
				id: 'node',
				name: 'node',
				type: 'businessVerification',
				parameters: {
					resource: 'inquiry',
					operation: 'recall',
					inquiryId: '={{ $json.id }}',
					urgency: 'high',
					additionalFields: { reason: '={{ $json.reason }}' },
				},
			}),
			getInputData: () => given,
			continueOnFail: () => true,
			getExecutionId: () => '1',
			getCredentials: () => Promise.resolve({ baseUrl: 'https://service.example', apiKey: 'key' }),
			getNodeParameter: (name: string, item: number) =>
				name === 'inquiryId' ? inputs[item].id : { reason: inputs[item].reason },
			logger: { debug: () => undefined },
			putExecutionToWait: (until: Date) => (slept.push(until) > 1 ? Promise.reject(new Error('busy')) : undefined),
			helpers: {
				httpRequestWithAuthentication: (_type: string, options: IHttpRequestOptions) => {
					sent.push(options);
					const answer = { headers: {}, body: { id: options.url.split('/').at(-2) } };
					return Promise.resolve({ ...answer, statusCode: statuses.shift() ?? 200 });
				},
			},
		});
		const [items] = await run(context, resources);
		return { sent, items, slept, given };
	}

	it('what is sent and what comes out, item by item', async () => {
		const { sent, items } = await recalled(withRecall);
		const ending = expect.any(Object);
		const usual = { method: 'POST', json: true, timeout: 62_000, returnFullResponse: true };
		const kept = { ...usual, encoding: 'stream', ending, ignoreHttpStatusErrors: true, disableFollowRedirect: true };
		const url = (id: string) => `https://service.example/v1/inquiries/${id}/recall`;
		expect(sent).toEqual([
			{ ...kept, url: url('a'), body: { urgency: 'high', reason: 'error' } },
			{ ...kept, url: url('c'), body: { urgency: 'high' } },
		]);
		expect(items).toEqual([
			{ json: { id: 'a', recalled: true }, pairedItem: { item: 0 } },
			{
				json: {
					error: { message: "'Inquiry ID' is required", kind: 'row', parameter: 'inquiryId', itemIndex: 1 },
				},
				pairedItem: { item: 1 },
			},
			{ json: { id: 'c', recalled: true }, pairedItem: { item: 2 } },
		]);
	});

	it('that it sleeps for as long as it says, or until it is called', async () => {
		const run = async ({ inquiryId }: Json, { sleep }: Service) => {
			await sleep.until(inquiryId === 'a' ? 3_600_000 : 0, { of: inquiryId });
			return {};
		};
		const begun = Date.now();
		const { slept, given } = await recalled(asRecall(Object.assign({ ...recall }, { run })));
		const [limited, endless] = slept;
		expect(Math.floor((limited.getTime() - begun) / 600_000)).toBe(6);
		expect(endless).toBe(WAIT_INDEFINITELY);
		// The last could not be put to wait, so the item is as before.
		expect(given[0].json).toEqual({ of: 'a' });
	});

	it.each([
		['a write is sent once, because it may have been processed', 'write', 2, 'unknown'],
		['a change that may be repeated is sent again', 'repeatable', 3, undefined],
	] as const)('after an error of the server, %s', async (_, kind, requests, submission) => {
		hurry();
		const { sent, items } = await recalled(asRecall(recallBy(kind)), 503);
		expect(sent).toHaveLength(requests);
		expect(items.map(({ json }) => (json.error as { submission?: string } | undefined)?.submission)).toEqual([
			submission,
			undefined,
			undefined,
		]);
		expect(items[2].json).toEqual({ id: 'c', recalled: true });
	});
});

it('an operation that is not for agents is only in the menu for people', () => {
	const closed = { ...recall, notForTools: 'it is a test' };
	const menus = nodeProperties({
		inquiry: { name: 'Inquiry', opensAt: ['closed', 'get'], operations: { ...resources.inquiry.operations, closed } },
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

it('a list of choices opens at its first, and is shown in alphabetical order or as it is written', () => {
	const words = { low: 'Low', high: ['High', 'Soon'] } as const;
	const shown = ({ property }: { property: { default?: unknown; options?: unknown } }) => [
		property.default,
		(property.options as Array<{ value: string }>).map(({ value }) => value),
	];
	expect(shown(choice('Urgency', words))).toEqual(['low', ['high', 'low']]);
	expect(shown(choice('Urgency', words, 'How soon', 'asWritten'))).toEqual(['low', ['low', 'high']]);
	expect(shown(outputs.output)).toEqual(['simplified', ['simplified', 'raw', 'selectedFields']]);
});
