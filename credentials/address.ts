import { UserError } from 'n8n-workflow';

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** An address that may be given secrets: https, or plain http that does not leave this machine. */
export function secureUrl(address: unknown, field: string): URL {
	const url = parseUrl(String(address ?? '').trim());
	if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
		throw new UserError(`'${field}' of the credential is not a web address`, {
			description: 'Enter a full address that starts with https://.',
		});
	}
	if (url.protocol === 'http:' && !LOCAL_HOSTS.includes(url.hostname)) {
		throw new UserError(`'${field}' of the credential uses plain http, so secrets would be sent unencrypted`, {
			description: `Use https:// instead. Plain http is accepted for ${LOCAL_HOSTS.join(', ')} only.`,
		});
	}
	if (url.username || url.password) {
		throw new UserError(`'${field}' of the credential contains a user name or password`, {
			description: 'Remove the part before the @ sign and use the fields of the credential.',
		});
	}
	return url;
}

/** The address that every path of the service follows. */
interface Base {
	origin: string;
	base: string;
}

let latest: (Base & { written: unknown }) | undefined;

/**
 * However a person writes the base URL (spaces, trailing slash, with the version that the paths of the
 * interface document already carry), the requests are the same. Those of a run ask for one and the same again and again.
 */
export function baseOf(written: unknown): Base {
	if (latest === undefined || latest.written !== written) latest = { written, ...readBase(written) };
	return latest;
}

function readBase(written: unknown): Base {
	const { origin, pathname } = secureUrl(written, 'Base URL');
	const path = pathname
		.replace(/\/+$/, '')
		.replace(/(\/external\/api)?\/v1$/, '')
		.replace(/\/+$/, '');
	return { origin, base: origin + path };
}

/** The full address of a path of the service. A path that is a full address already stays as it is. */
export function serviceUrl(baseUrl: unknown, path: string): string {
	if (isAbsolute(path)) return path.trim();
	return `${baseOf(baseUrl).base}/${path.trim().replace(/^\/+/, '')}`;
}

const isAbsolute = (address: string): boolean => /^\s*([a-z][a-z\d+.-]*:)?\/\//i.test(address);

export function parseUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}
