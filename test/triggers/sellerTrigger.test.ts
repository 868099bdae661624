import {
	type IDataObject,
	type IHookFunctions,
	type INodeTypes,
	type IWebhookFunctions,
	type IWebhookResponseData,
	Workflow,
} from 'n8n-workflow';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { newNonce, signCallbackUrl, type SignOptions } from '../../nodes/BusinessVerification/callback/signing';
import { parameters, strictContext } from '../doubles/strictContext';

const secret = 'a long random text';
const oneProcess = new BusinessVerificationSellerTrigger();

interface Setting {
	id?: string;
	mode?: 'webhook' | 'manual';
	values?: object;
	credential?: object | Error;
	staticData?: IDataObject;
	/** Answers the read-back; absent, any request of the node throws. */
	service?: (options: { method: string; url: string }) => unknown;
	node?: BusinessVerificationSellerTrigger;
	/** What n8n does when it starts the execution, and after it has asked for the answer. */
	starts?: () => void;
	answered?: () => void;
}

/** One trigger in one process, which `node` stands for, with what n8n stored of it. */
function trigger({
	id = newNonce(),
	mode = 'webhook',
	values = {},
	credential = {},
	staticData = {},
	service,
	node = oneProcess,
	starts,
	answered,
}: Setting = {}) {
	const url = `https://n8n.example.com/webhook/${id}/seller-report-${id}`;
	const log: Array<{ level: string; message: string; meta: unknown }> = [];
	const logger = (level: string) => (message: string, meta: unknown) => void log.push({ level, message, meta });
	const shared = {
		getNode: () => ({
			id,
			name: 'Seller Trigger',
			type: 'businessVerificationSellerTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: values,
		}),
		getWorkflow: () => ({ id: 'workflow', name: 'w', active: true }),
		getNodeParameter: parameters({ ...values }),
		getCredentials: async (type: string) => {
			if (credential instanceof Error) throw credential;
			return {
				type,
				baseUrl: 'https://service.example.com',
				callbackSecret: secret,
				previousCallbackSecret: '',
				...credential,
			};
		},
		getNodeWebhookUrl: () => url,
		logger: { debug: () => undefined, warn: logger('warn'), error: logger('error') },
	};

	async function call(
		target: string,
		body: unknown = { request_id: 'r1', seller_id: 's1' },
		more: { rawBody?: Buffer; headers?: object } = {},
	) {
		const { pathname, search, searchParams } = new URL(target);
		const query: Record<string, unknown> = {};
		for (const key of new Set(searchParams.keys())) {
			const all = searchParams.getAll(key);
			query[key] = all.length === 1 ? all[0] : all;
		}
		const segments = pathname.split('/');
		const response = responseDouble();
		const context = strictContext<IWebhookFunctions>({
			...shared,
			getMode: () => mode,
			getWorkflowStaticData: () => staticData,
			getRequestObject: () => ({
				originalUrl: pathname + search,
				rawBody: more.rawBody ?? Buffer.from(JSON.stringify(body) ?? ''),
			}),
			getResponseObject: () => response.object,
			getParamsData: () => (segments.length > 4 ? { proof: decodeURIComponent(segments[4]) } : {}),
			getQueryData: () => query,
			getBodyData: () => body,
			getHeaderData: () => more.headers ?? {},
			...(service === undefined
				? {}
				: { helpers: { httpRequestWithAuthentication: async (_type: string, options: never) => service(options) } }),
		} as never);
		const result = await node.webhook.call(context);
		starts?.();
		const outcome = outcomeOf(result, response);
		answered?.();
		return outcome;
	}

	const create = async () =>
		await node.webhookMethods.default.create.call(strictContext<IHookFunctions>(shared as never));
	const sign = (options: Partial<SignOptions> = {}) =>
		signCallbackUrl(url, { secret, placement: 'query', ...options }).url;
	/** What n8n would write into its database now. */
	const saved = () => JSON.parse(JSON.stringify(staticData)) as IDataObject;
	return { id, url, sign, call, create, log, saved };
}

function responseDouble() {
	const said: { status?: number; body?: unknown } = {};
	const atTheEnd: Array<() => void> = [];
	const object = {
		statusCode: 200,
		status(code: number) {
			said.status = code;
			return { json: (body: unknown) => void (said.body = body) };
		},
		once: (event: string, listener: () => void) => void (event === 'finish' && atTheEnd.push(listener)),
	};
	const finish = (statusCode: number) => {
		object.statusCode = statusCode;
		for (const listener of atTheEnd) listener();
	};
	return { object: object as never, said, finish };
}

/** What the caller sees and whether n8n starts an execution. */
function outcomeOf(result: IWebhookResponseData, { said, finish }: ReturnType<typeof responseDouble>) {
	if (result.workflowData === undefined) {
		expect(result).toEqual({ noWebhookResponse: true });
		return { status: said.status, body: said.body, started: false, item: undefined, finish };
	}
	expect(said).toEqual({});
	expect(result.webhookResponse).toEqual({ received: true });
	return {
		status: 200,
		body: result.webhookResponse as unknown,
		started: true,
		item: result.workflowData[0][0].json,
		finish,
	};
}

describe('the Seller Trigger', () => {
	it('registers one address for queries and one for paths, which begin alike', () => {
		const [plain, withProof] = oneProcess.description.webhooks!;
		expect(plain).toMatchObject({
			name: 'default',
			httpMethod: 'POST',
			responseData: '',
			path: '=seller-report-{{ $webhookId }}',
		});
		expect(withProof).toMatchObject({
			httpMethod: 'POST',
			responseData: '',
			isFullPath: true,
			path: `${plain.path}/:proof`,
			ndvHideUrl: true,
		});
	});

	describe('activation', () => {
		it('is refused without a callback secret', async () => {
			await expect(trigger({ credential: { callbackSecret: '' } }).create()).rejects.toThrow("no 'Callback Secret'");
			await expect(
				trigger({ credential: { callbackSecret: '', previousCallbackSecret: 'old' } }).create(),
			).rejects.toThrow('Callback Secret');
			await expect(trigger({ credential: { callbackSecret: undefined } }).create()).rejects.toThrow('Callback Secret');
		});

		it('goes ahead with a secret, or without one where the user chose None', async () => {
			expect(await trigger().create()).toBe(true);
			expect(
				await trigger({ credential: { callbackSecret: '' }, values: { callbackAuthentication: 'none' } }).create(),
			).toBe(true);
		});

		it('is refused where the report shall be fetched and nobody said where', async () => {
			const values = { options: { fetchReport: true } };
			await expect(trigger({ values }).create()).rejects.toThrow("no 'Seller Result Path'");
			expect(await trigger({ values, credential: { sellerResultPath: '/r/{request_id}' } }).create()).toBe(true);
		});

		it('warns of an address the service cannot reach and names WEBHOOK_URL', async () => {
			const local = trigger({ values: { options: { publicUrl: 'http://localhost:5678/webhook/x' } } });
			await local.create();
			expect(local.log).toEqual([
				expect.objectContaining({ level: 'warn', message: expect.stringContaining('WEBHOOK_URL') }),
			]);
			const open = trigger();
			await open.create();
			expect(open.log).toEqual([]);
			await expect(trigger({ values: { options: { publicUrl: 'callbacks' } } }).create()).rejects.toThrow('Public URL');
		});
	});

	describe('starts the workflow', () => {
		it.each(['query', 'path'] as const)('for a URL signed in its %s', async (placement) => {
			const { sign, call } = trigger();
			const nonce = newNonce();
			const report = { request_id: 'r1', data: { seller_id: 42 }, unknown: [null] };
			expect(await call(sign({ placement, ref: 'crm/42 ü', nonce }), report)).toMatchObject({
				status: 200,
				started: true,
				item: { ref: 'crm/42 ü', requestId: 'r1', sellerId: '42', report, deduplicationKey: nonce },
			});
		});

		it('with headers only when asked, and without secrets in them', async () => {
			const headers = { 'user-agent': 'service', authorization: 'Bearer x' };
			const silent = trigger();
			expect((await silent.call(silent.sign(), { a: 1 }, { headers })).item).not.toHaveProperty('headers');
			const telling = trigger({ values: { options: { includeHeaders: true } } });
			expect((await telling.call(telling.sign(), { a: 1 }, { headers })).item).toMatchObject({
				headers: { 'user-agent': 'service', authorization: '[redacted]' },
			});
		});

		it('with identifiers from the paths that were set', async () => {
			const { sign, call } = trigger({
				values: { options: { requestIdPath: 'meta.id', sellerIdPath: 'sellers.0.key' } },
			});
			const { item } = await call(sign(), {
				meta: { id: 'm' },
				sellers: [{ key: 'k' }],
				request_id: 'no',
				seller_id: 'no',
			});
			expect(item).toMatchObject({ requestId: 'm', sellerId: 'k' });
		});

		it('for a URL signed with the previous secret', async () => {
			const { sign, call } = trigger({ credential: { callbackSecret: 'new', previousCallbackSecret: secret } });
			expect(await call(sign())).toMatchObject({ started: true });
		});

		it('behind a gateway whose URL was given', async () => {
			const publicUrl = 'https://gate.example.com/kyb';
			const { url, call } = trigger({ values: { options: { publicUrl } } });
			const { search } = new URL(signCallbackUrl(publicUrl, { secret, placement: 'query' }).url);
			expect(await call(url + search)).toMatchObject({ started: true });
		});

		it('with the credential that was chosen', async () => {
			const jwt = trigger({ values: { authentication: 'jwt' }, credential: { callbackSecret: secret } });
			expect(await jwt.call(jwt.sign())).toMatchObject({ started: true });
		});
	});

	describe('starts nothing', () => {
		const signed = (t: ReturnType<typeof trigger>, options?: Partial<SignOptions>) => t.sign(options);

		it.each<[string, (t: ReturnType<typeof trigger>) => string]>([
			['without a signature', (t) => t.url],
			['with a forged one', (t) => signed(t, { secret: 'another' })],
			['with a truncated one', (t) => signed(t).slice(0, -1)],
			['with a truncated one in the path', (t) => signed(t, { placement: 'path' }).slice(0, -1)],
			['with a re-encoded one', (t) => signed(t).replace('proof=1', 'proof=%31')],
			['with a re-encoded one in the path', (t) => signed(t, { placement: 'path' }).replace('/1.', '/%31.')],
			['with two', (t) => `${signed(t)}&proof=${new URL(signed(t)).searchParams.get('proof')}`],
			['with one in query and path', (t) => signed(t, { placement: 'path' }) + new URL(signed(t)).search],
			['with an expired one', (t) => signed(t, { issuedAt: 1000, expiresAt: 2000 })],
			['with one for another trigger', (t) => t.url + new URL(trigger().sign()).search],
		])('%s: 401', async (_what, target) => {
			const t = trigger();
			expect(await t.call(target(t))).toMatchObject({
				status: 401,
				started: false,
				body: { message: expect.any(String) },
			});
			expect(t.log).toEqual([expect.objectContaining({ level: 'warn' })]);
			expect(t.saved().refused).toMatchObject({ total: 1 });
			expect(JSON.stringify([t.log, t.saved()])).not.toContain(secret);
			// The refused call used nothing up.
			expect(await t.call(t.sign())).toMatchObject({ started: true });
		});

		it.each<[string, unknown, Buffer | undefined, number]>([
			['an oversized report', { a: 1 }, Buffer.alloc(2 * 1024 * 1024, 'x'), 413],
			['an empty body', {}, Buffer.alloc(0), 422],
			['bytes that are no text', {}, Buffer.from([0xff, 0xfe]), 422],
			['broken JSON', '{"a"', Buffer.from('{"a"'), 422],
		])('for %s', async (_what, body, rawBody, status) => {
			const t = trigger({ values: { options: { maxReportSize: 1 } } });
			expect(await t.call(t.sign(), body, { rawBody })).toMatchObject({ status, started: false });
		});

		it('without a secret, even if n8n let it be activated', async () => {
			const t = trigger({ credential: { callbackSecret: '', previousCallbackSecret: secret } });
			expect(await t.call(t.sign())).toMatchObject({ status: 401, started: false });
		});

		it('when its credential cannot be read, and does not throw', async () => {
			const t = trigger({ credential: new Error('credential is gone') });
			expect(await t.call(t.sign())).toMatchObject({ status: 500, started: false });
			expect(t.log).toEqual([
				expect.objectContaining({ level: 'error', message: expect.stringContaining('credential is gone') }),
			]);
		});
	});

	describe('a callback sent again', () => {
		it('is answered with 200 and dropped; under another request id it gets 401', async () => {
			const t = trigger();
			const target = t.sign();
			expect(await t.call(target, { request_id: 'r1' })).toMatchObject({ started: true });
			expect(await t.call(target, { request_id: 'r1' })).toMatchObject({
				status: 200,
				started: false,
				body: { duplicate: true },
			});
			expect(await t.call(target, { request_id: 'r2' })).toMatchObject({ status: 401, started: false });
		});

		it('is dropped after a restart as well', async () => {
			const before = trigger();
			const target = before.sign();
			await before.call(target);
			const staticData = before.saved();
			await jest.isolateModulesAsync(async () => {
				const restarted = await import('../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node');
				const node = new restarted.BusinessVerificationSellerTrigger();
				const after = trigger({ id: before.id, staticData, node });
				expect(await after.call(target)).toMatchObject({ status: 200, started: false });
				expect(await after.call(target, { request_id: 'r2' })).toMatchObject({ status: 401, started: false });

				// n8n makes node objects as it likes; what was accepted belongs to the process.
				const another = trigger({ id: before.id, staticData: {}, node: new BusinessVerificationSellerTrigger() });
				expect(await another.call(target)).toMatchObject({ started: false });
			});
		});

		it('is known to the host that forgets the change while it starts the execution', async () => {
			const nothing = {} as INodeTypes;
			const staticData = {};
			const workflow = () =>
				new Workflow({ id: 'w', nodes: [], connections: {}, active: true, nodeTypes: nothing, staticData });
			const ours = workflow();
			const node = { name: 'Seller Trigger' } as never;
			let changed: unknown;
			const t = trigger({
				staticData: ours.getStaticData('node', node),
				starts: () => void workflow(),
				answered: () => void (changed = ours.staticData.__dataChanged),
			});
			await t.call(t.sign());
			expect(changed).toBe(true);
		});

		it('is in what the first call saves, if that is saved last', async () => {
			const slow = trigger();
			const quick = trigger({ id: slow.id });
			await slow.call(slow.sign());
			await quick.call(slow.sign());
			expect(slow.saved()).toEqual(quick.saved());
			expect(slow.saved().accepted).toMatch(/^1:[\w-]{40}$/);
		});

		it('is accepted where n8n answered the first with an error', async () => {
			const t = trigger();
			const target = t.sign();
			const failed = await t.call(target);
			failed.finish(500);
			const second = await t.call(target);
			expect(second.started).toBe(true);
			second.finish(200);
			expect((await t.call(target)).started).toBe(false);
		});

		it('is dropped exactly once per URL when all copies arrive at once', async () => {
			const t = trigger();
			const targets = Array.from({ length: 40 }, () => t.sign());
			const outcomes = await Promise.all(
				[...targets, ...targets].map((target, index) => t.call(target, { request_id: `r${index % 40}` })),
			);
			expect(outcomes.filter(({ started }) => started)).toHaveLength(40);
			expect(outcomes.every(({ status }) => status === 200)).toBe(true);
		});

		it('shows up again in a test run, which changes nothing', async () => {
			const t = trigger({ mode: 'manual' });
			const target = t.sign();
			expect((await t.call(target)).started).toBe(true);
			expect((await t.call(target)).started).toBe(true);
			expect((await t.call(t.url)).status).toBe(401);
			expect(t.saved()).toEqual({});
		});
	});

	describe('without callback authentication', () => {
		it('takes any call, a plain ref, and drops duplicates by request id', async () => {
			const t = trigger({ credential: { callbackSecret: '' }, values: { callbackAuthentication: 'none' } });
			expect(await t.call(`${t.url}?ref=crm-1`, { request_id: 'r1' })).toMatchObject({
				item: { ref: 'crm-1', deduplicationKey: 'r1' },
			});
			expect(await t.call(t.url, { request_id: 'r1' })).toMatchObject({ status: 200, started: false });
			expect(await t.call(t.url, { request_id: 'r2' })).toMatchObject({ started: true });
		});
	});

	describe('fetching the report', () => {
		const setting = (service: Setting['service']): Setting => ({
			values: { options: { fetchReport: true } },
			credential: { sellerResultPath: '/external/result/{request_id}', sellerLookupMethod: 'GET' },
			service,
		});
		const answer = (statusCode: number, body: unknown) => ({ statusCode, headers: {}, body });

		it('asks by request id and emits what the service says', async () => {
			const asked: string[] = [];
			const t = trigger(
				setting(({ method, url }) => {
					asked.push(`${method} ${url}`);
					return answer(200, { request_id: 'r/1', seller_id: 'true' });
				}),
			);
			expect(await t.call(t.sign(), { request_id: 'r/1', seller_id: 'forged' })).toMatchObject({
				item: { sellerId: 'true', report: { request_id: 'r/1', seller_id: 'true' } },
			});
			expect(asked).toEqual(['GET https://service.example.com/external/result/r%2F1']);
		});

		it('refuses a request the service does not know', async () => {
			const t = trigger(setting(() => answer(404, { detail: 'unknown' })));
			expect(await t.call(t.sign())).toMatchObject({ status: 401, started: false });
		});

		it('asks for another attempt while the service refuses, and takes that one', async () => {
			let isDown = true;
			const t = trigger(setting(() => (isDown ? answer(400, {}) : answer(200, { seller_id: 's' }))));
			const target = t.sign();
			expect(await t.call(target)).toMatchObject({ status: 503, started: false });
			isDown = false;
			expect(await t.call(target)).toMatchObject({ status: 200, started: true });
		});

		it('never asks for a call that is not signed', async () => {
			const t = trigger(setting(undefined));
			expect(await t.call(t.url)).toMatchObject({ status: 401 });
		});
	});

	it('counts refusals without logging or storing each of a thousand', async () => {
		const t = trigger();
		for (let n = 0; n < 1000; n++) await t.call(t.url);
		expect(t.log.length).toBeLessThan(20);
		await t.call(t.sign());
		expect(t.saved().refused).toMatchObject({ total: 1000, reasons: { missing: 1000 }, last: { reason: 'missing' } });
	});
});
