import { z } from 'zod';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { operation, type Resource } from '../../nodes/BusinessVerification/kit/operation';
import { without } from '../../nodes/BusinessVerification/kit/objects';
import { run } from '../../nodes/BusinessVerification/engine/run';
import { resources } from '../../nodes/BusinessVerification/operations';
import { strictContext } from '../harness/strictContext';
import { collectGarbage } from '../harness/garbage';

const count = 10_000;
/** An operation that does something else instead. */
const withoutRequest = without({ ...resources.inquiry.operations.get, request: undefined }, 'request');
const id = (item: number) => `inquiry-${item}`;

/** Answers at once and from memory, so that what grows is ours. */
function context(
	answer: (options: IHttpRequestOptions) => Promise<unknown>,
	{ count: wanted = count, saved = '={{ $json.id }}', evaluate = () => {} } = {},
) {
	let credentialsRead = 0;
	let evaluations = 0;
	const items = Array.from({ length: wanted }, (_, item) => ({ json: { id: id(item) } }));
	const granted = strictContext<IExecuteFunctions>({
		getNode: () => ({
			id: 'node',
			name: 'node',
			type: 'businessVerification',
			parameters: {
				resource: 'inquiry',
				operation: 'get',
				inquiryId: { mode: 'id', value: saved },
				output: 'simplified',
				options: {},
			},
		}),
		getInputData: () => items,
		continueOnFail: () => true,
		getExecutionId: () => '1',
		getCredentials: () => {
			credentialsRead++;
			return Promise.resolve({ baseUrl: 'https://service.example', apiKey: 'key' });
		},
		getNodeParameter: (name: string, item: number) => {
			expect(name).toBe('inquiryId');
			evaluations++;
			evaluate();
			return { mode: 'id', value: items[item].json.id };
		},
		logger: { debug: () => undefined },
		helpers: { httpRequestWithAuthentication: (_type: string, options: IHttpRequestOptions) => answer(options) },
	});
	return { granted, costs: () => ({ credentialsRead, evaluations }) };
}

it('ten thousand reads leave nothing in memory but their output', async () => {
	const heap: number[] = [];
	let answered = 0;
	const { granted, costs } = context(({ url }) => {
		if (++answered === 500 || answered === 9_500) {
			collectGarbage();
			heap.push(process.memoryUsage().heapUsed);
		}
		const inquiry = { id: url.split('/').at(-1), status: 'COMPLETED', principals: 'x'.repeat(4_000) + answered };
		return Promise.resolve({ statusCode: answered % 100 === 0 ? 404 : 200, headers: {}, body: inquiry });
	});
	const [items] = await run(granted, resources);

	expect(items).toHaveLength(count);
	expect(
		items.every(
			({ json, pairedItem }, item) =>
				('error' in json || json.id === id(item)) && (pairedItem as { item: number }).item === item,
		),
	).toBe(true);
	expect(items.filter(({ json }) => 'error' in json)).toHaveLength(100);
	// The first item's, the last one's, and one behind the last, which show that no item has another.
	// The ID is read from each item without an evaluation.
	expect(costs()).toEqual({ credentialsRead: 3, evaluations: 0 });
	// Nine thousand simplified items: the answers of 4 KB each are gone.
	expect(heap[1] - heap[0]).toBeLessThan(9_000 * 1_500);
});

it('only as many items are alive as requests may be in flight, and none of them before its turn', async () => {
	let alive = 0;
	let peak = 0;
	let inFlight = 0;
	let peakInFlight = 0;
	const get = operation({
		...withoutRequest,
		run: async (_, service) => {
			peak = Math.max(peak, ++alive);
			await service.send({ method: 'GET', path: '/v1/users/me', kind: 'read', answer: z.unknown() });
			alive--;
			return {};
		},
	});
	const ours: Record<string, Resource> = { inquiry: { name: 'Inquiry', operations: { get } } };
	const { granted } = context(async () => {
		peakInFlight = Math.max(peakInFlight, ++inFlight);
		await new Promise((resolve) => setImmediate(resolve));
		inFlight--;
		return { statusCode: 200, headers: {}, body: {} };
	});
	expect((await run(granted, ours))[0]).toHaveLength(count);
	expect([peak, peakInFlight, alive]).toEqual([32, 32, 0]);
});

it('while many items are read, which n8n may have to evaluate, everything else has its turn', async () => {
	const evaluationMs = 2;
	let turns = 0;
	const turning = setInterval(() => turns++, 1);
	const { granted } = context(() => Promise.resolve({ statusCode: 200, headers: {}, body: {} }), {
		count: 150,
		saved: '={{ $json.id.trim() }}',
		evaluate: () => {
			for (const until = performance.now() + evaluationMs; performance.now() < until;);
		},
	});
	const [items] = await run(granted, resources);
	clearInterval(turning);
	expect(items).toHaveLength(150);
	// Evaluations for ten milliseconds, then a turn.
	expect(turns).toBeGreaterThan(10);
});

it('a list of two hundred thousand rows leaves as that many items', async () => {
	const rows = Array.from({ length: 200_000 }, (_, place) => ({ id: id(place) }));
	const list = operation({
		...withoutRequest,
		run: () => Promise.resolve(rows),
	});
	const { granted } = context(() => Promise.reject(new Error('Nothing is asked')), { count: 1 });
	const [items] = await run(granted, { inquiry: { name: 'Inquiry', operations: { get: list } } });
	expect(items).toHaveLength(200_000);
	expect(items.at(-1)).toEqual({ json: { id: id(199_999) }, pairedItem: { item: 0 } });
});

it('n8n is handed nothing empty: it deletes an empty body, and the request is then slow to copy', async () => {
	const asked: IHttpRequestOptions[] = [];
	const ask = operation({
		...withoutRequest,
		run: async (_, service) => {
			const answer = z.unknown();
			await service.send({ method: 'GET', path: '/v1/users/me', kind: 'read', answer });
			await service.send({ method: 'GET', path: '/v1/inquiries/', query: { limit: 1 }, kind: 'read', answer });
			return {};
		},
	});
	const { granted } = context(
		(options) => {
			asked.push(options);
			return Promise.resolve({ statusCode: options.qs === undefined ? 200 : 404, headers: {}, body: {} });
		},
		{ count: 2 },
	);
	await run(granted, { inquiry: { name: 'Inquiry', operations: { get: ask } } });
	expect(asked).toHaveLength(4);
	for (const options of asked) expect(Object.values(options)).not.toContain(undefined);
});

it('a file is not copied on its way through, nor is an answer that is refused', async () => {
	const bytes = Buffer.alloc(64_000_000, 'a page of a report ');
	let asked = 0;
	const download = operation({
		...withoutRequest,
		run: async (_, service) => {
			const before = process.memoryUsage().arrayBuffers;
			const file = await service.download({ method: 'GET', path: '/v1/inquiries/1/pdf', kind: 'read' });
			return { isSame: file === bytes, copied: process.memoryUsage().arrayBuffers - before };
		},
	});
	const { granted } = context(
		() => Promise.resolve({ statusCode: asked++ === 0 ? 429 : 200, headers: { 'retry-after': '0' }, body: bytes }),
		{ count: 2 },
	);
	const [items] = await run(granted, {
		inquiry: { name: 'Inquiry', operations: { get: download } },
	});
	expect(items.map(({ json }) => json.isSame)).toEqual([true, true]);
	for (const { json } of items) expect(json.copied).toBeLessThan(1_000_000);
});
