import type { ServerResponse } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { answerJson, LocalServer } from '../credentials/identityProvider';
import { runNode } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

/** Answers that no service gives on purpose. */

let server: LocalServer;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
	server = await new LocalServer((_, response) => answer(response)).start();
});
afterAll(() => server.stop());
beforeEach(() => void (server.received.length = 0));

const credential = () => ({ baseUrl: server.url, apiKey: 'key' });
const posts = () => server.received.filter(({ method }) => method === 'POST').length;

const nested = (levels: number) => `${'{"id":"a","in":'.repeat(levels)}1${'}'.repeat(levels)}`;
const give = (status: number, text: string) => (response: ServerResponse) =>
	response.writeHead(status, { 'content-type': 'application/json' }).end(text);

it('a write is sent once if its response has more levels than can be read', async () => {
	answer = give(500, nested(20_000));
	const { error } = await runNode({
		parameters: newInquiry,
		credential: credential(),
		items: [{ name: 'One' }],
		retryOnFail: true,
	});
	expect([posts(), error?.context?.submission]).toEqual([1, 'unknown']);
});

it('a response that is not understood is described by five of its names, and not by what may be data', async () => {
	const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, place) => [`field${place}`, 1]));
	const data = { 'Jane Doe': 2, '12-3456789': 5, '123456789': 6, 'x@y.example': 3, [`n${'a'.repeat(40)}`]: 4 };
	answer = (response) => answerJson(response, 200, { [`n${'a'.repeat(39)}`]: 1, ...data, ...many });
	const said = async (parameters: INodeParameters) =>
		(await runNode({ parameters, credential: credential(), items: [{}] })).error?.description;
	expect(await said({ resource: 'batch', operation: 'getAll' })).toBe(
		`It has the fields n${'a'.repeat(39)}, field0, field1, field2, field3, and 996 more. Set 'List Items Field' under 'Deployment Settings' in the credential to the field with the records.`,
	);
	for (const [text, shape] of Object.entries({ '[1, 2]': 'a list', '"Hello"': 'plain text', '': 'empty' })) {
		answer = give(200, text);
		expect(await said({ resource: 'user', operation: 'getProfile' })).toBe(
			`It is ${shape}. Check 'Base URL' in the credential: it may point at another service or another version.`,
		);
	}
});

it('a response with more values than n8n has the time for is not read', async () => {
	const notes = (count: number) =>
		JSON.stringify({ id: 'inquiry-1', status: 'COMPLETED', notes: Array(count).fill({}) });
	const get = { mode: 'id', value: '={{ $json.id }}', __rl: true };
	const run = () =>
		runNode({
			parameters: { resource: 'inquiry', operation: 'get', inquiryId: get },
			credential: credential(),
			items: [{ id: 'inquiry-1' }, { id: 'inquiry-2' }],
			onError: 'continueErrorOutput',
		});
	let written = notes(249_998);
	answer = (response) => give(200, written)(response);
	expect((await run()).items.map(({ json }) => json.status)).toEqual(['COMPLETED', 'COMPLETED']);
	written = notes(249_999);
	const { failed } = await run();
	expect(failed.map(({ json }) => json.error)).toMatchObject(
		Array(2).fill({
			message: "The service's response has no 'id' and 'status'",
			description:
				"It is no JSON, or has more than 250,000 values. Check 'Base URL' in the credential: it may point at another service or another version.",
		}),
	);
});

it('what a response lacks is named', async () => {
	answer = give(200, 'OK');
	const messageOf = async (parameters: INodeParameters) => {
		const settings = { sellerResultPath: '/sellers/{request_id}' };
		return (await runNode({ parameters, credential: { ...credential(), ...settings }, items: [{}] })).error?.message;
	};
	const result = { resource: 'sellerSearch', operation: 'getResult', requestId: 'request-1' };
	expect(await messageOf(result)).toBe("The service's response has no JSON object");
	const get = { resource: 'batch', operation: 'get', batchId: { __rl: true, mode: 'id', value: 'batch-1' } };
	expect(await messageOf(get)).toBe("The service's response has no 'batchId'");
});

it('an ID that the service does not know, and half a letter, which is none, are told apart', async () => {
	answer = (response) => answerJson(response, 404, {});
	const { failed } = await runNode({
		parameters: {
			resource: 'inquiry',
			operation: 'get',
			inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		credential: credential(),
		items: [{ id: 'one' }, { id: 'half \ud800' }],
		onError: 'continueErrorOutput',
	});
	expect(failed.map(({ json }) => json.error)).toMatchObject([
		{ description: expect.stringMatching(/ returned status 404\. Check the ID: /) },
		{ message: "'half \ud800' is not an ID", description: 'Nothing was sent.' },
	]);
});
