import { randomUUID } from 'node:crypto';
import { owned, type Endpoint } from '../endpoint';
import type { Submission } from '../ledger';
import { Refusal } from '../refusal';
import { sellerReport, type SellerSearch } from '../sellers';
import type { Service } from '../service';
import type { Switches } from '../switches';
import { demand, fiveDigits, objectOf, optional, required, text, url } from '../validation';

const need = 'Seller search request';
const sellerShape = objectOf({
	...Object.fromEntries(['name', 'address_line_1', 'city', 'state'].map((name) => [name, required(text, need)])),
	...Object.fromEntries(
		['alt_name', 'address_line_2', 'zip4', 'dpc', 'ein', 'phone', 'alt_phone', 'fax', 'email', 'domain_name'].map(
			(name) => [name, optional(text)],
		),
	),
	zip5: required(fiveDigits, need),
	callback: required(url, 'The callback URL must be a live, reachable REST endpoint accepting POSTs'),
});

export const sellerEndpoints: Endpoint[] = [
	{
		method: 'POST',
		path: '/external/api/v1/seller-detailed',
		authentication: 'external',
		body: 'json',
		answers: 'writeAnswer',
		serve(service, { organization, body }) {
			demand(body, sellerShape, 'body');
			const submitted = body as Record<string, string>;
			if (service.switches.callbackRepeated === 'refusal') {
				throw new Refusal(422, [{ loc: ['body', 'callback'], text: `${submitted.callback} cannot be reached` }]);
			}
			const known = service.switches.searchRepeated === 'same' && service.sellers.like(organization.id, submitted);
			if (known) {
				service.record({ ...entryOf(known), duplicate: true });
				return { status: known.status, request_id: known.requestId };
			}
			const search: SellerSearch = {
				requestId: randomUUID(),
				organizationId: organization.id,
				sellerId: randomUUID(),
				submitted,
				status: 'pending',
			};
			service.sellers.add(search);
			service.record(entryOf(search));
			if (service.switches.sellerCompleteAtOnce) complete(service, search);
			else service.clock.schedule(service.switches.sellerMs, () => complete(service, search));
			return statusOf(service.switches, search);
		},
	},
];

const statusOf = ({ callbackRepeated }: Switches, { status, requestId, submitted }: SellerSearch) => ({
	status,
	request_id: requestId,
	...(callbackRepeated === 'answers' && { request: { callback: submitted.callback } }),
});

const entryOf = ({ requestId, organizationId, submitted }: SellerSearch): Omit<Submission, 'at'> => ({
	kind: 'sellerSearch',
	id: requestId,
	organizationId,
	key: submitted.name,
	count: 1,
});

/** "when the request status becomes complete, the service POSTs the Seller Report payload to the callback URL" */
function complete(service: Service, search: SellerSearch): void {
	search.status = 'complete';
	service.callbacks.deliver(search.submitted.callback, search.requestId, sellerReport(search, service.switches));
}

/** "a status operation and a result operation keyed by request_id. Their paths are not shown." */
export const sellerLookups = (switches: Switches): Endpoint[] => [
	{
		method: switches.sellerLookupMethod,
		path: switches.sellerStatusPath,
		authentication: 'external',
		answers: 'readAnswer',
		serve(service, call) {
			return statusOf(service.switches, owned(service.sellers.get(call.params.request_id), call, 'seller search'));
		},
	},
	{
		method: switches.sellerLookupMethod,
		path: switches.sellerResultPath,
		authentication: 'external',
		answers: 'readAnswer',
		serve(service, call) {
			const search = owned(service.sellers.get(call.params.request_id), call, 'seller search');
			if (search.status === 'complete') return sellerReport(search, service.switches);
			return statusOf(service.switches, search);
		},
	},
];
