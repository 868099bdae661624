import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { at, type Request } from '../definition';
import { routes } from '../document';
import type { Answer } from './answer';
import type { Connection } from './connection';
import { exclusive } from './exclusive';
import { type Lost, lostBecause } from './lost';
import { type TokenSource, withToken } from './tokens';

/** The cheapest read of the service. */
const probe: Request = { kind: 'read', ...at(routes.profile) };

/** One request, and one more with the next token where the service refuses the one that it was sent with. */
export class TokenRenewal {
	private isWorthwhile = true;
	/** Not refused by the probe: who refuses it with 403 means the right, not the token. */
	private accepted: string | undefined;
	/** What no message may repeat. */
	readonly used = new Set<string>();

	constructor(
		private readonly connection: Connection,
		private readonly tokens: TokenSource,
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly scope: string,
	) {}

	async exchange(request: Request, bytes: boolean): Promise<Answer | Lost> {
		const token = await this.tokens.current().catch(lostBecause);
		if (typeof token !== 'string') return token;
		const result = await this.send(request, bytes, token);
		if (!this.isWorthwhile || !this.refusesToken(request, result, token)) return result;

		const next = await exclusive(`renew ${this.scope}`, () => this.renew(token)).catch(lostBecause);
		if (typeof next !== 'string') return next.refusedBy === undefined ? result : next;
		if (next === token) return result;
		const repeated = await this.send(request, bytes, next);
		// Who refuses a token just fetched will refuse the next one too.
		if (this.refusesToken(request, repeated, next)) this.isWorthwhile = false;
		return repeated;
	}

	/** The token after this one; the same where the service accepts it, so that somebody else refused the request. */
	private async renew(token: string): Promise<string> {
		const current = await this.tokens.current();
		if (current !== token) return current;
		const answer = await this.send(probe, false, token);
		if (!('status' in answer)) return token;
		if (![401, 403].includes(answer.status)) {
			this.accepted = token;
			return token;
		}
		await this.tokens.replace(token);
		return await this.tokens.current();
	}

	private send(request: Request, bytes: boolean, token: string): Promise<Answer | Lost> {
		this.used.add(token);
		return this.connection.exchange(request, bytes, withToken(this.credential, token));
	}

	/** A proxy's page proves nothing about what the service did with a write. */
	private refusesToken({ kind }: Request, result: Answer | Lost, token: string): boolean {
		if ('sent' in result || !(result.status === 401 || (result.status === 403 && token !== this.accepted)))
			return false;
		return kind === 'read' || (typeof result.body === 'object' && result.body !== null);
	}
}
