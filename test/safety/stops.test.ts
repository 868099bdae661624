import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeParameters, IWebhookFunctions } from 'n8n-workflow';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import type { Field } from '../../nodes/BusinessVerification/kit/field';
import { resources } from '../../nodes/BusinessVerification/operations';
import { signCallbackUrl } from '../../nodes/BusinessVerification/seller/signing';
import { cases } from '../contract/cases';
import { rows } from '../contract/rows';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';
import { parameters, strictContext } from '../harness/strictContext';
import { attacked, attacks, shapes } from './attacks';
import { longestStop } from './eventLoop';

// All workflows of n8n share one event loop: whoever stops it, with a form or an answer, stops n8n.

const longest = 100;

/** A service that reads nothing, because the mock service checks what it gets, in the same event loop. */
let service: Server;
let baseUrl: string;
const json = { 'content-type': 'application/json' };
/** Whatever is asked for, it is finished. */
const finished = { id: 'id', status: 'COMPLETED', total: 1, completed: 1, partialSuccess: 0, failed: 0 };
const usual = { ...finished, request_id: 'request-1', inquiries: [finished] };
let answer: { status: number; headers: Record<string, string>; body: string };
const answersWith = (status: number, body: unknown, headers: Record<string, string> = json) => {
	answer = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
};

beforeAll(async () => {
	// An ID or a filter of a megabyte stands in the address.
	service = createServer({ maxHeaderSize: 2 ** 24 }, (request, response) => {
		request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body));
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => service.close());
beforeEach(() => answersWith(200, usual));

// Failed reads are repeated after a pause.
hurry();

const secret = 'a callback secret of twenty-four bytes';

/** The least call of an operation, with an ID for each that it takes from its item. */
function leastCall(path: string): INodeParameters {
	const [resource, operation] = path.split('.');
	const { minimal } = rows[path];
	const given = JSON.parse(JSON.stringify(minimal.parameters).replace(/=\{\{ \$json\.\w+ \}\}/g, 'id')) as object;
	const call: INodeParameters = { resource, operation, ...given };
	const { fields } = resources[resource].operations[operation];
	// An attack in a status is never final.
	const [waiting] = Object.entries(fields).filter(([, field]) => 'maxWait' in placesOf(field));
	return waiting === undefined ? call : { ...call, [waiting[0]]: { ...(call[waiting[0]] as object), maxWait: 0 } };
}

const stopOf = (given: INodeParameters, items: Array<Record<string, unknown>> = [{}]) =>
	longestStop(
		() =>
			runNode({
				parameters: given,
				credential: {
					baseUrl,
					apiKey: 'key',
					callbackSecret: secret,
					...rows[`${given.resource}.${given.operation}`].credential,
				},
				items,
				onError: 'continueErrorOutput',
			}),
		longest,
	);

async function inOrder<T, R>(list: T[], run: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (const one of list) results.push(await run(one));
	return results;
}

interface Property {
	name: string;
	type?: string;
	required?: boolean;
	options?: Property[];
	values?: Property[];
}

type Places = Record<string, (text: string, given?: unknown) => unknown>;

/** Where a parameter takes a text: in itself (with the name ''), or in each field of its collection or of its rows. */
function placesOf(field?: Field): Places {
	const { type, options = [] } = (field?.property ?? {}) as unknown as Property;
	const each = (of: Property[], filled: (name: string, text: string, given: unknown) => unknown): Places =>
		Object.fromEntries(of.map(({ name }) => [name, (text, given) => filled(name, text, given)]));
	if (type === 'collection') return each(options, (name, text, given) => ({ ...(given as object), [name]: text }));
	if (type !== 'fixedCollection') return { '': (text) => text };
	const { values = [] } = options[0];
	const needed = Object.fromEntries(values.filter(({ required }) => required).map(({ name }) => [name, 'x']));
	return each(values, (name, text) => ({ row: [{ ...needed, [name]: text }] }));
}

describe('a megabyte in a parameter', () => {
	test.each(cases.map(([path]) => path))('of %s', async (path) => {
		const [resource, operation] = path.split('.');
		const { fields, kind } = resources[resource].operations[operation];
		const least = leastCall(path);
		const slow: Record<string, number> = {};
		for (const [name, field] of Object.entries(fields)) {
			for (const [place, filled] of Object.entries(placesOf(field))) {
				const attacking = (text: string) => ({ ...least, [name]: filled(text, least[name]) }) as INodeParameters;
				// Where all items share a parameter, it is read from the first. A choice decides which others n8n demands.
				const stops =
					kind === 'together' || field.property.type === 'options'
						? await inOrder(Object.values(attacks), (text) => stopOf(attacking(text)))
						: [
								await stopOf(
									attacking('={{ $json.text }}'),
									Object.values(attacks).map((text) => ({ text })),
								),
							];
				if (Math.max(...stops) >= longest) slow[`${name}.${place}`] = Math.max(...stops);
			}
		}
		expect(slow).toEqual({});
	});
});

describe('a megabyte in a sheet', () => {
	const least = rows['batch.submit'].minimal;
	const item = (least.items as Array<Record<string, unknown>>)[0];
	const { fields } = resources.inquiry.operations.check;
	const places = Object.entries(fields).flatMap(([name, field]) =>
		Object.keys(placesOf(field)).map((place) => place || name),
	);
	const columns = [...new Set(places)];

	test.each(Object.entries(attacks))('of %s, in every cell of a column and as a header', async (_attack, text) => {
		const attacked = columns.map((column) => ({ ...item, [column]: text }));
		expect(await stopOf(leastCall('batch.submit'), [item, ...attacked, { ...item, [text]: text }])).toBeLessThan(
			longest,
		);
	});

	test('20,000 spellings of one header', async () => {
		const blanks = (n: number) => n.toString(2).padStart(46, '0').replaceAll('0', ' ').replaceAll('1', '_');
		const cells = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`c${blanks(n)}ity`, 'x']));
		expect(await stopOf(leastCall('batch.submit'), [item, { ...item, ...cells }])).toBeLessThan(longest);
	});
});

/** These look at each record of a list. The others return a list unread, like any other field. */
const readersOfLists = [
	...['batch.getAll', 'batch.getInquiries', 'batch.submit', 'batch.wait', 'inquiry.getAll', 'inquiry.wait'],
	'license.verify',
];
/** These sum up an inquiry. */
const readersOfInquiries = ['inquiry.get', 'inquiry.getAll', 'inquiry.wait'];

describe('a megabyte in an answer', () => {
	test.each(cases.map(([path]) => path))('to %s', async (path) => {
		const [resource, operation] = path.split('.');
		const { example } = resources[resource].operations[operation];
		const slow: Record<string, number> = {};
		for (const [attack, text] of Object.entries(attacks)) {
			const record = attacked({ ...usual, ...example }, text) as object;
			const list = { inquiries: [record], items: [record], total: 1 };
			for (const [form, body] of Object.entries({ record, ...(readersOfLists.includes(path) && { list }) })) {
				answersWith(200, body);
				const stop = await stopOf(leastCall(path), rows[path].minimal.items as never);
				if (stop >= longest) slow[`${form}, ${attack}`] = stop;
			}
		}
		expect(slow).toEqual({});
	});

	const forms: Array<[string, (text: string) => unknown]> = [
		['plain text', (text) => text],
		['a page', (text) => `<html>${text}`],
		['a detail', (detail) => ({ detail })],
		['a list of details', (msg) => ({ detail: [{ loc: ['body', msg.slice(0, 1000)], msg }] })],
		['a message', (text) => ({ error: { message: text } })],
		['a map', (text) => ({ errors: { [text]: [text] } })],
	];

	test.each(forms)('to an error in the form of %s', async (_form, bodyOf) => {
		const slow: Record<string, number> = {};
		for (const [attack, text] of Object.entries(attacks)) {
			for (const path of ['inquiry.get', 'inquiry.create']) {
				answersWith(422, bodyOf(text));
				const stop = await stopOf(leastCall(path));
				if (stop >= longest) slow[`${path}, ${attack}`] = stop;
			}
		}
		expect(slow).toEqual({});
	});

	test('with 40,000 fields', async () => {
		const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`field number ${n}`, 'x']));
		for (const status of [200, 422]) {
			answersWith(status, many);
			expect(await stopOf(leastCall('inquiry.get'))).toBeLessThan(longest);
		}
	});

	test.each(['retry-after', 'content-type', 'ratelimit-reset'])('in its header %s', async (name) => {
		for (const text of Object.values(attacks)) {
			// Node.js refuses more than 16 KB of headers.
			answersWith(429, { detail: 'later' }, { ...json, [name]: text.slice(-12_000) });
			expect(await stopOf(leastCall('inquiry.get'))).toBeLessThan(longest);
		}
	});
});

describe('a megabyte of any shape', () => {
	/** Makes the body of an answer, as text, from the text of a shape. */
	type Form = (shape: string) => string;
	const asField =
		(name: string, record: object = {}): Form =>
		(shape) =>
			JSON.stringify({ ...record, [name]: 0 }).replace(/0}$/, `${shape}}`);

	async function slowOf(path: string, status: number, forms: Record<string, Form>): Promise<Record<string, number>> {
		const slow: Record<string, number> = {};
		for (const [form, filled] of Object.entries(forms)) {
			for (const [shape, text] of Object.entries(shapes)) {
				answersWith(status, filled(text));
				const stop = await stopOf(leastCall(path), rows[path].minimal.items as never);
				if (stop >= longest) slow[`${form}, ${shape}`] = stop;
			}
		}
		return slow;
	}

	const body: Form = (shape) => shape;

	test.each(['inquiry.get', 'inquiry.create', 'batch.submit'])('in an error to %s', async (path) => {
		expect(await slowOf(path, 422, { body, detail: asField('detail') })).toEqual({});
	});

	test.each(cases.map(([path]) => path))('in an answer to %s', async (path) => {
		expect(await slowOf(path, 200, { body, 'a field': asField('other', usual) })).toEqual({});
	});

	test.each(readersOfLists)('in the list that %s reads', async (path) => {
		expect(await slowOf(path, 200, { list: asField('items', { ...usual, inquiries: undefined }) })).toEqual({});
	});

	test.each(readersOfInquiries)('in the inquiry that %s sums up', async (path) => {
		const forms = { checks: asField('processStatuses', usual), businesses: asField('businesses', usual) };
		expect(await slowOf(path, 200, forms)).toEqual({});
	});

	test('in 10,000 items that need no request', async () => {
		const { parameters: least } = rows['inquiry.check'].minimal;
		const items = Array.from({ length: 10_000 }, (_, n) => ({ name: `Business ${n}` }));
		expect(
			await stopOf({ ...leastCall('inquiry.check'), ...least, businessName: '={{ $json.name }}' }, items),
		).toBeLessThan(longest);
	});
});

describe('a megabyte in a callback', () => {
	const address = 'https://n8n.example.com/webhook/1/seller-report-1';
	const node = new BusinessVerificationSellerTrigger();

	interface Callback {
		authentication?: string;
		body?: unknown;
		rawBody?: Buffer;
		headers?: object;
		url?: string;
		query?: object;
	}

	async function call({
		authentication = 'none',
		body = {},
		rawBody = Buffer.from(JSON.stringify(body)),
		headers = {},
		url = address,
		query = {},
	}: Callback) {
		const settings = {
			callbackAuthentication: authentication,
			options: { sellerIdPath: 'data.seller_id', requestIdPath: 'data.id' },
		};
		let status = 0;
		const context = strictContext<IWebhookFunctions>({
			getNode: () => ({
				id: '1',
				name: 'Seller Trigger',
				type: 'x',
				typeVersion: 1,
				position: [0, 0],
				parameters: settings,
			}),
			getWorkflow: () => ({ id: 'workflow', name: 'w', active: true }),
			getNodeParameter: parameters(settings),
			getCredentials: () =>
				Promise.resolve({ baseUrl: 'https://service.example.com', callbackSecret: secret, previousCallbackSecret: '' }),
			getMode: () => 'webhook',
			getNodeWebhookUrl: () => address,
			getWorkflowStaticData: () => ({}),
			getRequestObject: () => ({ originalUrl: url, rawBody }),
			getResponseObject: () => ({
				statusCode: 200,
				writableEnded: true,
				status: (code: number) => ((status = code), { json: () => undefined }),
				once: (event: string, listener: () => void) => void (event === 'finish' && setImmediate(listener)),
			}),
			getParamsData: () => ({}),
			getQueryData: () => query,
			getBodyData: () => body,
			getHeaderData: () => headers,
			logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
		} as never);
		const { workflowData } = await node.webhook.call(context);
		return workflowData === undefined ? status : 'started';
	}

	test.each(Object.entries(attacks))('of %s', async (_attack, text) => {
		const slow: Record<string, number> = {};
		const callbacks: Record<string, Callback> = {
			'a text': { body: text },
			'a report': {
				body: attacked({ request_id: '', seller_id: '', sellers: [{ name: '', zip: '' }] }, text) as object,
			},
			'a name': { body: { [text]: text.slice(0, 10) } },
			'a header': { body: { seller_id: 's' }, headers: { 'x-note': text } },
			'a reference': { body: { seller_id: 's' }, query: { ref: text } },
			'a proof': { authentication: 'signedUrl', query: { proof: text }, url: `${address}?proof=${text}` },
		};
		for (const [where, callback] of Object.entries(callbacks)) {
			const stop = await longestStop(() => call(callback), longest);
			if (stop >= longest) slow[where] = stop;
		}
		expect(slow).toEqual({});
	});

	test('with one value after the other, and eight megabytes of them', async () => {
		for (const megabytes of [1, 8]) {
			const body = Array.from({ length: megabytes * 500_000 }, () => 1);
			const rawBody = Buffer.from(JSON.stringify(body));
			const stop = await longestStop(() => call({ body, rawBody }), longest * megabytes);
			expect(stop).toBeLessThan(longest * megabytes);
		}
	});

	test('starts an execution if it is signed', async () => {
		const url = signCallbackUrl(address, { secret, placement: 'query' });
		const query = Object.fromEntries(new URL(url).searchParams);
		const report = attacked({ request_id: '', sellers: [{ name: '' }] }, attacks.tokens);
		expect(await call({ authentication: 'signedUrl', body: report, query, url })).toBe('started');
	});
});
