import { amount, choice, flag, text } from './definition';

const paths = 'a status operation and a result operation keyed by request_id. Their paths are not shown.';
const report = 'Contents of the Seller Report …: not shown.';
const callbacks = 'Retries, headers and signing of the callback: not shown.';

/** Seller searches and what is called back; and the way through the network. */
export const sellerSwitches = {
	sellerStatusPath: text('path of the status operation', paths, '/external/api/v1/seller-detailed/{request_id}/status'),
	sellerResultPath: text('path of the result operation', paths, '/external/api/v1/seller-detailed/{request_id}'),
	sellerLookupMethod: choice('method of both', paths, ['GET', 'POST']),
	sellerMs: amount('time until a search is complete', 'The report is delivered asynchronously', 1_000),
	sellerCompleteAtOnce: flag('the submission already answers complete', 'a status is returned', false),
	callbackRepeated: choice(
		'where the callback URL of a search comes back: nowhere, in a refusal of it, in answers, in the report',
		'Contents of the Seller Report and exact shape of the status and result responses …: not shown.',
		['nowhere', 'refusal', 'answers', 'report'],
	),
	reportRequestId: flag('the Seller Report carries request_id', report, true),
	reportSellerId: choice('where the Seller Report holds seller_id', report, ['top', 'nested']),
	callbackRetries: amount('repeats of a callback that was not answered with 2xx', callbacks, 2),
	callbackDuplicates: amount('extra deliveries of each callback', callbacks, 0),
	callbackKeepsQuery: flag('the query of the callback URL survives', callbacks, true),
} as const;

export const transportSwitches = {
	latencyMs: amount('real time added to every request', 'network', 0),
} as const;
