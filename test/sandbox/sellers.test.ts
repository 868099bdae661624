import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { bearer, endpoint, switched, useSandbox } from './harness';

const sandbox = useSandbox();

/** The caller's side: what was POSTed to it, answered with these statuses, then 200. */
let receiver: FastifyInstance;
let callback: string;
let received: { url: string; body: unknown; contentType?: string }[];
let answers: number[];

beforeAll(async () => {
	receiver = fastify({ forceCloseConnections: true });
	receiver.post('/*', async (request, reply) => {
		received.push({ url: request.url, body: request.body, contentType: request.headers['content-type'] });
		return reply.code(answers.shift() ?? 200).send('ok');
	});
	callback = `${await receiver.listen({ port: 0, host: '127.0.0.1' })}/hook?ref=crm-1`;
});
beforeEach(() => {
	received = [];
	answers = [];
});
afterAll(() => receiver.close());

const seller = () => ({
	name: 'Acme Bakery',
	address_line_1: '1 Main St',
	city: 'Springfield',
	state: 'IL',
	zip5: '02134',
	callback,
});
const submit = async (fields: object = {}) =>
	(await sandbox.post('/external/api/v1/seller-detailed', { ...seller(), ...fields })).data;
const path = (requestId: string) => `/external/api/v1/seller-detailed/${requestId}`;
const pass = async (ms: number) => {
	sandbox.it.clock.advance(ms);
	await sandbox.it.callbacks.settled();
};

switched(
	'sellerStatusPath',
	async () => {
		const { request_id: id } = await submit();
		return [
			(await sandbox.get(`${path(id)}/status`)).data.status ?? null,
			(await sandbox.get(`/external/api/v1/status?request_id=${id}`)).data.status ?? null,
		];
	},
	[
		['/external/api/v1/seller-detailed/{request_id}/status', ['pending', null]],
		['/external/api/v1/status?request_id={request_id}', [null, 'pending']],
	],
);

switched(
	'sellerResultPath',
	async () => {
		const { request_id: id } = await submit();
		await pass(1_000);
		const results = [await sandbox.get(path(id)), await sandbox.get(`/external/api/v1/reports/${id}`)];
		return results.map(({ data }) => data.seller?.name ?? null);
	},
	[
		['/external/api/v1/seller-detailed/{request_id}', ['Acme Bakery', null]],
		['/external/api/v1/reports/{request_id}', [null, 'Acme Bakery']],
	],
);

switched(
	'callbackRepeated',
	async () => {
		const sent = await sandbox.post('/external/api/v1/seller-detailed', seller());
		if (sent.status !== 200) return [sent.status, /cannot be reached/.test(sent.data.detail)];
		const status = await sandbox.get(`${path(sent.data.request_id)}/status`);
		await pass(1_000);
		const repeated = [sent, status, await sandbox.get(path(sent.data.request_id))];
		return repeated.map(({ data }) => data.request?.callback === callback);
	},
	[
		['nowhere', [false, false, false]],
		['refusal', [422, true]],
		['answers', [true, true, false]],
		['report', [false, false, true]],
	],
);

switched(
	'sellerLookupMethod',
	async () => {
		const { request_id: id } = await submit();
		return [(await sandbox.get(`${path(id)}/status`)).status, (await sandbox.post(`${path(id)}/status`)).status];
	},
	[
		['GET', [200, 404]],
		['POST', [404, 200]],
	],
);

switched(
	'sellerMs',
	async () => {
		received = [];
		await submit();
		await pass(1_000);
		return received.length;
	},
	[
		[1_000, 1],
		[30_000, 0],
	],
);

switched(
	'sellerCompleteAtOnce',
	async () => {
		const { status } = await submit();
		await pass(0);
		return [status, received.length];
	},
	[
		[false, ['pending', 0]],
		[true, ['complete', 1]],
	],
);

const reportKeys = async () => {
	await submit();
	await pass(1_000);
	const report = received.at(-1)?.body as Record<string, object>;
	return [Object.keys(report), Object.keys(report.seller)];
};

switched('reportRequestId', reportKeys, [
	[
		true,
		[
			['status', 'request_id', 'seller_id', 'seller', 'match'],
			['name', 'city', 'state', 'zip5'],
		],
	],
	[
		false,
		[
			['status', 'seller_id', 'seller', 'match'],
			['name', 'city', 'state', 'zip5'],
		],
	],
]);

switched('reportSellerId', reportKeys, [
	[
		'top',
		[
			['status', 'request_id', 'seller_id', 'seller', 'match'],
			['name', 'city', 'state', 'zip5'],
		],
	],
	[
		'nested',
		[
			['status', 'request_id', 'seller', 'match'],
			['seller_id', 'name', 'city', 'state', 'zip5'],
		],
	],
]);

/** What has become of a callback that is refused three times, after this many waits of half a second. */
const refusedThrice = async (waits: number) => {
	received = [];
	answers = [500, 401, 503];
	await submit();
	await pass(1_000);
	for (let wait = 0; wait < waits; wait += 1) await pass(500);
	const [{ outcome, attempts, status }] = sandbox.it.callbacks;
	return [outcome, attempts, status];
};

switched('callbackRetries', () => refusedThrice(5), [
	[2, ['givenUp', 3, 503]],
	[0, ['givenUp', 1, 500]],
	[5, ['delivered', 4, 200]],
]);

test('a callback that nobody answers is given up', async () => {
	sandbox.it.switches.callbackRetries = 0;
	await submit({ callback: 'http://127.0.0.1:1/hook' });
	await pass(1_000);
	expect([...sandbox.it.callbacks]).toMatchObject([{ outcome: 'givenUp', attempts: 1, status: null }]);
});

test('a reset ends a callback that is under way', async () => {
	const silent = createServer().listen(0, '127.0.0.1');
	const closed = new Promise((resolve) =>
		silent.once('request', ({ socket }) => {
			socket.once('close', resolve);
			sandbox.it.reset();
		}),
	);
	await once(silent, 'listening');
	sandbox.it.switches.sellerCompleteAtOnce = true;
	await submit({ callback: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/hook` });
	await closed;
	silent.close();
});

switched(
	'callbackDuplicates',
	async () => {
		received = [];
		await submit();
		await pass(1_000);
		return [received.length, new Set(received.map(({ body }) => JSON.stringify(body))).size];
	},
	[
		[0, [1, 1]],
		[2, [3, 1]],
	],
);

switched(
	'callbackKeepsQuery',
	async () => {
		await submit();
		await pass(1_000);
		return received.at(-1)?.url;
	},
	[
		[true, '/hook?ref=crm-1'],
		[false, '/hook'],
	],
);

switched(
	'externalAuth',
	async () => {
		const { apiKey, externalKey } = sandbox.it.organization;
		const status = async (headers: Record<string, string>) =>
			(await sandbox.post('/external/api/v1/seller-detailed', seller(), { headers })).status;
		return [
			await status({ Authorization: `Bearer ${apiKey}` }),
			await status({}),
			await status({ 'X-External-Key': externalKey }),
			await status({ 'X-External-Key': externalKey, Authorization: `Bearer ${apiKey}` }),
		];
	},
	[
		['same', [200, 401, 401, 200]],
		['none', [401, 200, 200, 401]],
		['header', [401, 401, 200, 401]],
	],
);

switched(
	'externalHeader',
	async () => {
		sandbox.it.switches.externalAuth = 'header';
		const { externalKey } = sandbox.it.organization;
		const status = async (name: string) =>
			(await sandbox.post('/external/api/v1/seller-detailed', seller(), { headers: { [name]: externalKey } })).status;
		return [await status('X-External-Key'), await status('Authorization')];
	},
	[
		['X-External-Key', [200, 401]],
		['Authorization', [401, 200]],
	],
);

describe('license verification', () => {
	const license = (fields: object = {}) => ({
		LenderId: sandbox.it.organization.id,
		seller_id: sandbox.it.organization.sellerId,
		licensee_name: 'Ada Byron',
		licensee_state: 'IL',
		licensee_category: 'healthcare',
		...fields,
	});
	const where = '/external/api/v1/license-verification';
	const verify = (fields: object) => sandbox.get(where, { params: license(fields) });

	endpoint('POST /external/api/v1/license-verification', 'is there where the fields go into the body', async () => {
		const post = (body: object) => sandbox.post(where, body);
		expect((await post(license())).status).toBe(405);
		sandbox.it.switches.licenseRequest = 'body';
		expect((await post(license())).data).toHaveLength(2);
		expect((await post(license({ colour: 1 }))).status).toBe(422);
		expect(sandbox.it.ledger.count('licenseVerification')).toBe(1);
	});

	switched(
		'licenseRequest',
		async () => {
			const { headers } = bearer(sandbox.it.organization.apiKey);
			const json = { headers: { ...headers, 'Content-Type': 'application/json' } };
			return [
				(await verify({})).status,
				(await sandbox.get(where, { data: license(), ...json })).status,
				(await sandbox.post(where, license())).status,
			];
		},
		[
			['query', [200, 422, 405]],
			['body', [415, 200, 200]],
		],
	);

	switched(
		'licenseSubcategoryName',
		async () => [
			(await verify({ licensee_subcategory: 'dentistry' })).status,
			(await verify({ license_subcategory: 'dentistry' })).status,
		],
		[
			['licensee_subcategory', [200, 422]],
			['license_subcategory', [422, 200]],
		],
	);
});
