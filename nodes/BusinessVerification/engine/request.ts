import { createHash } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { serviceUrl } from '../../../credentials/address';
import { isTokenExpiring } from '../../../credentials/token';
import { Failure } from '../definition/failure';
import type { Download, Json, Request, Settings } from '../definition/service';
import { type Answer, failureOf, isGood, type Lost, lostBecause, mayRepeat, retryAfterMs } from './answer';
import { exclusive } from './holder';
import { cancelSignal } from './host';
import { pause } from './pause';
import { Gate } from './pool';
import { redact } from './redaction';

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
}

const longestPause = 60_000;
/** The cheapest read of the service: n8n renews a fetched token when it is refused. */
const tokenProbe = '/v1/users/me';

/** The one place that calls n8n's HTTP helper. Reads the credential once; n8n writes a renewed token into that object. */
export async function createSender(
	context: HttpContext,
	{ concurrency = 8, timeout = 60_000, repeats = 4 }: SenderOptions = {},
): Promise<Sender> {
	const type = credentialType(context);
	const credential = await context.getCredentials(type);
	const cancelled = cancelSignal(context);
	const gate = new Gate(Math.min(32, Math.max(1, concurrency)));
	const fetchesToken = credential.tokenSource === 'clientCredentials';

	const callHelper = (options: IHttpRequestOptions) =>
		context.helpers.httpRequestWithAuthentication.call(context, type, options, {
			credentialsDecrypted: { id: type, name: type, type, data: credential as ICredentialDataDecryptedObject },
		});

	async function once(request: Request, bytes: boolean): Promise<Answer | Lost> {
		// An emptied token makes n8n fetch the next one before it sends.
		if (isTokenExpiring(credential)) credential.fetchedToken = '';
		try {
			const full = (await callHelper({
				method: request.method,
				url: serviceUrl(String(credential.baseUrl), request.path),
				qs: request.query as IHttpRequestOptions['qs'],
				body: request.body as IHttpRequestOptions['body'],
				json: !bytes,
				timeout: request.timeout ?? timeout,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				...(bytes ? { encoding: 'arraybuffer' as const } : {}),
			})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
			return { status: full.statusCode, headers: full.headers, body: full.body };
		} catch (error) {
			return lostBecause(error);
		}
	}

	/** n8n renews a fetched token only when a request of its own fails with 401; the probe is that request. */
	async function renewToken(): Promise<boolean> {
		const refused = credential.fetchedToken;
		await exclusive(`renew ${String(credential.baseUrl)} ${String(credential.clientId)}`, async () => {
			if (credential.fetchedToken !== refused) return;
			const url = serviceUrl(String(credential.baseUrl), tokenProbe);
			await callHelper({ method: 'GET', url, json: true, timeout, disableFollowRedirect: true }).catch(() => undefined);
		});
		return credential.fetchedToken !== refused;
	}

	async function exchange(request: Request, bytes = false): Promise<Answer> {
		let renewed = false;
		for (let attempt = 0; ; attempt++) {
			if (cancelled?.aborted) throw new Failure('The execution was cancelled');
			const result = await gate.run(() => once(request, bytes));
			if ('status' in result) {
				if (isGood(result)) {
					gate.succeeded();
					return result;
				}
				if (result.status === 401 && fetchesToken && !renewed && saidByService(result)) {
					renewed = true;
					if (await renewToken()) continue;
				}
				if (result.status === 429 || result.status === 503) gate.halve();
			}
			const wait = pauseBefore(attempt, result);
			if (attempt >= repeats || !mayRepeat(request, result) || wait > longestPause) {
				throw redacted(failureOf(request, decoded(result)), request);
			}
			await pause(wait, cancelled);
		}
	}

	const secrets = ['apiKey', 'accessToken', 'clientSecret', 'externalHeaderValue', 'callbackSecret', 'previousCallbackSecret'];
	function redacted({ message, details }: Failure, request: Request): Failure {
		const known = [...secrets, 'fetchedToken'].map((name) => String(credential[name] ?? '')).concat(headerValues(credential.extraHeaders));
		const description = details.description && redact(details.description, request, known);
		return new Failure(redact(message, request, known), { ...details, description });
	}

	return {
		settings: settingsOf(credential),
		scope: scopeOf(credential),
		exchange,
		send: async (request) => (await exchange(request)).body,
		download: async (request) => {
			const { body, headers } = await exchange(request, true);
			return { bytes: Buffer.from(body as ArrayBuffer), contentType: String(headers['content-type'] ?? '') };
		},
	};
}

/** A further header may hold a key as well. */
function headerValues(setting: unknown): string[] {
	try {
		const headers = (typeof setting === 'string' ? JSON.parse(setting) : setting) as Json | null | undefined;
		return Object.values(headers ?? {}).map(String);
	} catch {
		return [];
	}
}

/** A proxy's 401 page proves nothing about what the service did with a write. */
const saidByService = ({ body }: Answer) => typeof body === 'object' && body !== null;

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

function pauseBefore(attempt: number, result: Answer | Lost): number {
	const asked = 'headers' in result ? retryAfterMs(result.headers) : undefined;
	return asked ?? 500 * 2 ** attempt * (0.5 + Math.random() / 2);
}

const credentialType = (context: HttpContext) =>
	context.getNode().parameters.authentication === 'jwt' ? 'businessVerificationJwtApi' : 'businessVerificationApi';

const scopeOf = ({ baseUrl, apiKey, accessToken, clientId }: ICredentialDataDecryptedObject) =>
	createHash('sha256').update(JSON.stringify([baseUrl, apiKey, accessToken, clientId])).digest('base64url');

function settingsOf(credential: ICredentialDataDecryptedObject): Settings {
	const text = (name: string, initial = '') => String(credential[name] || initial);
	return {
		baseUrl: text('baseUrl'),
		sellerStatusPath: text('sellerStatusPath'),
		sellerResultPath: text('sellerResultPath'),
		sellerLookupMethod: text('sellerLookupMethod', 'GET') as Settings['sellerLookupMethod'],
		licenseRequest: text('licenseRequest', 'query') as Settings['licenseRequest'],
		licenseSubcategoryName: text('licenseSubcategoryName', 'licensee_subcategory') as Settings['licenseSubcategoryName'],
		batchItemsField: text('batchItemsField', 'inquiries'),
		listItemsField: text('listItemsField'),
		callbackSecret: text('callbackSecret'),
		previousCallbackSecret: text('previousCallbackSecret'),
	};
}
