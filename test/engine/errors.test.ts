import { STATUS_CODES } from 'node:http';
import { failureOf } from '../../nodes/BusinessVerification/engine/failures';
import { kindOf } from '../../nodes/BusinessVerification/kit/service';
import { type Fault, type Sandbox, startSandbox } from '../../sandbox';
import { answerJson, LocalServer } from '../credentials/identityProvider';
import { hurry } from '../harness/hurry';
import { runNode, type RunResult } from '../harness/inProcess';
import { newInquiry } from '../harness/newInquiry';

/** `<url>` stands for the address of the request. */
interface Told {
	message: string;
	/** Who has to act: one IF behind the node sends rows to whoever corrects them, and stops for everything else. */
	kind: 'row' | 'service' | 'credential' | 'settings';
	/** Of the service, if it says nothing else: try again later. */
	description?: string;
	httpCode?: number;
}

const web = "Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com.";
const unreachable = "Check 'Base URL' in the credential, that the service is up, and that n8n can connect to it.";

/** What goes wrong with one item, and what its reader is told. */
const cases: Record<string, Told & { fault: Fault }> = {
	'a web page with status 200': {
		fault: { html: true },
		kind: 'settings',
		message: 'The response is a web page instead of JSON',
		description: `GET <url> returned status 200. ${web} It may point at a website or a login page.`,
		httpCode: 200,
	},
	'a redirect to another origin': {
		fault: { redirect: 'https://elsewhere.example/v1' },
		kind: 'settings',
		message: 'The service redirects to https://elsewhere.example',
		description:
			"Enter the final address as 'Base URL' in the credential. Redirects are not followed, so that the credential is not sent elsewhere.",
		httpCode: 302,
	},
	'status 500': {
		fault: { status: 500, body: { detail: 'worker 7 is down' } },
		kind: 'service',
		message: 'The service returned status 500: worker 7 is down',
		httpCode: 500,
	},
	'status 500 with a web page': {
		fault: { status: 500, html: true },
		kind: 'service',
		message: 'The service returned status 500',
		httpCode: 500,
	},
	'status 403': {
		fault: { status: 403, body: { message: 'no access to reports.' } },
		kind: 'credential',
		message: 'The service does not allow this: no access to reports',
		description: 'The credential lacks this permission, or is not valid.',
		httpCode: 403,
	},
	'status 404': {
		fault: { status: 404, body: { error: 'no such inquiry' } },
		kind: 'row',
		message: 'Not found: no such inquiry',
		description: `GET <url> returned status 404. Check the ID: 'By ID' takes the service's own, 'External ID' yours. ${web}`,
		httpCode: 404,
	},
	'status 422 with a list of problems': {
		fault: { status: 422, body: { detail: [{ loc: ['path', 'inquiry_id'], msg: 'is not a UUID' }] } },
		kind: 'row',
		message: 'The service rejected the request with status 422: path.inquiry_id: is not a UUID',
		description: 'Correct the named fields.',
		httpCode: 422,
	},
	'a dropped connection, every time': {
		fault: { drop: true },
		kind: 'service',
		message: expect.stringMatching(
			/^The connection was lost before the service responded: (socket hang up|read ECONNRESET)$/,
		),
	},
	'status 503, every time': {
		fault: { status: 503, headers: { 'retry-after': '0' }, body: 'overloaded' },
		kind: 'service',
		message: 'The service returned status 503: overloaded',
		httpCode: 503,
	},
	'a time to come back that is too far away': {
		fault: { status: 429, headers: { 'retry-after': '3600' }, body: { detail: 'slow down' } },
		kind: 'service',
		message: 'The service asks for fewer requests: slow down',
		description: 'Try again in 3600 seconds.',
		httpCode: 429,
	},
};

const names = Object.keys(cases);
const get = { resource: 'inquiry', operation: 'get', inquiryId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };

let sandbox: Sandbox;
let ids: string[];
const credential = () => ({ baseUrl: sandbox.url, apiKey: sandbox.organization.apiKey });

function toldOf(name: string, id: string): Told {
	const { fault: _, description = 'Try again later.', ...told } = cases[name];
	return { ...told, description: description.replace('<url>', `${sandbox.url}/v1/inquiries/${id}`) };
}

/** Even items are good; item 2n+1 meets the n-th case. */
const goodItems = names.map((_, place) => place * 2);
const badItems = goodItems.map((item) => item + 1);

/** The credential is wrong in one way or another. */
const broken: Record<string, Told & { credential(): Record<string, string>; jwt?: true }> = {
	'a wrong key': {
		credential: () => ({ apiKey: 'wrong-key' }),
		kind: 'credential',
		message:
			'The service does not accept the credential: The credential is no known API key, and as a token it is malformed',
		description:
			"Check first that the key is a current one for the service at 'Base URL'. If your provider names another header than Authorization, enter it as 'Header Name' under 'Deployment Settings'.",
		httpCode: 401,
	},
	'no key': {
		credential: () => ({ apiKey: '' }),
		kind: 'settings',
		message: "'API Key' in the credential is empty",
		description: 'Enter the key that the service gave you.',
	},
	'a pasted token that has expired': {
		jwt: true,
		credential: () => ({ accessToken: sandbox.tokens.issue(sandbox.organization.id, -1000) }),
		kind: 'credential',
		message: expect.stringMatching(
			/^The token expired on \d\d [A-Z][a-z]{2} \d{4}: The credential is no known API key, and as a token it has expired$/,
		),
		description: 'Enter a new one in the credential.',
		httpCode: 401,
	},
	'a host that does not answer': {
		credential: () => ({ baseUrl: 'http://127.0.0.1:1' }),
		kind: 'service',
		message: 'The service could not be reached: connection refused',
		description: unreachable,
	},
	'a host that does not exist': {
		credential: () => ({ baseUrl: 'https://service.invalid' }),
		kind: 'service',
		message: expect.stringMatching(/^The service could not be reached: (host not found|host name lookup failed)$/),
		description: unreachable,
	},
	'plain http to another machine': {
		credential: () => ({ baseUrl: 'http://service.example' }),
		kind: 'settings',
		message: "'Base URL' in the credential uses plain http, so secrets would be sent unencrypted",
		description: 'Use https:// instead. Plain http is accepted for localhost, 127.0.0.1, [::1] only.',
	},
	'a base URL that is none': {
		credential: () => ({ baseUrl: 'service' }),
		kind: 'settings',
		message: "'Base URL' in the credential is not a web address",
		description: 'Enter a full address that starts with https://.',
	},
	'extra headers that are no JSON': {
		credential: () => ({ extraHeaders: 'X-Region: eu' }),
		kind: 'settings',
		message: "'Extra Headers' in the credential is not a JSON object",
		description: 'Enter an object of header names and texts, e.g. {"X-Region": "eu"}.',
	},
};
const brokenResults: Record<string, [RunResult, RunResult]> = {};

async function runAllBroken(): Promise<void> {
	const runs = Object.entries(broken).map(async ([name, { jwt, credential: wrong }]) => {
		const options = {
			parameters: { ...get, ...(jwt && { authentication: 'jwt' }) },
			credential: { ...credential(), ...wrong() },
			items: [{ id: ids[0] }, { id: ids[2] }],
		};
		brokenResults[name] = await Promise.all([
			runNode({ ...options, onError: 'continueErrorOutput' }),
			runNode(options),
		]);
	});
	await Promise.all(runs);
}

type OnError = 'continueErrorOutput' | 'continueRegularOutput';
const continued = {} as Record<OnError, RunResult>;
let stopped: RunResult[];

/** All runs side by side. Those that repeat a read pause for seconds, which `hurry` shortens. */
beforeAll(async () => {
	hurry();
	jest.spyOn(Math, 'random').mockReturnValue(0);
	sandbox = await startSandbox();
	ids = sandbox.inquiries.seed(names.length * 2);
	names.forEach((name, place) => {
		sandbox.faults.add({ ...cases[name].fault, path: `/v1/inquiries/${ids[place * 2 + 1]}`, times: Infinity });
	});
	const items = ids.map((id) => ({ id }));
	const continuing = (['continueErrorOutput', 'continueRegularOutput'] as const).map(async (onError) => {
		continued[onError] = await runNode({ parameters: get, credential: credential(), items, onError });
	});
	const stopping = badItems.map((item) =>
		runNode({ parameters: get, credential: credential(), items: [items[0], items[item]] }),
	);
	await Promise.all([...continuing, runAllBroken()]);
	stopped = await Promise.all(stopping);
});
afterAll(async () => {
	jest.restoreAllMocks();
	await sandbox.close();
});

describe.each(['continueErrorOutput', 'continueRegularOutput'] as const)('with %s', (onError) => {
	let result: RunResult;
	beforeAll(() => (result = continued[onError]));
	const failed = () =>
		onError === 'continueErrorOutput' ? result.failed : result.items.filter(({ json }) => 'error' in json);

	it.each(names)('%s names its own item', (name) => {
		const item = names.indexOf(name) * 2 + 1;
		const mine = failed().filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
		expect(mine).toHaveLength(1);
		const { error, ...beside } = mine[0].json;
		// n8n adds the fields of the input item on the error output.
		const summary = `${ids[item]}: ${(error as Told).message}.`;
		expect(beside).toEqual(onError === 'continueErrorOutput' ? { id: ids[item] } : { summary });
		expect(error).toEqual({ ...toldOf(name, ids[item]), itemIndex: item });
	});

	it('leaves every other item as it is', () => {
		const good = result.items.filter(({ json }) => !('error' in json));
		expect(good.map(({ json }) => json.id)).toEqual(goodItems.map((item) => ids[item]));
		expect(good.map(({ pairedItem }) => pairedItem)).toEqual(goodItems.map((item) => ({ item })));
		expect(failed().map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(badItems);
		expect(result.error).toBeUndefined();
	});
});

it.each(names)('under Stop, %s is in the thrown error', (name) => {
	const { error, items } = stopped[names.indexOf(name)];
	const id = ids[names.indexOf(name) * 2 + 1];
	const { message, kind, description, httpCode = null } = toldOf(name, id);
	expect(items).toEqual([]);
	// What is wrong with the service or the connection concerns all items.
	expect(error?.message).toEqual(kind === 'row' ? `${message} (${id}, item 2 of 2)` : message);
	expect([error?.description, error?.httpCode]).toEqual([description, httpCode && String(httpCode)]);
	expect(error?.context).toEqual({ kind });
});

it.each(Object.entries(broken))('%s concerns every item', (name, { credential: _, jwt: __, ...told }) => {
	const [continuing, stopping] = brokenResults[name];
	expect(continuing.items).toEqual([]);
	expect(continuing.failed.map(({ json }) => json.error)).toEqual([
		{ ...told, itemIndex: 0 },
		{ ...told, itemIndex: 1 },
	]);
	expect([stopping.error?.message, stopping.error?.description]).toEqual([told.message, told.description]);
});

const refusal = (body: unknown, status = 422, headers = {}, kind: 'read' | 'write' = 'read') =>
	failureOf({ method: 'GET', path: '/v1/things', kind }, { status, headers, body }, String);
const said = (body: unknown) => refusal(body).message.replace('The service rejected the request with status 422', '');

it.each(['detail', 'message', 'msg', 'error', 'errors', 'error_description', 'title', 'reason'])(
	"a reason in '%s' is shown, alone, for a field, and deeper inside",
	(key) => {
		expect(said({ [key]: ' is too short ', type: 'about:blank' })).toBe(': is too short');
		expect(said([{ loc: ['body', 'zip'], [key]: 'is too short' }])).toBe(': zip: is too short');
		expect(said({ error: { [key]: [{ field: 'zip', [key]: 'is too short' }] } })).toBe(': zip: is too short');
	},
);

it('of the refusals and redirects that HTTP defines, only these leave open whether a write was processed', () => {
	const isOpen = (status: number) => refusal({}, status, {}, 'write').details.submission === 'unknown';
	const defined = Object.keys(STATUS_CODES).map(Number);
	const open = defined.filter((status) => status >= 300 && status < 500 && isOpen(status));
	expect(open).toEqual([300, 301, 302, 303, 304, 305, 408, 418]);
});

const nested = (levels: number): unknown => (levels === 0 ? 'deep' : { error: nested(levels - 1) });

it.each<[string, unknown, string]>([
	[
		'a map of fields',
		{ trace: { id: 'x-7' }, ein: ['is bad', '', 'is short'], zip: 'is long' },
		': ein: is bad; is short; zip: is long',
	],
	['fields that are null', { detail: null, errors: [null, { field: null, message: 'is bad' }] }, ': is bad'],
	[
		'a field of the query',
		[
			{ loc: ['query', 'sort', 0], msg: 'a' },
			{ path: 'zip', msg: 'b' },
		],
		': sort.0: a; zip: b',
	],
	['a title beside an empty list', { title: 'Wrong', errors: [] }, ': Wrong'],
	['a name of the error beside what is wrong', { error: 'Unprocessable', message: 'ein is bad' }, ': ein is bad'],
	['a message beside its details', { message: 'Invalid', detail: 'ein is bad', title: 'Wrong' }, ': ein is bad'],
	['an error beside its description', { error_description: 'expired', error: 'invalid_grant' }, ': invalid_grant'],
	['numbers alone', { detail: 7, code: 12 }, ''],
	['a web page', ' <!DOCTYPE html><p>Sorry', ''],
	['ten levels', nested(10), ': deep'],
	['eleven levels', nested(11), ''],
])('of %s, what can be read is shown', (_, body, expected) => {
	expect(said(body)).toBe(expected);
});

const terms = "If the inquiry terms are not accepted yet, run 'Accept Terms' of the resource 'User'.";
const webPage = `${web} It may point at a website or a login page.`;
const finalAddress = cases['a redirect to another origin'].description;
const mistaken = "Check 'Base URL' and the settings of the credential.";
const payment = 'Check the plan and the balance of your account at the service.';
const conflict =
	'The record may exist already, be in use, or have nothing to retry. Check it before you send this again.';

it.each([
	[200, 'settings', 'The response is a web page instead of JSON', webPage],
	[299, 'settings', 'The response is a web page instead of JSON', webPage],
	[300, 'settings', 'The service redirects to another path', finalAddress],
	[399, 'settings', 'The service redirects to another path', finalAddress],
	[400, 'row', 'The service rejected the request with status 400: the terms', `Correct the named fields. ${terms}`],
	[402, 'settings', 'The service asks for payment: the terms', `${payment} ${terms}`],
	[403, 'credential', 'The service does not allow this: the terms', `${cases['status 403'].description} ${terms}`],
	[404, 'settings', 'The service has no such address: the terms', `${web} ${terms}`],
	[405, 'settings', 'The service rejected the request with status 405: the terms', `${mistaken} ${terms}`],
	[408, 'service', 'The service returned status 408: the terms', terms],
	[409, 'row', 'The service reports a conflict: the terms', `${conflict} ${terms}`],
	[410, 'row', 'The service rejected the request with status 410: the terms', `Correct the named fields. ${terms}`],
	[413, 'settings', 'The request is too large for the service: the terms', `Send less at once. ${terms}`],
	[415, 'settings', 'The service rejected the request with status 415: the terms', `${mistaken} ${terms}`],
	[422, 'row', 'The service rejected the request with status 422: the terms', `Correct the named fields. ${terms}`],
	[429, 'service', 'The service asks for fewer requests: the terms', terms],
	[499, 'service', 'The service returned status 499: the terms', terms],
	[500, 'service', 'The service returned status 500: the terms', undefined],
])('status %i is reported as a matter of the %s: %s', (status, kind, expected, advice) => {
	const { message, details } = refusal('the terms', status);
	expect([kindOf(details), message, details.description]).toEqual([kind, expected, advice]);
});

it.each(['<html>', '\n<!-- login --><html>'])(
	'a write that %j answers is not confirmed, and the advice stays',
	(page) => {
		const { message, details } = refusal(page, 200, {}, 'write');
		expect([message, details.submission]).toEqual([
			'The submission is not confirmed: the response is a web page instead of JSON',
			'unknown',
		]);
		expect(details.description).toBe(`${webPage} Check at the service before you submit it again.`);
	},
);

it('the reason and the address of a refusal are redacted', () => {
	const answer = { status: 404, headers: {}, body: 'no such thing', url: 'https://kyb.example.com/v1' };
	const { message, details } = failureOf({ method: 'GET', path: '/v1', kind: 'read' }, answer, () => '***');
	expect([message, details.facts]).toEqual(['The service has no such address: ***', 'GET *** returned status 404.']);
});

describe('a redirect to a server of somebody else', () => {
	const create = { ...newInquiry, businessName: 'Acme' };
	let other: LocalServer;

	beforeAll(async () => {
		other = await new LocalServer((_, response) => answerJson(response, 200, { id: 'stolen' })).start();
	});
	afterAll(() => other.stop());

	it.each([
		['a read', get, 302],
		['a read', get, 307],
		['a read', get, 308],
		['a write', create, 302],
		['a write', create, 307],
	])('%s: nothing arrives there, no credential and no data (%#)', async (_, parameters, status) => {
		const fresh = await startSandbox();
		fresh.faults.add({ redirect: other.url, status, times: Infinity });
		const { failed } = await runNode({
			parameters,
			credential: { baseUrl: fresh.url, apiKey: fresh.organization.apiKey },
			items: [{ id: 'a' }],
			onError: 'continueErrorOutput',
		});
		await fresh.close();
		expect(failed[0].json.error).toMatchObject({
			message: expect.stringContaining(`redirects to ${other.url}`),
			httpCode: status,
		});
		expect(other.received).toEqual([]);
	});
});
