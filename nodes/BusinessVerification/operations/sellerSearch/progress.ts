import { Failure, filled, type Question, type Settings } from '../../definition';
import { sellerReport, sellerStatus } from '../../document';
import { ifRefusedAccess } from '../sellerAccess';

/** The document names a status and a result operation but neither path nor method: they are settings of the credential. */
function lookUp<T>(
	what: 'Status' | 'Result',
	path: string,
	requestId: string,
	{ sellerLookupMethod: method }: Settings,
	answer: Question<T>['answer'],
): Question<T> {
	if (path === '') {
		throw new Failure(`The path of the seller ${what.toLowerCase()} operation is not set`, {
			parameter: 'operation',
			description: `The service's document does not show it. Enter it as 'Seller ${what} Path' in the credential, with {request_id} where the ID belongs.`,
		});
	}
	const named = path.includes('{request_id}') ? undefined : { request_id: requestId };
	return {
		method,
		path: filled(path, { request_id: requestId }),
		...(method === 'GET' ? { query: named } : { body: named }),
		kind: 'read',
		answer,
		ifRefused: { ...ifRefusedAccess, 405: "Choose the other 'Seller Status and Result Method' in the credential." },
	};
}

export const readStatus = (requestId: string, settings: Settings) =>
	lookUp('Status', settings.sellerStatusPath, requestId, settings, sellerStatus);

export const readResult = (requestId: string, settings: Settings) =>
	lookUp('Result', settings.sellerResultPath, requestId, settings, sellerReport);
