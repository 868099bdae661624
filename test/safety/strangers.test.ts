/**
 * What strangers wrote, in answers of the service and in sheets, is text: n8n's editor reads hints and descriptions as
 * HTML, and an agent takes `nextStep` for advice.
 */
import { type Sandbox, startSandbox } from '../../sandbox';
import { cases } from '../contract/cases';
import { twoWorlds, type World } from '../contract/fixture';
import { LocalServer } from '../credentials/identityProvider';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';

const word = 'OBEYME';
const link = `<a href="https://evil.example">${word}</a>`;

const keys = [
	'id',
	'status',
	'externalId',
	'batchId',
	'batchName',
	'message',
	'request_id',
	'taskId',
	'name',
	'processType',
];
const record = { [link]: link, [word]: link, ...Object.fromEntries(keys.map((key) => [key, link])) };
const counts = { total: 1, limit: 1, offset: 0, planning: 0, running: 1, completed: 0, partialSuccess: 0, failed: 0 };

const answers: Record<string, { status: number; body: unknown }> = {
	'a strange object': { status: 200, body: { [link]: link, [word]: link } },
	'a record': { status: 200, body: { ...record, ...counts, lender: record } },
	'a list': { status: 200, body: { items: [record, record], ...counts, total: 2 } },
	'a text': { status: 200, body: link },
	'a redirect': { status: 302, body: '' },
	'a credential refused': { status: 403, body: { detail: link } },
	'nothing found': { status: 404, body: { error: { message: link } } },
	'a refusal by fields': { status: 422, body: { detail: [{ loc: ['body', link], msg: link }], [link]: [link] } },
	'a failure': { status: 501, body: { [link]: link, message: link } },
};

let sandbox: Sandbox;
let server: LocalServer;
let worlds: World[];
let answer: (typeof answers)[string];

beforeAll(async () => {
	hurry();
	sandbox = await startSandbox();
	worlds = await twoWorlds(sandbox);
	server = await new LocalServer((_, response) => {
		const headers = { location: `https://evil.example/${word}` };
		response.writeHead(answer.status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(answer.body));
	}).start();
});
afterAll(async () => {
	await server.stop();
	await sandbox.close();
});

const toolless = ['user.acceptTerms', 'user.getApiKey', 'sellerSearch.submitAndWait'];

describe.each(Object.entries(answers))('in %s', (_, given) => {
	beforeAll(() => (answer = given));

	it.each(cases)('%s shows no link and gives no advice', async (name, row) => {
		const [resource, operation] = name.split('.');
		const settings = { lookUpWait: 0, reRunWait: 0 };
		const more = { maxWait: 0, pollInterval: 1 };
		const parameters = { ...row.minimal.parameters, waitingOptions: more, options: { advanced: settings } };
		const items = (row.minimal.items ?? worlds).map((item, index) => ({ ...item, ...worlds[index], [link]: link }));
		const run = (own: object) =>
			runNode({
				parameters: { resource, operation, ...parameters } as never,
				credential: {
					baseUrl: server.url,
					apiKey: 'key',
					callbackSecret: 'a callback secret of a test',
					...row.credential,
				},
				items: row.alone ? items.slice(0, 1) : items,
				...own,
			});
		const stopped = await run({});
		const continued = await run({ onError: 'continueErrorOutput' });
		const shown = [stopped.error?.description ?? '', ...stopped.hints, ...continued.hints];
		const messages = continued.failed.map(({ json }) => (json.error as { message: string }).message);
		expect([stopped.error?.message ?? '', ...messages].filter((text) => /<[a-z/]/i.test(text))).toEqual([]);
		expect(shown.filter((text) => text.includes('<'))).toEqual([]);
		if (toolless.includes(name)) return;
		const { items: told } = await run({ asTool: true });
		expect(told.map(({ json }) => String(json.nextStep)).filter((text) => text.includes(word))).toEqual([]);
	});
});
