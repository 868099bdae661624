import { Failure } from '../../definition/failure';
import type { Json, Request, Settings } from '../../definition/service';

/** The document names a status and a result operation but not their paths: they are settings of the credential. */
export function lookUp(what: 'Status' | 'Result', requestId: string, settings: Settings): Request {
	const path = what === 'Status' ? settings.sellerStatusPath : settings.sellerResultPath;
	if (path === '') {
		throw new Failure(`The path of the seller ${what.toLowerCase()} operation is not set`, {
			parameter: 'operation',
			description: `The service's document does not show it. Enter it as 'Seller ${what} Path' in the credential, with {request_id} where the ID belongs.`,
		});
	}
	const placed = path.includes('{request_id}');
	const method = settings.sellerLookupMethod;
	const named = placed ? undefined : { request_id: requestId };
	return {
		method,
		path: path.replaceAll('{request_id}', encodeURIComponent(requestId)),
		...(method === 'GET' ? { query: named } : { body: named }),
		kind: 'read',
	};
}

export const isComplete = (answer: Json) => String(answer.status).toLowerCase() === 'complete';
