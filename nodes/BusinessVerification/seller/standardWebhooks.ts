import { createHmac } from 'node:crypto';
import { sameText } from './signing';
import { refusal, type Refusal } from './refusals';

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
