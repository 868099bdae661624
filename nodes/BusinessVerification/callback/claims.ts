import { isRefusal, type Refusal } from './refusedCalls';
import type { Delivery } from './sellerReport';
import { verifyCallback } from './signing';
import { verifySignature } from './standardWebhooks';

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

interface Claims {
	ref: string;
	/** What may be used once. */
	claim?: string;
	issuedAt: number;
}

export function claimsOf(call: Call, { secrets, audience, signingSecrets }: ProofRules, now: number): Claims | Refusal {
	const { query, pathSegment, rawUrl } = call;
	const signature = signingSecrets.length > 0 ? verifySignature(call, signingSecrets, now) : { id: undefined };
	if (isRefusal(signature)) return signature;
	if (secrets === undefined) {
		// Without a signed URL a plain `ref` in it still finds its way back.
		return { ref: typeof query.ref === 'string' ? query.ref : '', claim: signature.id, issuedAt: now };
	}
	const proof = verifyCallback({ query, pathSegment, rawUrl, audience, secrets, now });
	return isRefusal(proof) ? proof : { ref: proof.ref, claim: proof.nonce, issuedAt: proof.issuedAt };
}
