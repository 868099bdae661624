import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { baseOf, extraHeaders, parseUrl, settingText } from '../../../credentials/sending';
import { Bounded } from '../../../credentials/tokens';
import { routes } from '../document/routes';
import { without } from '../kit/objects';
import { at } from '../kit/operation';
import { Failure, type Json, type Request } from '../kit/service';

/**
 * Who an account is, for everything that this process remembers and for every lock that it holds. The *identity* is what
 * a credential is: two that differ in any setting are two identities. The *organization* is what several credentials
 * may share: two keys of one customer read and bill the same inquiries, so locks and the memory of what was sent go by it.
 */

const hashOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** n8n renews the tokens inside a credential while we work. Many people may log in with one client: `login` tells them apart. */
export const identityOf = (credential: ICredentialDataDecryptedObject, login?: string | null): string =>
	hashOf(without(credential, 'fetchedToken', 'oauthTokenData'), login);

const realmSettings = ['tokenUrl', 'accessTokenUrl', 'scope', 'audience'];

/** Where requests go, however the base URL is written: a gateway may tell tenants by a header, an identity provider by a realm. */
export function addressOf(credential: ICredentialDataDecryptedObject): string {
	const written = String(credential.baseUrl);
	const { href = written } = parseUrl(written) ?? {};
	const realm = realmSettings.map((name) => settingText(credential[name]));
	return JSON.stringify([baseOf(href).base, extraHeaders(credential), realm]);
}

/** A credential that requests are sent with. */
export interface Account {
	readonly identity: string;
	address(): string;
	exchange(request: Request): Promise<{ body: unknown }>;
}

export interface Owner {
	organisation: string;
	/** The identity for which the organization was found out. */
	account: string;
	/** False where the service does not say whose it is. */
	isNamed?: boolean;
}

const short = (...parts: unknown[]) => hashOf(...parts).slice(0, 16);

/**
 * Whose data a credential shows. A renewed key is another identity of the same organization, so the service is asked, once
 * for each identity. Where it refuses to say, an organization is known by its identity alone.
 */
export async function ownerOf({ exchange, address, identity }: Account, saved: Owner | undefined): Promise<Owner> {
	const account = short(identity);
	if (saved?.account === account) return { organisation: saved.organisation, account };
	const profile = await exchange({ ...at(routes.profile), kind: 'read' }).then(
		({ body }) => (body ?? {}) as { id?: unknown; lender?: Json | null },
		(error: unknown) => (isWithheld(error) ? undefined : Promise.reject(error)),
	);
	const name = profile?.lender?.id ?? profile?.id;
	return { organisation: short(address(), name ?? account), account, isNamed: name !== undefined };
}

const isWithheld = (error: unknown) =>
	error instanceof Failure && [403, 404, 405, 501].includes(error.details.httpCode ?? 0);

const owners = new Bounded<Promise<Owner>>(1_000);

/** The same for all credentials of one organization: asked once for each identity as long as the process lives. */
export async function organizationOf(account: Account): Promise<string> {
	const { identity } = account;
	const asked = owners.get(identity) ?? ownerOf(account, undefined);
	owners.set(identity, asked);
	// The next one asks again.
	asked.catch(() => owners.delete(identity));
	return (await asked).organisation;
}
