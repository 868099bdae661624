import { type Request, type Settings } from '../kit/service';
import { type Answer, unanswered } from './answers';
import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import {
	baseUrlField,
	callbackFields,
	credentialType,
	jwtType,
	keyType,
	loginType,
	openPoints,
} from '../../../credentials/credentialFields';
import { baseIn, extraHeaders, inTime, serviceUrl, settingText } from '../../../credentials/sending';

/** The settings and secrets of a credential, and the requests sent with it. */

const settingFields = [baseUrlField, ...callbackFields, ...openPoints];

/** If 'Deployment Settings' is off, n8n passes none of them, so their defaults apply. */
export const settingsOf = (credential: ICredentialDataDecryptedObject): Settings =>
	Object.fromEntries(
		settingFields.map(({ name, default: initial }) => [name, String(credential[name] ?? '').trim() || String(initial)]),
	) as unknown as Settings;

const secretSettings = settingFields.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name);

/** Secrets to redact from messages. */
export const secretsOf = (credential: ICredentialDataDecryptedObject): string[] => [
	...['apiKey', 'accessToken', 'clientSecret', ...secretSettings].flatMap((name) =>
		withAndWithoutWord(credential[name]),
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
	context.getCredentials<ICredentialDataDecryptedObject>(credentialType(context), item);

/** The ID of an OAuth2 credential, under which n8n stores its tokens. */
export const credentialId = (context: HttpContext) => context.getNode().credentials?.[loginType]?.id;

/** Sends a request with the data of a credential. Never throws. */
export type Connection = (data: ICredentialDataDecryptedObject, request: Request, bytes: boolean) => Promise<Answer>;

/** The only caller of n8n's HTTP helper. */
export function connection(context: HttpContext, timeout: number): Connection {
	// All tokens are sent with the type of a pasted one. Read once, because n8n copies the node on every call of `getNode`.
	const type = credentialType(context) === keyType ? keyType : jwtType;
	return async (data, { method, path, query, body }, bytes) => {
		try {
			const options: IHttpRequestOptions = {
				method,
				url: serviceUrl(baseIn(data).base, path),
				json: !bytes,
				timeout,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				// Empty values are omitted. n8n would delete them, and objects with deleted keys are slow to copy.
				...(query && { qs: query as IHttpRequestOptions['qs'] }),
				...(body && { body: body as IHttpRequestOptions['body'] }),
				...(Buffer.isBuffer(body) && { headers: { 'Content-Type': 'application/json' } }),
				...(bytes && { encoding: 'arraybuffer' as const }),
			};
			const asked = context.helpers.httpRequestWithAuthentication.call(context, type, options, {
				credentialsDecrypted: { id: type, name: type, type, data },
			}) as Promise<IN8nHttpFullResponse>;
			const full = await inTime(asked, timeout);
			return { status: full.statusCode, headers: full.headers, body: full.body, url: options.url };
		} catch (error) {
			return unanswered(error);
		}
	};
}
