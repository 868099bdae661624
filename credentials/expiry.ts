import { jsonParse } from 'n8n-workflow';

/** What a token says of itself, if it is a JWT. Not verified, so nothing but advice and times of renewal may depend on it. */
export function lifetimeOf(token: string): { exp?: number; iat?: number } {
	const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const { exp, iat } = jsonParse<{ exp?: unknown; iat?: unknown } | null>(claims, { fallbackValue: {} }) ?? {};
	return {
		...(typeof exp === 'number' && { exp: exp * 1000 }),
		...(typeof iat === 'number' && { iat: iat * 1000 }),
	};
}

/** Such as `14 Nov 2023`; undefined of a token that has not expired, or does not say so. */
export function expiredOn(token: string): string | undefined {
	const { exp = Infinity } = lifetimeOf(token);
	return exp > 0 && exp < Date.now() ? new Date(exp).toUTCString().slice(5, 16) : undefined;
}
