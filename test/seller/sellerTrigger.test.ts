import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
	type IDataObject,
	type IHookFunctions,
	type INodeTypes,
	type IWebhookFunctions,
	type IWebhookResponseData,
	Workflow,
} from 'n8n-workflow';
import { BusinessVerificationSellerTrigger } from '../../nodes/BusinessVerification/BusinessVerificationSellerTrigger.node';
import { newNonce, signCallbackUrl, type SignOptions } from '../../nodes/BusinessVerification/seller/signing';
import { parameters, strictContext } from '../harness/strictContext';

const secret = 'a long text that chance has made';
const oneProcess = new BusinessVerificationSellerTrigger();

interface Setting {
	id?: string;
	workflow?: string;
	mode?: 'webhook' | 'manual';
	values?: object;
	/** Or how n8n reads it. */
	credential?: object | (() => Promise<object>);
	staticData?: IDataObject;
	/** Answers the read-back; absent, any request of the node throws. */
	service?: (options: { method: string; url: string; timeout: number }) => unknown;
	node?: BusinessVerificationSellerTrigger;
	/** What n8n does when it starts the execution, and after it has asked for the answer. */
	starts?: () => void;
	answered?: () => void;
}

/** One trigger in one process, which `node` stands for, with what n8n stored of it. */
function trigger({
	id = newNonce(),
	workflow = 'workflow',
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
		getWorkflow: () => ({ id: workflow, name: 'w', active: true }),
		getNodeParameter: parameters({ ...values }),
		getCredentials: async (type: string) => ({
			type,
			baseUrl: 'https://service.example.com',
			callbackSecret: secret,
			previousCallbackSecret: '',
			...(typeof credential === 'function' ? await (credential as () => Promise<object>)() : credential),
		}),
		getMode: () => mode,
		getNodeWebhookUrl: (name: string) => (name === 'default' ? url : `${url}/:proof`),
		logger: { debug: logger('debug'), error: logger('error') },
	};

	async function call(
		target: string,
		body: unknown = { request_id: 'r1', seller_id: 's1' },
		more: { rawBody?: Buffer; headers?: object; answers?: number; hasHungUp?: boolean } = {},
	) {
		// With what n8n answers once it has started the execution, or failed to; undefined keeps the caller waiting.
		const { answers } = { answers: 200, ...more };
		const { pathname, searchParams } = new URL(target);
		const query: Record<string, unknown> = {};
		for (const key of new Set(searchParams.keys())) {
			const all = searchParams.getAll(key);
			query[key] = all.length === 1 ? all[0] : all;
		}
		const segments = pathname.split('/');
		const response = responseDouble();
		if (more.hasHungUp) response.object.destroy();
		const context = strictContext<IWebhookFunctions>({
			...shared,
			getWorkflowStaticData: () => staticData,
			getRequestObject: () => ({
				rawBody: more.rawBody ?? Buffer.from(JSON.stringify(body) ?? ''),
			}),
			getResponseObject: () => response.object as never,
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
		if (answers !== undefined) response.finish(answers);
		return outcome;
	}

	const create = async () =>
		await node.webhookMethods.default.create.call(strictContext<IHookFunctions>(shared as never));
	const sign = (options: Partial<SignOptions> = {}) => signCallbackUrl(url, { secret, placement: 'query', ...options });
	/** What n8n would write into its database now. */
	const saved = () => JSON.parse(JSON.stringify(staticData)) as IDataObject;
	return { id, url, sign, call, create, log, saved };
}

function responseDouble() {
	const said: { status?: number; body?: unknown } = {};
	const object = Object.assign(new ServerResponse(new IncomingMessage(new Socket())), {
		status(code: number) {
			said.status = code;
			return { json: (body: unknown) => void (said.body = body) };
		},
	});
	const finish = (statusCode: number) => {
		object.statusCode = statusCode;
		object.end();
	};
	return { object, said, finish };
}

/** What the caller sees and whether n8n starts an execution. */
function outcomeOf(result: IWebhookResponseData, { object, said, finish }: ReturnType<typeof responseDouble>) {
	const hangUp = () => void object.destroy();
	if (result.workflowData === undefined) {
		expect(result).toEqual({ noWebhookResponse: true });
		return { status: said.status, body: said.body, started: false, item: undefined, finish, hangUp };
	}
	expect(said).toEqual({});
	expect(result.webhookResponse).toEqual({ received: true });
	return {
		status: 200,
		body: result.webhookResponse as unknown,
		started: true,
		item: result.workflowData[0][0].json,
		finish,
		hangUp,
	};
}

describe('the Seller Trigger', () => {
	describe('activation', () => {
		const howToMake =
			"Generate a random one, for example with n8n's Crypto node (Action 'Generate', Type 'BASE64', Length 32). Enter it under 'Deployment Settings' in the credential, or set 'Callback Authentication' to 'None'.";

		it('is refused without a callback secret', async () => {
			const none = { callbackSecret: '' };
			for (const credential of [none, { ...none, previousCallbackSecret: 'old' }, { callbackSecret: undefined }])
				await expect(trigger({ credential }).create()).rejects.toMatchObject({
					message: "The credential has no 'Callback Secret'",
					description: howToMake,
				});
		});

		it.each([
			[
				'the secret',
				{ callbackSecret: 'twenty-three characters' },
				"'Callback Secret' is too short: at least 24 characters",
			],
			[
				'the one before',
				{ previousCallbackSecret: 'old' },
				"'Previous Callback Secret' is too short: at least 24 characters",
			],
		])('is refused where %s can be guessed', async (_what, credential, message) => {
			await expect(trigger({ credential }).create()).rejects.toMatchObject({
				message,
				description: howToMake,
			});
			expect(await trigger({ credential: { previousCallbackSecret: secret } }).create()).toBe(true);
		});

		it('goes ahead with a secret, or without one where the user chose None', async () => {
			expect(await trigger().create()).toBe(true);
			expect(
				await trigger({ credential: { callbackSecret: '' }, values: { callbackAuthentication: 'none' } }).create(),
			).toBe(true);
		});

		it('is refused where the report shall be fetched and nobody said where', async () => {
			const values = { options: { fetchReport: true } };
			await expect(trigger({ values }).create()).rejects.toMatchObject({
				message: "'Seller Result Path' in the credential is not set",
				description:
					"Ask your service provider for the path, and enter it under 'Deployment Settings' in the credential, with {request_id} where the ID belongs.",
			});
			expect(await trigger({ values, credential: { sellerResultPath: '/r/{request_id}' } }).create()).toBe(true);
		});

		it.each([
			[{ options: { fetchReport: 'perhaps' } }, "'Options > Fetch Report From Service' is neither yes nor no"],
			[{ callbackAuthentication: 'signed' }, "'Callback Authentication' must be one of signedUrl, none"],
		])('is refused with %j, and says what is wrong', async (values, message) => {
			await expect(trigger({ values }).create()).rejects.toThrow(message);
			const t = trigger({ values });
			expect(await t.call(t.sign())).toMatchObject({ status: 500, started: false });
		});
	});

	describe('starts the workflow', () => {
		it.each(['query', 'path'] as const)('for a URL signed in its %s', async (placement) => {
			const { sign, call } = trigger();
			const nonce = newNonce();
			const report = { request_id: 'r1', seller_id: 42, status: 'ACTIVE', unknown: [null] };
			expect(await call(sign({ placement, ref: 'crm/42 ü', nonce }), report)).toMatchObject({
				status: 200,
				started: true,
				item: { ref: 'crm/42 ü', requestId: 'r1', sellerId: '42', report, deduplicationKey: nonce },
			});
		});

		it.each(['query', 'path'] as const)(
			'with a report that repeats its URL, signed in its %s, without the proof',
			async (placement) => {
				const { sign, call } = trigger();
				const url = sign({ placement });
				const { item } = await call(url, { request_id: 'r1', request: { callback: url, sent: [url] } });
				const [proof, , mac] = /1\.([\w-]{22})\..*\.([\w-]{43})$/.exec(url)!;
				const report = JSON.stringify(item!.report);
				expect(report).toContain('***');
				expect([proof, mac].filter((part) => report.includes(part))).toEqual([]);
			},
		);

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

		it('also with the previous secret, which open searches were signed with', async () => {
			const { sign, call } = trigger({
				credential: { callbackSecret: `${secret}, anew`, previousCallbackSecret: secret },
			});
			expect(await call(sign())).toMatchObject({ started: true });
			expect(await call(sign({ secret: `${secret}, another` }))).toMatchObject({ status: 401, started: false });
		});

		it.each([
			['query', 'proof=1', 'proof=%31'],
			['path', '/1.', '/%31.'],
		] as const)('for a URL signed in its %s that was encoded again on the way', async (placement, signed, received) => {
			const { sign, call } = trigger();
			const url = sign({ placement });
			expect(await call(url.replace(signed, received))).toMatchObject({ started: true });
			expect(await call(url)).toMatchObject({ started: false, body: { duplicate: true } });
		});
	});

	describe('starts nothing', () => {
		const wrong = 'The signature of the callback URL is wrong';
		const damaged = 'The signature of the callback URL is damaged';
		const twice = 'The callback URL is signed more than once';

		it.each<[string, string, (t: ReturnType<typeof trigger>) => string]>([
			['without a signature', 'The callback URL is not signed', (t) => t.url],
			['with a forged one', wrong, (t) => t.sign({ secret: `${secret}, another` })],
			['with a truncated one', damaged, (t) => t.sign().slice(0, -1)],
			['with a truncated one in the path', damaged, (t) => t.sign({ placement: 'path' }).slice(0, -1)],
			['with two', twice, (t) => `${t.sign()}&proof=${new URL(t.sign()).searchParams.get('proof')}`],
			['with one in query and path', twice, (t) => t.sign({ placement: 'path' }) + new URL(t.sign()).search],
			['with an expired one', 'The callback URL has expired', (t) => t.sign({ issuedAt: 1000, expiresAt: 2000 })],
			['with one for another trigger', wrong, (t) => t.url + new URL(trigger().sign()).search],
		])('%s: 401', async (_what, why, target) => {
			const t = trigger();
			expect(await t.call(target(t))).toMatchObject({
				status: 401,
				started: false,
				body: { message: why },
			});
			const meta = { workflowId: 'workflow', node: 'Seller Trigger', status: 401 };
			const message = `A callback was refused: ${why}`;
			// Where an attacker does not fill the log.
			expect(t.log).toEqual([{ level: 'debug', message, meta }]);
			expect(t.saved()).toEqual({});
			expect(JSON.stringify([t.log, t.saved()])).not.toContain(secret);
			// The refused call used nothing up.
			expect(await t.call(t.sign())).toMatchObject({ started: true });
		});

		it('for an empty body', async () => {
			const t = trigger();
			expect(await t.call(t.sign(), {}, { rawBody: Buffer.alloc(0) })).toMatchObject({
				status: 422,
				started: false,
				body: { message: 'The body is empty, but a Seller Report was expected' },
			});
		});

		const noSecret = 'This trigger has no valid secret, so it accepts no calls';

		it('without a secret, even if n8n let it be activated', async () => {
			const t = trigger({ credential: { callbackSecret: '', previousCallbackSecret: secret } });
			expect(await t.call(t.sign())).toMatchObject({ status: 401, started: false, body: { message: noSecret } });
		});

		it('with a secret that became too short, even if it fits', async () => {
			const t = trigger({ credential: { callbackSecret: 'short', previousCallbackSecret: secret } });
			expect(await t.call(t.sign())).toMatchObject({ status: 401, started: false, body: { message: noSecret } });
		});

		it('when its credential cannot be read, and does not throw', async () => {
			const t = trigger({ credential: () => Promise.reject(new Error('credential is gone')) });
			const message = 'The callback could not be processed. Send it again later.';
			expect(await t.call(t.sign())).toMatchObject({ status: 500, started: false, body: { message } });
			expect(t.log).toEqual([
				{
					level: 'error',
					message: 'A callback could not be processed: credential is gone',
					meta: { workflowId: 'workflow', node: 'Seller Trigger' },
				},
			]);
		});
	});

	describe('a callback sent again', () => {
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

		it('is new to another trigger, and to a copy of the workflow, whose nodes have the same IDs', async () => {
			const values = { callbackAuthentication: 'none' };
			const first = trigger({ values });
			const copy = trigger({ values, id: first.id, workflow: 'copy' });
			for (const one of [first, trigger({ values }), copy])
				expect(await one.call(one.url)).toMatchObject({ started: true });
			expect(await first.call(first.url)).toMatchObject({
				started: false,
				body: { received: true, duplicate: true },
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
			expect(slow.saved().accepted).toMatch(/^0( [\w-]{12}\d{6}){2}$/);
		});

		it.each([
			[400, true],
			[399, false],
		])('waits although the caller of the first has hung up, until n8n is done with %d', async (status, isTaken) => {
			const t = trigger();
			const target = t.sign();
			const first = await t.call(target, undefined, { answers: undefined });
			first.hangUp();
			let isAnswered = false;
			const copy = t.call(target).finally(() => (isAnswered = true));
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect(isAnswered).toBe(false);
			first.finish(status);
			expect(await copy).toMatchObject({ status: 200, started: isTaken });
		});

		it('is known to its copies although the caller of the first hung up while the report was fetched', async () => {
			const t = trigger({
				values: { options: { fetchReport: true } },
				credential: { sellerResultPath: '/r/{request_id}' },
				service: () => ({ statusCode: 200, headers: {}, body: { request_id: 'r1' } }),
			});
			const target = t.sign();
			expect((await t.call(target, undefined, { hasHungUp: true })).started).toBe(true);
			expect(await t.call(target)).toMatchObject({ status: 200, started: false });
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
				setting(({ method, url, timeout }) => {
					asked.push(`${method} ${url}, ${timeout}`);
					return answer(200, { request_id: 'r/1', seller_id: 'true' });
				}),
			);
			expect(await t.call(t.sign(), { request_id: 'r/1', seller_id: 'forged' })).toMatchObject({
				item: { sellerId: 'true', report: { request_id: 'r/1', seller_id: 'true' } },
			});
			expect(asked).toEqual(['GET https://service.example.com/external/result/r%2F1, 12000']);
		});

		it.each([
			[400, {}, 'The service rejected the request with status 400. Correct the named fields.'],
			[
				200,
				[{ seller_id: 's' }],
				"The service's response has no JSON object. Check 'Base URL' in the credential: it may point at another service or another version.",
			],
			[
				404,
				{},
				"Not found. Check the ID: 'By ID' takes the service's own, 'External ID' yours. Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com. Also check 'Seller Result Path' under 'Deployment Settings' in the credential.",
			],
		])('asks for another attempt after %i %j, logs why, and takes that one', async (code, body, why) => {
			let isDown = true;
			const t = trigger(setting(() => (isDown ? answer(code, body) : answer(200, { seller_id: 's' }))));
			const target = t.sign();
			const message = 'The report could not be fetched from the service. Send it again later.';
			for (let attempt = 0; attempt < 2; attempt++)
				expect(await t.call(target)).toMatchObject({ status: 503, started: false, body: { message } });
			const meta = { workflowId: 'workflow', node: 'Seller Trigger', status: 503 };
			const logged = {
				level: 'debug',
				message: `A callback was refused: The report could not be fetched: ${why}`,
				meta,
			};
			expect(t.log).toEqual([logged, logged]);
			isDown = false;
			expect(await t.call(target)).toMatchObject({ status: 200, started: true });
		});

		it('never asks for a call that is not signed', async () => {
			const t = trigger(setting(undefined));
			expect(await t.call(t.url)).toMatchObject({ status: 401 });
		});
	});
});
