import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { serviceUrl } from '../../../credentials/address';
import { concurrencyBounds, timeoutBounds, within } from '../definition/sending';
import type { Download, Request, Settings } from '../definition/service';
import { credentialType, scopeOf, secretsOf, settingsOf } from './account';
import type { Answer } from './answer';
import { cancelSignal } from './host';
import { type Lost, lostBecause } from './lost';
import { Gate } from './pool';
import { TokenRenewal } from './renewal';
import { Repeating } from './repeating';

export type HttpContext = IExecuteFunctions | IPollFunctions | IWebhookFunctions | ILoadOptionsFunctions;

export interface Sender {
	readonly settings: Settings;
	/** The same for the same account of the same service, and for no other. */
	readonly scope: string;
	send(request: Request): Promise<unknown>;
	download(request: Request): Promise<Download>;
	/** The answer with its headers, for callers that need the service's clock. */
	exchange(request: Request): Promise<Answer>;
}

export interface SenderOptions {
	/** Read already; the context is asked for it unless given. n8n writes a renewed token into this very object. */
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

export const senderType = (context: HttpContext) => credentialType(context.getNode().parameters.authentication);

const readCredential = (context: HttpContext): Promise<ICredentialDataDecryptedObject> =>
	context.getCredentials(senderType(context));

export const gateOf = (concurrency?: number) => new Gate(within(concurrencyBounds, concurrency));

export async function createSender(context: HttpContext, options: SenderOptions = {}): Promise<Sender> {
	const { concurrency, gate = gateOf(concurrency), timeout = timeoutBounds.default * 1000, repeats = 4 } = options;
	const { stopped = cancelSignal(context) } = options;
	const credential = options.credential ?? (await readCredential(context));
	const connection = new Connection(context, credential, timeout);
	const renewal = new TokenRenewal(connection, credential);
	const { exchange } = new Repeating({
		exchange: (request, bytes) => renewal.exchange(request, bytes),
		secrets: () => secretsOf(credential),
		logger: context.logger,
		gate,
		repeats,
		stopped,
	});
	return {
		settings: settingsOf(credential),
		scope: scopeOf(credential),
		exchange: (request) => exchange(request, false),
		send: async (request) => (await exchange(request, false)).body,
		download: async (request) => {
			const { body, headers } = await exchange(request, true);
			return { bytes: Buffer.from(body as ArrayBuffer), contentType: String(headers['content-type'] ?? '') };
		},
	};
}

/** The one place that calls n8n's HTTP helper. */
class Connection {
	constructor(
		private readonly context: HttpContext,
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly timeout: number,
	) {}

	/** Whatever comes back, an answer or none: nothing is thrown. */
	async exchange({ method, path, query, body, timeout }: Request, bytes: boolean): Promise<Answer | Lost> {
		try {
			const full = (await this.call({
				method,
				url: this.url(path),
				qs: query as IHttpRequestOptions['qs'],
				body: body as IHttpRequestOptions['body'],
				headers: Buffer.isBuffer(body) ? { 'Content-Type': 'application/json' } : undefined,
				json: !bytes,
				timeout: timeout ?? this.timeout,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				...(bytes ? { encoding: 'arraybuffer' as const } : {}),
			})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
			return { status: full.statusCode, headers: full.headers, body: full.body };
		} catch (error) {
			return lostBecause(error);
		}
	}

	/** A read that fails with an error where the service refuses it: only then does n8n renew a fetched token. */
	async probe(path: string): Promise<Lost | undefined> {
		const options = { method: 'GET' as const, url: this.url(path), json: true, timeout: this.timeout };
		return await this.call(options).then(() => undefined, lostBecause);
	}

	private readonly url = (path: string) => serviceUrl(String(this.credential.baseUrl), path);

	private call(options: IHttpRequestOptions): Promise<unknown> {
		const { context, credential } = this;
		const type = senderType(context);
		return context.helpers.httpRequestWithAuthentication.call(
			context,
			type,
			{ ...options, disableFollowRedirect: true },
			{ credentialsDecrypted: { id: type, name: type, type, data: credential } },
		) as Promise<unknown>;
	}
}
