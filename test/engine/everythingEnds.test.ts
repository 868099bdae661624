import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { answerJson, LocalServer } from '../credentials/identityProvider';
import { runNode } from '../harness/inProcess';
import { hurry } from '../harness/hurry';
import { newInquiry } from '../harness/newInquiry';

let server: LocalServer;
let answer: (path: string, response: ServerResponse) => void;
const timeout = AbortSignal.timeout.bind(AbortSignal);

beforeAll(async () => {
	hurry();
	server = await new LocalServer(({ path }, response) => answer(path!, response)).start();
});
afterAll(() => server.stop());
beforeEach(() => void (server.received.length = 0));
afterEach(() => jest.restoreAllMocks());

const credential = () => ({ baseUrl: server.url, apiKey: 'key' });
const asked = (path: string) => server.received.filter((received) => received.path?.startsWith(path)).length;

/** The responses under way; of those whose connection was closed, how many pieces were written. */
const open = new Set<ServerResponse>();
let opened: number[];
beforeEach(() => void (opened = []));
/** The server hears a moment later that a connection was closed. */
async function allClosed(): Promise<void> {
	while (open.size > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Writes pieces again and again, without an end. */
function send(response: ServerResponse, headers: object, piece: Buffer, everyMs: number): void {
	let pieces = 0;
	open.add(response);
	response.writeHead(200, { 'content-type': 'application/json', ...headers });
	const timer = setInterval(() => {
		// What nobody reads is not written.
		if (response.writableNeedDrain) return;
		pieces++;
		response.write(piece);
	}, everyMs);
	response.on('close', () => {
		clearInterval(timer);
		open.delete(response);
		opened.push(pieces);
	});
}
const drip = (response: ServerResponse) => send(response, {}, Buffer.from(' '), 100);

const failedOf = (parameters: object, names: string[], more: object = {}) =>
	runNode({
		parameters: { options: { timeout: 1 }, ...parameters } as never,
		credential: credential(),
		items: names.map((name) => ({ name })),
		onError: 'continueErrorOutput',
		...more,
	});
const good = { id: 'good', status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' };
const getInquiry = { resource: 'inquiry', operation: 'get', inquiryId: '={{ $json.name }}' };

it('a response that drips ends at the Timeout with its connection, for a read and for a write', async () => {
	// A read is sent again, and the second answer is a whole one.
	answer = (path, response) => {
		if (asked(path) === 1 || path === '/v1/inquiries/') drip(response);
		else if (path.endsWith('/good')) answerJson(response, 200, good);
		else answerJson(response, 404, {});
	};
	const written = failedOf(newInquiry, ['One', 'Two']);
	const read = failedOf(getInquiry, ['good', 'unknown']);
	expect((await written).failed.map(({ json }) => json.error)).toMatchObject([
		{ submission: 'unknown', message: 'The submission is not confirmed: the service did not respond in time' },
		{ submission: 'unknown' },
	]);
	expect((await read).items).toMatchObject([{ json: { id: 'good' } }]);
	expect((await read).failed).toMatchObject([{ json: { error: { httpCode: 404 } } }]);
	expect(server.received).toHaveLength(6);
	await allClosed();
	// Ten pieces in the second of the Timeout. A busy machine writes fewer.
	expect(opened).toHaveLength(4);
	expect(Math.max(...opened)).toBeLessThan(15);
});

it('a response that drips ends when the execution is canceled', async () => {
	let cancel = () => {};
	answer = (_path, response) => {
		drip(response);
		if (open.size === 2) cancel();
	};
	const started = (running: { cancel(): void }) => void (cancel = () => running.cancel());
	await failedOf({ ...getInquiry, options: { timeout: 600 } }, ['One', 'Two'], { started });
	await allClosed();
	expect(opened).toHaveLength(2);
});

describe('a response of more than 64 MB fails, and is not read to its end', () => {
	const piece = Buffer.alloc(1024 * 1024, ' ');
	const compressed = gzipSync(Buffer.alloc(150 * 1024 * 1024, ' '));

	it.each<[string, (response: ServerResponse) => void]>([
		['as it is', (response) => send(response, {}, piece, 1)],
		['compressed', (response) => send(response, { 'content-encoding': 'gzip' }, compressed, 100)],
	])('%s', async (_how, without) => {
		answer = (path, response) => (path.endsWith('/good') ? answerJson(response, 200, good) : without(response));
		const options = { timeout: 60 };
		const read = await failedOf({ ...getInquiry, options }, ['good', 'large']);
		const advice = "Check 'Base URL' in the credential: it may point at another service.";
		const message = "The service's response is larger than 64 MB";
		const told = { message, description: advice, kind: 'settings', itemIndex: 1 };
		expect([read.items.length, read.failed.map(({ json }) => json.error)]).toEqual([1, [told]]);
		const written = await failedOf({ ...newInquiry, options }, ['One']);
		expect(written.failed[0].json.error).toMatchObject({
			message: "The submission is not confirmed: the service's response is larger than 64 MB",
			description: expect.stringContaining(`${advice} `),
			submission: 'unknown',
		});
		// Another attempt would fail in the same way.
		expect(server.received).toHaveLength(3);
		await allClosed();
		// 64, and what is on the way.
		expect(Math.max(...opened)).toBeLessThan(80);
	});
});

it('an identity provider that does not respond is asked once for five executions', async () => {
	const unanswered: ServerResponse[] = [];
	// The 30 seconds of a token take one.
	const limits = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms > 20_000 ? 1_000 : ms));
	answer = (_, response) => void unanswered.push(response);
	const credential = {
		baseUrl: server.url,
		accessTokenUrl: `${server.url}/token`,
		clientId: 'client',
		clientSecret: 's3cret',
		grantType: 'clientCredentials',
		oauthTokenData: {},
		authentication: 'body',
	};
	const runs = Array.from({ length: 5 }, () =>
		runNode({
			parameters: { authentication: 'oAuth2', resource: 'user', operation: 'getProfile', options: { timeout: 1 } },
			credential,
			items: [{}, {}],
			onError: 'continueErrorOutput',
		}),
	);
	for (const { failed } of await Promise.all(runs)) {
		expect(failed.map(({ json }) => json.error)).toMatchObject([{ kind: 'service' }, { kind: 'service' }]);
	}
	expect(asked('/token')).toBe(1);
	// n8n joins requests for a token, so only the time shows that nobody waits for it again.
	expect(limits.mock.calls.filter(([ms]) => ms > 20_000)).toHaveLength(1);
	for (const response of unanswered) response.destroy();
});

it('a list without an end stops with a message', async () => {
	answer = (path, response) => {
		const offset = Number(new URL(path, server.url).searchParams.get('offset'));
		const rows = Array.from({ length: 500 }, (_, row) => ({ id: `id-${offset + row}` }));
		answerJson(response, 200, rows);
	};
	const { error } = await runNode({
		parameters: { resource: 'batch', operation: 'getAll', returnAll: true },
		credential: credential(),
	});
	expect([error?.message, error?.description]).toEqual([
		'The list has more than 100000 records',
		"Narrow the list with a 'Limit' or filters such as 'Created After', if the operation has them. Otherwise ask your service provider.",
	]);
	expect(server.received.length).toBeLessThan(210);
});
