import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { withoutEndingSlashes } from '../../../credentials/address';
import { howToMakeASecret, isWeak, tooShort } from '../../../credentials/credentialFields';
import { choice, number } from '../kit/field';
import { Failure } from '../kit/service';

/** A call that starts or wakes nothing, with the status and the message for its sender. */
export class Refusal extends Error {
	constructor(
		readonly status: 401 | 422 | 503,
		message: string,
		/** For n8n's log, instead of the message for the sender. */
		readonly logged = message,
	) {
		super(message);
	}
}

const isStrong = (secret: string): boolean => secret !== '' && !isWeak(secret);

export const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url');

/** Compares digests, because `timingSafeEqual` needs equal lengths and a digest does not reveal the text. */
export const sameText = (one: string, other: string): boolean =>
	timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));

/**
 * The API documentation defines no signature for callbacks, so the callback URL carries the proof that this n8n asked
 * for the call:
 *
 * `version . nonce . issuedAt . expiresAt . ref . HMAC-SHA-256`
 *
 * The first five parts are signed as they are spelled, so each value has one valid spelling, and no part is decoded
 * before it is verified. The last part of the trigger's path is signed too, so a URL made for one trigger is
 * refused by others. Other parameters of the URL are neither signed nor used.
 */
const proofVersion = '1';
const proofShape = /^1\.([\w-]{22})\.(\d{1,15})\.(\d{0,15})\.([\w-]{0,1500})\.([\w-]{43})$/;
const longestRef = 1000;

/**
 * The proof in a callback URL and those of its parts that are long enough to be secret. Anyone who reads them could
 * send a forged report, so they are removed from messages and output.
 */
export function proofsIn(callbackUrl: string): string[] {
	const { pathname, searchParams } = new URL(callbackUrl);
	return secretParts(...searchParams.values(), pathname.split('/').at(-1));
}

export const secretParts = (...wholes: unknown[]): string[] =>
	wholes
		.filter((whole) => typeof whole === 'string')
		.flatMap((whole) => [whole, ...whole.split('.')])
		.filter((part) => part.length >= 20);

/** Finds proofs in responses if the URL is not known. */
export const proofInText = /\b1\.[\w-]{22}\.\d{1,15}\.\d{0,15}\.[\w-]*\.[\w-]{43}|(?<=\bnonce(=|%3D))[\w-]{22}/gi;

/** Name of the query parameter, and of the path parameter of the trigger's second URL. */
export const proofName = 'proof';

export interface SignOptions {
	secret: string;
	/** The user's text, such as a CRM ID, returned with the report. */
	ref?: string;
	/** Milliseconds since 1970. */
	expiresAt?: number;
	placement: 'query' | 'path';
	nonce?: string;
	issuedAt?: number;
}

export interface CallbackCall {
	query: Record<string, unknown>;
	pathSegment?: unknown;
	/** `audienceOf` the trigger's URL. */
	audience: string;
	/** The current and the previous secret. A previous one that is too short is ignored. */
	secrets: string[];
	now: number;
}

export function signCallbackUrl(
	url: string,
	{ secret, ref = '', expiresAt, placement, nonce = newNonce(), issuedAt = Date.now() }: SignOptions,
): string {
	if (!isStrong(secret)) {
		throw new Failure(tooShort('Callback Secret'), {
			description: howToMakeASecret,
			cause: 'configuration-invalid',
		});
	}
	const target = new URL(url);
	if (target.searchParams.has(proofName))
		throw new Failure('The callback URL cannot be signed: it is already signed', { parameter: 'callback' });

	const claims = [proofVersion, nonce, issuedAt, expiresAt ?? '', encodedRef(ref)].join('.');
	const proof = `${claims}.${macOf(secret, audienceOf(url), claims)}`;
	target.hash = '';
	// Joined as text, because URLSearchParams would re-encode the rest of the user's query.
	if (placement === 'query') target.search = `${target.search === '' ? '?' : `${target.search}&`}${proofName}=${proof}`;
	else target.pathname = `${withoutEndingSlashes(target.pathname)}/${proof}`;
	return target.toString();
}

export function verifyCallback(call: CallbackCall) {
	const { query, pathSegment, audience, secrets, now } = call;
	// If the current secret is too short, the previous one must not replace it.
	if (!isStrong(secrets[0])) throw new Refusal(401, 'This trigger has no valid secret, so it accepts no calls');
	const keys = secrets.filter(isStrong);
	const proofs = [query[proofName], pathSegment].filter((value) => value !== undefined);
	if (proofs.length === 0) throw new Refusal(401, 'The callback URL is not signed');
	// If there are two, a gateway and this trigger could verify different ones.
	const [proof] = proofs;
	if (proofs.length > 1 || typeof proof !== 'string')
		throw new Refusal(401, 'The callback URL is signed more than once');
	const parts = proofShape.exec(proof);
	if (parts === null) throw new Refusal(401, 'The signature of the callback URL is damaged');
	const [, nonce, issuedAt, expiresAt, ref, mac] = parts;

	const claims = proof.slice(0, -mac.length - 1);
	// All are tried, so that the time taken does not show which one matched.
	const fits = keys.map((key) => sameText(mac, macOf(key, audience, claims)));
	if (!fits.includes(true)) throw new Refusal(401, 'The signature of the callback URL is wrong');
	if (expiresAt !== '' && now >= Number(expiresAt)) throw new Refusal(401, 'The callback URL has expired');
	return { ref: decodedRef(ref), nonce, issuedAt: Number(issuedAt) };
}

/** The signed part of a trigger's URL: the last one of its path, which is the same behind proxies and in tests. */
export const audienceOf = (url: string): string => new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '';

export const newNonce = (): string => randomBytes(16).toString('base64url');

function macOf(secret: string, audience: string, claims: string): string {
	return createHmac('sha256', secret)
		.update(`business-verification-callback\n${audience}\n${claims}`)
		.digest('base64url');
}

export function encodedRef(ref: string): string {
	const bytes = Buffer.from(ref, 'utf8');
	if (bytes.length > longestRef)
		throw new Failure(`'Reference' is longer than about ${longestRef} bytes`, {
			parameter: 'ref',
			description: 'Use a shorter one, such as an ID.',
		});
	return bytes.toString('base64url');
}

const decodedRef = (encoded: string): string => Buffer.from(encoded, 'base64url').toString('utf8');

export const signingOptions = {
	expiresAfter: number('Callback Expires After (Hours)', {
		default: 168,
		min: 0,
		max: 8760,
		description: 'Hours until the callback URL expires. 0 means never.',
	}),
	placement: choice(
		'Signature Placement',
		{ query: 'In the Query', path: ['In the Path', 'Use this if the service drops the query of the URL'] },
		'Where to put the signature in the callback URL',
	),
};
