import type { IncomingHttpHeaders } from 'node:http';
import type { Organization } from './organizations';
import { Refusal } from './refusal';
import type { Service } from './service';

const carries = 'Every inquiry-API request carries an Authorization header';

/** Whose request it is; 401 when it cannot be found out. */
export function authenticate(service: Service, headers: IncomingHttpHeaders): Organization {
	const { apiKeyHeader, apiKeyScheme } = service.switches;
	const authorization = single(headers.authorization);
	const keyHeader = single(headers[apiKeyHeader.toLowerCase()]);
	if (authorization === undefined && keyHeader === undefined) {
		throw new Refusal(401, `No credential was sent. "${carries}"`);
	}
	const key = keyHeader === undefined ? undefined : withoutScheme(keyHeader, apiKeyScheme);
	const owner = key && service.organizations.find((organization) => organization.apiKey === key);
	if (owner) return named(service, headers) ?? owner;

	const token = authorization === undefined ? undefined : withoutScheme(authorization, 'Bearer');
	if (!token) {
		throw new Refusal(401, 'The credential is neither a known API key nor "a Bearer scheme followed by" a token');
	}
	const checked = service.tokens.check(token);
	if ('problem' in checked) {
		throw new Refusal(401, `The credential is no known API key, and as a token it ${checked.problem}`);
	}
	const organization = service.organizations.byId(checked.organizationId);
	if (!organization) throw new Refusal(401, 'The token belongs to no organization');
	return organization;
}

/** "Authentication of the seller-detailed and license-verification endpoints: not shown": three ways, by switch. */
export function authenticateExternal(service: Service, headers: IncomingHttpHeaders): Organization {
	const { externalAuth, externalHeader } = service.switches;
	if (externalAuth === 'same') return authenticate(service, headers);
	const sameHeader = externalHeader.toLowerCase() === 'authorization' && externalAuth === 'header';
	if (headers.authorization !== undefined && !sameHeader) {
		throw new Refusal(401, 'The inquiry API’s credential was sent to an endpoint that does not take it');
	}
	if (externalAuth === 'none') return service.organizations.default;
	const value = single(headers[externalHeader.toLowerCase()]);
	const owner = value && service.organizations.find((organization) => organization.externalKey === value);
	if (!owner) throw new Refusal(401, `The header ${externalHeader} holds no known key`);
	return owner;
}

/** Whom a gateway means that keeps one key for all its tenants. */
function named(service: Service, headers: IncomingHttpHeaders): Organization | undefined {
	const { tenantHeader } = service.switches;
	const id = tenantHeader === '' ? undefined : single(headers[tenantHeader.toLowerCase()]);
	if (id === undefined) return undefined;
	const organization = service.organizations.byId(id);
	if (!organization) throw new Refusal(401, `The header ${tenantHeader} names no organization`);
	return organization;
}

function withoutScheme(value: string, scheme: string): string | undefined {
	if (scheme === '') return value;
	return value.startsWith(`${scheme} `) ? value.slice(scheme.length + 1) : undefined;
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
