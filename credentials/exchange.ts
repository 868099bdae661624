import { type IHttpRequestHelper, type IHttpRequestOptions, type IN8nHttpFullResponse, UserError } from 'n8n-workflow';

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
		throw unreached(error, place, advice);
	});
}

const reasons: Record<string, string> = {
	ECONNREFUSED: 'nothing listens there',
	ENOTFOUND: 'there is no machine of that name',
	EAI_AGAIN: 'its name could not be looked up',
	ECONNABORTED: 'no answer came in time',
	ETIMEDOUT: 'no answer came in time',
	EHOSTUNREACH: 'no way leads there',
	ENETUNREACH: 'no way leads there',
};

/** n8n wraps what its HTTP client says. */
const DEEPEST = 5;

/**
 * What a request without an answer came to. Only the code of the error is looked at, for the error holds the whole
 * request and its secrets; and the code is put in words, because n8n puts its own over any message that names one.
 */
export function unreached(error: unknown, place: string, description: string): UserError {
	const refusal = refusalIn(error);
	if (refusal !== undefined) return refusal;
	const code = String((error as { code?: unknown } | undefined)?.code ?? '');
	const reason =
		reasons[code] ??
		(/CERT|SIGNED|SIGNATURE|TLS|SSL/.test(code) ? 'its certificate is not trusted' : 'the connection broke');
	return new UserError(`${place} cannot be reached: ${reason}`, { description });
}

/** What n8n itself would not let go, by its egress filter for example: it names the target, and what to do. */
function refusalIn(error: unknown, depth = DEEPEST): UserError | undefined {
	if (error instanceof UserError) return error;
	return depth === 0 ? undefined : refusalIn((error as { cause?: unknown } | undefined)?.cause, depth - 1);
}
