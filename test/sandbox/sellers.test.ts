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

endpoint('POST /external/api/v1/seller-detailed', 'delivers the Seller Report to the callback', async () => {
	const answer = await submit();
	expect(answer).toEqual({ status: 'pending', request_id: expect.any(String) });
	await pass(999);
	expect(received).toEqual([]);
	await pass(1);
	expect(received).toEqual([
		{
			url: '/hook?ref=crm-1',
			contentType: 'application/json',
			body: {
				status: 'complete',
				request_id: answer.request_id,
				seller_id: expect.any(String),
				seller: { name: 'Acme Bakery', city: 'Springfield', state: 'IL', zip5: '02134' },
				match: { score: 0.97 },
			},
		},
	]);
	expect([...sandbox.it.callbacks]).toMatchObject([{ url: callback, attempts: 1, status: 200, outcome: 'delivered' }]);
	expect(sandbox.it.ledger.count('sellerSearch')).toBe(1);
});

test('a seller search that the document does not allow is refused', async () => {
	const status = async (fields: object) =>
		(await sandbox.post('/external/api/v1/seller-detailed', { ...seller(), ...fields })).status;
	expect(await status({ zip5: 2134 })).toBe(422);
	expect(await status({ phone: null })).toBe(422);
	expect(await status({ address_line_1: ' ' })).toBe(422);
	expect(await status({ callback: 'hook' })).toBe(422);
	expect(await status({ callback: 'ftp://host/hook' })).toBe(422);
	expect(await status({ addressLine1: 'x' })).toBe(422);
	expect(await status({ callback: undefined })).toBe(422);
	const optional = ['alt_name', 'address_line_2', 'zip4', 'dpc', 'ein', 'phone', 'alt_phone', 'fax'];
	optional.push('email', 'domain_name');
	expect(await status(Object.fromEntries(optional.map((name) => [name, '1'])))).toBe(200);
});

endpoint('GET /external/api/v1/seller-detailed/{request_id}/status', 'goes from pending to complete', async () => {
	const { request_id: id } = await submit();
	const status = async () => (await sandbox.get(`${path(id)}/status`)).data;
	expect(await status()).toEqual({ status: 'pending', request_id: id });
	await pass(1_000);
	expect(await status()).toEqual({ status: 'complete', request_id: id });
	expect((await sandbox.get(`${path('none')}/status`)).status).toBe(404);
	const other = sandbox.it.addOrganization();
	expect((await sandbox.get(`${path(id)}/status`, bearer(other.apiKey))).status).toBe(404);
});

endpoint('GET /external/api/v1/seller-detailed/{request_id}', 'gives the report that the callback got', async () => {
	const { request_id: id } = await submit();
	expect((await sandbox.get(path(id))).data).toEqual({ status: 'pending', request_id: id });
	await pass(1_000);
	expect((await sandbox.get(path(id))).data).toEqual(received[0].body);
	expect((await sandbox.get(path('none'))).status).toBe(404);
});

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
	const payloads = async (fields: object) => {
		const { data } = await verify(fields);
		return Array.isArray(data) ? data.length : data.detail;
	};

	endpoint('GET /external/api/v1/license-verification', 'gives one blank payload for each license', async () => {
		const address = { licensee_addr1: '1 Main St', licensee_city: 'S', licensee_zip5: '02134' };
		const { data } = await verify({ licensee_id: 'MD-1', ...address });
		expect(data).toEqual([
			{
				verification_id: expect.any(String),
				licensee_name: '',
				license_number: '',
				license_status: '',
				expiration_date: '',
			},
		]);
		expect([...sandbox.it.ledger]).toMatchObject([{ kind: 'licenseVerification', key: 'MD-1', count: 1 }]);
	});

	endpoint('POST /external/api/v1/license-verification', 'is there where the fields go into the body', async () => {
		const post = (body: object) => sandbox.post(where, body);
		expect((await post(license())).status).toBe(405);
		sandbox.it.switches.licenseRequest = 'body';
		expect((await post(license())).data).toHaveLength(2);
		expect((await post(license({ colour: 1 }))).status).toBe(422);
		expect(sandbox.it.ledger.count('licenseVerification')).toBe(1);
	});

	test('home services need the license id', async () => {
		const homeServices = { licensee_category: 'homeServices' };
		expect(await payloads(homeServices)).toBe('query.licensee_id: is missing: "required for homeServices"');
		expect(await payloads({ ...homeServices, licensee_id: 'P-1' })).toBe(1);
	});

	test('healthcare: the practitioner’s licenses, all or those of the subcategory', async () => {
		expect(await payloads({})).toBe(2);
		expect(await payloads({ licensee_subcategory: '' })).toBe(2);
		expect(await payloads({ licensee_subcategory: 'physicians' })).toBe(1);
		expect(await payloads({ licensee_subcategory: 'lactation' })).toBe(0);
		expect(await payloads({ licensee_subcategory: 'surgery' })).toMatch(/must be one of physicians, counseling/);
		expect(sandbox.it.ledger.map(({ count }) => count)).toEqual([2, 2, 1, 0]);
	});

	test('only known categories, lenders and sellers', async () => {
		expect((await verify({ licensee_category: 'food' })).status).toBe(422);
		expect((await verify({ licensee_name: '' })).status).toBe(422);
		expect((await verify({ lender_id: 'x' })).status).toBe(422);
		expect((await verify({ LenderId: 'x' })).status).toBe(422);
		const other = sandbox.it.addOrganization();
		expect((await verify({ LenderId: other.id })).status).toBe(404);
		expect((await verify({ seller_id: other.sellerId })).status).toBe(404);
		sandbox.it.organization.availableLenders.push(other);
		expect((await verify({ LenderId: other.id })).status).toBe(200);
	});

	test('a seller is known once its report is complete', async () => {
		await submit();
		await pass(1_000);
		const { seller_id: sellerId } = received[0].body as { seller_id: string };
		expect((await verify({ seller_id: sellerId })).status).toBe(200);
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
