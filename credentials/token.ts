import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { Bounded } from './bounded';
import { fetchToken, Refused, type Token } from './tokenRequest';

const REMEMBERED_CREDENTIALS = 200;
/** Long enough for the items of a run to fail alike, short enough for who corrects the client and tries again. */
const REFUSAL_STANDS = 15_000;

const tokens = new Bounded<Token>(REMEMBERED_CREDENTIALS);
const refusals = new Bounded<{ error: Refused; at: number }>(REMEMBERED_CREDENTIALS);
const inFlight = new Map<string, Promise<string>>();

/**
 * A token that is good for another minute at least. It lives in the memory of this process and nowhere else: whoever
 * needs one asks before each request, and a token that was followed by another is never handed out again. An identity
 * provider that refuses is not asked again for each of the requests that wait.
 */
export async function obtainToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	const key = fingerprint(credentials);
	const known = tokens.get(key);
	if (known && Date.now() < known.renewAt) return known.token;
	const refusal = refusals.get(key);
	if (refusal && Date.now() < refusal.at + REFUSAL_STANDS) throw refusal.error;

	let flight = inFlight.get(key);
	if (!flight) {
		flight = fetchToken(helper, credentials)
			.then((fetched) => {
				tokens.set(key, fetched);
				return fetched.token;
			})
			.catch((error: unknown) => {
				if (error instanceof Refused) refusals.set(key, { error, at: Date.now() });
				throw error;
			})
			.finally(() => inFlight.delete(key));
		inFlight.set(key, flight);
	}
	return await flight;
}

/** The service refused this token: the next one who asks gets another. Says nothing about a token that came after it. */
export function dropToken(credentials: ICredentialDataDecryptedObject, refused: string): void {
	const key = fingerprint(credentials);
	if (tokens.get(key)?.token === refused) tokens.delete(key);
}

/** What decides which token comes back. A digest, so that no secret stays behind in the memory of the process. */
function fingerprint(credentials: ICredentialDataDecryptedObject): string {
	const { tokenUrl, clientId, clientSecret, clientAuthentication, scope, audience } = credentials;
	const settings = [tokenUrl, clientId, clientSecret, clientAuthentication, scope, audience];
	return createHash('sha256').update(JSON.stringify(settings)).digest('base64');
}
