import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { serviceUrl } from '../../../credentials/address';
import { profilePath } from '../../../credentials/profile';
import { Failure } from '../definition/failure';
import type { Download, Request, Settings } from '../definition/service';
import { credentialType, keyType, scopeOf, secretsOf, settingsOf, jwtType } from './account';
import { type Answer, asksForLess, failureOf, isGood, type Lost, lostBecause, mayRepeat, retryAfterMs } from './answer';
import { exclusive } from './holder';
import { cancelSignal } from './host';
import { pause } from './pause';
import { Gate } from './pool';
import { redact } from './redaction';
import { credentialId, tokenSource, withToken } from './tokens';

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
	/** Requests in flight at most. */
	concurrency?: number;
	timeout?: number;
	/** Repeats of a read; a poll that must end soon allows fewer. */
	repeats?: number;
	/** Ends pauses and refuses further requests; the host's own cancel signal unless given. */
	stopped?: AbortSignal;
}

const longestPause = 60_000;

/** The one place that calls n8n's HTTP helper. Reads the credential once; n8n writes a renewed token into that object. */
export async function createSender(
	context: HttpContext,
	{ concurrency = 8, timeout = 60_000, repeats = 4, stopped = cancelSignal(context) }: SenderOptions = {},
): Promise<Sender> {
	const type = credentialType(context.getNode().parameters.authentication);
	const credential: ICredentialDataDecryptedObject = await context.getCredentials(type);
	const scope = scopeOf(credential, credentialId(context));
	const tokens = tokenSource(context, type, credential);
	const sentAs = type === keyType ? keyType : jwtType;
	const gate = new Gate(Math.min(32, Math.max(1, concurrency)));
	let renewsToken = true;
	let quietUntil = 0;

	const callHelper = (options: IHttpRequestOptions, data: ICredentialDataDecryptedObject) =>
		context.helpers.httpRequestWithAuthentication.call(context, sentAs, options, {
			credentialsDecrypted: { id: sentAs, name: sentAs, type: sentAs, data },
		});

	async function once(request: Request, bytes: boolean, data = credential): Promise<Answer | Lost> {
		try {
			const full = (await callHelper(
				{
					method: request.method,
					url: serviceUrl(String(credential.baseUrl), request.path),
					qs: request.query as IHttpRequestOptions['qs'],
					body: request.body as IHttpRequestOptions['body'],
					headers: Buffer.isBuffer(request.body) ? { 'Content-Type': 'application/json' } : undefined,
					json: !bytes,
					timeout: request.timeout ?? timeout,
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					...(bytes ? { encoding: 'arraybuffer' as const } : {}),
				},
				data,
			)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
			return { status: full.statusCode, headers: full.headers, body: full.body };
		} catch (error) {
			return lostBecause(error);
		}
	}

	/** One request, and one more with the next token where the service refuses this one. */
	async function withGoodToken(request: Request, bytes: boolean): Promise<Answer | Lost> {
		if (tokens === undefined) return await once(request, bytes);
		const token = await tokens.current().catch(lostBecause);
		if (typeof token !== 'string') return token;
		const result = await once(request, bytes, withToken(credential, token));
		if (!renewsToken || !refusesToken(request, result)) return result;

		const next = await exclusive(`renew ${scope}`, () => renewed(token)).catch(lostBecause);
		if (next === token) return result;
		if (typeof next !== 'string') return next.refusedBy === undefined ? result : next;
		const repeated = await once(request, bytes, withToken(credential, next));
		// Who refuses a token just fetched will refuse the next one too.
		if (refusesToken(request, repeated)) renewsToken = false;
		return repeated;
	}

	/** The token after this one; the same where the service does accept it, so that somebody else refused the request. */
	async function renewed(token: string): Promise<string> {
		const current = await tokens!.current();
		if (current !== token) return current;
		const probe = await once({ kind: 'read', method: 'GET', path: profilePath }, false, withToken(credential, token));
		if (!('status' in probe) || ![401, 403].includes(probe.status)) return token;
		await tokens!.replace(token);
		return await tokens!.current();
	}

	async function attempt(request: Request, bytes: boolean): Promise<Answer | Lost> {
		// A service that names a time to come back means all requests, not only the one it told.
		await pause(quietUntil - Date.now(), stopped);
		if (stopped?.aborted) throw new Failure('The execution was cancelled');
		return await withGoodToken(request, bytes);
	}

	async function exchange(request: Request, bytes = false): Promise<Answer> {
		for (let repeated = 0; ; repeated++) {
			const result = await gate.run(() => attempt(request, bytes), copes);
			if ('status' in result && isGood(result)) return result;
			const asked = 'headers' in result ? retryAfterMs(result.headers) : undefined;
			const wait = asked ?? 500 * 2 ** repeated * (0.5 + Math.random() / 2);
			if (repeated >= repeats || !mayRepeat(request, result) || wait > longestPause) {
				throw failureOf(request, decoded(result), (said) => redact(said, request, secretsOf(credential)));
			}
			if (asked !== undefined && asksForLess(result)) quietUntil = Math.max(quietUntil, Date.now() + asked);
			await pause(wait, stopped);
		}
	}

	return {
		settings: settingsOf(credential),
		scope,
		exchange,
		send: async (request) => (await exchange(request)).body,
		download: async (request) => {
			const { body, headers } = await exchange(request, true);
			return { bytes: Buffer.from(body as ArrayBuffer), contentType: String(headers['content-type'] ?? '') };
		},
	};
}

/** A proxy's 401 page proves nothing about what the service did with a write. */
const refusesToken = ({ kind }: Request, result: Answer | Lost) =>
	'status' in result &&
	result.status === 401 &&
	(kind === 'read' || (typeof result.body === 'object' && result.body !== null));

const copes = (result: Answer | Lost) =>
	'status' in result && isGood(result) ? true : asksForLess(result) ? false : undefined;

/** A refused download still says why, in bytes. */
function decoded(result: Answer | Lost): Answer | Lost {
	if (!('body' in result) || !(result.body instanceof Uint8Array)) return result;
	const text = Buffer.from(result.body).toString('utf8');
	try {
		return { ...result, body: JSON.parse(text) as unknown };
	} catch {
		return { ...result, body: text };
	}
}
