import type { Delivery } from './sellerReport';
import { type Refused as Unproven, verifyCallback } from './signing';
import { type Unsigned, verifySignature } from './standardWebhooks';

/** What a call can prove of itself, before anybody looks at what it brings. */

export interface Call extends Delivery {
	query: Record<string, unknown>;
	pathSegment?: unknown;
	rawUrl?: string;
}

export interface ProofRules {
	/** Undefined: the user chose not to authenticate callbacks by their URLs. */
	secrets?: string[];
	audience: string;
	/** Of a service that signs its callbacks. Empty: it does not. */
	signingSecrets: string[];
}

type Refused = Unproven | Unsigned;

export type Claims =
	| { ok: true; ref: string; /** What may be used once. */ claim?: string; issuedAt: number }
	| { ok: false; reason: Refused; message: string };

export function claimsOf(call: Call, { secrets, audience, signingSecrets }: ProofRules, now: number): Claims {
	const { query, pathSegment, rawUrl } = call;
	const signature = signingSecrets.length > 0 ? verifySignature(call, signingSecrets, now) : undefined;
	if (signature?.ok === false) return refused(signature.reason);
	if (secrets !== undefined) {
		const proof = verifyCallback({ query, pathSegment, rawUrl, audience, secrets, now });
		return proof.ok
			? { ok: true, ref: proof.ref, claim: proof.nonce, issuedAt: proof.issuedAt }
			: refused(proof.reason);
	}
	// Without a signed URL a plain `ref` in it still finds its way back.
	const ref = typeof query.ref === 'string' ? query.ref : '';
	return { ok: true, ref, claim: signature?.id, issuedAt: now };
}

const refused = (reason: Refused): Claims => ({ ok: false, reason, message: because[reason] });

const because: Record<Refused, string> = {
	noSecret: 'This trigger has no callback secret that is long enough, and accepts nothing',
	missing: 'The callback URL is not signed',
	ambiguous: 'The callback URL is signed more than once',
	malformed: 'The signature of the callback URL is damaged',
	forged: 'The signature of the callback URL does not fit',
	expired: 'The callback URL has expired',
	unsigned: 'The call does not carry the signature of the service',
	wronglySigned: 'The signature of the service does not fit',
	outOfTime: 'The signature of the service is of another time',
};
