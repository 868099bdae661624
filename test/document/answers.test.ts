/** Whatever a service answers: what is needed of it is there, or the user is told that it is not. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { byModel, isForAll, reads, writes } from '../contract/cases';
import { acme } from '../harness/newInquiry';
import { runNode } from '../harness/inProcess';

/** Answers every request with the same body, success or not is for the reader to tell. */
let body = '';
let asked: string[] = [];
let server: Server;

beforeAll(async () => {
	server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		response.writeHead(200, { 'content-type': 'application/json' }).end(body);
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterAll(() => server.close());
beforeEach(() => {
	asked = [];
});

const credential = () => ({
	baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
	apiKey: 'key',
	sellerStatusPath: '/external/status/{request_id}',
	sellerResultPath: '/external/result/{request_id}',
});

const run = (resource: string, operation: string, parameters: object, items = 2) =>
	runNode({
		parameters: { resource, operation, ...parameters } as never,
		credential: credential(),
		items: Array.from({ length: items }, (_, item) => ({ item })),
		onError: 'continueErrorOutput',
	});

const inquiryId = 'inquiry-1';
const ids = {
	...{ inquiry: inquiryId, failedInquiry: inquiryId, batch: 'b', task: 'task-1', request: 'r', seller: 's' },
	...{ lender: 'lender-1', unknown: 'none' },
};

/** What each sends that asks for one thing by item: to accept the terms is answered by anything. */
const submitting = writes
	.filter(([operation, row]) => !row.alone && !isForAll(row) && operation !== 'user.acceptTerms')
	.map(([operation]) => operation);
/** Waiting, a file and what is looked at here only are answered in other ways. */
const reading = reads
	.map(([operation]) => operation)
	.filter((operation) => !/\.wait$|^inquiry\.(check|downloadPdf)$/.test(operation));

const least = (operation: string) => {
	const [resource, name] = operation.split('.');
	const { given, authored } = byModel(operation, ids);
	return [resource, name, { ...authored, ...given }] as const;
};

/** Answers that say nothing of what was asked for. */
const empty = ['', 'null', '""', '"OK"', 'true', '[]', '[null]', '{"id": '];
const withoutId = ['{}', '{"id": null}', '{"id": "", "batchId": " ", "request_id": {}}'];

describe.each([
	...submitting.map((operation) => least(operation)),
	['inquiry', 'create', { ...acme, waitForCompletion: true }] as const,
])('%s %s', (resource, operation, given) => {
	const isVerify = operation === 'verify';
	// Without a lender it would ask for its own first.
	const parameters = isVerify ? { ...given, additionalFields: { LenderId: 'lender-1' } } : given;
	// A list without payloads and an object of a payload are answers to a verification.
	it.each([...empty, ...(isVerify ? ['{}'] : withoutId)].filter((said) => !(isVerify && said === '[]')))(
		'answered %s: the outcome is unknown, and nothing is sent twice',
		async (said) => {
			body = said;
			const { items, failed } = await run(resource, operation, parameters);
			expect(items).toEqual([]);
			expect(failed.map(({ json }) => json.error)).toEqual(
				[0, 1].map(() => expect.objectContaining({ submission: 'unknown' })),
			);
			expect(String((failed[0].json.error as { message: string }).message)).toMatch(/is not confirmed: .* has no /);
			expect(asked.filter((request) => request.startsWith('POST') || isVerify)).toHaveLength(2);
			expect(asked.join()).not.toMatch(/undefined|null/);
		},
	);
});

describe.each(reading.map((operation) => least(operation)))('%s %s', (resource, operation, parameters) => {
	const isList = ['getAll', 'getInquiries'].includes(operation);
	const isReport = operation === 'getResult';
	it.each([...empty.filter((said) => !(isList && said === '[]')), ...(isReport ? [] : withoutId)])(
		'answered %s: fails and says what is missing',
		async (said) => {
			body = said;
			const { items, failed } = await run(resource, operation, parameters);
			expect(items).toEqual([]);
			expect(failed).toHaveLength(2);
			const error = failed[1].json.error as { message: string; submission?: string };
			expect(error.message).toMatch(/has no|No list of records/);
			expect(error.message).not.toMatch(/Cannot read|undefined|is not a function/);
			expect(error.submission).toBeUndefined();
		},
	);
});

it('an answer that says more than is asked of it passes whole', async () => {
	body = '{"id": "i-1", "status": "COMPLETED", "new": {"deep": [1]}, "error": null}';
	const { items } = await run('inquiry', 'get', { inquiryId, output: 'raw' }, 1);
	expect(items[0].json).toMatchObject({ id: 'i-1', new: { deep: [1] }, recordError: null });
});

it('a batch without its ID is not "batch undefined"', async () => {
	body = '{"items": [], "total": 0}';
	const { items, failed } = await runNode({
		parameters: {
			resource: 'batch',
			operation: 'submit',
			name: 'March',
			options: { advanced: { lookUpWait: 0 } },
		} as never,
		credential: credential(),
		items: [1, 2].map((row) => ({ 'Business Name': `Acme ${row}`, City: 'Springfield', State: 'IL' })),
		onError: 'continueErrorOutput',
	});
	expect(items).toEqual([]);
	expect(failed.map(({ json }) => (json.error as { submission: string }).submission)).toEqual(['unknown', 'unknown']);
	expect(JSON.stringify(failed)).not.toContain('undefined');
	expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

describe('IDs stay in their place', () => {
	it.each<[string, string, object]>([
		['inquiry', 'get', { inquiryId: '={{ [".", "a/b"][$json.item] }}' }],
		['inquiry', 'get', { inquiryId: '={{ ["..", "a/b"][$json.item] }}' }],
		['inquiry', 'retryProcess', { inquiryId: 'i', taskId: '={{ ["..", "a/b"][$json.item] }}' }],
		['inquiry', 'addPrincipal', { inquiryId: '={{ ["..", "a/b"][$json.item] }}', lastName: 'Smith' }],
		['batch', 'getInquiries', { batchId: '={{ [".", "a/b"][$json.item] }}' }],
		['sellerSearch', 'getResult', { requestId: '={{ ["..", "a/b"][$json.item] }}' }],
	])('%s %s %j', async (resource, operation, parameters) => {
		body = '{"id": "i-1", "batchId": "b", "status": "COMPLETED", "items": []}';
		const { failed } = await run(resource, operation, parameters);
		expect(failed.map(({ json }) => (json.error as { message: string }).message)).toEqual([
			expect.stringMatching(/^'\.\.?' is not an ID$/),
		]);
		expect(asked).toEqual([expect.stringContaining('a%2Fb')]);
	});
});
