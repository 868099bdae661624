import { type Request, type Settings } from '../kit/service';
import { type Answer, unanswered } from './attempt';
import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
	sleep,
} from 'n8n-workflow';
import { serviceUrl } from '../../../credentials/address';
import { baseIn, extraHeaders } from '../../../credentials/authenticate';
import { commonFields, publicSettings, settingText } from '../../../credentials/credentialFields';
import { parsedBody, wholeResponse } from '../../../credentials/responses';
import { chosenKind } from '../../../credentials/types';
import { cancelSignal } from './host';

/** The settings and secrets of a credential, and the requests sent with it. */

/** If 'Deployment Settings' is off, n8n passes none of them, so their defaults apply. */
export const settingsOf = (credential: ICredentialDataDecryptedObject): Settings =>
	Object.fromEntries(
		commonFields.map(({ name, default: initial }) => [name, String(credential[name] ?? '').trim() || String(initial)]),
	) as unknown as Settings;

/** Secrets to redact from messages: every text of the credential that is not known to be none. */
export const secretsOf = (credential: ICredentialDataDecryptedObject): string[] => [
	...Object.entries(credential).flatMap(([name, value]) =>
		typeof value === 'string' && !publicSettings.has(name) ? withAndWithoutWord(value) : [],
	),
	...headerSecrets(credential),
];

/** Secrets are often pasted with the word before them, such as "Bearer". */
function withAndWithoutWord(value: unknown): string[] {
	const text = settingText(value);
	return [text, text.replace(/^\S+\s+(?=\S+$)/, '')];
}

/** An additional header may hold a key too. If the setting is damaged, requests fail for that reason. */
function headerSecrets(credential: ICredentialDataDecryptedObject): string[] {
	try {
		return extraHeaders(credential).flatMap(({ value }) => withAndWithoutWord(value));
	} catch {
		return [];
	}
}

export type HttpContext = IExecuteFunctions | IPollFunctions | IWebhookFunctions | ILoadOptionsFunctions;

/** The credential as one item sees it. */
export const readCredential = (context: HttpContext, item = 0) =>
	context.getCredentials<ICredentialDataDecryptedObject>(chosenKind(context.getNode()).name, item);

/** The ID of a credential with a login, under which n8n stores its tokens. */
export function credentialId(context: HttpContext): string | null | undefined {
	const node = context.getNode();
	const { name, sentAs } = chosenKind(node);
	return sentAs === undefined ? undefined : node.credentials?.[name]?.id;
}

/** In bytes: more than a list of 500 rows. */
const largeBody = 512 * 1024;

/** Sends requests with the data of a credential, and never throws: the only caller of n8n's HTTP helper. */
export function connection(context: HttpContext, timeout: number) {
	// Read once, because n8n copies the node on every call of `getNode`.
	const { name, sentAs: type = name } = chosenKind(context.getNode());
	const canceled = cancelSignal(context);
	return async (data: ICredentialDataDecryptedObject, request: Request, bytes: boolean): Promise<Answer> => {
		const { method, path, query, body } = request;
		try {
			const options: IHttpRequestOptions = {
				method,
				url: serviceUrl(baseIn(data), path),
				json: !bytes,
				// Only if our own limit fails, because in n8n 2.8 this one leaves the connection open.
				timeout: timeout + 2_000,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				encoding: 'stream',
				// Empty values are omitted. n8n would delete them, and objects with deleted keys are slow to copy.
				...(query && { qs: query as IHttpRequestOptions['qs'] }),
				...(body && { body: body as IHttpRequestOptions['body'] }),
				...(Buffer.isBuffer(body) && { headers: { 'Content-Type': 'application/json' } }),
			};
			const credentialsDecrypted = { id: type, name: type, type, data };
			const ask = (ending: AbortSignal) =>
				context.helpers.httpRequestWithAuthentication.call(context, type, { ...options, ending } as typeof options, {
					credentialsDecrypted,
				});
			const { statusCode, headers, body: raw } = await wholeResponse(ask, timeout, canceled);
			// Making JSON of a megabyte takes half of the time for which n8n may stand still.
			const isLarge = Buffer.isBuffer(raw) && raw.length > largeBody;
			if (isLarge) await sleep(0);
			const answer = { status: statusCode, headers, body: bytes ? raw : parsedBody(raw), url: options.url };
			if (isLarge) await sleep(0);
			return answer;
		} catch (error) {
			return unanswered(error);
		}
	};
}
