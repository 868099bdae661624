import fc from '../harness/seed';
import {
	type Reception as Received,
	type ReceptionRules,
	ReceptionState,
	type Call,
} from '../../nodes/BusinessVerification/seller/reception';
import { newNonce, Refusal, signCallbackUrl } from '../../nodes/BusinessVerification/seller/signing';

const secret = 'a long text that chance has made';
const now = 1_700_000_000_000;
const rules: ReceptionRules = {
	secrets: [secret, ''],
	audience: 'seller-report-1',
};

function callTo(nonce: string, body: object, ref = ''): Call {
	const url = signCallbackUrl('https://n8n.example.com/webhook/1/seller-report-1', {
		secret,
		ref,
		nonce,
		issuedAt: now,
		placement: 'query',
	});
	const proof = new URL(url).searchParams.get('proof');
	return { query: { proof }, body, rawBody: Buffer.from(JSON.stringify(body)), headers: {} };
}

type Reception = Received | { kind: 'refused'; status: number; message: string };

const orRefused = (received: Promise<Received>): Promise<Reception> =>
	received.catch((error: unknown) => {
		if (!(error instanceof Refusal)) throw error;
		return { kind: 'refused', status: error.status, message: error.message };
	});

const used = { status: 401, message: 'This callback URL was already used for another request, or is too old to tell' };

const wasAccepted = (outcome: Reception) => outcome.kind === 'accepted';

/** Receives a call, and has n8n start its execution at once. */
const receive = (state: ReceptionState, call: Call, given: ReceptionRules, at = now): Promise<Reception> =>
	orRefused(state.receive(call, given, at, () => Promise.resolve(true)));

describe('reception', () => {
	it('drops a duplicate and refuses the nonce to another request', async () => {
		const state = new ReceptionState();
		const nonce = newNonce();
		expect(wasAccepted(await receive(state, callTo(nonce, { request_id: 'r1' }), rules))).toBe(true);
		expect(await receive(state, callTo(nonce, { request_id: 'r1', again: true }), rules)).toEqual({
			kind: 'duplicate',
		});
		expect(await receive(state, callTo(nonce, { request_id: 'r2' }), rules)).toMatchObject(used);
		expect(wasAccepted(await receive(state, callTo(newNonce(), { request_id: 'r1' }), rules))).toBe(true);
	});

	describe('while n8n starts the execution', () => {
		const outcomeOf = async (promise: Promise<Reception>) => {
			const pending = Symbol('pending');
			await new Promise(setImmediate);
			return await Promise.race([promise, pending]);
		};

		/** What n8n is doing, until a test ends it. */
		function starting() {
			let end!: (isStarted: boolean) => void;
			const started = new Promise<boolean>((resolve) => (end = resolve));
			return { isStarted: () => started, end };
		}
		const never = () => Promise.reject(new Error('a copy starts nothing'));

		it('confirms no copy before that has gone well', async () => {
			const state = new ReceptionState();
			const nonce = newNonce();
			const call = callTo(nonce, { request_id: 'r1' });
			const { isStarted, end } = starting();
			expect(wasAccepted(await state.receive(call, rules, now, isStarted))).toBe(true);
			const copies = [1, 2].map(() => state.receive(call, rules, now, never));
			const other = orRefused(state.receive(callTo(nonce, { request_id: 'r2' }), rules, now, never));
			for (const held of [...copies, other]) expect(typeof (await outcomeOf(held))).toBe('symbol');
			end(true);
			expect(await Promise.all(copies)).toEqual([{ kind: 'duplicate' }, { kind: 'duplicate' }]);
			expect(await other).toMatchObject(used);
		});

		it('takes the next copy where it has not', async () => {
			const state = new ReceptionState();
			const call = callTo(newNonce(), { request_id: 'r1' });
			const { isStarted, end } = starting();
			await state.receive(call, rules, now, isStarted);
			const [second, third] = [receive(state, call, rules), state.receive(call, rules, now, never)];
			end(false);
			expect(wasAccepted(await second)).toBe(true);
			expect(await third).toEqual({ kind: 'duplicate' });
		});

		it('starts one execution for each URL as long as one start goes well, however calls interleave', async () => {
			const call = fc.record({ nonce: fc.nat(2), starts: fc.boolean() });
			await fc.assert(
				fc.asyncProperty(fc.scheduler(), fc.array(call, { maxLength: 12 }), async (scheduler, calls) => {
					const nonces = [newNonce(), newNonce(), newNonce()];
					const state = new ReceptionState();
					const started = scheduler.scheduleFunction(async (isStarted: boolean) => isStarted);
					const received = Promise.all(
						calls.map(async ({ nonce, starts }) => {
							const call = callTo(nonces[nonce], { request_id: 'r' });
							const { kind } = await state.receive(call, rules, now, () => started(starts));
							return kind === 'duplicate' ? kind : starts ? 'started' : 'failed';
						}),
					);
					await scheduler.waitFor(received);
					const outcomes = await received;
					for (const nonce of [0, 1, 2]) {
						const own = outcomes.filter((_, index) => calls[index].nonce === nonce);
						const canStart = calls.some((each) => each.nonce === nonce && each.starts);
						expect(own.filter((outcome) => outcome === 'started')).toHaveLength(canStart ? 1 : 0);
						// Nobody was told that all is well unless it is.
						if (!canStart) expect(own).not.toContain('duplicate');
					}
				}),
			);
		});
	});

	it('distinguishes reports without a request ID by their bytes', async () => {
		const state = new ReceptionState();
		const nonce = newNonce();
		expect(await receive(state, callTo(nonce, { score: 1 }), rules, now)).toMatchObject({ item: { requestId: null } });
		expect(await receive(state, callTo(nonce, { score: 1 }), rules)).toEqual({ kind: 'duplicate' });
		expect(await receive(state, callTo(nonce, { score: 2 }), rules, now)).toMatchObject(used);
	});

	it('without signatures drops duplicates by request id, and takes no ref from whoever calls', async () => {
		const state = new ReceptionState();
		const unsigned = { ...rules, secrets: undefined };
		// A URL that is not signed has no time, so it is never too old.
		state.memory.absorb('472000');
		const call: Call = { query: { ref: 'crm 2' }, body: { request_id: 'r1' }, headers: {} };
		const item = { ref: null, requestId: 'r1', sellerId: null, report: { request_id: 'r1' }, deduplicationKey: 'r1' };
		expect(await receive(state, call, unsigned, now)).toEqual({ kind: 'accepted', item });
		expect(await receive(state, call, unsigned, now)).toEqual({ kind: 'duplicate' });
		expect(wasAccepted(await receive(state, { ...call, body: { request_id: 'r2' } }, unsigned, now))).toBe(true);
	});

	describe('that reads the report back', () => {
		const invalid = "The report has no valid request ID, so it cannot be fetched. Check 'Request ID Path'.";
		const backed = (fetchReport: ReceptionRules['fetchReport']) => ({ ...rules, fetchReport });

		it.each<[string, object, ReceptionRules['fetchReport'], number, string]>([
			['no request id', { score: 1 }, async () => ({}), 422, invalid],
			[
				'an ID that climbs',
				{ request_id: '../../v1/users/me/api-key' },
				async (id) => ({ request_id: id }),
				422,
				invalid,
			],
			['a long request id', { request_id: 'r'.repeat(201) }, async (id) => ({ request_id: id }), 422, invalid],
			[
				'the report of another request',
				{ request_id: 'r1' },
				async () => ({ request_id: 'r2' }),
				401,
				'The report belongs to another search',
			],
			[
				'a service that is down',
				{ request_id: 'r1' },
				async () => Promise.reject(new Error('down')),
				503,
				'The report could not be fetched from the service. Send it again later.',
			],
			[
				'a search that is not complete',
				{ request_id: 'r1' },
				async (id) => ({ request_id: id, status: 'pending' }),
				503,
				'The service has no report of this search yet. Send it again later.',
			],
			[
				'a search under way with a message',
				{ request_id: 'r1' },
				async () => ({ status: 'running', message: 'in progress', detail: null }),
				503,
				'The service has no report of this search yet. Send it again later.',
			],
		])('refuses %s and lets the URL be used again', async (_what, body, fetchReport, status, message) => {
			const state = new ReceptionState();
			const nonce = newNonce();
			expect(await receive(state, callTo(nonce, body), backed(fetchReport), now)).toMatchObject({ status, message });
			const retry = await receive(
				state,
				callTo(nonce, { request_id: 'r'.repeat(200) }),
				// Its status may be the seller's.
				backed(async () => ({ status: 'active', score: 1 })),
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
						id === 'bad' ? Promise.reject(new Error('not found')) : { request_id: id },
					);
					const received = Promise.all(
						calls.map(({ nonce, request }) =>
							receive(state, callTo(nonces[nonce], { request_id: request }), backed(fetchReport)),
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
							expect(outcome.kind).toBe(request === accepted[0]?.request ? 'duplicate' : 'refused');
						}
					}
				}),
			);
		});
	});
});
