import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { profilePath } from '../../../credentials/profileTest';
import { without } from '../kit/objects';
import { readId } from '../document/answers';
import type { Json, Request } from '../kit/service';

/**
 * Two credentials that differ in any setting have different *identities*, of which keys of memory and locks are made.
 * Several may share an *organization*, which a status trigger remembers, because a renewed key has another identity.
 */

export const hashOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Without the tokens, which n8n renews during a run. `login` distinguishes users who log in with the same client. */
export const identityOf = (credential: ICredentialDataDecryptedObject, login?: string | null): string =>
	hashOf(without(credential, 'oauthTokenData'), login);

/** The fastest read that shows whose credential it is and whether it is accepted. */
export const profileRequest: Request = { method: 'GET', path: profilePath, kind: 'read' };

/** A credential with which requests are sent. */
interface Account {
	readonly identity: string;
	/** The base URL, however it is written. */
	base(): string;
	exchange(request: Request): Promise<{ body: unknown }>;
}

export interface Owner {
	organization: string;
	/** The identity for which the organization was found. */
	account: string;
	/** False if the service does not name the organization. */
	isNamed?: boolean;
}

const short = (...parts: unknown[]) => hashOf(...parts).slice(0, 16);

/**
 * The organization of a credential. A renewed key is another identity of the same organization, so the service is asked
 * once for each identity. If it does not name the organization, the identity stands for it.
 */
export async function ownerOf({ exchange, base, identity }: Account, saved: Owner | undefined): Promise<Owner> {
	const account = short(identity);
	if (saved?.account === account) return { organization: saved.organization, account };
	const { body } = await exchange(profileRequest);
	const name = readId((Object(body) as Json).lender, 'id') ?? readId(body, 'id');
	return { organization: short(base(), name ?? account), account, isNamed: name !== undefined };
}
