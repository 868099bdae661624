import { ExecuteContext } from 'n8n-core';
import { createHash } from 'node:crypto';
import { audienceOf, verifyCallback } from '../../nodes/BusinessVerification/seller/signing';
import { type Sandbox, startSandbox } from '../../sandbox';
import { hurry } from '../harness/hurry';
import { runNode } from '../harness/inProcess';

const merchant = {
	name: '={{ $json.company }}',
	address_line_1: '1 Main Street',
	city: 'Springfield',
	state: 'IL',
	zip5: '62701',
};
const secret = 'a long text that chance has made';
const trigger = 'https://n8n.example.com/webhook/abc/seller-report-abc';

let sandbox: Sandbox;

beforeAll(async () => {
	hurry();
	sandbox = await startSandbox({ switches: { callbackRetries: 0 } });
});

beforeEach(() => {
	sandbox.reset();
	// Searches stay pending, and nobody is called back.
	sandbox.clock.freeze();
});

afterAll(async () => sandbox.close());

const credential = (more: Record<string, string> = {}) => ({
	baseUrl: sandbox.url,
	apiKey: sandbox.organization.apiKey,
	sellerStatusPath: sandbox.switches.sellerStatusPath,
	sellerResultPath: sandbox.switches.sellerResultPath,
	callbackSecret: secret,
	...more,
});

const run = async (
	operation: string,
	parameters: object,
	more: {
		credential?: Record<string, string>;
		items?: object[];
		onError?: 'continueErrorOutput';
		retryOnFail?: boolean;
		executeOnce?: boolean;
	} = {},
) =>
	await runNode({
		parameters: { resource: 'sellerSearch', operation, ...merchant, ...parameters },
		items: (more.items ?? [{ company: 'Acme' }]) as never,
		credential: credential(more.credential),
		onError: more.onError,
		retryOnFail: more.retryOnFail,
		executeOnce: more.executeOnce,
	});

const bodies = () =>
	sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as Record<string, string>);

function claimsOf(callback: string) {
	const url = new URL(callback);
	const proof = url.searchParams.get('proof');
	const call = proof === null ? { query: {}, pathSegment: url.pathname.split('/').at(-1) } : { query: { proof } };
	return verifyCallback({ ...call, audience: audienceOf(trigger), secrets: [secret], now: Date.now() });
}

/** As the proof in the query or the path spells them. */
function timesOf(callback: string) {
	const { searchParams, pathname } = new URL(callback);
	const proof = searchParams.get('proof') ?? pathname.split('/').at(-1)!;
	const [, , issuedAt, expiresAt] = proof.split('.');
	return { issuedAt, expiresAt };
}

describe('Submit', () => {
	it('sends every item with a signed URL of its own, and the reference stays with its item', async () => {
		const items = [
			{ company: 'Acme', id: 'crm-1' },
			{ company: 'Beta', id: 'crm/2 ü' },
		];
		const { items: output } = await run('submit', { callback: trigger, ref: '={{ $json.id }}' }, { items });
		expect(output.map(({ json, pairedItem }) => [json.ref, json.isSigned, json.status, pairedItem])).toEqual([
			['crm-1', true, 'pending', { item: 0 }],
			['crm/2 ü', true, 'pending', { item: 1 }],
		]);
		const sent = bodies().sort((one, other) => one.name.localeCompare(other.name));
		expect(sent.map(({ name, callback }) => [name, claimsOf(callback).ref])).toEqual([
			['Acme', 'crm-1'],
			['Beta', 'crm/2 ü'],
		]);
		expect(new Set(sent.map(({ callback }) => claimsOf(callback).nonce)).size).toBe(2);
		expect(sent[0]).toEqual({
			name: 'Acme',
			address_line_1: '1 Main Street',
			city: 'Springfield',
			state: 'IL',
			zip5: '62701',
			callback: expect.stringMatching(
				/^https:\/\/n8n\.example\.com\/webhook\/abc\/seller-report-abc\?proof=1\.[\w.-]+$/,
			),
		});
	});

	it('sends its own callback URL, whatever Extra Body Fields says', async () => {
		const elsewhere = { callback: 'https://elsewhere.example/report', fax: '+1 555 010 0102', city: 'Salem' };
		const items = [
			{ company: 'Acme', extra: '{}' },
			{ company: 'Beta', extra: JSON.stringify(elsewhere) },
		];
		await run('submit', { callback: trigger, ref: 'crm-1', options: { extraBody: '={{ $json.extra }}' } }, { items });
		const sent = bodies().sort((one, other) => one.name.localeCompare(other.name));
		expect(sent.map(({ fax, city, callback }) => [fax, city, claimsOf(callback).ref])).toEqual([
			[undefined, 'Springfield', 'crm-1'],
			['+1 555 010 0102', 'Salem', 'crm-1'],
		]);
	});

	it('expires after a week by default, and signs the path if chosen', async () => {
		await run('submit', { callback: trigger });
		await run('submit', { callback: trigger, options: { expiresAfter: 0, placement: 'path' } });
		const [inQuery, inPath] = bodies().map(({ callback }) => timesOf(callback));
		expect(Number(inQuery.expiresAt) - Number(inQuery.issuedAt)).toBe(7 * 24 * 3_600_000);
		expect(claimsOf(bodies()[1].callback)).toMatchObject({ nonce: expect.any(String) });
		expect(inPath.expiresAt).toBe('');
		expect(bodies()[1].callback).toMatch(/^https:\/\/n8n\.example\.com\/webhook\/abc\/seller-report-abc\/1\.[\w.-]+$/);
	});

	it('says that the URL is not signed', async () => {
		const { items, hints } = await run(
			'submit',
			{ callback: 'http://localhost:5678/webhook/x' },
			{ credential: { callbackSecret: '' } },
		);
		expect(items[0].json.isSigned).toBe(false);
		expect(bodies()[0].callback).toBe('http://localhost:5678/webhook/x');
		expect(hints).toEqual([
			"The callback URL is not signed, so anyone who learns it can send a report, and a Seller Report Trigger with 'Callback Authentication: Signed URL' refuses it. To sign it, set 'Callback Secret' under 'Deployment Settings' in the credential.",
		]);
	});

	it('orders nothing if the callback is to reach this machine, and the service is elsewhere', async () => {
		const hosts = ['localhost', 'app.localhost', '127.8.9.1', '[::1]', '0.0.0.0'];
		const { failed } = await run(
			'submit',
			{ callback: '={{ $json.url }}' },
			{
				// A name may end with a dot.
				items: hosts.map((host) => ({ company: 'Acme', url: `http://${host.replace(/t$/, 't.')}:5678/webhook/x` })),
				credential: { baseUrl: 'https://api.example.com' },
				onError: 'continueErrorOutput',
			},
		);
		expect(failed.map(({ json }) => json.error)).toMatchObject(
			hosts.map((host) => ({
				message: `The service cannot reach the callback URL: ${host} is this machine`,
				description:
					"Nothing was submitted for it. Set WEBHOOK_URL to n8n's public address, in queue mode on the workers too, and copy the URL of a seller trigger again.",
				kind: 'settings',
			})),
		);
	});

	it.each([secret, ''])(
		'refuses only the items without a full web address, with the secret %j',
		async (callbackSecret) => {
			const noAddresses = [
				'/webhook/abc',
				'https://n8n .example.com/webhook/x',
				'ftp://n8n.example.com/webhook/x',
				'https:n8n.example.com/webhook/x',
				'https://',
			];
			const items = [trigger, ...noAddresses].map((url, item) => ({ company: `Acme ${item}`, url }));
			const result = await run(
				'submit',
				{ callback: '={{ $json.url }}' },
				{ items, onError: 'continueErrorOutput', credential: { callbackSecret } },
			);
			expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
			expect(result.failed.map(({ json }) => json.error)).toEqual(
				[1, 2, 3, 4, 5].map((itemIndex) => ({
					message: "'Callback URL' must be a full address",
					kind: 'settings',
					description:
						"Nothing was submitted for it. Copy the production URL from the 'Business Verification Seller Report Trigger'.",
					parameter: 'callback',
					itemIndex,
				})),
			);
			expect(sandbox.ledger.count('sellerSearch')).toBe(1);
		},
	);

	it.each([
		[{ status: 'pending', request_id: ' r1 ' }, 'r1'],
		[{ status: 'pending', request_id: 7 }, '7'],
	])('an accepted search is answered %j, and both operations read the request ID %j', async (body, requestId) => {
		const path = '/external/api/v1/seller-detailed';
		sandbox.faults.add({ method: 'POST', path, bodyContains: 'Acme', times: null, body });
		sandbox.faults.add({ method: 'POST', path, bodyContains: 'Beta', status: 422 });
		const items = [{ company: 'Acme' }, { company: 'Beta' }];
		const result = await run('submit', { callback: trigger, ref: 'crm-1' }, { items, onError: 'continueErrorOutput' });
		const output = { status: 'pending', request_id: requestId, requestId, ref: 'crm-1', isSigned: true };
		expect(result.items.map(({ json }) => json)).toEqual([output]);
		expect(result.failed.map(({ json }) => json.error)).toMatchObject([{ itemIndex: 1, httpCode: 422 }]);
		const waiting = await run('submitAndWait', {});
		expect(waiting.items[0].json).toMatchObject({ requestId, request_id: requestId });
	});

	describe('a callback URL that comes back from the service', () => {
		/** What of the URL that the service was given lets somebody send a report. */
		const proofs = () =>
			bodies().flatMap(({ callback }) => {
				const { searchParams, pathname } = new URL(callback);
				const proof = searchParams.get('proof') ?? searchParams.get('nonce') ?? pathname.split('/').at(-1)!;
				return [proof, ...proof.split('.').filter((part) => part.length > 20)];
			});
		const leaked = (shown: unknown) => {
			const text = JSON.stringify(shown);
			return proofs().filter((proof) => text.includes(proof));
		};
		const items = [{ company: 'Acme' }, { company: 'Beta' }];

		it.each(['query', 'path'])(
			'in a refusal or an answer shows no proof, which stands in its %s',
			async (placement) => {
				const parameters = { callback: trigger, ref: 'crm-1', options: { placement } };
				sandbox.switches.callbackRepeated = 'refusal';
				const refused = await run('submit', parameters, { items, onError: 'continueErrorOutput' });
				expect(refused.failed.map(({ json }) => (json.error as { message: string }).message)).toEqual([
					expect.stringMatching(/body.callback: .*\*\*\* cannot be reached/),
					expect.stringMatching(/body.callback: .*\*\*\* cannot be reached/),
				]);
				const stopped = await run('submit', parameters);
				sandbox.switches.callbackRepeated = 'answers';
				const answered = await run('submit', parameters, { items });
				const requestId = answered.items[1].json.request_id as string;
				const status = await run('getStatus', { requestId });
				expect([answered, status].map((result) => result.items.length)).toEqual([2, 1]);
				expect(JSON.stringify(status.items[0].json)).toContain('***');
				expect(proofs()).toHaveLength(15);
				expect(leaked([refused, { ...stopped.error, ...stopped }, answered, status])).toEqual([]);
			},
		);

		it.each(['refusal', 'answers'] as const)('in the %s to a search that waits shows no nonce', async (where) => {
			sandbox.switches.callbackRepeated = where;
			const result = await run('submitAndWait', { ref: 'crm-1' });
			expect([result.status, result.error?.message]).toEqual(
				where === 'answers' ? ['waiting', undefined] : ['error', expect.stringContaining('cannot be reached')],
			);
			expect(proofs()).toHaveLength(2);
			expect(leaked([result.items, result.error, result.error?.description])).toEqual([]);
		});

		it('in a report that is fetched shows no proof and no nonce', async () => {
			sandbox.switches.callbackRepeated = 'report';
			sandbox.switches.sellerMs = 0;
			sandbox.clock.unfreeze();
			const waited = await run('submitAndWait', {});
			const { items: submitted } = await run('submit', { callback: trigger });
			const requestIds = [waited.items[0].json.requestId, submitted[0].json.requestId];
			const fetched = await run(
				'getResult',
				{ requestId: '={{ $json.id }}' },
				{ items: requestIds.map((id) => ({ id })) },
			);
			expect(fetched.items.map(({ json }) => JSON.stringify(json.request))).toEqual([
				expect.stringContaining('nonce=***'),
				expect.stringContaining('proof=***'),
			]);
			expect(leaked([waited.items, fetched.items])).toEqual([]);
		});
	});

	it('expires after a fraction of an hour, to the millisecond', async () => {
		const { error } = await run('submit', { callback: trigger, options: { expiresAfter: 0.1666667 } });
		expect(error).toBeUndefined();
		await run('submit', { callback: trigger, options: { expiresAfter: 1e-9 } });
		const validFor = bodies().map(({ callback }) => {
			const { issuedAt, expiresAt } = timesOf(callback);
			return Number(expiresAt) - Number(issuedAt);
		});
		expect(validFor).toEqual([600_001, 1]);
	});

	it('signs with no secret that can be guessed, and submits nothing', async () => {
		const items = [{ company: 'Acme' }, { company: 'Beta' }];
		const short = { callbackSecret: 'twenty-three characters' };
		const { failed } = await run(
			'submit',
			{ callback: trigger },
			{ credential: short, items, onError: 'continueErrorOutput' },
		);
		expect(failed.map(({ json }) => json.error)).toEqual(
			[0, 1].map((itemIndex) => ({
				message: "'Callback Secret' is too short: at least 24 characters",
				description:
					"Nothing was submitted for it. Generate a random one, for example with n8n's Crypto node (Action 'Generate', Type 'BASE64', Length 32).",
				kind: 'settings',
				itemIndex,
			})),
		);
		expect(sandbox.ledger.count()).toBe(0);
	});

	it('orders nothing under a reference whose expression finds nothing, because nobody would find its record', async () => {
		const { items, failed } = await run(
			'submit',
			{ callback: trigger, ref: '={{ $json.id }}' },
			{ items: [{ company: 'Acme', id: 'crm-1' }, { company: 'Bolt' }], onError: 'continueErrorOutput' },
		);
		expect(items.map(({ json }) => json.ref)).toEqual(['crm-1']);
		expect(failed.map(({ json }) => json.error)).toEqual([
			{
				message: "'Reference' is empty because its expression returned nothing",
				description: 'Nothing was submitted for it.',
				kind: 'row',
				parameter: 'ref',
				itemIndex: 1,
			},
		]);
		expect(sandbox.ledger.count()).toBe(1);
	});

	it('does not sign a URL twice', async () => {
		const { error } = await run('submit', { callback: `${trigger}?proof=x` });
		expect(error).toMatchObject({
			message: 'The callback URL cannot be signed: it is already signed',
			description: 'Nothing was submitted.',
			context: { parameter: 'callback' },
		});
		expect(sandbox.ledger.count()).toBe(0);
	});
});

describe('Submit and Wait', () => {
	const notConfirmed =
		'If it was processed, it is billed and its report has nowhere to go. Ask your service provider before you search again.';

	it('gives the service the resume URL with a nonce, and sleeps with what a timeout will output', async () => {
		const { status, items } = await run('submitAndWait', { ref: 'crm-1' });
		expect(status).toBe('waiting');
		const [{ callback }] = bodies();
		expect(callback).toMatch(/\/test-\d+\/report\?(.*&)?nonce=[\w-]{22}$/);
		const [{ id }] = sandbox.ledger;
		expect(items[0].json).toEqual({
			status: 'timeout',
			isFinal: false,
			requestId: id,
			request_id: id,
			ref: 'crm-1',
			nextStep:
				"No report arrived in time. Run 'Get Result' with the request ID. If 'Seller Result Path' in the credential is empty, ask your service provider for it.",
			wokenBy: {
				nonceDigest: expect.stringMatching(/^[\w-]{43}$/),
			},
		});
	});

	it('sleeps for the hours that were chosen, and without an end for 0', async () => {
		const begun = Date.now();
		const { waitTill: limited } = await run('submitAndWait', { maxWaitHours: 36 });
		const hours = (limited!.getTime() - begun) / 3_600_000;
		expect([Math.floor(hours), Math.floor(hours - 0.1)]).toEqual([36, 35]);
		const { waitTill: endless } = await run('submitAndWait', { maxWaitHours: 0, name: 'Birch LLC' });
		expect(endless!.getUTCFullYear()).toBe(3000);
	});

	it("pays for nothing that it could not wait for, because of 'Execute Once'", async () => {
		const items = [{ company: 'Acme' }, { company: 'Bolt' }];
		const { error, waitTill } = await run('submitAndWait', {}, { items, executeOnce: true });
		expect([error?.message, error?.description, waitTill]).toEqual([
			"Submit and Wait cannot wait while 'Execute Once' is on",
			'Nothing was submitted. Turn it off in the settings of this node, which takes one item anyway.',
			undefined,
		]);
		expect(sandbox.ledger.count()).toBe(0);
	});

	it('does not sleep with an answer that has no request ID, because it may not be one of the service', async () => {
		sandbox.faults.add({ path: /seller-detailed$/, method: 'POST', status: 200, body: { error: 'later' }, times: 1 });
		const { status, error } = await run('submitAndWait', {});
		expect([status, error?.message, error?.description]).toEqual([
			'error',
			"The submission is not confirmed: the service's response has no 'request_id'",
			notConfirmed,
		]);
	});

	it('is sent the domain of a web address and whole codes, as an inquiry is', async () => {
		const additionalFields = { domain_name: 'https://www.acme.example/shop', zip4: 42, ein: 12_345_678 };
		await run('submit', { callback: 'https://n8n.example.com/x', zip5: '02139-4307', additionalFields });
		expect(sandbox.requests.at(-1)?.body).toMatchObject({
			...{ domain_name: 'www.acme.example', zip5: '02139', zip4: '0042', ein: '012345678' },
		});
	});

	it('submits none where one has a reference that does not fit into a URL', async () => {
		const { error } = await run(
			'submit',
			{ callback: 'https://n8n.example.com/webhook/report', ref: '={{ $json.ref }}' },
			// More than are sent side by side, so that the first would be sent before the last is looked at.
			{ items: [...Array<string>(20).fill('crm-1'), 'é'.repeat(501)].map((ref) => ({ company: 'Acme', ref })) },
		);
		expect(error).toMatchObject({
			message: "'Reference' is longer than about 1000 bytes (Acme, item 21 of 21)",
			description: 'Nothing was submitted. Use a shorter one, such as an ID.',
			context: { parameter: 'ref' },
		});
		expect(sandbox.ledger.count()).toBe(0);
	});

	it('orders nothing if n8n has the address of this machine, and the service is elsewhere', async () => {
		const { error } = await run('submitAndWait', {}, { credential: { baseUrl: 'https://api.example.com' } });
		expect(error).toMatchObject({
			message: 'The service cannot reach the callback URL: 127.0.0.1 is this machine',
			description:
				"Nothing was submitted. Set WEBHOOK_URL to n8n's public address, in queue mode on the workers too, and copy the URL of a seller trigger again.",
		});
	});

	it('keeps what a waking call is judged by, as the options say', async () => {
		const options = { requestIdPath: 'meta.id', sellerIdPath: 'sellers.0.key' };
		const { items } = await run('submitAndWait', { options });
		expect(items[0].json.wokenBy).toMatchObject(options);
	});

	describe("under n8n's Retry On Fail", () => {
		it.each([
			[
				'submit',
				'If it was processed, its report will still arrive at the callback URL. Wait for it before you search again.',
			],
			['submitAndWait', notConfirmed],
		])('%s searches once, although its URL is another each time', async (operation, advice) => {
			sandbox.faults.add({ method: 'POST', path: '/external/api/v1/seller-detailed', after: true, drop: true });
			const result = await runNode({
				parameters: { resource: 'sellerSearch', operation, ...merchant, callback: trigger },
				items: [{ company: 'Acme' }],
				credential: credential(),
				retryOnFail: true,
			});
			expect(sandbox.ledger.count('sellerSearch')).toBe(1);
			expect(result.error?.description).toBe(advice);
		});

		it('waits at the address that the service was given, although the first try could not wait', async () => {
			const cannotWait = jest
				.spyOn(ExecuteContext.prototype, 'putExecutionToWait')
				.mockRejectedValueOnce(new Error('the database is away'));
			const { status, items } = await runNode({
				parameters: { resource: 'sellerSearch', operation: 'submitAndWait', ...merchant },
				items: [{ company: 'Acme' }],
				credential: credential(),
				retryOnFail: true,
			});
			expect(cannotWait).toHaveBeenCalledTimes(2);
			expect(status).toBe('waiting');
			const [nonce, ...others] = bodies().map(({ callback }) => new URL(callback).searchParams.get('nonce')!);
			expect(others).toEqual([]);
			const digest = createHash('sha256').update(nonce).digest('base64url');
			expect(items[0].json.wokenBy).toMatchObject({ nonceDigest: digest });
			cannotWait.mockRestore();
		});
	});

	it('submits nothing for two items', async () => {
		const { error } = await run('submitAndWait', {}, { items: [{ company: 'Acme' }, { company: 'Beta' }] });
		expect(error).toMatchObject({
			message: 'Submit and Wait takes one item, but received 2',
			description:
				"Nothing was submitted. Add a 'Loop Over Items' node with batch size 1, or use 'Submit' with the 'Business Verification Seller Report Trigger'.",
		});
		expect(sandbox.ledger.count()).toBe(0);
	});
});
