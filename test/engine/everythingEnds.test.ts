import type { ServerResponse } from 'node:http';
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

/** A byte now and then, without an end. */
function drip(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 100);
	response.on('close', () => clearInterval(timer));
}

it('a response that drips ends at the Timeout, for a read and for a write', async () => {
	answer = (path, response) => (path.endsWith('good') ? answerJson(response, 200, { id: 'good' }) : drip(response));
	const run = (parameters: object, items: object[]) =>
		runNode({
			parameters: { ...parameters, options: { timeout: 1 } },
			credential: credential(),
			items: items as never,
			onError: 'continueErrorOutput',
		});
	const begun = performance.now();
	const written = await run(newInquiry, [{ name: 'One' }, { name: 'Two' }]);
	// Without an end of its own, the response would drip for ever.
	expect(performance.now() - begun).toBeLessThan(60_000);
	expect(written.failed.map(({ json }) => json.error)).toMatchObject([
		{ submission: 'unknown', message: expect.stringContaining('did not respond in time') },
		{ submission: 'unknown' },
	]);
	expect(asked('/v1/inquiries/')).toBe(2);
});

it('an identity provider that does not respond is asked once for five executions', async () => {
	const open: ServerResponse[] = [];
	// The 30 seconds of a token take one.
	const limits = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms > 20_000 ? 1_000 : ms));
	answer = (_, response) => void open.push(response);
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
	for (const response of open) response.destroy();
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
	expect(error?.message).toContain('The list has more than 100000 records');
	expect(server.received.length).toBeLessThan(210);
});
