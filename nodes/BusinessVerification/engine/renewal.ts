import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { forgetToken, isTokenExpiring } from '../../../credentials/token';
import { at } from '../definition/route';
import type { Request } from '../definition/service';
import { routes } from '../document/routes';
import { scopeOf } from './account';
import type { Answer } from './answer';
import { exclusive } from './exclusive';
import type { Lost } from './lost';

/** The cheapest read of the service. */
const probe = at(routes.profile).path;

/** What it needs of the connection. */
interface Exchanging {
	exchange(request: Request, bytes: boolean): Promise<Answer | Lost>;
	probe(path: string): Promise<Lost | undefined>;
}

/** One request, and one more with the next token where the service refuses the one that was fetched. */
export class TokenRenewal {
	private isWorthwhile: boolean;
	/** Not refused by the probe: who refuses it with 403 means the right, not the token. */
	private accepted: unknown;

	constructor(
		private readonly connection: Exchanging,
		private readonly credential: ICredentialDataDecryptedObject,
	) {
		this.isWorthwhile = credential.tokenSource === 'clientCredentials';
	}

	async exchange(request: Request, bytes: boolean): Promise<Answer | Lost> {
		const { connection, credential } = this;
		// An emptied token makes n8n fetch the next one before it sends.
		if (isTokenExpiring(credential)) credential.fetchedToken = '';
		const held = credential.fetchedToken;
		const result = await connection.exchange(request, bytes);
		const used = held || credential.fetchedToken;
		if (!this.isWorthwhile || !this.refusesToken(request, result, used)) return result;

		const trouble = await exclusive(`renew ${scopeOf(credential)}`, () => this.renew(used));
		if (credential.fetchedToken === used) return trouble?.refusedBy === undefined ? result : trouble;
		const repeated = await connection.exchange(request, bytes);
		// Who refuses a token just fetched will refuse the next one too.
		if (this.refusesToken(request, repeated, credential.fetchedToken)) this.isWorthwhile = false;
		return repeated;
	}

	/** n8n renews a fetched token only when a request of its own fails with 401; the probe is that request. */
	private async renew(refused: unknown): Promise<Lost | undefined> {
		const { credential } = this;
		if (credential.fetchedToken !== refused) return undefined;
		const trouble = await this.connection.probe(probe);
		if (trouble === undefined) this.accepted = refused;
		if (trouble?.code === '403') {
			forgetToken(refused);
			credential.fetchedToken = '';
		}
		return trouble;
	}

	/** A proxy's page proves nothing about what the service did with a write. */
	private refusesToken({ kind }: Request, result: Answer | Lost, token: unknown): boolean {
		if ('sent' in result || !(result.status === 401 || (result.status === 403 && token !== this.accepted)))
			return false;
		return kind === 'read' || (typeof result.body === 'object' && result.body !== null);
	}
}
