import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { unreached } from './unreached';

/** A request that a credential makes for itself. Any status is an answer; where there is none, the error says why. */
export async function exchange(
	{ helpers }: IHttpRequestHelper,
	request: IHttpRequestOptions,
	place: string,
	advice: string,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		...request,
		json: true,
		timeout: 30_000,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	return await helpers.httpRequest(options).catch((error: unknown) => {
		throw unreached(place, advice)(error);
	});
}
