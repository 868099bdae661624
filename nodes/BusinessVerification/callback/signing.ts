import { createHmac, randomBytes } from 'node:crypto';
import { sameText } from './sameText';
import { isStrong, shortestSecret } from './secrets';

/**
 * The service signs nothing, so the callback URL itself carries the proof that we asked for the call:
 *
 * 	version . nonce . issuedAt . expiresAt . ref . HMAC-SHA-256
 *
 * What is signed is the text of the first five parts, exactly as it stands in the URL, so every value has one accepted
 * spelling and nothing is decoded before it is known to be ours. The trigger's own path is signed along: a URL made for
 * one trigger opens no other. Further parameters of the URL are neither signed nor used.
 */
const version = '1';
const proofShape = /^1\.([\w-]{22})\.(\d{1,15})\.(\d{0,15})\.([\w-]{0,1500})\.([\w-]{43})$/;
const nonceShape = /^[\w-]{22}$/;
const longestRef = 1000;

/** Name of the query parameter, and of the path parameter of the trigger's second address. */
export const proofName = 'proof';

export interface SignOptions {
	secret: string;
	/** The caller's own text, a CRM id say; comes back with the report. */
	ref?: string;
	/** Milliseconds since 1970, as everywhere here. */
	expiresAt?: number;
	placement: 'query' | 'path';
	nonce?: string;
	issuedAt?: number;
}

export interface CallbackCall {
	query: Record<string, unknown>;
	pathSegment?: unknown;
	/** The request's address as it arrived: a proof spelled differently there was re-encoded and is refused. */
	rawUrl?: string;
	/** What `audienceOf` says of the trigger's own URL. */
	audience: string;
	/** The current one and the one before it; what is too short to prove anything is left out. */
	secrets: string[];
	now: number;
}

interface CallbackClaims {
	ref: string;
	nonce: string;
	issuedAt: number;
	expiresAt?: number;
}

export type Refused = 'noSecret' | 'missing' | 'ambiguous' | 'malformed' | 'forged' | 'expired';

export type Verification = ({ ok: true } & CallbackClaims) | { ok: false; reason: Refused };

export function signCallbackUrl(
	url: string,
	{ secret, ref = '', expiresAt, placement, nonce = newNonce(), issuedAt = Date.now() }: SignOptions,
): { url: string; nonce: string } {
	if (!isStrong(secret)) throw new Error(`the callback secret is shorter than ${shortestSecret} bytes`);
	if (!nonceShape.test(nonce)) throw new Error('A nonce has 22 characters of base64url');
	if (expiresAt !== undefined && !(expiresAt > issuedAt))
		throw new Error('A callback URL cannot expire before it is issued');
	const target = new URL(url);
	if (!['http:', 'https:'].includes(target.protocol)) throw new Error('A callback URL starts with https:// or http://');
	if (target.searchParams.has(proofName)) throw new Error('The callback URL is signed already');

	const claims = [
		version,
		nonce,
		wholeMs(issuedAt),
		expiresAt === undefined ? '' : wholeMs(expiresAt),
		encodedRef(ref),
	].join('.');
	const proof = `${claims}.${macOf(secret, audienceOf(url), claims)}`;
	target.hash = '';
	// Joined as text: URLSearchParams would respell what the user put into the URL.
	if (placement === 'query') target.search = `${target.search === '' ? '?' : `${target.search}&`}${proofName}=${proof}`;
	else target.pathname = `${target.pathname.replace(/\/+$/, '')}/${proof}`;
	return { url: target.toString(), nonce };
}

export function verifyCallback({ query, pathSegment, rawUrl, audience, secrets, now }: CallbackCall): Verification {
	const keys = secrets.filter(isStrong);
	if (keys.length === 0) return refused('noSecret');
	const proofs = [query[proofName], pathSegment].filter((value) => value !== undefined);
	if (proofs.length === 0) return refused('missing');
	// Given twice, a framework before us and one behind us could read different ones.
	if (proofs.length > 1 || typeof proofs[0] !== 'string') return refused('ambiguous');
	const [proof] = proofs;
	const parts = proofShape.exec(proof);
	if (parts === null || (rawUrl !== undefined && !standsIn(rawUrl, proof))) return refused('malformed');
	const [, nonce, issuedAt, expiresAt, ref, mac] = parts;

	const claims = proof.slice(0, -mac.length - 1);
	// Every key is tried, so that the time taken does not tell which one fitted.
	const fits = keys.map((key) => sameText(mac, macOf(key, audience, claims)));
	if (!fits.includes(true)) return refused('forged');
	if (expiresAt !== '' && now >= Number(expiresAt)) return refused('expired');
	return {
		ok: true,
		ref: decodedRef(ref),
		nonce,
		issuedAt: Number(issuedAt),
		...(expiresAt === '' ? {} : { expiresAt: Number(expiresAt) }),
	};
}

/** What of a trigger's URL is signed: the last piece of its path, which survives another host name, a proxy and test mode. */
export function audienceOf(url: string): string {
	return (
		new URL(url).pathname
			.split('/')
			.filter((segment) => segment !== '')
			.pop() ?? ''
	);
}

export const newNonce = (): string => randomBytes(16).toString('base64url');

const refused = (reason: Refused): Verification => ({ ok: false, reason });

function macOf(secret: string, audience: string, claims: string): string {
	return createHmac('sha256', secret)
		.update(`business-verification-callback\n${audience}\n${claims}`)
		.digest('base64url');
}

function standsIn(rawUrl: string, proof: string): boolean {
	const queryAt = rawUrl.indexOf('?');
	const path = queryAt === -1 ? rawUrl : rawUrl.slice(0, queryAt);
	const query = queryAt === -1 ? '' : rawUrl.slice(queryAt + 1);
	return path.replace(/\/$/, '').endsWith(`/${proof}`) || query.split('&').includes(`${proofName}=${proof}`);
}

function wholeMs(time: number): string {
	if (!Number.isSafeInteger(time) || time < 0 || time >= 1e15)
		throw new Error('Times are whole milliseconds since 1970');
	return String(time);
}

/** JSON keeps halves of surrogate pairs, which UTF-8 alone would replace. */
function encodedRef(ref: string): string {
	if (ref === '') return '';
	const bytes = Buffer.from(JSON.stringify(ref), 'utf8');
	if (bytes.length > longestRef)
		throw new Error(`The reference is too long for a URL: at most about ${longestRef} bytes`);
	return bytes.toString('base64url');
}

const decodedRef = (encoded: string): string =>
	encoded === '' ? '' : String(JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')));
