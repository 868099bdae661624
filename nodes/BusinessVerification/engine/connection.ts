import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { serviceUrl } from '../../../credentials/address';
import { credentialType, jwtType, keyType, type Request } from '../definition';
import type { Answer } from './answer';
import { type Lost, lostBecause } from './lost';

export type HttpContext = IExecuteFunctions | IPollFunctions | IWebhookFunctions | ILoadOptionsFunctions;

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
			return { status: full.statusCode, headers: full.headers, body: full.body };
		} catch (error) {
			return lostBecause(error);
		}
	}
}
