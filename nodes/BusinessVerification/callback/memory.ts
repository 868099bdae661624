import { createHash } from 'node:crypto';

/**
 * Which callbacks were accepted: for every claim (the nonce of a signed URL; where nothing is signed, the report's own
 * identity) the identity that used it first. Kept as short digests, oldest first. Beyond the caps the oldest are
 * forgotten; a URL that was forgotten can be used once more unless it has expired, so busy triggers give URLs an expiry.
 */
export type CallbackMemory = Map<string, string>;

/** Per trigger and process. */
export const rememberedInProcess = 20_000;
/** In the workflow's static data, which n8n writes as a whole: 20 characters each. */
export const rememberedAcrossRestarts = 1_000;

const version = '1:';
const claimLength = 12;
const identityLength = 8;
const entryLength = claimLength + identityLength;
const open = '';

/** `replayed`: the claim was used before, by something else. */
export type Verdict = 'new' | 'duplicate' | 'replayed';

export function judge(memory: CallbackMemory, claim: string, identity: string): Verdict {
	const known = memory.get(digest(claim, claimLength));
	if (known === undefined || known === open) return 'new';
	return known === digest(identity, identityLength) ? 'duplicate' : 'replayed';
}

export function remember(memory: CallbackMemory, claim: string, identity: string): void {
	memory.set(digest(claim, claimLength), digest(identity, identityLength));
	forgetOldest(memory);
}

/** For an accepted callback that n8n then could not turn into an execution: its next copy is new again. */
export function forget(memory: CallbackMemory, claim: string): void {
	// Kept as open rather than deleted: a call beside it may have stored the claim, and it would be absorbed again.
	memory.set(digest(claim, claimLength), open);
}

/** The newest entries as one text that static data can hold. */
export function pack(memory: CallbackMemory): string {
	const entries = [...memory].filter(([, identity]) => identity !== open).slice(-rememberedAcrossRestarts);
	return version + entries.map(([claim, identity]) => claim + identity).join('');
}

/** Takes over what another process or an earlier run remembered. What this process saw itself wins. */
export function absorb(memory: CallbackMemory, packed: unknown): void {
	if (typeof packed !== 'string' || !packed.startsWith(version)) return;
	const body = packed.slice(version.length);
	for (let at = 0; at + entryLength <= body.length; at += entryLength) {
		const claim = body.slice(at, at + claimLength);
		if (!memory.has(claim)) memory.set(claim, body.slice(at + claimLength, at + entryLength));
	}
	forgetOldest(memory);
}

function forgetOldest(memory: CallbackMemory): void {
	for (const oldest of memory.keys()) {
		if (memory.size <= rememberedInProcess) return;
		memory.delete(oldest);
	}
}

const digest = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length);
