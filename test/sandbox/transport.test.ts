import { business, useSandbox } from './harness';

const sandbox = useSandbox();
const terms = '/v1/users/me/accept-inquiry-terms';

/** What went wrong with a request that got no answer. */
const broken = (path: string) =>
	sandbox.post(path).then(
		({ status }) => `answered ${status}`,
		(error: { code: string }) => error.code,
	);

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
});

describe('faults', () => {
	const { post } = sandbox;

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
		sandbox.it.faults.add({ status: 502, after: true });
		sandbox.it.faults.add({ drop: true, after: true });
		sandbox.it.faults.add({ drop: true });
		const { status, data } = await post(terms);
		expect([status, data]).toEqual([502, { detail: 'The service answers 502' }]);
		expect(await broken(terms)).toBe('ECONNRESET');
		expect(await broken(terms)).toBe('ECONNRESET');
		expect(sandbox.it.ledger.count('terms')).toBe(2);
		expect(sandbox.it.requests.map((request) => request.status)).toEqual([502, 0, 0]);
		expect(sandbox.it.requests.inFlight).toBe(0);
	});

	test('a proxy performs a request twice: the client sees one answer', async () => {
		sandbox.it.faults.add({ method: 'POST', twice: true });
		const { data } = await sandbox.post('/v1/inquiries/', { ...business, externalId: 'x' });
		expect(sandbox.it.ledger.times('x')).toBe(2);
		expect(sandbox.it.ledger[1].id).toBe(data.id);
		expect(sandbox.it.requests.total).toBe(1);
	});

	test('a request whose connection was cut is performed later', async () => {
		sandbox.it.faults.add({ method: 'POST', performedAfterMs: 5_000 });
		await expect(sandbox.post('/v1/inquiries/', { ...business, externalId: 'x' })).rejects.toThrow(/socket hang up/);
		sandbox.it.clock.advance(4_999);
		expect(sandbox.it.ledger.count()).toBe(0);
		sandbox.it.clock.advance(1);
		await Promise.all(sandbox.it.requests.late);
		expect(sandbox.it.ledger.times('x')).toBe(1);
		expect(sandbox.it.requests.total).toBe(1);
	});
});

test('a reset leaves nothing behind but the credentials', async () => {
	const { organization, switches, ledger, inquiries, faults, requests } = sandbox.it;
	const { apiKey } = organization;
	organization.batchLimit = 5;
	sandbox.it.addOrganization();
	switches.errorForm = 'html';
	faults.add({ status: 500, times: Infinity });
	await sandbox.get('/v1/users/me');
	inquiries.seed(3);
	sandbox.it.reset();
	expect([organization.batchLimit, organization.apiKey]).toEqual([250, apiKey]);
	expect([switches.errorForm, ledger.length, requests.length]).toEqual(['detailText', 0, 0]);
	expect((await sandbox.get('/v1/inquiries/')).data.total).toBe(0);
});

test('misspelt switches and values are refused', () => {
	const { switches } = sandbox.it;
	expect(() => Object.assign(switches, { errorform: 'text' })).toThrow('there is no switch "errorform"');
	expect(() => Object.assign(switches, { errorForm: 'xml' })).toThrow(/takes one of detailText, detailList/);
	expect(() => Object.assign(switches, { planningMs: '5' })).toThrow('switch "planningMs" takes a number');
});
