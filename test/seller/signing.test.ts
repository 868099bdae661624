import { createHmac } from 'node:crypto';
import fc, { character } from '../harness/seed';
import {
	audienceOf,
	type CallbackCall,
	Refusal,
	signCallbackUrl,
	verifyCallback,
} from '../../nodes/BusinessVerification/seller/signing';

const secret = 'correct horse battery staple';
const trigger = 'https://n8n.example.com/webhook/7f3/seller-report-7f3';
const issuedAt = 1_700_000_000_000;
const expiresAt = 1_700_000_600_000;
const nonce = 'AAAAAAAAAAAAAAAAAAAAAA';
/** Made with openssl: HMAC-SHA-256 over three lines, base64url. */
const knownProof =
	'1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000.1700000600000.Y3JtLTQyIMOp.bYW_c_xRqAUi92oDZ4qiB642pIU3R5t9q7Y8jzIbI8I';

/** Written again from the description of the format, so that signing and verifying cannot agree on a mistake. */
function proofByHand(claims: string, key = secret, audience = 'seller-report-7f3'): string {
	const mac = createHmac('sha256', key).update(['business-verification-callback', audience, claims].join('\n'));
	return `${claims}.${mac.digest('base64url')}`;
}

function check(changes: Partial<CallbackCall> = {}) {
	try {
		return verifyCallback({
			query: {},
			audience: 'seller-report-7f3',
			secrets: [secret, ''],
			now: issuedAt + 1000,
			...changes,
		});
	} catch (error) {
		if (error instanceof Refusal) return error;
		throw error;
	}
}
const refusals = {
	noSecret: 'This trigger has no valid secret, so it accepts no calls',
	missing: 'The callback URL is not signed',
	ambiguous: 'The callback URL is signed more than once',
	malformed: 'The signature of the callback URL is damaged',
	forged: 'The signature of the callback URL is wrong',
	expired: 'The callback URL has expired',
};
const refusedAs = (reason: keyof typeof refusals) =>
	expect.objectContaining({ status: 401, message: refusals[reason] }) as unknown;
const isAccepted = (changes: Partial<CallbackCall>) => 'nonce' in check(changes);

describe('a signed callback URL', () => {
	it('is spelled as the known vector', () => {
		const options = { secret, ref: 'crm-42 é', nonce, issuedAt, expiresAt };
		expect(signCallbackUrl(trigger, { ...options, placement: 'query' })).toBe(`${trigger}?proof=${knownProof}`);
		expect(signCallbackUrl(`${trigger}/`, { ...options, placement: 'path' })).toBe(`${trigger}/${knownProof}`);
		expect(proofByHand('1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000.1700000600000.Y3JtLTQyIMOp')).toBe(knownProof);
	});

	it('is accepted in the query and in the path', () => {
		const claims = { ref: 'crm-42 é', nonce, issuedAt };
		expect(check({ query: { proof: knownProof } })).toEqual(claims);
		expect(check({ pathSegment: knownProof })).toEqual(claims);
	});

	it('needs neither ref nor expiry', () => {
		const proof = proofByHand('1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000..');
		expect(signCallbackUrl(trigger, { secret, nonce, issuedAt, placement: 'path' })).toBe(`${trigger}/${proof}`);
		expect(check({ pathSegment: proof, now: 9e14 })).toEqual({ ref: '', nonce, issuedAt });
	});

	it('keeps the query the user gave it, letter by letter', () => {
		const url = signCallbackUrl(`${trigger}?team=a%20b+c&x#top`, { secret, placement: 'query' });
		expect(url).toMatch(/\?team=a%20b\+c&x&proof=1\.[^#]+$/);
	});

	it('has a new nonce every time', () => {
		const nonces = Array.from({ length: 50 }, () =>
			signCallbackUrl(trigger, { secret, placement: 'query' }).split('.').at(-5),
		);
		expect(new Set(nonces).size).toBe(50);
	});

	it('carries any text as ref', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: character, maxLength: 80 }),
				fc.constantFrom('query' as const, 'path' as const),
				(ref, placement) => {
					const url = new URL(signCallbackUrl(trigger, { secret, ref, placement }));
					const proof = placement === 'query' ? url.searchParams.get('proof') : url.pathname.split('/').pop();
					const given = placement === 'query' ? { query: { proof } } : { pathSegment: proof };
					expect(check(given)).toMatchObject({ ref });
				},
			),
		);
	});
});

describe('verification', () => {
	it('accepts the previous secret and no other', () => {
		const proof = proofByHand('1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000..', 'the secret of before the change');
		expect(
			check({ pathSegment: proof, secrets: ['the secret after the change', 'the secret of before the change'] }),
		).toMatchObject({ nonce });
		expect(check({ pathSegment: proof, secrets: ['the secret after the change', ''] })).toEqual(refusedAs('forged'));
	});

	it('accepts nothing without a secret, not even what an empty secret signed', () => {
		const proof = proofByHand('1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000..', '');
		expect(check({ pathSegment: proof, secrets: ['', ''] })).toEqual(refusedAs('noSecret'));
		expect(check({ pathSegment: proof })).toEqual(refusedAs('forged'));
	});

	it('accepts nothing that a secret of less than 24 characters signed, although it fits', () => {
		const claims = '1.AAAAAAAAAAAAAAAAAAAAAA.1700000000000..';
		const [short, justEnough] = ['twenty-three é of twelv', 'twenty-four, é of twelve'];
		expect([short.length, justEnough.length]).toEqual([23, 24]);
		expect(check({ pathSegment: proofByHand(claims, short), secrets: [short] })).toEqual(refusedAs('noSecret'));
		expect(check({ pathSegment: proofByHand(claims, short), secrets: [secret, short] })).toEqual(refusedAs('forged'));
		expect(check({ pathSegment: proofByHand(claims, justEnough), secrets: [justEnough] })).toMatchObject({ nonce });
	});

	it('expires exactly to the millisecond', () => {
		expect(check({ pathSegment: knownProof, now: expiresAt - 1 })).toMatchObject({ nonce });
		expect(check({ pathSegment: knownProof, now: expiresAt })).toEqual(refusedAs('expired'));
	});

	it('serves one trigger only', () => {
		expect(check({ pathSegment: knownProof, audience: 'seller-report-7f4' })).toEqual(refusedAs('forged'));
		expect(audienceOf(trigger)).toBe('seller-report-7f3');
		expect(audienceOf('https://other.example.com/base/webhook-test/7f3/seller-report-7f3/')).toBe('seller-report-7f3');
	});

	it.each<[string, Partial<CallbackCall>, keyof typeof refusals]>([
		['nothing', {}, 'missing'],
		['an empty text', { query: { proof: '' } }, 'malformed'],
		['twice the same parameter', { query: { proof: [knownProof, knownProof] } }, 'ambiguous'],
		['a nested parameter', { query: { proof: { x: knownProof } } }, 'ambiguous'],
		['query and path at once', { query: { proof: knownProof }, pathSegment: knownProof }, 'ambiguous'],
		['null', { query: { proof: null } }, 'ambiguous'],
		['only the claims', { pathSegment: knownProof.slice(0, knownProof.lastIndexOf('.')) }, 'malformed'],
		['a trailing newline', { pathSegment: `${knownProof}\n` }, 'malformed'],
		['padding', { pathSegment: `${knownProof}=` }, 'malformed'],
		['standard base64', { pathSegment: knownProof.replaceAll('-', '+').replaceAll('_', '/') }, 'malformed'],
		['another version', { pathSegment: knownProof.replace('1.', '2.') }, 'malformed'],
		['a number with a leading zero', { pathSegment: knownProof.replace('.17', '.017') }, 'forged'],
		['an expiry removed', { pathSegment: knownProof.replace('1700000600000', '') }, 'forged'],
		// The last letter of a digest holds two bits that decoding ignores: J and I mean the same bytes.
		['another spelling of the same digest', { pathSegment: `${knownProof.slice(0, -1)}J` }, 'forged'],
		['a megabyte', { query: { proof: `1.${'A'.repeat(1_000_000)}` } }, 'malformed'],
	])('refuses %s', (_what, changes, reason) => {
		expect(check(changes)).toEqual(refusedAs(reason));
	});

	it('refuses every single change to a proof', () => {
		const letter = fc.constantFrom(...'ABCXYZabcxyz0189-_.=%+/ ');
		const anyProof = fc
			.record({ ref: fc.string({ unit: character, maxLength: 30 }), expires: fc.boolean() })
			.map(({ ref, expires }) => {
				const options = { secret, ref, issuedAt, placement: 'path' as const, ...(expires ? { expiresAt } : {}) };
				return signCallbackUrl(trigger, options).split('/').pop()!;
			});
		fc.assert(
			fc.property(
				anyProof,
				fc.nat(),
				letter,
				fc.constantFrom('replace', 'insert', 'remove', 'cut', 'double'),
				(proof, seed, char, how) => {
					const at = seed % proof.length;
					const changed = {
						replace: proof.slice(0, at) + char + proof.slice(at + 1),
						insert: proof.slice(0, at) + char + proof.slice(at),
						remove: proof.slice(0, at) + proof.slice(at + 1),
						cut: proof.slice(0, at),
						double: proof.slice(0, at) + proof.slice(at).repeat(2),
					}[how]!;
					fc.pre(changed !== proof);
					expect(isAccepted({ pathSegment: changed })).toBe(false);
					expect(isAccepted({ query: { proof: changed } })).toBe(false);
				},
			),
			{ numRuns: 2000 },
		);
	});

	it('refuses anything at all that is not a proof', () => {
		fc.assert(
			fc.property(fc.anything(), fc.anything(), (inQuery, inPath) => {
				expect(isAccepted({ query: { proof: inQuery }, pathSegment: inPath })).toBe(false);
			}),
		);
	});
});
