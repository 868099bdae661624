import axios from 'axios';
import { connect } from 'node:net';
import { business, switched, useSandbox } from './harness';

const sandbox = useSandbox();
const terms = '/v1/users/me/accept-inquiry-terms';

/** What went wrong with a request that got no answer. */
const broken = async (path: string, method = 'GET') => {
	const send = method === 'GET' ? sandbox.get(path) : sandbox.post(path);
	return send.then(
		({ status }) => `answered ${status}`,
		(error: { code: string }) => error.code,
	);
};

describe('strictness', () => {
	const answer = async (method: string, path: string, options = {}) => {
		const { status, data, headers } = await sandbox.get(path, { method, ...options });
		return [status, data.detail, headers.allow].filter((part) => part !== undefined);
	};

	test('paths are taken as printed: a missing or extra slash is 422, another method 405, the rest 404', async () => {
		const slash = (path: string) => [422, `The path is printed as ${path}: the slash at the end counts`];
		expect(await answer('GET', '/v1/inquiries')).toEqual(slash('/v1/inquiries/'));
		expect(await answer('GET', '/v1/batch-inquiries?limit=1')).toEqual(slash('/v1/batch-inquiries/'));
		expect(await answer('GET', '/v1/users/me/')).toEqual(slash('/v1/users/me'));
		expect(await answer('GET', '/v1/inquiries/x/')).toEqual(slash('/v1/inquiries/{inquiry_id}'));
		const search = '/external/api/v1/seller-detailed';
		expect(await answer('POST', `${search}/`)).toEqual(slash(search));
		const wrongMethod = [405, 'The path is shown with GET, not with DELETE', 'GET'];
		expect(await answer('DELETE', '/v1/inquiries/x')).toEqual(wrongMethod);
		expect(await answer('HEAD', '/v1/users/me')).toEqual([405, 'GET']);
		expect(await answer('GET', '/v2/inquiries/')).toEqual([404, 'The document shows no such path']);
		expect(await answer('GET', '/')).toEqual([404, 'The document shows no such path']);
		expect(await answer('GET', '/v1//users/me')).toEqual([404, 'The document shows no such path']);
	});

	test('a body where the document shows none is refused, and unknown query names everywhere', async () => {
		const none = [422, expect.stringMatching(/the document shows "no body"/)];
		expect(await answer('GET', '/v1/users/me', { data: {} })).toEqual(none);
		expect(await answer('POST', terms, { data: {} })).toEqual(none);
		expect(await answer('POST', '/v1/inquiries/x/retry-failed', { data: {} })).toEqual(none);
		const unknown = [422, 'query.verbose: is not a field of the document'];
		expect(await answer('GET', '/v1/users/me?verbose=1')).toEqual(unknown);
		expect(await answer('POST', `${terms}?verbose=1`)).toEqual(unknown);
		expect(sandbox.it.ledger).toHaveLength(0);
	});

	test('bodies are JSON objects, said to be JSON', async () => {
		const send = (data: unknown, type: string) =>
			answer('POST', '/v1/inquiries/', { data, transformRequest: String, headers: typed(type) });
		const typed = (type: string) => ({
			'Content-Type': type,
			Authorization: `Bearer ${sandbox.it.organization.apiKey}`,
		});
		expect(await send('{', 'application/json')).toEqual([422, 'The body is not valid JSON']);
		expect(await send('[]', 'application/json')).toEqual([422, 'body: must be an object']);
		expect(await send('null', 'application/json')).toEqual([422, 'body: must be an object']);
		expect(await send('businessName=A', 'application/x-www-form-urlencoded')).toEqual([
			415,
			'The body must be application/json',
		]);
		expect(await answer('POST', '/v1/inquiries/')).toEqual([415, 'The body must be application/json']);
	});

	const colour = 'is not a field of the document';
	const city = 'must not be blank: leave the field out';
	const sentence = `body.colour: ${colour}; body.businessCity: ${city}`;
	const json = 'application/json';

	switched(
		'errorForm',
		async () => {
			const { data, headers } = await sandbox.post('/v1/inquiries/', { ...business, businessCity: ' ', colour: 1 });
			return [String(headers['content-type']).split(';')[0], data];
		},
		[
			['detailText', [json, { detail: sentence }]],
			[
				'detailList',
				[
					json,
					{
						detail: [
							{ loc: ['body', 'colour'], msg: colour, type: 'value_error' },
							{ loc: ['body', 'businessCity'], msg: city, type: 'value_error' },
						],
					},
				],
			],
			['message', [json, { message: sentence }]],
			['error', [json, { error: sentence }]],
			[
				'errors',
				[
					json,
					{
						errors: [
							{ field: 'body.colour', message: colour },
							{ field: 'body.businessCity', message: city },
						],
					},
				],
			],
			['text', ['text/plain', sentence]],
			[
				'html',
				[
					'text/html',
					'<!doctype html><html><head><title>Error 422</title></head>' +
						`<body><h1>Error 422</h1><p>${sentence}</p></body></html>`,
				],
			],
		],
	);
});

describe('faults', () => {
	const { get, post } = sandbox;

	test('strike once by default, and only where they match', async () => {
		sandbox.it.faults.add({ method: 'GET', path: '/v1/users', status: 503, headers: { 'Retry-After': '7' } });
		expect((await post(terms)).status).toBe(200);
		expect((await get('/v1/inquiries/')).status).toBe(200);
		const { status, headers, data } = await get('/v1/users/me');
		expect([status, headers['retry-after'], data]).toEqual([503, '7', { detail: 'The service answers 503' }]);
		expect((await get('/v1/users/me')).status).toBe(200);
	});

	test('skip, times, always, patterns, and bodies that hold a text', async () => {
		const statuses = async (count: number) => {
			const seen: number[] = [];
			for (let n = 1; n <= count; n += 1) {
				seen.push((await post('/v1/inquiries/', { ...business, externalId: `n${n}` })).status);
			}
			return seen;
		};
		const { faults } = sandbox.it;
		faults.add({ path: /inquiries\/$/, skip: 1, times: 2, status: 500 });
		expect(await statuses(4)).toEqual([200, 500, 500, 200]);
		faults.add({ bodyContains: '"n3"', times: Infinity, status: 429 });
		expect(await statuses(4)).toEqual([200, 200, 429, 200]);
		expect(await statuses(4)).toEqual([200, 200, 429, 200]);
		faults.clear();
		expect(await statuses(3)).toEqual([200, 200, 200]);
	});

	test('after: the submission is processed, then the answer is lost', async () => {
		sandbox.it.faults.add({ status: 502, after: true, form: 'message' });
		sandbox.it.faults.add({ drop: true, after: true });
		sandbox.it.faults.add({ drop: true });
		const { status, data } = await post(terms);
		expect([status, data]).toEqual([502, { message: 'The service answers 502' }]);
		expect(await broken(terms, 'POST')).toBe('ECONNRESET');
		expect(await broken(terms, 'POST')).toBe('ECONNRESET');
		expect(sandbox.it.ledger.count('terms')).toBe(2);
		expect(sandbox.it.requests.map((request) => request.status)).toEqual([502, 0, 0]);
		expect(sandbox.it.requests.inFlight).toBe(0);
	});

	test('redirects, log-in pages, bodies of any kind', async () => {
		sandbox.it.faults.add({ redirect: 'http://elsewhere.example/' });
		sandbox.it.faults.add({ redirect: '/v1/users/me', status: 307 });
		sandbox.it.faults.add({ html: true });
		sandbox.it.faults.add({ status: 200, body: { odd: true } });
		sandbox.it.faults.add({ status: 500, body: 'plain words' });
		const seen = async () => {
			const { status, data, headers } = await get('/v1/users/me');
			return [status, headers.location ?? String(headers['content-type']).split(';')[0], data];
		};
		expect(await seen()).toEqual([302, 'http://elsewhere.example/', '']);
		expect(await seen()).toEqual([307, '/v1/users/me', '']);
		expect(await seen()).toEqual([200, 'text/html', expect.stringMatching(/^<!doctype html>/)]);
		expect(await seen()).toEqual([200, 'application/json', { odd: true }]);
		expect(await seen()).toEqual([500, 'text/plain', 'plain words']);
	});

	test('delayMs makes an answer late: the client gives up, and an after-delay has been processed', async () => {
		sandbox.it.faults.add({ delayMs: 60_000, times: 1 });
		sandbox.it.faults.add({ delayMs: 60_000, after: true });
		sandbox.it.faults.add({ delayMs: 1 });
		/** The client leaves once this has come about. */
		const left = async (isTime: () => boolean) => {
			const leaving = new AbortController();
			const sent = sandbox.post(terms, undefined, { signal: leaving.signal }).catch((error) => error.code);
			while (!isTime()) await new Promise(setImmediate);
			leaving.abort();
			return await sent;
		};
		expect(await left(() => sandbox.it.requests.inFlight === 1)).toBe('ERR_CANCELED');
		expect(sandbox.it.ledger.count('terms')).toBe(0);
		expect(await left(() => sandbox.it.ledger.count('terms') === 1)).toBe('ERR_CANCELED');
		expect((await post(terms)).status).toBe(200);
		expect(sandbox.it.ledger.count('terms')).toBe(2);
	});
});

test('requests are logged as they came, with their answers', async () => {
	await sandbox.get('/v1/inquiries/?limit=3&status=FAILED');
	await sandbox.post('/v1/inquiries/', business);
	await sandbox.get('/v1/nothing');
	expect([...sandbox.it.requests]).toMatchObject([
		{ method: 'GET', path: '/v1/inquiries/', query: { limit: '3', status: 'FAILED' }, status: 200 },
		{ method: 'POST', endpoint: 'POST /v1/inquiries/', body: business, status: 200 },
		{ path: '/v1/nothing', endpoint: null, status: 404 },
	]);
	expect(sandbox.it.requests[0].headers.authorization).toBe(`Bearer ${sandbox.it.organization.apiKey}`);
	expect(sandbox.it.requests.total).toBe(3);
	sandbox.it.requests.clear();
	expect([sandbox.it.requests.length, sandbox.it.requests.total]).toEqual([0, 0]);
});

switched(
	'maxInFlight',
	async () => {
		sandbox.it.switches.latencyMs = 20;
		const answers = await Promise.all(Array.from({ length: 4 }, () => sandbox.get('/v1/users/me')));
		const refused = answers.filter(({ status }) => status === 429);
		return [answers.length - refused.length, refused.map(({ headers }) => headers['retry-after'])];
	},
	[
		[0, [4, []]],
		[3, [3, ['1']]],
	],
);

switched(
	'latencyMs',
	async () => {
		const sent = sandbox.get('/v1/users/me', { timeout: 500 });
		return sent.then(
			({ status }) => status,
			(error) => error.code,
		);
	},
	[
		[0, 200],
		[30_000, 'ECONNABORTED'],
	],
);

test('a reset leaves nothing behind but the credentials', async () => {
	const { organization, switches, ledger, inquiries, faults, requests } = sandbox.it;
	const { apiKey } = organization;
	organization.batchLimit = 5;
	organization.billable.watchlists = false;
	sandbox.it.addOrganization();
	switches.errorForm = 'html';
	faults.add({ status: 500, times: Infinity });
	await sandbox.get('/v1/users/me');
	inquiries.seed(3);
	sandbox.it.reset();
	const { batchLimit, billable } = organization;
	expect([batchLimit, billable.watchlists, organization.apiKey]).toEqual([250, true, apiKey]);
	expect([switches.errorForm, ledger.length, inquiries.size, requests.length]).toEqual(['detailText', 0, 0, 0]);
	expect((await sandbox.get('/v1/users/me')).status).toBe(200);
});

test('misspelt switches and values are refused', () => {
	const { switches } = sandbox.it;
	expect(() => Object.assign(switches, { errorform: 'text' })).toThrow('there is no switch "errorform"');
	expect(() => Object.assign(switches, { errorForm: 'xml' })).toThrow(/takes one of detailText, detailList/);
	expect(() => Object.assign(switches, { planningMs: '5' })).toThrow('switch "planningMs" takes a number');
});

test('a request that stays open does not keep the sandbox from closing', async () => {
	const { startSandbox } = await import('../../sandbox');
	const own = await startSandbox({ switches: { latencyMs: 60_000 } });
	const port = Number(new URL(own.url).port);
	const socket = connect(port, '127.0.0.1');
	const pending = axios.get(`${own.url}/v1/users/me`, { proxy: false }).catch((error) => error.code);
	await new Promise<void>((resolve) => socket.once('connect', resolve));
	while (own.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	const ended = new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined));
	await own.close();
	await ended;
	expect(await pending).toBe('ECONNRESET');
});
