import { UserError } from 'n8n-workflow';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Secrets may be sent to this address: it is https, or plain http to this machine. */
export function secureUrl(address: unknown, field: string): URL {
	const url = webAddress(String(address ?? '').trim());
	if (url === undefined) {
		throw new UserError(`'${field}' in the credential is not a web address`, {
			description: 'Enter a full address that starts with https://.',
		});
	}
	if (url.protocol === 'http:' && !LOCAL_HOSTS.includes(url.hostname)) {
		throw new UserError(`'${field}' in the credential uses plain http, so secrets would be sent unencrypted`, {
			description: `Use https:// instead. Plain http is accepted for ${LOCAL_HOSTS.join(', ')} only.`,
		});
	}
	if (url.username || url.password) {
		throw new UserError(`'${field}' in the credential contains a user name or password`, {
			description: 'Remove the part before the @ sign and use the fields of the credential.',
		});
	}
	return url;
}

/**
 * Accepts a base URL with spaces, a trailing slash, or the version, which the paths in the API documentation already
 * include.
 */
export function baseOf(written: unknown): string {
	const { origin, pathname } = secureUrl(written, 'Base URL');
	const path = withoutEndingSlashes(pathname).replace(/(\/external\/api)?\/v1$/, '');
	return origin + withoutEndingSlashes(path);
}

/** `/\/+$/` would take quadratic time for a text with many slashes inside. */
export const withoutEndingSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

/** The full address of a path below `base`. A full address stays, because the HTTP Request node sends one. */
export function serviceUrl(base: string, path: string): string {
	if (isAbsolute(path)) return path.trim();
	return `${base}/${path.trim().replace(/^\/+/, '')}`;
}

export const baseUrlAdvice = "Check 'Base URL' in the credential: it ends before '/v1', as in https://api.example.com.";

const isAbsolute = (address: string): boolean => /^\s*([a-z][a-z\d+.-]*:)?\/\//i.test(address);

/** The slashes are needed because the parser adds them to `https:host`, but a callback URL is sent as written. */
export const webAddress = (address: string): URL | undefined =>
	/^\s*https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
