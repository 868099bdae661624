import { type Request, type Settings } from '../kit/service';
import { type Answer, type Lost, lostBecause } from './answers';
import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { baseUrlField, callbackFields, openPoints } from '../../../credentials/credentialFields';
import { extraHeaders, serviceUrl } from '../../../credentials/sending';
import { credentialType, jwtType, keyType, loginType } from '../kit/operation';
/** What the rest of the engine asks of a credential. */

const settingFields = [baseUrlField, ...callbackFields, ...openPoints];

/** Where the deployment settings are folded away, n8n hands on none of them, and their defaults hold. */
export const settingsOf = (credential: ICredentialDataDecryptedObject): Settings =>
	Object.fromEntries(
		settingFields.map(({ name, default: initial }) => [name, String(credential[name] || initial)]),
	) as unknown as Settings;

const secretSettings = settingFields.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name);

/** What no message may repeat. */
export const secretsOf = (credential: ICredentialDataDecryptedObject): string[] => [
	...['apiKey', 'accessToken', 'clientSecret', ...secretSettings].map((name) => bare(credential[name])),
	...headerSecrets(credential),
];

/** A secret is often pasted with the word that belongs before it. */
const bare = (value: unknown) =>
	String(value ?? '')
		.trim()
		.replace(/^(Bearer|Basic)\s+/i, '');

const namesSecret = /key|token|secret|auth|password|cookie|signature/i;

/** A further header may hold a key as well; a short value such as a region does not, unless its name says so. */
function headerSecrets(credential: ICredentialDataDecryptedObject): string[] {
	try {
		return extraHeaders(credential)
			.map(({ name, value }) => ({ name, value: bare(value) }))
			.filter(({ name, value }) => value.length >= 8 || namesSecret.test(name))
			.map(({ value }) => value);
	} catch {
		return [];
	}
}

export type HttpContext = IExecuteFunctions | IPollFunctions | IWebhookFunctions | ILoadOptionsFunctions;

/** Of a login, whose tokens n8n keeps under it. */
export const credentialId = (context: HttpContext) => context.getNode().credentials?.[loginType]?.id;

/** The one place that calls n8n's HTTP helper. */
export class Connection {
	/** Every token is sent as one that somebody pasted, wherever it is from. */
	private readonly type: string;

	constructor(
		private readonly context: HttpContext,
		private readonly timeout: number,
	) {
		// n8n copies the node whenever it is asked for it, so it is asked once.
		this.type = credentialType(context) === keyType ? keyType : jwtType;
	}

	/** Whatever comes back, an answer or none: nothing is thrown. */
	async exchange(
		{ method, path, query, body, timeout }: Request,
		bytes: boolean,
		data: ICredentialDataDecryptedObject,
	): Promise<Answer | Lost> {
		const { context, type } = this;
		try {
			const options: IHttpRequestOptions = {
				method,
				url: serviceUrl(String(data.baseUrl), path),
				json: !bytes,
				timeout: timeout ?? this.timeout,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				// What is empty is left out: n8n deletes it, and what something was deleted from is slow to copy ever after.
				...(query && { qs: query as IHttpRequestOptions['qs'] }),
				...(body && { body: body as IHttpRequestOptions['body'] }),
				...(Buffer.isBuffer(body) && { headers: { 'Content-Type': 'application/json' } }),
				...(bytes && { encoding: 'arraybuffer' as const }),
			};
			const full = (await context.helpers.httpRequestWithAuthentication.call(context, type, options, {
				credentialsDecrypted: { id: type, name: type, type, data },
			})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
			return { status: full.statusCode, headers: full.headers, body: full.body, url: options.url };
		} catch (error) {
			return lostBecause(error);
		}
	}
}
