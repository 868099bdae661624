import { howToMakeASecret, isStrong, shortestSecret } from '../../callback/secrets';
import { signCallbackUrl } from '../../callback/signing';
import { choice, Failure, type Input, number } from '../../definition';

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
