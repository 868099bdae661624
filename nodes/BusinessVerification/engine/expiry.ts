import { jsonParse } from 'n8n-workflow';
import { Failure } from '../kit/service';

/** What a token says of itself, if it is a JWT. Not verified, so nothing but advice and times of renewal may depend on it. */
export function lifetimeOf(token: string): { exp?: number; iat?: number } {
	const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
	const { exp, iat } = jsonParse<{ exp?: unknown; iat?: unknown } | null>(claims, { fallbackValue: {} }) ?? {};
	return {
		...(typeof exp === 'number' && { exp: exp * 1000 }),
		...(typeof iat === 'number' && { iat: iat * 1000 }),
	};
}

/**
 * A refusal of a token that has expired says since when. Of a login that the service refuses with 403, n8n does not
 * learn that it has ended, so only the user can renew it.
 */
export function withExpiry(failure: Failure, token: string, isLogin: boolean): Failure {
	const { details } = failure;
	if (details.httpCode !== 401 && details.httpCode !== 403) return failure;
	const { exp = Infinity } = lifetimeOf(token);
	if (exp > 0 && exp < Date.now()) {
		// Such as 14 Nov 2023.
		const day = new Date(exp).toUTCString().slice(5, 16);
		const description = isLogin ? 'Open the credential and connect it again.' : 'Enter a new one in the credential.';
		return new Failure(`The token expired on ${day}`, { ...details, description });
	}
	if (!isLogin || details.httpCode !== 403) return failure;
	const description = 'The credential lacks this permission, or its login has ended: then connect it again.';
	return new Failure(failure.message, { ...details, description });
}
