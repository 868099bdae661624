import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { choice, type Input, number } from '../kit/field';
import { Failure } from '../kit/service';
import { refusal, type Refusal } from './refusals';

/** What makes a secret of a callback good enough, wherever one is used. */

/** Fewer bytes than this can be found by trying. */
export const shortestSecret = 24;

export const isStrong = (secret: string): boolean => Buffer.byteLength(secret) >= shortestSecret;

export const howToMakeASecret =
	"Make one by chance, with n8n's Crypto node (Action 'Generate', Type 'Base64', Length 32) or with 'openssl rand -base64 32'.";

/** Undefined when nothing speaks against the callback secrets of a credential. */
export function problemOf(callbackSecret: string, previousCallbackSecret: string): string | undefined {
	if (callbackSecret === '') return "The credential has no 'Callback Secret'";
	if (!isStrong(callbackSecret)) return `'Callback Secret' is too short: at least ${shortestSecret} bytes`;
	if (previousCallbackSecret !== '' && !isStrong(previousCallbackSecret))
		return `'Previous Callback Secret' is too short: at least ${shortestSecret} bytes`;
	return undefined;
}

/** Compares digests of equal length: the texts may differ in length, and their hashes tell nothing when they differ. */
export function sameText(one: string, other: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}

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
const longestRef = 1000;

/**
 * What proves in a callback URL that we asked for the call, whole and in its parts, as long as it is long enough to be
 * secret: whoever reads it can send a report of his own.
 */
export function proofsIn(callbackUrl: string): string[] {
	if (!URL.canParse(callbackUrl)) return [];
	const { pathname, searchParams } = new URL(callbackUrl);
	return secretParts(...searchParams.values(), pathname.split('/').at(-1));
}

export const secretParts = (...wholes: unknown[]): string[] =>
	wholes
		.filter((whole) => typeof whole === 'string')
		.flatMap((whole) => [whole, ...whole.split('.')])
		.filter((part) => part.length >= 20);

/** The same where the URL is not known: what a later answer repeats of it. */
export const proofInText = /\b1\.[\w-]{22}\.\d{1,15}\.\d{0,15}\.[\w-]*\.[\w-]{43}|(?<=\bnonce(=|%3D))[\w-]{22}/gi;

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

export function signCallbackUrl(
	url: string,
	{ secret, ref = '', expiresAt, placement, nonce = newNonce(), issuedAt = Date.now() }: SignOptions,
): string {
	if (!isStrong(secret)) throw new Error(`the callback secret is shorter than ${shortestSecret} bytes`);
	const target = new URL(url);
	if (!['http:', 'https:'].includes(target.protocol)) throw new Error('A callback URL starts with https:// or http://');
	if (target.searchParams.has(proofName)) throw new Error('The callback URL is signed already');

	const claims = [version, nonce, issuedAt, expiresAt ?? '', encodedRef(ref)].join('.');
	const proof = `${claims}.${macOf(secret, audienceOf(url), claims)}`;
	target.hash = '';
	// Joined as text: URLSearchParams would respell what the user put into the URL.
	if (placement === 'query') target.search = `${target.search === '' ? '?' : `${target.search}&`}${proofName}=${proof}`;
	else target.pathname = `${target.pathname.replace(/\/+$/, '')}/${proof}`;
	return target.toString();
}

export function verifyCallback({
	query,
	pathSegment,
	rawUrl,
	audience,
	secrets,
	now,
}: CallbackCall): CallbackClaims | Refusal {
	const keys = secrets.filter(isStrong);
	if (keys.length === 0) return refusal('noSecret');
	const proofs = [query[proofName], pathSegment].filter((value) => value !== undefined);
	if (proofs.length === 0) return refusal('missing');
	// Given twice, a framework before us and one behind us could read different ones.
	if (proofs.length > 1 || typeof proofs[0] !== 'string') return refusal('ambiguous');
	const [proof] = proofs;
	const parts = proofShape.exec(proof);
	if (parts === null || (rawUrl !== undefined && !standsIn(rawUrl, proof))) return refusal('malformed');
	const [, nonce, issuedAt, expiresAt, ref, mac] = parts;

	const claims = proof.slice(0, -mac.length - 1);
	// Every key is tried, so that the time taken does not tell which one fitted.
	const fits = keys.map((key) => sameText(mac, macOf(key, audience, claims)));
	if (!fits.includes(true)) return refusal('forged');
	if (expiresAt !== '' && now >= Number(expiresAt)) return refusal('expired');
	return {
		ref: decodedRef(ref),
		nonce,
		issuedAt: Number(issuedAt),
		...(expiresAt === '' ? {} : { expiresAt: Number(expiresAt) }),
	};
}

/** What of a trigger's URL is signed: the last piece of its path, which survives another host name, a proxy and test mode. */
export const audienceOf = (url: string): string => new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '';

export const newNonce = (): string => randomBytes(16).toString('base64url');

function macOf(secret: string, audience: string, claims: string): string {
	return createHmac('sha256', secret)
		.update(`business-verification-callback\n${audience}\n${claims}`)
		.digest('base64url');
}

function standsIn(rawUrl: string, proof: string): boolean {
	const [, path, query] = /^([^?]*)\??(.*)$/s.exec(rawUrl)!;
	return path.replace(/\/$/, '').endsWith(`/${proof}`) || query.split('&').includes(`${proofName}=${proof}`);
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

/** How the callback URL of a search is signed. */
export const signingOptions = {
	expiresAfter: number('Callback Expires After (Hours)', {
		default: 168,
		min: 0,
		max: 8760,
		description: 'Hours after which the callback URL is no longer accepted. 0 never expires.',
	}),
	placement: choice(
		'Signature Placement',
		{ query: 'In the Query', path: ['In the Path', 'If the service drops the query of a callback URL'] },
		'Where the signature stands in the callback URL',
	),
};

/** The callback URL with the reference and our signature in it. */
export function signedCallback(
	callback: string,
	ref: string | undefined,
	{ expiresAfter, placement }: Input<typeof signingOptions>,
	secret: string,
	now: number,
): string {
	if (!isStrong(secret)) {
		throw new Failure(`'Callback Secret' in the credential is too short: at least ${shortestSecret} bytes`, {
			description: `Nothing was submitted. ${howToMakeASecret}`,
			cause: 'configuration-invalid',
		});
	}
	const expiresAt = expiresAfter === 0 ? undefined : now + Math.ceil(expiresAfter * 3_600_000);
	try {
		return signCallbackUrl(callback, { secret, ref, issuedAt: now, expiresAt, placement });
	} catch (error) {
		return refuse(error);
	}
}

function refuse(error: unknown): never {
	throw new Failure(`The callback URL cannot be signed: ${(error as Error).message}`, { parameter: 'callback' });
}

/**
 * The headers of the Standard Webhooks specification, for a service that signs what it sends: HMAC-SHA-256 over ID, time and
 * the bytes of the body. It says of the body what a signed URL cannot.
 */
const prefix = 'whsec_';

const [shortestKey, longestKey] = [24, 64];

/** A call that is older, or from the future, may be one that somebody kept. */
const toleranceMs = 5 * 60_000;

export interface SignedCall {
	headers: Record<string, unknown>;
	/** Missing where n8n has not kept the bytes. */
	rawBody?: Buffer;
}

/** While the service changes its secret, a setting holds both, separated by blanks. */
export const signingSecretsOf = (setting: unknown): string[] => String(setting ?? '').match(/\S+/g) ?? [];

/** Undefined when the specification allows the secret. */
export function problemOfSigningSecret(secret: string): string | undefined {
	const key = keyOf(secret);
	const isBase64 = key.toString('base64').replace(/=+$/, '') === secret.slice(start(secret)).replace(/=+$/, '');
	if (!isBase64) return `is no Base64 behind '${prefix}'`;
	return key.length < shortestKey || key.length > longestKey
		? `has ${key.length} bytes, not ${shortestKey} to ${longestKey}`
		: undefined;
}

/** With a damaged one every genuine call is refused, so it is said before anything is paid for. */
export function refuseSigningSecrets(setting: string): void {
	for (const secret of signingSecretsOf(setting)) {
		const wrong = problemOfSigningSecret(secret);
		if (wrong === undefined) continue;
		throw new Failure(`'Service Signing Secret' ${wrong}`, {
			description: 'Copy it from the service again, or leave the field empty if the service does not sign.',
		});
	}
}

export function verifySignature(
	{ headers, rawBody }: SignedCall,
	secrets: string[],
	now: number,
): { id: string } | Refusal {
	const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
	if (!isText(id) || !isText(timestamp) || !isText(signatures) || rawBody === undefined) return refusal('unsigned');
	const given = signatures.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
	const expected = secrets.map((secret) =>
		createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(rawBody).digest('base64'),
	);
	// All are compared, so that the time taken does not tell which one fitted.
	const fits = expected.flatMap((one) => given.map((other) => sameText(one, other)));
	if (!fits.includes(true)) return refusal('wronglySigned');
	const isNear = /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= toleranceMs;
	return isNear ? { id } : refusal('outOfTime');
}

const start = (secret: string) => (secret.startsWith(prefix) ? prefix.length : 0);

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(start(secret)), 'base64');

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
