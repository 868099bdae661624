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
