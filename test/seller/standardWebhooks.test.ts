import { createHmac, randomBytes } from 'node:crypto';
import fc from '../harness/seed';
import {
	problemOfSigningSecret,
	type SignedCall,
	signingSecretsOf,
	verifySignature,
} from '../../nodes/BusinessVerification/seller/signing';

/** The reference vector of the specification, made again with openssl. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const seconds = 1_614_265_330;
const body = '{"test": 2432232314}';
const vector = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const headersOf = (signature = vector, timestamp = String(seconds)) => ({
	'webhook-id': id,
	'webhook-timestamp': timestamp,
	'webhook-signature': signature,
});
const check = (change: Partial<SignedCall> & { secrets?: string[]; now?: number } = {}) => {
	const { secrets = [secret], now = seconds * 1000, ...call } = change;
	return verifySignature({ headers: headersOf(), rawBody: Buffer.from(body), ...call }, secrets, now);
};

/** The algorithm in the specification's words: base64 of HMAC-SHA-256 over `id.timestamp.body`. */
function signedByHand(timestamp: string, key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')) {
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

describe('the Standard Webhooks headers', () => {
	it('fit the vector of the specification', () => {
		expect(check()).toEqual({ id });
		expect(check({ secrets: [secret.slice('whsec_'.length)] })).toEqual({ id });
		expect(signedByHand(String(seconds))).toBe(vector);
	});

	it('are checked over the very bytes of the body', () => {
		for (const other of ['{"test":2432232314}', `${body} `, `${body}\n`, ''])
			expect(check({ rawBody: Buffer.from(other) })).toMatchObject({ status: 401, reason: 'wronglySigned' });
	});

	it('may hold several signatures while the service changes its secret', () => {
		const other = `v1,${randomBytes(32).toString('base64')}`;
		expect(check({ headers: headersOf(`${other} v1a,abc ${vector}`) })).toEqual({ id });
		expect(check({ headers: headersOf(`${other} v1a,abc ${other}`) })).toMatchObject({ reason: 'wronglySigned' });
		for (const version of ['v2,', 'V1,', 'v1 ', '', 'v1a,'])
			expect(check({ headers: headersOf(vector.replace('v1,', version)) })).toMatchObject({ reason: 'wronglySigned' });
	});

	it('are checked with several secrets while we change ours', () => {
		const next = `whsec_${randomBytes(32).toString('base64')}`;
		expect(check({ secrets: [next, secret] })).toEqual({ id });
		expect(check({ secrets: [next] })).toMatchObject({ reason: 'wronglySigned' });
		expect(signingSecretsOf(`  ${next}\n ${secret} `)).toEqual([next, secret]);
		expect([signingSecretsOf(''), signingSecretsOf(undefined)]).toEqual([[], []]);
	});

	it('are never checked with a damaged secret, whose key could be guessed', () => {
		const empty = signedByHand(String(seconds), Buffer.alloc(0));
		expect(check({ secrets: ['whsec_'], headers: headersOf(empty) })).toMatchObject({
			status: 401,
			reason: 'noSecret',
		});
		expect(check({ secrets: ['whsec_', secret], headers: headersOf(empty) })).toMatchObject({
			reason: 'wronglySigned',
		});
		expect(check({ secrets: ['whsec_', secret] })).toEqual({ id });
	});

	it('are good for five minutes, before and after', () => {
		const at = (minutes: number, ms = 0) => check({ now: seconds * 1000 + minutes * 60_000 + ms });
		expect([at(5), at(-5)]).toEqual([{ id }, { id }]);
		expect(at(5, 1)).toMatchObject({ status: 401, reason: 'outOfTime' });
		expect(at(-5, -1)).toMatchObject({ status: 401, reason: 'outOfTime' });
	});

	it.each(['', '1e9', ' 1614265330', '1614265330.5', '-1', 'now'])(
		'refuse the time %j, rightly signed',
		(timestamp) => {
			expect(check({ headers: headersOf(signedByHand(timestamp), timestamp) })).toMatchObject({ status: 401 });
		},
	);

	it.each<[string, Partial<SignedCall>]>([
		['no headers', { headers: {} }],
		['no ID', { headers: { ...headersOf(), 'webhook-id': undefined } }],
		['no signature', { headers: { ...headersOf(), 'webhook-signature': '' } }],
		['two signatures', { headers: { ...headersOf(), 'webhook-signature': [vector, vector] } }],
		['a body of which n8n kept no bytes', { rawBody: undefined }],
	])('do not fit with %s', (_what, change) => {
		expect(check(change)).toMatchObject({ status: 401, reason: 'unsigned' });
	});

	it('refuse every other ID, time, signature and body', () => {
		const text = fc.string({ minLength: 1 });
		fc.assert(
			fc.property(text, fc.constantFrom('webhook-id', 'webhook-signature', 'body'), (value, where) => {
				const headers = { ...headersOf(), ...(where === 'body' ? {} : { [where]: value }) };
				fc.pre(!value.split(' ').includes(vector) && value !== id && value !== body);
				expect(check({ headers, rawBody: Buffer.from(where === 'body' ? value : body) })).toMatchObject({
					status: 401,
				});
			}),
		);
	});
});

describe('a signing secret', () => {
	it('has 24 to 64 bytes in Base64', () => {
		const of = (bytes: number) => problemOfSigningSecret(`whsec_${randomBytes(bytes).toString('base64')}`);
		expect([of(24), of(32), of(64), problemOfSigningSecret(secret)]).toEqual([
			undefined,
			undefined,
			undefined,
			undefined,
		]);
		expect(of(23)).toBe('has 23 bytes, not 24 to 64');
		expect(of(65)).toBe('has 65 bytes, not 24 to 64');
		const whole = 'x'.repeat(32);
		expect([`whsec_${whole}`, `whsec_${whole}==`].map(problemOfSigningSecret)).toEqual([undefined, undefined]);
		for (const damaged of ['a text that somebody made up', `whsec_${whole}=${whole}`, `whsec_${whole}.`])
			expect(problemOfSigningSecret(damaged)).toBe("is not Base64 after 'whsec_'");
	});
});
