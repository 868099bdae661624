import fc from 'fast-check';
import {
	type Call,
	type Reception,
	type ReceptionRules,
	ReceptionState,
} from '../../nodes/BusinessVerification/callback/reception';
import { newNonce, signCallbackUrl } from '../../nodes/BusinessVerification/callback/signing';

const secret = 'a long random text';
const now = 1_700_000_000_000;
const rules: ReceptionRules = {
	secrets: [secret, ''],
	audience: 'seller-report-1',
	maxBytes: 1024,
	requestIdPath: '',
	sellerIdPath: '',
	includeHeaders: false,
	isTest: false,
};

function callTo(nonce: string, body: object, ref = ''): Call {
	const { url } = signCallbackUrl('https://n8n.example.com/webhook/1/seller-report-1', {
		secret,
		ref,
		nonce,
		issuedAt: now,
		placement: 'query',
	});
	const proof = new URL(url).searchParams.get('proof');
	return { query: { proof }, body, rawBody: Buffer.from(JSON.stringify(body)), headers: {} };
}

const wasAccepted = (outcome: Reception) => outcome.status === 200 && outcome.item !== undefined;

describe('reception', () => {
	it('turns a signed call into an item', async () => {
		const report = { request_id: 'r1', seller: { seller_id: 's1' }, score: 7 };
		expect(await new ReceptionState().receive(callTo('A'.repeat(22), report, 'crm 1'), rules, now)).toEqual({
			status: 200,
			item: { ref: 'crm 1', requestId: 'r1', sellerId: 's1', report, deduplicationKey: 'A'.repeat(22) },
		});
	});

	it('drops a duplicate, refuses the nonce to another request, and forgets on demand', async () => {
		const state = new ReceptionState();
		const nonce = newNonce();
		const first = await state.receive(callTo(nonce, { request_id: 'r1' }), rules, now);
		expect(wasAccepted(first)).toBe(true);
		expect(await state.receive(callTo(nonce, { request_id: 'r1', again: true }), rules, now)).toEqual({ status: 200 });
		expect(await state.receive(callTo(nonce, { request_id: 'r2' }), rules, now)).toMatchObject({
			status: 401,
			reason: 'replayed',
		});
		expect(wasAccepted(await state.receive(callTo(newNonce(), { request_id: 'r1' }), rules, now))).toBe(true);

		if (first.status === 200 && first.item !== undefined) state.forget(first.item);
		expect(wasAccepted(await state.receive(callTo(nonce, { request_id: 'r1' }), rules, now))).toBe(true);
	});

	it('tells reports without a request id apart by their bytes', async () => {
		const state = new ReceptionState();
		const nonce = newNonce();
		expect(wasAccepted(await state.receive(callTo(nonce, { score: 1 }), rules, now))).toBe(true);
		expect(await state.receive(callTo(nonce, { score: 1 }), rules, now)).toEqual({ status: 200 });
		expect(await state.receive(callTo(nonce, { score: 2 }), rules, now)).toMatchObject({
			status: 401,
			reason: 'replayed',
		});
	});

	it('remembers across a restart', async () => {
		const before = new ReceptionState();
		const nonce = newNonce();
		await before.receive(callTo(nonce, { request_id: 'r1' }), rules, now);
		const after = new ReceptionState();
		after.absorb(before.packed());
		expect(await after.receive(callTo(nonce, { request_id: 'r1' }), rules, now)).toEqual({ status: 200 });
	});

	it('without signatures takes a plain ref and drops duplicates by request id', async () => {
		const state = new ReceptionState();
		const unsigned = { ...rules, secrets: undefined };
		const call: Call = { query: { ref: 'crm 2' }, body: { request_id: 'r1' }, headers: {} };
		expect(await state.receive(call, unsigned, now)).toMatchObject({
			item: { ref: 'crm 2', deduplicationKey: 'r1', sellerId: null },
		});
		expect(await state.receive(call, unsigned, now)).toEqual({ status: 200 });
		expect(
			await state.receive({ ...call, query: { ref: ['a', 'b'] }, body: { request_id: 'r2' } }, unsigned, now),
		).toMatchObject({
			item: { ref: null },
		});
	});

	it('a test run shows the same report again and leaves no trace', async () => {
		const state = new ReceptionState();
		const nonce = newNonce();
		const test = { ...rules, isTest: true };
		expect(wasAccepted(await state.receive(callTo(nonce, { request_id: 'r1' }), test, now))).toBe(true);
		expect(wasAccepted(await state.receive(callTo(nonce, { request_id: 'r1' }), test, now))).toBe(true);
		expect(wasAccepted(await state.receive(callTo(nonce, { request_id: 'r1' }), rules, now))).toBe(true);
	});

	describe('that reads the report back', () => {
		const backed = (fetchReport: ReceptionRules['fetchReport']) => ({ ...rules, fetchReport });

		it('believes the service, not the call', async () => {
			const call = callTo(newNonce(), { request_id: 'r1', seller_id: 'forged' });
			const outcome = await new ReceptionState().receive(
				call,
				backed(async (id) => ({ request_id: id, seller_id: 'true' })),
				now,
			);
			expect(outcome).toMatchObject({ item: { sellerId: 'true', report: { seller_id: 'true' } } });
		});

		it.each<[string, object, ReceptionRules['fetchReport'], number, string]>([
			['no request id', { score: 1 }, async () => ({}), 422, 'noRequestId'],
			['an unknown request', { request_id: 'r1' }, async () => undefined, 401, 'unconfirmed'],
			['the report of another request', { request_id: 'r1' }, async () => ({ request_id: 'r2' }), 401, 'unconfirmed'],
			[
				'a service that is down',
				{ request_id: 'r1' },
				async () => Promise.reject(new Error('down')),
				503,
				'serviceUnavailable',
			],
		])('refuses %s and lets the URL be used again', async (_what, body, fetchReport, status, reason) => {
			const state = new ReceptionState();
			const nonce = newNonce();
			expect(await state.receive(callTo(nonce, body), backed(fetchReport), now)).toMatchObject({ status, reason });
			const retry = await state.receive(
				callTo(nonce, { request_id: 'r1' }),
				backed(async () => ({ seller_id: 's' })),
				now,
			);
			expect(wasAccepted(retry)).toBe(true);
		});

		it('accepts each nonce once, however calls and answers interleave', async () => {
			const call = fc.record({ nonce: fc.nat(2), request: fc.constantFrom('good 1', 'good 2', 'bad') });
			await fc.assert(
				fc.asyncProperty(fc.scheduler(), fc.array(call, { maxLength: 12 }), async (scheduler, calls) => {
					const nonces = [newNonce(), newNonce(), newNonce()];
					const state = new ReceptionState();
					const fetchReport = scheduler.scheduleFunction(async (id: string) =>
						id === 'bad' ? undefined : { request_id: id },
					);
					const received = Promise.all(
						calls.map(({ nonce, request }) =>
							state.receive(callTo(nonces[nonce], { request_id: request }), backed(fetchReport), now),
						),
					);
					await scheduler.waitFor(received);
					const outcomes = await received;
					for (const nonce of [0, 1, 2]) {
						const own = calls
							.map((sent, index) => ({ ...sent, outcome: outcomes[index] }))
							.filter((sent) => sent.nonce === nonce);
						const accepted = own.filter(({ outcome }) => wasAccepted(outcome));
						expect(accepted).toHaveLength(own.some(({ request }) => request !== 'bad') ? 1 : 0);
						for (const { request, outcome } of own) {
							if (wasAccepted(outcome)) continue;
							expect(outcome.status).toBe(request === accepted[0]?.request ? 200 : 401);
						}
					}
				}),
			);
		});
	});
});
