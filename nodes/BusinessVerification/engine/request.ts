import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	concurrencyBounds,
	credentialType,
	type Download,
	type Request,
	type Settings,
	timeoutBounds,
	within,
} from '../definition';
import { scopeOf, secretsOf, settingsOf } from './account';
import type { Answer } from './answer';
import { Connection, type HttpContext } from './connection';
import { cancelSignal } from './host';
import { Gate } from './pool';
import { TokenRenewal } from './renewal';
import { Repeating } from './repeating';
import { credentialId, tokenSource } from './tokens';

export interface Sender {
	readonly settings: Settings;
	/** The same for the same account of the same service, and for no other. */
	readonly scope: string;
	readonly send: (request: Request) => Promise<unknown>;
	download(request: Request): Promise<Download>;
	/** The answer with its headers, for callers that need the service's clock. */
	exchange(request: Request): Promise<Answer>;
}

export interface SenderOptions {
	/** Read already; the context is asked for it unless given. */
	credential?: ICredentialDataDecryptedObject;
	/** Requests in flight at most, or the gate that counts them for several senders. */
	concurrency?: number;
	gate?: Gate;
	timeout?: number;
	/** Repeats of a read; a poll that must end soon allows fewer. */
	repeats?: number;
	/** Ends pauses and refuses further requests; the host's own cancel signal unless given. */
	stopped?: AbortSignal;
}

const readCredential = (context: HttpContext): Promise<ICredentialDataDecryptedObject> =>
	context.getCredentials(credentialType(context));

export const gateOf = (chosen?: number) =>
	chosen === undefined
		? new Gate(concurrencyBounds.default, concurrencyBounds.max)
		: new Gate(within(concurrencyBounds, chosen));

export async function createSender(context: HttpContext, options: SenderOptions = {}): Promise<Sender> {
	const { concurrency, gate = gateOf(concurrency), timeout = timeoutBounds.default * 1000, repeats = 4 } = options;
	const { stopped = cancelSignal(context) } = options;
	const credential = options.credential ?? (await readCredential(context));
	const scope = scopeOf(credential, credentialId(context));
	const connection = new Connection(context, timeout);
	const tokens = tokenSource(context, credential);
	const renewal = tokens && new TokenRenewal(connection, tokens, credential, scope);
	const { exchange } = new Repeating({
		exchange: (request, bytes) => renewal?.exchange(request, bytes) ?? connection.exchange(request, bytes, credential),
		secrets: () => [...secretsOf(credential), ...(renewal?.used ?? [])],
		logger: context.logger,
		gate,
		repeats,
		stopped,
	});
	return {
		settings: settingsOf(credential),
		scope,
		exchange: (request) => exchange(request, false),
		send: async (request) => (await exchange(request, false)).body,
		download: async (request) => {
			const { body, headers } = await exchange(request, true);
			const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as ArrayBuffer);
			return { bytes, contentType: String(headers['content-type'] ?? '') };
		},
	};
}
